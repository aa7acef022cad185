#!/usr/bin/env bash
# A package of a stranger depends on a tagged clone of this one by git URL, builds with no unsafe flags, and plays a VMAP;
# then on the sources in its own tree.
# Shows S0.10 S0.11 S0.12 S0.46
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

git clone --quiet . "$scratch/weir"
git -C "$scratch/weir" tag 0.1.99
mkdir -p "$scratch/stranger/Sources/Stranger"
# The basic sample is the stranger's program.
cp Examples/BasicPlayer/*.swift "$scratch/stranger/Sources/Stranger/"

# plays DEPENDENCY: builds the stranger's package with it, and looks at what was played.
plays() {
    cat >"$scratch/stranger/Package.swift" <<PACKAGE
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "Stranger",
    dependencies: [$1],
    targets: [
        .executableTarget(
            name: "Stranger",
            dependencies: [.product(name: "WeirPlayback", package: "weir"), .product(name: "WeirVAST", package: "weir")]
        )
    ]
)
PACKAGE
    swift build --package-path "$scratch/stranger" ${JOBS:+-j $JOBS} 2>&1 | tail -1
    played=$("$scratch/stranger/.build/debug/Stranger")
    echo "$played" | grep -c '^event: started$' | grep -qx 3 || { echo "$played"; echo "not all three breaks were played" >&2; exit 1; }
    echo "$played" | grep -q 'at=00:00:10'
}

# Up to the next minor version: before 1.0 a minor version may change the interface.
plays ".package(url: \"file://$scratch/weir\", .upToNextMinor(from: \"0.1.99\"))"
echo "A stranger's package builds from a git URL and plays pre-roll, mid-roll and post-roll."

# The sources alone, as somebody keeps them in his own repository: no git, no tag.
mkdir "$scratch/stranger/Vendored"
mv "$scratch/weir" "$scratch/stranger/Vendored/weir"
rm -rf "$scratch/stranger/Vendored/weir/.git" "$scratch/stranger/.build" "$scratch/stranger/Package.resolved"
plays ".package(path: \"Vendored/weir\")"
echo "The same from the sources in its own tree."
