import Testing

@testable import WeirAdapterKit
@testable import WeirConfig

@Suite("docs/configuration.md")
struct DocumentationTests {
    private static let path = "docs/configuration.md"
    private let document: String

    init() throws {
        document = try Fixtures.text(Self.path)
    }

    @Test("has the reader's own tables")
    func tables() throws {
        let renewed = KeyTable.renewed(document)
        if Recording.isOn { try Recording.write(renewed, to: Self.path) }
        #expect(document == renewed)
        #expect(!Recording.isOn, "The tables were recorded; run again without WEIR_RECORD.")
    }

    @Test("has a table of every object")
    func allTables() {
        #expect(KeyTable.names(in: document).sorted() == Shapes.all.map(\.name).sorted())
    }

    @Test("explains every template field, and none that does not exist")
    func templateFields() throws {
        let section = try #require(document.split(separator: "### Templates").last?.split(separator: "\n## ").first)
        let known = TemplateField.Name.allCases.map(\.rawValue) + ["targeting.KEY", "settings.KEY"]
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `{") }
        let fields = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").split(separator: "`").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
        }
        #expect(fields.sorted() == known.sorted())
    }

    @Test("explains every code of a complaint, and none that does not exist")
    func codes() throws {
        let section = try #require(document.split(separator: "## Complaints").last)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let codes = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(codes == DiagnosticCode.allCases.map(\.rawValue))
    }

    @Test("shows examples that read without an error")
    func examples() throws {
        let examples = document.split(separator: "```jsonc\n").dropFirst().compactMap {
            $0.split(separator: "```").first
        }
        #expect(examples.count >= 6)
        let harmless: Set<DiagnosticCode> = [.liveUnitInDevelopment, .nothingToServe]
        let environment = [
            "IN_HOUSE_TOKEN": "in-house-token", "REWARDCO_KEY": "rewardco-key", "LEVELPLAY_KEY": "levelplay-key",
            "ACME_TOKEN": "acme-token",
        ]
        for example in examples {
            let reader = Fixtures.reader(
                files: ["admin.key": "admin-key", "inhouse.key": "in-house-key"],
                environment: environment,
                factories: Fixtures.factories + [Fixtures.bidding]
            )
            let result = reader.read(text: String(example), file: "w.json")
            #expect(result.configuration != nil)
            #expect(result.diagnostics.filter { !harmless.contains($0.code) }.map(\.text) == [])
        }
    }
}
