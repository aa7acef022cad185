#!/bin/sh
# Fuzzes the readers of the rooms with libFuzzer, address sanitizer included.
#   scripts/fuzz.sh SECONDS [TARGET…]
# Targets are the folders of Fuzz/Targets in lower case; the default is all, one after another.
# What is found goes to Fuzz/Kept/TARGET and fails the run; the tests read what lies there.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- vast json configuration http answers adapter

export WEIR_WORKSHOP=1
scratch=.build/fuzz
flags="-c release --scratch-path $scratch -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address
    -Xcc -fsanitize=fuzzer-no-link,address"
status=0
for target; do
    case $target in
    vast) product=FuzzVAST libraries="-lxml2" ;;
    json) product=FuzzJSON libraries="-ljson-c" ;;
    configuration) product=FuzzConfiguration libraries="-ljson-c" ;;
    http) product=FuzzHTTP libraries="-luv -lcurl -lz" ;;
    answers) product=FuzzAnswers libraries="-luv -lcurl -lz" ;;
    adapter) product=FuzzAdapter libraries="-ljson-c -luv" ;;
    *) echo "There is no target $target." >&2; exit 2 ;;
    esac
    # shellcheck disable=SC2086
    swift build $flags --product "$product"
    # shellcheck disable=SC2086
    swiftc -sanitize=fuzzer,address -parse-as-library -o "$scratch/fuzz-$target" \
        -Xlinker --whole-archive "$scratch/release/lib$product.a" -Xlinker --no-whole-archive $libraries
    mkdir -p "$scratch/corpus/$target" "Fuzz/Kept/$target"
    seeds="Fuzz/Seeds/$target Fuzz/Kept/$target"
    if [ "$target" = vast ]; then
        seeds="$seeds Tests/WeirVASTTests/Fixtures"
        [ -d "${WEIR_SHARED:-../shared}/data/vast" ] && seeds="$seeds ${WEIR_SHARED:-../shared}/data/vast"
    fi
    dictionary=""
    [ -f "Fuzz/Seeds/$target.dict" ] && dictionary="-dict=Fuzz/Seeds/$target.dict"
    echo "Fuzzing $target for $seconds seconds."
    # shellcheck disable=SC2086
    SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 "$scratch/fuzz-$target" \
        -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="Fuzz/Kept/$target/" $dictionary "$scratch/corpus/$target" $seeds || status=1
done
exit $status
