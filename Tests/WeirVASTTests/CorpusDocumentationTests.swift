import Testing

@testable import WeirVAST

/// docs/vast-corpus.md says what the tests find.
@Suite("Documentation of the corpus", .enabled(if: Corpus.root != nil, "The shared documents are not here."))
struct CorpusDocumentationTests {
    private static let page: String = {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/")
        return String(decoding: read(folder + "/docs/vast-corpus.md") ?? [], as: UTF8.self)
    }()

    @Test("every document whose model differs from the index is in the table, and no other")
    func exceptions() {
        let rows = Self.page.matches(of: /\n\| `([^`|]+\.xml)` \|/).map { String($0.1) }
        let differing = Corpus.entries.filter { Counts(VASTReader.read(Corpus.bytes($0))) != $0.counts }.map(\.file)
        #expect(rows.sorted() == differing.sorted())
        #expect(Set(differing) == Set(CorpusTests.exceptions.keys))
    }

    @Test("the numbers on the page are right")
    func numbers() throws {
        let page = Self.page.split(separator: "\n").joined(separator: " ")
        let readings = Corpus.entries.map { ($0, VASTReader.read(Corpus.bytes($0))) }
        #expect(page.contains("tested against \(readings.count) public"))
        let repaired = readings.filter { !$0.0.isWellFormed && $0.1.failure == nil }.count
        #expect(page.contains("\(repaired) more are not well-formed and are read all the same"))
        let valid = Corpus.entries.count { $0.isSchemaValid == true }
        #expect(page.contains("\(valid) of them are accepted by the schema of their version"))
    }
}
