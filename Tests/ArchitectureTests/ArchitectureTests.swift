import Glibc
import Testing
import WeirJSON

/// The arrows between the rooms, as docs/architecture.md lists them, against those that the package has.
@Suite("Architecture")
struct ArchitectureTests {
    @Test("every arrow of the package is listed, and every listed arrow is used")
    func arrows() throws {
        let listed = try listedArrows()
        let actual = try packageArrows()
        #expect(Set(listed.keys) == Set(actual.keys))
        for (room, imports) in actual {
            #expect(listed[room] == imports, "\(room): the package's arrows and docs/architecture.md differ")
        }
    }

    @Test("arrows make no circle")
    func circles() throws {
        var arrows = try packageArrows()
        while !arrows.isEmpty {
            let ground = arrows.filter { $0.value.isDisjoint(with: arrows.keys) }.map(\.key)
            try #require(!ground.isEmpty, "a circle among \(arrows.keys.sorted())")
            for room in ground { arrows[room] = nil }
        }
    }

    @Test("the product does without Foundation")
    func noFoundation() throws {
        let hits = try run(["grep", "-rlE", #"import +Foundation( |$)"#, root + "/Sources", root + "/Adapters"])
        #expect(hits.isEmpty, "\(hits)")
    }

    /// Room by room, from the table in docs/architecture.md; `weir` may import all, so it is left out.
    private func listedArrows() throws -> [String: Set<String>] {
        let text = try run(["cat", root + "/docs/architecture.md"])
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| room ") }
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                let cells = row.split(separator: "|", omittingEmptySubsequences: false)
                let room = cells[1].trimmed
                return room == "weir" ? nil : (room, Set(cells[2].split(separator: " ").map(String.init)))
            }
        )
    }

    private func packageArrows() throws -> [String: Set<String>] {
        // A scratch path of its own: the build that runs this test holds the lock of the usual one.
        let text = try run([
            "swift", "package", "--package-path", root, "--scratch-path", root + "/.build/architecture", "dump-package",
        ])
        let package = try JSONReader.read(text)
        let targets = package["targets"]?.array ?? []
        return Dictionary(
            uniqueKeysWithValues: targets.compactMap { target in
                guard let name = target["name"]?.string, target["type"]?.string == "regular", !name.hasPrefix("C")
                else { return nil }
                let dependencies = (target["dependencies"]?.array ?? []).compactMap { $0["byName"]?[0]?.string }
                return (name, Set(dependencies))
            }
        )
    }

    private var root: String {
        String(#filePath.dropLast("/Tests/ArchitectureTests/ArchitectureTests.swift".count))
    }

    /// What a command prints.
    private func run(_ command: [String]) throws -> String {
        let quoted = command.map { "'" + $0 + "'" }.joined(separator: " ")
        let pipe = try #require(popen(quoted + " 2>/dev/null", "r"))
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { text += buffer[..<count] }
        pclose(pipe)
        return String(decoding: text, as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
