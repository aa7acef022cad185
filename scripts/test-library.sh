#!/usr/bin/env bash
# A package of a stranger depends on a tagged clone of this one by git URL, builds with no unsafe flags, and plays a VMAP.
# Another one has the sources in its own tree, without git, and reads a VAST document.
# Shows S0.10 S0.11 S0.12 S0.46
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

git clone --quiet . "$scratch/weir"
git -C "$scratch/weir" tag 0.1.99
mkdir -p "$scratch/stranger/Sources/Stranger"
# Up to the next minor version: before 1.0 a minor version may change the interface.
cat >"$scratch/stranger/Package.swift" <<PACKAGE
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "Stranger",
    dependencies: [.package(url: "file://$scratch/weir", .upToNextMinor(from: "0.1.99"))],
    targets: [
        .executableTarget(
            name: "Stranger",
            dependencies: [.product(name: "WeirPlayback", package: "weir"), .product(name: "WeirVAST", package: "weir")]
        )
    ]
)
PACKAGE
# The basic sample is the stranger's program.
cp Examples/BasicPlayer/*.swift "$scratch/stranger/Sources/Stranger/"
swift build --package-path "$scratch/stranger" ${JOBS:+-j $JOBS} 2>&1 | tail -1
played=$("$scratch/stranger/.build/debug/Stranger")
echo "$played" | grep -c '^event: started$' | grep -qx 3 || { echo "$played"; echo "not all three breaks were played" >&2; exit 1; }
echo "$played" | grep -q 'at=00:00:10'
echo "A stranger's package builds from a git URL and plays pre-roll, mid-roll and post-roll."

mkdir -p "$scratch/vendored/Sources/Vendored" "$scratch/vendored/Vendor/weir"
git archive HEAD | tar -x -C "$scratch/vendored/Vendor/weir"
cat >"$scratch/vendored/Package.swift" <<PACKAGE
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "Vendored",
    dependencies: [.package(path: "Vendor/weir")],
    targets: [.executableTarget(name: "Vendored", dependencies: [.product(name: "WeirVAST", package: "weir")])]
)
PACKAGE
cat >"$scratch/vendored/Sources/Vendored/Vendored.swift" <<'PROGRAM'
import WeirVAST

@main
enum Vendored {
    static func main() {
        let ads = VASTReader().read(#"<VAST version="4.2"><Ad id="one"><InLine/></Ad></VAST>"#).vast?.ads ?? []
        print(ads.compactMap(\.id).joined())
    }
}
PROGRAM
swift build --package-path "$scratch/vendored" ${JOBS:+-j $JOBS} 2>&1 | tail -1
[ "$("$scratch/vendored/.build/debug/Vendored")" = one ] || { echo "the vendored sources do not read a document" >&2; exit 1; }
echo "Sources in a tree of one's own build and read a document."
