// swift-tools-version: 6.2
// The rooms of the house, floor by floor; docs/architecture.md explains them, Tests/ArchitectureTests guards the arrows.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func room(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: path ?? "Sources/\(name)",
        exclude: exclude,
        swiftSettings: settings
    )
}

func tests(
    _ room: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(room)Tests",
        dependencies: [.byName(name: room)] + dependencies,
        path: path ?? "Tests/\(room)Tests",
        exclude: exclude,
        swiftSettings: settings
    )
}

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "weir",
    products: [
        .executable(name: "weir", targets: ["weir"]),
        .library(name: "WeirAdapterKit", targets: ["WeirAdapterKit"]),
        .library(name: "WeirPlayback", targets: ["WeirPlayback"]),
        .library(name: "WeirVAST", targets: ["WeirVAST"]),
    ],
    targets: [
        // Floor 0: vocabulary, time, C libraries.
        .systemLibrary(name: "CUV", path: "Sources/CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(
            name: "CCurl",
            path: "Sources/CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CJSONC",
            path: "Sources/CJSONC",
            pkgConfig: "json-c",
            providers: [.apt(["libjson-c-dev"])]
        ),
        .systemLibrary(
            name: "CXML",
            path: "Sources/CXML",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            path: "Sources/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            path: "Sources/COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(name: "CZ", path: "Sources/CZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CLLHTTP", path: "Sources/CLLHTTP", cSettings: [.headerSearchPath("private")]),
        .target(
            name: "CWeirDocuments",
            path: "Sources/CWeirDocuments",
            exclude: ["documents"],
            cSettings: [
                .headerSearchPath("documents"), .headerSearchPath("../../Adapters/Examples/Python"),
                .headerSearchPath("../../Tests/DocsTests"),
            ]
        ),
        .target(
            name: "CSandboxMedia",
            path: "Sources/CSandboxMedia",
            exclude: ["media"],
            cSettings: [.headerSearchPath("media")]
        ),
        room("WeirModel", ["WeirTime"]),
        room("WeirTime"),

        // Floor 1: the adapter's contract, pure formats, event loops.
        room("WeirJSON", ["CJSONC"]),
        room("WeirVAST", ["WeirTime", "CXML"], exclude: ["README.md"]),
        room("WeirRuntime", ["WeirTime", "CUV"]),
        room("WeirAdapterKit", ["WeirModel", "WeirTime", "WeirJSON"]),
        room("WeirTelemetry", ["WeirTime", "WeirJSON"]),

        // Floor 2: what does the work.
        room("WeirMediation", ["WeirAdapterKit", "WeirModel", "WeirTime"]),
        room("WeirPlayback", ["WeirVAST", "WeirModel", "WeirTime"]),
        room("WeirStore", ["WeirModel", "WeirTime", "CSQLite"]),
        room("WeirRewards", ["WeirJSON", "WeirModel", "WeirTime", "COpenSSL"]),
        room(
            "WeirHTTP",
            ["WeirRuntime", "WeirAdapterKit", "WeirModel", "WeirTime", "CUV", "CCurl", "CLLHTTP", "CZ"]
        ),
        room("WeirCarriers", ["WeirAdapterKit", "WeirJSON", "WeirRuntime", "WeirModel", "WeirTime"]),
        room(
            "VASTAdapter",
            ["WeirAdapterKit", "WeirModel"],
            path: "Adapters/VAST/Sources"
        ),
        room(
            "RewardedAdapter",
            ["WeirAdapterKit", "WeirModel", "WeirJSON"],
            path: "Adapters/Rewarded/Sources"
        ),
        room(
            "InstreamAudioAdapter",
            ["WeirAdapterKit", "WeirModel", "WeirVAST", "WeirJSON"],
            path: "Adapters/InstreamAudio/Sources"
        ),
        room(
            "OpenRTBAdapter",
            ["WeirAdapterKit", "WeirModel", "WeirJSON", "WeirTime"],
            path: "Adapters/OpenRTB/Sources"
        ),

        // Floor 3: the hall.
        room(
            "WeirGateway",
            [
                "WeirMediation", "WeirPlayback", "WeirRewards", "WeirStore", "WeirAdapterKit", "WeirVAST", "WeirModel",
                "WeirTime",
            ]
        ),

        // Floor 4: the doors.
        room("WeirConfig", ["WeirCarriers", "WeirRewards", "WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime"]),
        room(
            "WeirAPI",
            [
                "WeirGateway", "WeirMediation", "WeirPlayback", "WeirHTTP", "WeirStore", "WeirAdapterKit", "WeirVAST",
                "WeirJSON", "WeirTelemetry", "WeirModel", "WeirTime", "CWeirDocuments",
            ]
        ),

        // Testing: no product room but weir imports it.
        room(
            "WeirTesting",
            [
                "WeirHTTP", "WeirRuntime", "WeirAdapterKit", "WeirVAST", "WeirTelemetry", "WeirJSON", "WeirModel",
                "WeirTime", "CSandboxMedia",
            ]
        ),

        // Floor 5: composition root and command line.
        .executableTarget(
            name: "weir",
            dependencies: [
                "WeirAPI", "WeirConfig", "WeirGateway", "WeirMediation", "WeirRewards", "WeirStore", "WeirTelemetry",
                "WeirHTTP", "WeirRuntime", "WeirAdapterKit", "WeirVAST", "WeirJSON", "WeirModel", "WeirTime",
                "WeirCarriers", "WeirTesting", "VASTAdapter", "RewardedAdapter", "InstreamAudioAdapter",
                "OpenRTBAdapter", "CWeirDocuments",
            ],
            path: "Sources/weir",
            swiftSettings: settings
        ),

        // Small programs that use the library as a stranger would.
        example("BasicPlayer", ["WeirPlayback", "WeirVAST"]),
        example("CustomUI", ["WeirPlayback", "WeirVAST"]),
        example("PictureInPicture", ["WeirPlayback", "WeirVAST"]),
        example("RadioPlayer", ["WeirPlayback", "WeirVAST", "WeirModel", "WeirTime"]),
        example("RewardedFlow", ["WeirPlayback", "WeirModel"]),

        // A process adapter in Swift, as a stranger would write it; the one in Python needs no target.
        .executableTarget(
            name: "bidco-adapter",
            dependencies: ["WeirAdapterKit", "WeirJSON", "WeirModel"],
            path: "Adapters/Examples/Swift/Sources",
            swiftSettings: settings
        ),

        // Tests, one folder per room.
        tests("WeirModel"),
        tests("WeirTime", ["WeirTesting"]),
        tests("WeirJSON"),
        tests("WeirVAST", ["WeirTime"], exclude: ["Fixtures"]),
        tests("WeirRuntime", ["WeirTime"]),
        tests("WeirAdapterKit", ["WeirJSON", "WeirModel", "WeirTime", "WeirTesting"]),
        tests("WeirTelemetry", ["WeirModel", "WeirTime", "WeirJSON"]),
        tests("WeirMediation", ["WeirAdapterKit", "WeirModel", "WeirTime", "WeirTesting"]),
        tests("WeirPlayback", ["WeirVAST", "WeirModel", "WeirTime", "WeirTesting"]),
        tests("WeirStore", ["WeirModel", "WeirTime", "CSQLite"]),
        tests("WeirRewards", ["WeirJSON", "WeirModel", "WeirTime"]),
        tests("WeirHTTP", ["WeirRuntime", "WeirAdapterKit", "WeirModel", "WeirTime", "WeirTesting"]),
        tests("WeirCarriers", ["WeirRuntime", "WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting"]),
        tests(
            "WeirGateway",
            [
                "WeirMediation", "WeirRewards", "WeirStore", "WeirAdapterKit", "WeirVAST", "WeirModel",
                "WeirTime", "WeirTesting",
            ]
        ),
        tests(
            "WeirConfig",
            [
                "WeirCarriers", "OpenRTBAdapter", "WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting",
            ]
        ),
        tests(
            "WeirAPI",
            [
                "WeirGateway", "WeirMediation", "WeirRewards", "WeirHTTP", "WeirStore", "WeirTelemetry",
                "WeirAdapterKit", "WeirVAST", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting",
            ],
            exclude: ["Goldens"]
        ),
        tests("WeirTesting", ["WeirHTTP", "WeirRuntime", "WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime"]),
        tests(
            "VASTAdapter",
            ["WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting"],
            path: "Adapters/VAST/Tests",
            exclude: ["Fixtures"]
        ),
        tests(
            "RewardedAdapter",
            ["WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting"],
            path: "Adapters/Rewarded/Tests",
            exclude: ["Fixtures"]
        ),
        tests(
            "InstreamAudioAdapter",
            ["WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting"],
            path: "Adapters/InstreamAudio/Tests",
            exclude: ["Fixtures"]
        ),
        tests(
            "OpenRTBAdapter",
            ["WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting"],
            path: "Adapters/OpenRTB/Tests",
            exclude: ["Fixtures"]
        ),
        .testTarget(name: "ArchitectureTests", dependencies: ["WeirJSON"], path: "Tests/ArchitectureTests"),
        .testTarget(
            name: "DocsTests",
            dependencies: ["WeirTesting", "WeirJSON", "WeirAdapterKit", "WeirModel", "WeirTime"],
            path: "Tests/DocsTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CSQLite", "WeirTesting", "WeirHTTP", "WeirRuntime", "WeirRewards", "WeirJSON", "WeirAdapterKit",
                "WeirModel",
                "WeirTime",
            ],
            path: "Tests/EndToEndTests",
            exclude: ["verify_ssv.py", "AudioAnswers", "Hostile/resolver.c"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What only the workshop needs, behind a variable so that nobody else builds it: `make bench`, `make fuzz`.
if Context.environment["WEIR_WORKSHOP"] != nil {
    package.targets += [
        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        .executableTarget(
            name: "bench-vast",
            dependencies: ["WeirVAST", "WeirTime", "CAllocationCount"],
            path: "Benchmarks/VAST",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-client",
            dependencies: ["WeirHTTP", "WeirRuntime", "WeirAdapterKit", "WeirTime"],
            path: "Benchmarks/Client",
            swiftSettings: settings
        ),
        .executableTarget(name: "bench-load", path: "Benchmarks/HTTP/Load"),
        .executableTarget(name: "bench-upstream", path: "Benchmarks/HTTP/Upstream"),
        .executableTarget(
            name: "bench-adapters",
            dependencies: [
                "VASTAdapter", "WeirCarriers", "WeirConfig", "WeirRuntime", "WeirAdapterKit", "WeirJSON", "WeirModel",
                "WeirTime",
            ],
            path: "Benchmarks/Adapters",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-declared",
            dependencies: ["WeirConfig", "WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime"],
            path: "Benchmarks/Declared",
            swiftSettings: settings
        ),
    ]
    // One fuzz target a room that reads what strangers send; a new one is a line here and one in scripts/fuzz.sh.
    let fuzzed: [(String, [Target.Dependency])] = [
        ("VAST", ["WeirVAST", "WeirTime"]), ("JSON", ["WeirJSON"]), ("Configuration", ["WeirConfig"]),
        ("HTTP", ["WeirHTTP"]), ("Answers", ["WeirHTTP", "WeirAdapterKit"]),
        ("Adapter", ["WeirCarriers", "WeirAdapterKit", "WeirModel"]),
    ]
    for (name, rooms) in fuzzed {
        package.targets.append(room("Fuzz\(name)", rooms, path: "Fuzz/Targets/\(name)"))
        package.products.append(.library(name: "Fuzz\(name)", type: .static, targets: ["Fuzz\(name)"]))
    }
}
