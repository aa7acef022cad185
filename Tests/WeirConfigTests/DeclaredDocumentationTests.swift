import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel

@testable import WeirCarriers
@testable import WeirConfig

@Suite("docs/declared-adapters.md")
struct DeclaredDocumentationTests {
    private static let path = "docs/declared-adapters.md"
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
        #expect(KeyTable.names(in: document).sorted() == Shapes.networkFiles.map(\.name).sorted())
    }

    @Test("explains every preset, and none that does not exist")
    func presets() throws {
        let rest = document.split(separator: "## The shortest file").last
        let section = try #require(rest?.split(separator: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(names == DeclaredPreset.allCases.map(\.rawValue))
    }

    @Test("explains every filter, and none that does not exist")
    func filters() throws {
        let section = try #require(document.split(separator: "#### Filters").last?.split(separator: "\n### ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").split(separator: "`").filter { $0.first?.isLetter ?? false }
                .map { String($0.prefix { $0 != ":" }) }
        }
        #expect(Set(names) == Set(DeclaredFilter.names))
    }

    @Test("the tables' words are those that are read")
    func words() {
        func words(_ key: String, of shape: ObjectShape) -> [String] {
            guard case .word(let words) = shape.key(key)?.shape else { return [] }
            return words
        }
        #expect(words("preset", of: Shapes.networkFile) == DeclaredPreset.allCases.map(\.rawValue))
        #expect(words("type", of: Shapes.declaredSetting) == DeclaredSetting.Kind.allCases.map(\.rawValue))
        #expect(words("format", of: Shapes.declaredReply) == ReplyMapping.Format.allCases.map(\.rawValue))
        #expect(words("decode", of: Shapes.declaredDocument) == AdMapping.Decoding.allCases.map(\.rawValue))
        #expect(words("unit", of: Shapes.declaredExpiry) == ExpiryMapping.Unit.allCases.map(\.rawValue))
        #expect(Set(words("unit", of: Shapes.declaredPrice)) == Set(PriceMapping.Unit.allCases.map(\.rawValue)))
    }

    @Test("shows examples that read without a complaint")
    func examples() throws {
        let examples = document.split(separator: "```jsonc\n").dropFirst().compactMap {
            $0.split(separator: "```").first.map(String.init)
        }
        let files = examples.filter { $0.contains("\"preset\"") }
        #expect(files.count >= 4)
        let factory = AdapterFactory(
            descriptor: AdapterDescriptor(kind: "openrtb", version: "1", formats: [.video]),
            settings: ["endpoint", "headers", "imp"]
        ) { _, _ throws(SettingsError) in
            throw SettingsError(path: "settings.none", message: "is nowhere")
        }
        for file in files {
            let isHandedOver = file.contains("\"openrtb\"")
            let reader = NetworkFileReader(adapters: isHandedOver ? [factory] : []) { _, _ in [] }
            let complaints = reader.read(Array(file.utf8), file: "n.json").diagnostics.map(\.text)
            // The stand-in takes nothing, and says so: it was asked.
            if isHandedOver {
                #expect(complaints.count == 1 && complaints.allSatisfy { $0.contains("none is nowhere") })
            } else {
                #expect(complaints == [])
            }
        }
        let configuration = try #require(examples.first { $0.contains("\"adapter\": \"declared\"") })
        let reader = Fixtures.reader(files: ["networks/acme.json": examples[0]])
        #expect(reader.read(text: configuration, file: "w.json").configuration != nil)
    }
}
