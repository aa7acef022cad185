import Testing
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirAdapterKit

@Suite("The adapter protocol's words")
struct WireTests {
    private let clock = ManualClock()

    @Test("an ask comes out of its JSON as it went in, the rate apart")
    func ask() throws {
        var ask = AdAsk.full(clock)
        ask.lineItem.network = ""
        ask.adUnit.maxAds = 3
        ask.adUnit.minDuration = .seconds(5)
        ask.adUnit.maxDuration = .seconds(30)
        ask.adUnit.blockedCategories = ["IAB25", "IAB26"]
        ask.adUnit.reward = Reward(item: "coins", amount: try #require(ExactDecimal("0.5")))
        ask.adUnit.sections = SectionLimits([.midroll: SectionLimit(maxAds: 2, maxDuration: .seconds(60))])
        ask.request.isTest = true
        ask.request.player.maxBitrate = 800
        ask.request.player.companions = [AdRequest.CompanionPlace(id: "c", width: 300, height: 250)]
        ask.request.midpoints = .positions([.milliseconds(60_000), .milliseconds(1_234)])
        let read = AdAsk(wire: try JSONReader.read(ask.wire), deadline: ask.deadline)
        #expect(read.request == ask.request)
        #expect(read.adUnit == ask.adUnit)
        #expect(read.lineItem == ask.lineItem)
        #expect(read.requestID == ask.requestID)
        #expect(read.isTest)
        ask.lineItem.rate = Currency("USD").flatMap { Money(amount: "77.77", currency: $0) }
        #expect(!String(decoding: ask.wire, as: UTF8.self).contains("77.77"))
    }

    @Test("percentages of a programme are kept exactly")
    func percent() throws {
        var ask = AdAsk.bare(clock)
        ask.request.midpoints = .percent([try #require(ExactDecimal("33.3")), ExactDecimal(50)])
        let read = AdAsk(wire: try JSONReader.read(ask.wire), deadline: ask.deadline)
        #expect(read.request.midpoints == ask.request.midpoints)
    }

    @Test("base64 goes both ways, and what is none is refused")
    func base64() {
        for count in 0...10 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 77 &+ 250) }
            #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
        }
        #expect(Base64.encoded(Array("Many hands".utf8)) == "TWFueSBoYW5kcw==")
        for text in ["A", "AB=C", "====", "TWF?", "TWFu\n"] { #expect(Base64.decoded(text) == nil, "\(text)") }
    }

    @Test("a body that is no text travels as base64, NUL included")
    func bodies() throws {
        for body in [Array("<VAST/>".utf8), [0xFF, 0x00], [0x41, 0x00]] as [[UInt8]] {
            let reply = AdapterReply(
                request: 0,
                result: .success(InboundResponse(status: 200, headers: [HTTPHeader("A", "b")], body: body))
            )
            let line = AdapterQuestion.replies([reply]).line(id: 7)
            let message = try JSONReader.read(Array(line.dropLast()))
            #expect(AdapterReply(wire: message["replies"]?[0] ?? .null) == reply)
        }
    }

    @Test("a message is one line, whatever is in it")
    func oneLine() {
        let settings: JSONValue = ["text": "a\nb\r\u{2028}\u{0}"]
        let line = AdapterQuestion.setUp(settings: settings).line(id: 2)
        #expect(line.filter { $0 == 0x0A }.count == 1)
        #expect(line.last == 0x0A)
    }

    @Test("what an adapter of ours writes, the gateway reads")
    func answers() throws {
        var offer = Offer(markup: .document(Array("<VAST version=\"4.2\"><Ad/></VAST>".utf8)))
        offer.id = "1"
        offer.price = Currency("EUR").flatMap { Money(amount: "1.25", currency: $0) }
        offer.reward = Reward(item: "coins", amount: ExactDecimal(10))
        offer.expires = .seconds(60)
        offer.slot = AudioSlot(.midroll, point: .seconds(30))
        offer.controls = AudioControls()
        offer.seat = "s"
        offer.deal = "d"
        offer.creativeID = "c"
        offer.advertiserDomains = ["brand.example"]
        offer.categories = ["IAB1"]
        offer.notices = BidNotices(
            win: ["https://w.example"],
            billing: ["https://b.example"],
            loss: ["https://l.example"]
        )
        var request = AdapterRequest(OutboundRequest(method: "POST", url: "https://a.example/b", body: [0xFE]))
        request.request.headers = [HTTPHeader("X-A", "1"), HTTPHeader("X-A", "2")]
        let contents: [AdapterAnswer.Content] = [
            .outcome(.success(.fill([offer]))), .requests([request]), .ready("done"),
            .outcome(.success(.noFill(NoFill(.noBid, "nothing", networkCode: "2", errorURLs: ["https://e.example"])))),
            .outcome(.failure(AdapterError(.rejected, .unknownImp, "which?", networkMessage: "m"))), .error("oops"),
            .failed(SetUpFailure(reason: "r", remedy: "m", isRetryable: false)),
            .hello(api: 1, AdapterDescriptor(kind: "acme", version: "1.2", formats: [.video, .audio])),
        ]
        for content in contents {
            let line = AdapterAnswer(id: 5, content: content).line
            let read = try AdapterAnswer(line: Array(line.dropLast()))
            #expect(read.id == 5)
            if case .outcome(let outcome) = content, case .outcome(let back) = read.content { #expect(outcome == back) }
            if case .requests(let requests) = content, case .requests(let back) = read.content {
                #expect(requests == back)
            }
        }
    }

    @Test(
        "what the network got wrong is a verdict on the network, not on the adapter (T-18, T-24)",
        arguments: [
            (#"{"vast":"  "}"#, "rejected(no_markup)"), ("{}", "rejected(no_markup)"),
            (#"{"vast_url":"file:///etc/passwd"}"#, "rejected(no_markup)"),
            (#"{"vast":"<VAST><Ad"}"#, "bad_response(bad_vast)"), (#"{"vast":"<html/>"}"#, "bad_response(bad_vast)"),
            (#"{"vast":"<VAST version='3.0'/>"}"#, "no_fill(empty_vast)"),
            (#"{"vast_url":"https://a.example","price":{"amount":"1"}}"#, "rejected(currency)"),
            (#"{"vast_url":"https://a.example","price":{"currency":"EUR"}}"#, "bad_response(missing_price)"),
            (#"{"vast_url":"https://a.example","price":{"amount":-1,"currency":"EUR"}}"#, "bad_response(bad_price)"),
            (#"{"vast_url":"https://a.example","price":{"amount":1e308,"currency":"EUR"}}"#, "bad_response(bad_price)"),
            (#"{"vast_url":"https://a.example","price":{"amount":"x","currency":"EUR"}}"#, "bad_response(bad_price)"),
            (#"{"vast_url":"https://a.example","reward":{"item":"c","amount":0}}"#, "bad_response(bad_json)"),
            (#"{"vast_url":"https://a.example","section":"sky"}"#, "bad_response(bad_json)"),
            (#"{"vast_url":"https://a.example","expires_in_ms":0}"#, "bad_response(bad_json)"),
            (#"{"vast_url":"https://a.example","price":{"amount":0.9999999,"currency":"USD"}}"#, "fill 0.999999 USD"),
        ]
    )
    func offers(_ offer: String, _ verdict: String) throws {
        let line = #"{"type":"outcome","id":3,"result":"fill","offers":[\#(offer)]}"#
        guard case .outcome(let outcome) = try AdapterAnswer(line: Array(line.utf8)).content else {
            Issue.record("no outcome")
            return
        }
        switch outcome {
        case .success(.fill(let offers)): #expect("fill \(offers[0].price?.description ?? "")" == verdict)
        case .success(.noFill(let noFill)): #expect("no_fill(\(noFill.reason.rawValue))" == verdict)
        case .failure(let error):
            #expect("\(error.outcome.result.rawValue)(\(error.outcome.reason.rawValue))" == verdict)
        }
    }

    @Test("an offer that cannot be used costs itself, not the others, and gets its loss notice")
    func someOffers() throws {
        let good = #"{"id":"g","vast_url":"https://a.example/v"}"#
        let bad = #"{"id":"b","vast":" ","loss":["https://l.example/?r=${AUCTION_LOSS}"]}"#
        let empty = #"{"vast":"<VAST version='3.0'/>"}"#
        func outcome(_ offers: String) throws -> Result<LoadOutcome, AdapterError> {
            let line = #"{"type":"outcome","id":3,"result":"fill","offers":[\#(offers)]}"#
            guard case .outcome(let outcome) = try AdapterAnswer(line: Array(line.utf8)).content else {
                throw AdapterAnswer.Fault(id: nil, reason: "no outcome")
            }
            return outcome
        }
        guard case .fill(let offers) = try outcome("\(bad),\(empty),\(good)").get() else {
            Issue.record("no fill")
            return
        }
        #expect(offers.map(\.id) == ["g", "b"])
        #expect(offers.map { $0.refusal?.reason } == [nil, .noMarkup])
        guard case .failure(let error) = try outcome("\(empty),\(bad)") else {
            Issue.record("no failure")
            return
        }
        #expect(error.outcome.reason == .noMarkup)
        #expect(error.lossURLs == ["https://l.example/?r=7"])
        // What the adapter itself leaves out is written and read alike.
        let refusal =
            #"{"id":"r","refusal":{"result":"rejected","reason":"unknown_imp"},"loss":["https://l.example/"]}"#
        guard case .fill(let told) = try outcome("\(refusal),\(good)").get() else {
            Issue.record("no fill")
            return
        }
        #expect(told.map(\.id) == ["g", "r"] && told[1].refusal?.reason == .unknownImp)
        let line = AdapterAnswer(id: 1, content: .outcome(.success(.fill(told)))).line
        guard case .outcome(.success(.fill(let again))) = try AdapterAnswer(line: Array(line.dropLast())).content else {
            Issue.record("it cannot be read again")
            return
        }
        #expect(again == told)
        #expect(throws: AdapterAnswer.Fault.self) {
            try outcome(#"{"refusal":{"result":"fill","reason":"fill"}}"#)
        }
    }

    @Test(
        "what breaks the protocol is a fault, with the number of its message where there is one",
        arguments: [
            ("", nil), ("[]", nil), ("{}", nil), (#"{"id":"3","type":"ready"}"#, nil), ("nonsense", nil),
            (#"{"id":3}"#, 3), (#"{"type":"ready","id": 12,"done":"\ud800"}"#, 12),
            (#"{"type":"hello","id":1,"api":1,"version":"1","formats":[]}"#, 1),
            (#"{"type":"hello","id":1,"api":1,"version":"1","formats":["film"]}"#, 1),
            (#"{"type":"requests","id":3,"requests":[]}"#, 3),
            (#"{"type":"requests","id":3,"requests":[{"url":"https://a.example","headers":{"a b":"c"}}]}"#, 3),
            (#"{"type":"requests","id":3,"requests":[{"url":"https://a.example","headers":{"Host":"c"}}]}"#, 3),
            (#"{"type":"requests","id":3,"requests":[{"url":"https://a.example","body_base64":"?"}]}"#, 3),
            (#"{"type":"requests","id":3,"requests":[{"url":"https://a.example","method":"G T"}]}"#, 3),
            (#"{"type":"outcome","id":3,"result":"no_fill","reason":"filled_above"}"#, 3),
            (#"{"type":"outcome","id":3,"result":"crash","reason":"exit"}"#, 3),
            (#"{"type":"outcome","id":3,"result":"fill","offers":[]}"#, 3),
        ] as [(String, Int?)]
    )
    func faults(_ line: String, _ id: Int?) {
        let fault = #expect(throws: AdapterAnswer.Fault.self) { try AdapterAnswer(line: Array(line.utf8)) }
        #expect(fault?.id == id)
        #expect(fault?.reason.isEmpty == false)
    }

    @Test("strangers' words are cut and hold no control characters")
    func words() throws {
        let long = String(repeating: "x", count: 5000)
        let line =
            #"{"type":"outcome","id":3,"result":"network_error","reason":"network_reported","message":"a\u001bb","network_code":7,"network_message":"\#(long)"}"#
        guard case .outcome(.failure(let error)) = try AdapterAnswer(line: Array(line.utf8)).content else {
            Issue.record("no error")
            return
        }
        #expect(error.outcome.message == "a b")
        #expect(error.outcome.networkCode == "7")
        #expect(error.outcome.networkMessage?.count == AdapterError.networkMessageLength)
    }
}
