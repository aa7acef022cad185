import Testing
import WeirTime

@testable import WeirVAST

@Suite("Corpus", .enabled(if: Corpus.root != nil, "The shared documents are not here; set WEIR_SHARED."))
struct CorpusTests {
    /// Documents whose elements do not all reach the model, and why; `Reading.counts` still counts them.
    static let exceptions: [String: String] = [
        "InteractiveAdvertisingBureau__VAST_Samples/VAST_1-2.0_Samples_Tremor-Video-Samples_vast1VPAIDLinear.xml":
            "VAST 1",
        "InteractiveAdvertisingBureau__VAST_Samples/VAST_1-2.0_Samples_vast1Nonlinear.xml": "VAST 1",
        "InteractiveAdvertisingBureau__VAST_Samples/VAST_1-2.0_Samples_vast1RegularLinear.xml": "VAST 1",
        "InteractiveAdvertisingBureau__VAST_Samples/VAST_1-2.0_Samples_vast1VPAIDLinear.xml": "VAST 1",
        "VAST4.x/4.3.md__embedded.xml": "an end tag is missing",
        "dailymotion__vmap-js/spec_samples_incorrect-vmap.xml": "the root is <WRONG>",
        "pbs/injector_injector_test.go__embedded.xml": "an end tag is missing",
        "prebid__Prebid.js/test_spec_modules_ampliffyBidAdapter_spec.js__embedded_2.xml":
            "<Companion> stands directly in <Wrapper>",
        "prebid__Prebid.js/test_spec_modules_lemmaDigitalBidAdapter_spec.js__embedded.xml": "an end tag is missing",
        "prebid__Prebid.js/test_spec_modules_operaadsBidAdapter_spec.js__embedded.xml":
            "a start and an end tag differ in case",
        "prebid__Prebid.js/test_spec_modules_pwbidBidAdapter_spec.js__embedded.xml": "an end tag is missing",
    ]

    @Test("counts elements as the index does", arguments: Corpus.entries)
    func counts(entry: Corpus.Entry) {
        let reading = VASTReader.read(Corpus.bytes(entry))
        let isEqual = Counts(reading) == entry.counts
        #expect(isEqual == (Self.exceptions[entry.file] == nil), "\(Counts(reading)) \(reading.diagnostics)")
        #expect(Counts(reading.counts) == entry.counts)
    }

    @Test("reading, writing and reading again gives the same model", arguments: Corpus.entries)
    func roundTrip(entry: Corpus.Entry) {
        let first = VASTReader.read(Corpus.bytes(entry))
        switch first.content {
        case .unreadable: #expect(Self.exceptions[entry.file] != nil || !entry.isWellFormed)
        case .vast(let document), .daast(let document):
            let text = VASTWriter.write(document).text
            #expect(VASTReader().read(text).vast == document, "\(text)")
        case .vmap(let document):
            let text = VASTWriter.write(document).text
            var again = VASTReader().read(text).vmap
            again?.namespace = document.namespace
            #expect(again == document, "\(text)")
        }
    }

    @Test("every document converts to every version and stays readable", arguments: Corpus.entries)
    func conversion(entry: Corpus.Entry) {
        guard let document = VASTReader.read(Corpus.bytes(entry)).vast else { return }
        for version in VASTVersion.allCases {
            let output = VASTWriter.convert(document, to: version)
            let again = VASTReader.read(output.bytes)
            #expect(again.vast?.ads.count == document.ads.count)
            #expect(again.vast?.version == version.rawValue)
        }
    }

    @Test("every document resolves to an ad or a refusal when nothing can be fetched", arguments: Corpus.entries)
    func resolves(entry: Corpus.Entry) async {
        let reading = VASTReader.read(Corpus.bytes(entry))
        let resolution = await VASTResolver().resolve(reading, clock: FixedClock()) { _ in
            .failed(.status(404), message: "404")
        }
        #expect(resolution.ads.isEmpty == (resolution.refusal != nil))
        let output = VASTWriter.write(resolution.ads)
        #expect(VASTReader.read(output.bytes).vast?.ads.count == resolution.ads.count)
    }

    @Test("cut off at any place, a document is refused and nothing breaks", arguments: Corpus.entries)
    func truncation(entry: Corpus.Entry) {
        let bytes = Corpus.bytes(entry)
        for length in stride(from: 0, to: bytes.count, by: 997) {
            let reading = VASTReader.read(Array(bytes[..<length]))
            guard let failure = reading.failure else {
                // Cut within the white space or comment after the root.
                #expect(bytes.count - length < 400, "\(length) of \(bytes.count)")
                continue
            }
            #expect(failure.errorCode.rawValue >= 100)
        }
    }
}
