internal import WeirTesting

/// The places of the source tree that name every adapter.
struct SwiftTree {
    /// What becomes of one place.
    enum Change {
        /// The file with the lines in it.
        case edit(Scaffold.Edit)
        /// The place was not found: what to add, and where.
        case byHand(file: String, text: String)
    }

    private let name: AdapterName

    init(_ name: AdapterName) {
        self.name = name
    }

    /// All of them; a file is changed as a whole, or left to its author as a whole.
    ///
    /// - Throws: `TextFile.Unreadable` for a file that cannot be read.
    func changes() throws -> [Change] {
        [try package(), try list(), try arrows()]
    }

    private func package() throws -> Change {
        let room = """
                    room(
                        "\(name.type)Adapter",
                        ["WeirAdapterKit", "WeirModel"],
                        path: "Adapters/\(name.type)/Sources"
                    ),

            """
        let tests = """
                    tests(
                        "\(name.type)Adapter",
                        ["WeirAdapterKit", "WeirJSON", "WeirModel", "WeirTime", "WeirTesting"],
                        path: "Adapters/\(name.type)/Tests",
                        exclude: ["Fixtures"]
                    ),

            """
        return try change(
            "Package.swift",
            [
                ("        room(\n            \"VASTAdapter\",", room, .before),
                ("\"WeirTesting\", \"VASTAdapter\",", "\n                \"\(name.type)Adapter\",", .after),
                ("        .testTarget(name: \"ArchitectureTests\"", tests, .before),
            ],
            added: "the targets \(name.type)Adapter and \(name.type)AdapterTests"
        )
    }

    private func list() throws -> Change {
        let path = "Sources/weir/BuiltInAdapters.swift"
        let new = "internal import \(name.type)Adapter"
        let lines = String(decoding: try TextFile.read(path), as: UTF8.self).split(separator: "\n")
        // Imports stand in alphabetical order.
        let next = lines.first { $0.hasPrefix("internal import ") && $0 > new } ?? "internal import WeirAdapterKit"
        return try change(
            path,
            [
                (String(next), new + "\n", .before),
                ("        VASTAdapterFactory.factory,\n", "        \(name.type)AdapterFactory.factory,\n", .after),
            ],
            added: "\(name.type)AdapterFactory.factory"
        )
    }

    private func arrows() throws -> Change {
        try change(
            "docs/architecture.md",
            [("| VASTAdapter |", "| \(name.type)Adapter | WeirAdapterKit WeirModel |\n", .before)],
            added: "what \(name.type)Adapter imports"
        )
    }

    private enum Side { case before, after }

    private func change(
        _ path: String,
        _ insertions: [(anchor: String, text: String, side: Side)],
        added: String
    ) throws -> Change {
        var text = String(decoding: try TextFile.read(path), as: UTF8.self)
        for insertion in insertions {
            let parts = text.split(separator: insertion.anchor, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                return .byHand(file: path, text: insertions.map(\.text).joined())
            }
            let (anchor, new) = (insertion.anchor, insertion.text)
            let middle = insertion.side == .before ? "\(new)\(anchor)" : "\(anchor)\(new)"
            text = "\(parts[0])\(middle)\(parts[1])"
        }
        return .edit(Scaffold.Edit(path: path, text: text, added: added))
    }
}
