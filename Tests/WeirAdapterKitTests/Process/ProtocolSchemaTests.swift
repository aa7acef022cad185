import Testing
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirAdapterKit

@Suite("docs/adapter-protocol.schema.json")
struct ProtocolSchemaTests {
    private let clock = ManualClock()
    private let schema: JSONValue
    private let document: String

    init() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        schema = try JSONReader.read(TextFile.read("\(root)/docs/adapter-protocol.schema.json"))
        document = String(decoding: try TextFile.read("\(root)/docs/adapter-protocol.md"), as: UTF8.self)
    }

    private func problems(_ line: [UInt8], _ side: String, isStrict: Bool = true) throws -> [String] {
        let checker = SchemaChecker(root: schema, isStrict: isStrict)
        let rule = try #require(schema["$defs"]?[side])
        return checker.problems(try JSONReader.read(line), rule)
    }

    @Test("every message that Weir writes fits, with no member that the schema does not name")
    func fromWeir() throws {
        var ask = AdAsk.full(clock)
        ask.adUnit.maxDuration = .seconds(30)
        ask.adUnit.reward = Reward(item: "coins", amount: ExactDecimal(10))
        ask.adUnit.blockedCategories = ["IAB25"]
        ask.adUnit.sections = SectionLimits([.preroll: SectionLimit(maxAds: 2, maxDuration: .seconds(60))])
        ask.request.player.maxBitrate = 800
        ask.request.player.companions = [AdRequest.CompanionPlace(width: 300, height: 250)]
        ask.request.midpoints = .positions([.seconds(60)])
        let replies = [
            AdapterReply(
                request: 0,
                result: .success(InboundResponse(status: 200, headers: [HTTPHeader("A", "b")], body: [0xFF]))
            ),
            AdapterReply(request: 1, result: .failure(TransportError(.reset, "It broke."))),
        ]
        let questions: [AdapterQuestion] = [
            .hello(network: "acme", weir: "0.1.0"), .setUp(settings: ["a": 1]), .replies(replies),
            .makeRequests(ask: ask.wire, remaining: .milliseconds(5)),
            .makeRequests(ask: AdAsk.bare(clock).wire, remaining: .zero),
            .outcome(ask: ask.wire, replies: replies, remaining: .milliseconds(5)), .tearDown,
        ]
        for question in questions {
            #expect(try problems(question.line(id: 3), "from_weir") == [], "\(question.type)")
        }
    }

    @Test("every message that the Swift host writes fits")
    func fromHost() throws {
        var offer = Offer(markup: .url("https://a.example"))
        offer.price = Currency("EUR").flatMap { Money(amount: "1.25", currency: $0) }
        offer.controls = AudioControls()
        offer.slot = AudioSlot(.midroll, point: .seconds(30))
        let descriptor = AdapterDescriptor(kind: "acme", version: "1", formats: [.video])
        let contents: [AdapterAnswer.Content] = [
            .hello(api: 1, descriptor), .ready(nil), .failed(SetUpFailure(reason: "r", remedy: "m")),
            .progress(SetUpProgress.Note()), .error("e"), .outcome(.success(.fill([offer]))),
            .outcome(.success(.noFill(NoFill(.noAd, "none")))),
            .outcome(.failure(AdapterError(.skipped, .missingField, "m"))),
            .requests([AdapterRequest(OutboundRequest(url: "https://a.example", body: [0]))]),
        ]
        for content in contents {
            #expect(try problems(AdapterAnswer(id: 1, content: content).line, "from_adapter") == [], "\(content)")
        }
    }

    @Test("every example of docs/adapter-protocol.md fits, and the answers among them are read")
    func examples() throws {
        let parts = document.split(separator: "<!-- message: ").dropFirst()
        #expect(parts.count >= 15)
        for part in parts {
            let name = part.prefix { $0 != "-" }.split(separator: " ").joined(separator: " ")
            let text = try #require(part.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
            let isAnswer = name.hasSuffix("answer")
            let line = try JSONReader.read(String(text)).encoded()
            #expect(try problems(line, isAnswer ? "from_adapter" : "from_weir") == [], "\(name)")
            if isAnswer { #expect(throws: Never.self, "\(name)") { try AdapterAnswer(line: line) } }
        }
    }

    @Test(
        "what the gateway does not take does not fit",
        arguments: [
            "{}", #"{"type":"ready"}"#, #"{"id":1}"#, #"{"type":"dance","id":1}"#,
            #"{"type":"hello","id":1,"api":1,"version":"1","formats":[]}"#,
            #"{"type":"hello","id":1,"api":1,"version":"1","formats":["film"]}"#, #"{"type":"requests","id":1}"#,
            #"{"type":"requests","id":1,"requests":[{}]}"#, #"{"type":"outcome","id":1,"result":"fill"}"#,
            #"{"type":"outcome","id":1,"result":"fill","offers":[]}"#,
            #"{"type":"outcome","id":1,"result":"no_fill","reason":"reset"}"#,
            #"{"type":"outcome","id":1,"result":"timeout","reason":"deadline"}"#,
        ]
    )
    func refused(_ line: String) throws {
        #expect(try problems(Array(line.utf8), "from_adapter", isStrict: false) != [])
        #expect(throws: AdapterAnswer.Fault.self) { try AdapterAnswer(line: Array(line.utf8)) }
    }

    @Test("its reasons of a no-fill are Weir's")
    func reasons() {
        let words = schema["$defs"]?["no_fill"]?["properties"]?["reason"]?["enum"]?.array?.compactMap(\.string)
        #expect(words == AttemptResult.noFill.reasons.map(\.rawValue))
    }
}
