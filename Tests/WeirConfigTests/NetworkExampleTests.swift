import OpenRTBAdapter
import Testing
import WeirConfig
import WeirJSON
import WeirTesting

/// The declared networks that ship as examples, each with its cases.
@Suite("Example networks")
struct NetworkExampleTests {
    private static let folder = "\(Fixtures.root)/config/networks/examples"

    /// A network's name and one of its cases.
    struct Example: Sendable, CustomTestStringConvertible {
        let network: String
        let subject: AdapterCase

        var testDescription: String { "\(network): \(subject.name)" }
    }

    static func networks() throws -> [String] { try TextFile.names(in: folder) }

    static func examples() throws -> [Example] {
        try networks().flatMap { network in
            try ["exemplary", "supplemental"].flatMap { kind -> [Example] in
                let cases = "\(folder)/\(network)/\(kind)"
                // House ads need no supplemental cases.
                guard try TextFile.names(in: "\(folder)/\(network)").contains(kind) else { return [] }
                return try AdapterCase.all(in: cases).map { Example(network: network, subject: $0) }
            }
        }
    }

    @Test("reads without a complaint", arguments: try networks())
    func reads(_ network: String) throws {
        let file = try NetworkFileReader(adapters: [OpenRTBAdapterFactory.factory]).read(
            path: "\(Self.folder)/\(network)/network.json"
        )
        #expect(file.diagnostics.map(\.text) == [])
        #expect(file.factory != nil)
    }

    @Test("does as its cases say", arguments: try examples())
    func cases(_ example: Example) async throws {
        let path = "\(Self.folder)/\(example.network)/network.json"
        let factory = try #require(
            try NetworkFileReader(adapters: [OpenRTBAdapterFactory.factory]).read(path: path).factory
        )
        let differences = await example.subject.run(factory)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("at least five follow a page of their network, and say which")
    func documentation() throws {
        let pages = try Self.networks().compactMap { network in
            try JSONReader.read(
                JSONComments.blank(try Fixtures.bytes("config/networks/examples/\(network)/network.json"))
            )[
                "documentation"
            ]?.string
        }
        #expect(Set(pages).count >= 5)
        #expect(pages.allSatisfy { $0.hasPrefix("https://") })
    }
}
