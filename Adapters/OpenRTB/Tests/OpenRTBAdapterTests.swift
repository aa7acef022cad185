import OpenRTBAdapter
import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@Suite("OpenRTB adapter")
struct OpenRTBAdapterTests {
    @Test("does what its case files say (T-11, T-18, T-24, T-26)", arguments: try AdapterCase.all(beside: #filePath))
    func cases(_ subject: AdapterCase) async {
        let differences = await subject.run(OpenRTBAdapterFactory.factory)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("loads every format")
    func formats() {
        #expect(OpenRTBAdapterFactory.factory.descriptor.formats == [.video, .audio, .rewarded])
    }

    @Test("tells the bidder what is left of the request's time (T-9)", arguments: [500, 37, 1, 0])
    func remaining(_ left: Int) throws {
        let clock = ManualClock()
        let ask = AdAsk(["remaining_ms": .int(left)], clock: clock)
        let body = try OpenRTBRequest(OpenRTBProfile()).body(for: ask, clock: clock)
        #expect(body["tmax"]?.int == max(1, left))
    }

    @Test("a request has what the specification requires, whatever is asked", arguments: AdFormat.allCases)
    func required(_ format: AdFormat) throws {
        let clock = ManualClock()
        for maxAds in [1, 2, 30] {
            for pods in ["dynamic", "structured", "none"] {
                let ask = AdAsk(["format": .string(format.rawValue), "max_ads": .int(maxAds)], clock: clock)
                let profile = try OpenRTBProfile(["pods": .string(pods)])
                let body = try OpenRTBRequest(profile).body(for: ask, clock: clock)
                #expect(body["id"]?.string?.isEmpty == false)
                let impressions = try #require(body["imp"]?.array)
                #expect((1...OpenRTBImpression.limit).contains(impressions.count))
                #expect(Set(impressions.compactMap { $0["id"]?.string }).count == impressions.count)
                for impression in impressions {
                    let media = try #require(impression[format == .audio ? "audio" : "video"])
                    #expect(media["mimes"]?.array?.isEmpty == false)
                    #expect((media["rqddurs"] == nil) || (media["minduration"] == nil && media["maxduration"] == nil))
                    #expect((media["poddur"] == nil) == (media["maxseq"] == nil))
                    #expect((impression["rwdd"]?.int == 1) == (format == .rewarded))
                }
                // A request is for a site or for an app, never for both.
                #expect((body["site"] == nil) != (body["app"] == nil))
            }
        }
    }

    @Test("one ask never shows in another's request")
    func independent() throws {
        let clock = ManualClock()
        let request = OpenRTBRequest(try OpenRTBProfile(["imp": ["ext": ["unit": "{network_unit}"]]]))
        let first = AdAsk(["network_unit": "one"], clock: clock)
        let second = AdAsk(["network_unit": "two"], clock: clock)
        let before = try request.body(for: first, clock: clock)
        #expect(try request.body(for: second, clock: clock)["imp"]?[0]?["ext"]?["unit"] == "two")
        #expect(try request.body(for: first, clock: clock) == before)
    }

    @Test("a hundred bids cost no more than fifty, and the best of them comes first")
    func manyBids() throws {
        let clock = ManualClock()
        let bids = (1...100).map { number in
            #"{"id":"\#(number)","impid":"1","price":\#(number % 50).5,"adm":"<VAST version=\"4.2\"><Ad/></VAST>"}"#
        }
        let body = #"{"id":"r","seatbid":[{"bid":[\#(bids.joined(separator: ","))]}]}"#
        let outcome = try OpenRTBReply(OpenRTBProfile()).outcome(of: Array(body.utf8), for: AdAsk([:], clock: clock))
        guard case .fill(let offers) = outcome else {
            Issue.record("no fill")
            return
        }
        #expect(offers.count == OpenRTBReply.bidLimit)
        #expect(offers.first?.price?.amount == "49.50")
        let prices = offers.compactMap(\.price?.micros)
        #expect(prices == prices.sorted(by: >))
    }

    @Test("no reply makes it crash: what is cut or damaged is a bad response or a no-bid")
    func damaged() {
        let clock = ManualClock()
        let ask = AdAsk([:], clock: clock)
        let good =
            #"{"id":"r","cur":"USD","bidid":"b","seatbid":[{"seat":"s","bid":[{"id":"1","impid":"1","price":1.5,"#
            + #""adm":"<VAST version=\"4.2\"><Ad/></VAST>","nurl":"https://n.example/?p=${AUCTION_PRICE}"}]}]}"#
        let bytes = Array(good.utf8)
        for end in bytes.indices {
            #expect(throws: AdapterError.self) {
                try OpenRTBReply(OpenRTBProfile()).outcome(of: Array(bytes[..<end]), for: ask)
            }
        }
        for place in bytes.indices {
            for byte in [UInt8(0), 0x22, 0x2C, 0x39, 0x5B, 0x7D, 0xFF] {
                var changed = bytes
                changed[place] = byte
                // Whatever comes of it, it comes back.
                _ = try? OpenRTBReply(OpenRTBProfile()).outcome(of: changed, for: ask)
            }
        }
    }

    @Test("the key stands in no message, whatever fails")
    func secrets() async throws {
        let clock = ManualClock()
        let lines = LogLines()
        let replies: [StubTransport.Reply] = [
            .response(InboundResponse(status: 401, body: Array("bad key k-s3cret".utf8))),
            .response(.text("k-s3cret", type: "application/json")),
            .response(.text(#"{"seatbid":"k-s3cret"}"#, type: "application/json")),
            .failure(TransportError(.reset, "b.example closed the connection.")),
        ]
        for reply in replies {
            let transport = StubTransport(clock: clock) { _ in reply }
            let context = AdapterContext(network: "b", transport: transport, clock: clock) { lines.append($0) }
            let adapter = try OpenRTBAdapterFactory.factory.make(
                [
                    "endpoint": "https://b.example/bid", "api_key": "k-s3cret",
                    "headers": ["Authorization": "Bearer {settings.api_key}"],
                ],
                context
            )
            let error = await #expect(throws: AdapterError.self) {
                try await adapter.load(AdAsk([:], clock: clock))
            }
            let sent = transport.requests.first?.headers.contains { $0.value == "Bearer k-s3cret" }
            #expect(sent == true)
            lines.append(error?.outcome.message ?? "")
        }
        #expect(lines.all.count == 4)
        #expect(lines.all.filter { $0.contains("s3cret") }.isEmpty)
    }

    @Test("a probe makes it ready")
    func probe() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 200)) }
        let context = AdapterContext(network: "b", transport: transport, clock: clock)
        let settings: JSONValue = ["endpoint": "https://b.example/bid", "probe_url": "https://b.example/health"]
        try await OpenRTBAdapterFactory.factory.make(settings, context).setUp(SetUpProgress())
        #expect(transport.requests.map(\.url) == ["https://b.example/health"])
    }
}
