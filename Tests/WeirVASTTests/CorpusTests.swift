import Testing

@testable import WeirVAST

@Suite("Corpus", .enabled(if: Corpus.root != nil, "The shared documents are not here; set WEIR_SHARED."))
struct CorpusTests {
    @Test("counts elements as the index does", arguments: Corpus.entries)
    func counts(entry: Corpus.Entry) {
        let reading = VASTReader.read(Corpus.bytes(entry))
        #expect(Counts(reading) == entry.counts, "\(reading.diagnostics.map(\.message))")
    }
}
