#!/usr/bin/env bash
# The Swift way of docs/add-a-network.md, its lines as they stand there: an adapter is written into this clone, built,
# played, and tested with the guard of the architecture. Afterwards the tree is as it was, so it has to be clean before.
# STRICT=1 builds with the flags of `make test STRICT=1`, so that what is built already need not be built again.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "$(git status --porcelain)" ]; then
    echo "There are changes that are not committed; commit or stash them first: this puts the tree back at its end." >&2
    exit 1
fi
put_back() {
    git checkout --quiet -- .
    git clean --quiet --force -d Adapters
}
trap put_back EXIT

flags=()
[ -z "${STRICT:-}" ] || flags=(-Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error)
swift() { command swift "$@" ${flags[@]+"${flags[@]}"} ${JOBS:+-j "$JOBS"}; }
PATH="$PWD/.build/release:$PATH"

lines=$(awk '/^## /{there = /^## 4[.]/} there && /^```/{open = !open; next} there && open' docs/add-a-network.md)
grep -q 'weir adapter new dune --carrier swift' <<<"$lines" || { echo "Section 4 has lost its lines: $lines" >&2; exit 1; }
while IFS= read -r line; do
    echo "\$ $line"
    eval "$line" </dev/null
done <<<"$lines"

# What the scaffold wrote into the tables of the house is right, too.
swift test --disable-xctest --quiet --filter ArchitectureTests
echo "The Swift way of docs/add-a-network.md leads to an adapter that is green."
