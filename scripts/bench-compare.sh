#!/bin/sh
# Measures this tree's gateway beside the one of another revision, in the same rounds: scripts/bench-compare.sh REV …
# Needs a release build of this tree. What follows REV goes to Benchmarks/HTTP/bench.py.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "usage: make bench-compare REV=REVISION" >&2; exit 2; }
revision=$(git rev-parse --verify --short=10 "$1^{commit}")
shift
other=.build/bench/weir-$revision
if [ ! -x "$other" ]; then
    folder=$(mktemp -d)
    trap 'git worktree remove --force "$folder/tree" 2>/dev/null || true; rm -rf "$folder"' EXIT
    git worktree add --quiet --detach "$folder/tree" "$revision"
    ${SWIFT:-swift} build --package-path "$folder/tree" --scratch-path "$folder/build" -c release --product weir
    mkdir -p .build/bench
    cp "$folder/build/release/weir" "$other"
fi
Benchmarks/HTTP/bench.py --tools .build/workshop/release --against "$revision=$other" \
    --json ".build/bench/against-$revision.json" "$@"
