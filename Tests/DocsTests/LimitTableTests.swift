import Testing
import WeirTesting

/// docs/threat-model.md promises limits; the sources must keep them.
@Suite("The table of limits")
struct LimitTableTests {
    private static let root = String(#filePath.dropLast("/Tests/DocsTests/LimitTableTests.swift".count))

    private struct Row {
        var name: String
        var amount: String
        var key: String
        var place: String
    }

    private let rows: [Row]
    private let document: String

    init() throws {
        document = String(decoding: try TextFile.read(Self.root + "/docs/threat-model.md"), as: UTF8.self)
        let section = try #require(document.split(separator: "\n## ").first { $0.hasPrefix("Every limit") })
        rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| limit ") }.map { line in
            let cells = line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            return Row(
                name: cells[0],
                amount: String(cells[1].split(separator: ", and").first ?? ""),
                key: cells[2],
                place: cells.last?.filter { $0 != "`" } ?? ""
            )
        }
    }

    @Test("each limit is the one in the source")
    func amounts() throws {
        #expect(rows.count > 70)
        for row in rows where !row.place.isEmpty {
            let parts = row.place.split(separator: ".").map(String.init)
            try #require(parts.count == 2, "\(row.place)")
            let found = try Self.values(of: parts[1], inType: parts[0])
            let wanted = Self.amount(row.amount)
            #expect(wanted != nil, "\(row.name): \(row.amount)")
            #expect(found == [wanted], "\(row.name): \(row.amount) is not \(row.place)")
        }
    }

    @Test("every key of the doors and of the limits that counts or measures is in the table")
    func keys() throws {
        let configuration = String(decoding: try TextFile.read(Self.root + "/docs/configuration.md"), as: UTF8.self)
        let unlimited: Set = ["workers"]
        for object in ["server", "limits", "process"] {
            let table = try #require(configuration.split(separator: "<!-- keys: \(object) -->").dropFirst().first)
            let lines = table.split(separator: "<!-- end -->").first?.split(separator: "\n") ?? []
            let keys = lines.filter { $0.hasPrefix("| `") }.compactMap { line -> String? in
                let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
                let isMeasure =
                    ["ms,", "bytes,"].contains { cells[1].hasPrefix($0) } || cells[1].first?.isNumber == true
                return isMeasure && !unlimited.contains(cells[0]) ? cells[0] : nil
            }
            #expect(keys.count >= 5)
            for key in keys { #expect(rows.contains { $0.key == "`\(object).\(key)`" }, "\(object).\(key)") }
        }
    }

    // MARK: Reading

    /// `var` and `let` lines by the type that they stand in, as far as a look at the lines can tell.
    private static let properties: [String: [Substring]] = {
        var found: [String: [Substring]] = [:]
        for path in (try? sources(root + "/Sources")) ?? [] {
            guard let bytes = try? TextFile.read(path) else { continue }
            // What is indented less than a line, and was declared last, is what the line belongs to.
            var types: [(indent: Int, name: String)] = []
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                let indent = line.prefix { $0 == " " }.count
                while let last = types.last, last.indent >= indent { types.removeLast() }
                let words = line.split(separator: " ").prefix { $0 != "//" && $0 != "///" }
                if let kind = words.firstIndex(where: { ["struct", "class", "enum", "extension"].contains($0) }),
                    kind + 1 < words.endIndex, line.last == "{"
                {
                    types.append((indent, String(words[kind + 1].prefix { $0.isLetter || $0.isNumber })))
                } else if words.contains("var") || words.contains("let") {
                    found[types.last?.name ?? "", default: []].append(line)
                }
            }
        }
        return found
    }()

    private static func sources(_ folder: String) throws -> [String] {
        try TextFile.names(in: folder).flatMap { name -> [String] in
            if name.hasSuffix(".swift") { return ["\(folder)/\(name)"] }
            return name.contains(".") ? [] : (try? sources("\(folder)/\(name)")) ?? []
        }
    }

    /// What a property of that name is set to in that type, in units of one or in milliseconds.
    private static func values(of property: String, inType type: String) throws -> Set<Int?> {
        var values: Set<Int?> = []
        for line in properties[type] ?? [] {
            for keyword in ["var ", "let "] {
                guard let mark = line.firstRange(of: keyword + property) else { continue }
                let rest = line[mark.upperBound...]
                guard let next = rest.first, " :".contains(next) else { continue }
                // `= value`, or `{ value }` of a computed one.
                guard let start = rest.firstIndex(where: { $0 == "=" || $0 == "{" }) else { continue }
                values.insert(amount(String(rest[rest.index(after: start)...].prefix { $0 != "}" && $0 != "/" })))
            }
        }
        return values
    }

    /// `16 KiB`, `10 s`, `2,000`, `1 << 20`, `.seconds(5)`, `65_536`: a number, times in milliseconds.
    private static func amount(_ text: String) -> Int? {
        let text = text.filter { $0 != "," && $0 != "_" && $0 != " " }
        let units = [
            ("KiB", 1024), ("MiB", 1 << 20), ("GiB", 1 << 30), ("ms", 1), ("min", 60_000), ("h", 3_600_000),
            ("s", 1000), ("", 1),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            if let number = Int(text.dropLast(unit.count)) { return number * factor }
        }
        if let shift = text.firstRange(of: "<<"), let left = Int(text[..<shift.lowerBound]),
            let right = Int(text[shift.upperBound...])
        {
            return left << right
        }
        for (call, factor) in [(".milliseconds(", 1), (".seconds(", 1000)] {
            guard let mark = text.firstRange(of: call) else { continue }
            return Int(text[mark.upperBound...].prefix { $0.isNumber }).map { $0 * factor }
        }
        return nil
    }
}
