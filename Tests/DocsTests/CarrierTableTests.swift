import Testing
import WeirTesting

/// docs/testing.md says which test shows what for each carrier; the tests must be there and say so themselves.
@Suite("The table of carriers")
struct CarrierTableTests {
    private static let root = String(#filePath.dropLast("/Tests/DocsTests/CarrierTableTests.swift".count))

    /// The numbers that every carrier must show.
    private static let numbers = ["T-15", "T-16", "T-18", "T-20", "T-24", "T-26", "T-27"]

    /// The cells of each row: its number, and the tests of each carrier.
    private let rows: [[String]]

    init() throws {
        let document = String(decoding: try TextFile.read(Self.root + "/docs/testing.md"), as: UTF8.self)
        let marked = try #require(document.split(separator: "<!-- carriers -->").dropFirst().first)
        let table = try #require(marked.split(separator: "<!-- end -->").first)
        rows = table.split(separator: "\n").filter { $0.hasPrefix("| T-") }.map { line in
            line.split(separator: "|").map { cell in String(cell.filter { $0 != "`" }) }
        }
    }

    @Test("every number is shown for every carrier")
    func complete() {
        #expect(rows.map { $0[0].filter { $0 != " " } } == Self.numbers)
        for row in rows { #expect(row.count == 4, "\(row[0])") }
    }

    @Test("each test that is named is there, and names its number")
    func tests() throws {
        let files = try Self.files(Self.root + "/Tests") + Self.files(Self.root + "/Adapters")
        for row in rows {
            let number = row[0].filter { $0 != " " }
            for cell in row.dropFirst() {
                let tests = cell.split(separator: " ").map(String.init)
                #expect(!tests.isEmpty, "\(number)")
                for test in tests {
                    let parts = test.split(separator: ".")
                    try #require(parts.count == 2, "\(test)")
                    let sources = try files.filter { $0.hasSuffix("/\(parts[0]).swift") }.map {
                        String(decoding: try TextFile.read($0), as: UTF8.self)
                    }
                    #expect(
                        sources.contains { Self.attribute(of: String(parts[1]), in: $0)?.contains(number) == true },
                        "\(number): there is no test \(test) of that number"
                    )
                }
            }
        }
    }

    /// From `@Test` to the function; `nil` when there is no such test.
    private static func attribute(of function: String, in source: String) -> Substring? {
        guard let declaration = source.firstRange(of: "func \(function)(") else { return nil }
        let before = source[..<declaration.lowerBound]
        let attributes = before.ranges(of: "@Test")
        return attributes.last.map { before[$0.lowerBound...] }
    }

    private static func files(_ folder: String) throws -> [String] {
        try TextFile.names(in: folder).flatMap { name -> [String] in
            if name.hasSuffix(".swift") { return ["\(folder)/\(name)"] }
            return name.contains(".") ? [] : (try? files("\(folder)/\(name)")) ?? []
        }
    }
}
