#!/usr/bin/env bash
# Runs the tests under the address sanitizer, then under the thread sanitizer; each in a build folder of its own.
# One test after the other and with fewer random sequences than usual: everything takes ten times as long.
set -euo pipefail
cd "$(dirname "$0")/.."
# Hundreds of tests at once hold more descriptors than a login shell usually has.
ulimit -n "$(ulimit -Hn)"

run() {
    local kind=$1
    echo "== $kind sanitizer"
    # Leak checking needs ptrace, which containers refuse; tests that start whole programs start ones that are not instrumented.
    ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/scripts/thread-sanitizer.supp" WEIR_SEQUENCES=2000 \
        timeout 3000 swift test --sanitize="$kind" --scratch-path ".build/sanitize-$kind" --no-parallel --skip 'EndToEndTests|DocsTests|ArchitectureTests'
}

run address
run thread
