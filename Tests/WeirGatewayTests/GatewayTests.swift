import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirRewards
import WeirTesting
import WeirTime
import WeirVAST

@testable import WeirGateway

@Suite("Gateway", .timeLimit(.minutes(10)))
struct GatewayTests {
    private func reasons(_ response: AdResponse) -> [Reason] { response.attempts.map(\.outcome.reason) }

    @Test("the first line that fills ends the waterfall")
    func fill() async throws {
        let hall = await Hall(["a": [], "b": [.ads(inLine("1"))], "c": [.ads(inLine("2"))]])
        let response = try await hall.serve()
        #expect(response.result == .fill)
        #expect(response.requestID == "r")
        #expect(response.ads.map(\.ad.id) == ["1"])
        #expect(reasons(response) == [.noAd, .fill, .filledAbove])
        #expect(response.configuration == "v1")
        #expect(response.arrivedAt == hall.clock.wallNow)
        #expect(response.expiresAt == hall.clock.wallNow.advanced(by: .seconds(3600)))
    }

    @Test("nothing anywhere is a no-fill, not an error")
    func noFill() async throws {
        let response = try await Hall(["a": [], "b": []]).serve()
        #expect(response.result == .noFill)
        #expect(response.expiresAt == nil)
        #expect(reasons(response) == [.noAd, .noAd])
    }

    @Test("the error URLs of an empty answer are told 303, over the network's own transport")
    func noAdPing() async throws {
        let noFill = NoFill(.noAd, "Nothing.", errorURLs: ["https://n.test/e?c=[ERRORCODE]", "https://n.test/f"])
        let hall = await Hall(["a": []], noFill: noFill, pages: Pages { _ in .response(InboundResponse(status: 204)) })
        #expect(try await hall.serve().result == .noFill)
        await hall.observer.wait(.sent, 2)
        #expect(Set(hall.transport.requests.map(\.url)) == ["https://n.test/e?c=303", "https://n.test/f"])
    }

    @Test("a placement that is not configured is an error, asked or explained")
    func unknown() async {
        let hall = await Hall(["a": []])
        let error = await #expect(throws: GatewayError.self) { try await hall.serve { $0.placement = "q" } }
        #expect(error?.code == .unknownPlacement)
        #expect(error?.placement == "q")
        #expect(throws: GatewayError.self) { try hall.gateway.explain(AdRequest(placement: "q")) }
    }

    @Test("a hollow offer, and an offer without anything, go on to the next line")
    func hollow() async throws {
        let empty = Offer(markup: .document([]))
        let response = try await Hall(["a": [.ads()], "b": [empty], "c": [.ads(inLine("1"))]]).serve()
        #expect(response.ads.map(\.network) == ["c"])
        #expect(reasons(response) == [.emptyVAST, .noMarkup, .fill])
    }

    @Test("a caller that goes away gets no answer, and what is under way ends")
    func gone() async throws {
        let hall = await Hall(["a": [.wrapper]], pages: Pages { _ in .hang })
        let serving = Task { try await hall.serve() }
        // The wrapper is being fetched, and nothing but the call to it can end the attempt early.
        await waitUntil { !hall.transport.requests.isEmpty }
        serving.cancel()
        await #expect(throws: GatewayError.self) { try await serving.value }
        #expect(hall.clock.elapsed == .zero)
        // What was broken off is no error to tell the network of.
        for _ in 0..<100 { await Task.yield() }
        #expect(hall.transport.requests.map(\.url) == ["https://w.test/next"])
    }

    @Test("a trace shows the calls for wrappers too, those that failed among them")
    func trace() async throws {
        func exchanges(_ reply: StubTransport.Reply, wanted: Bool = true) async throws -> [TraceRecorder.Exchange]? {
            let hall = await Hall(["a": [.wrapper]], pages: Pages { _ in reply })
            let call = Gateway.Call(requestID: "r", arrival: hall.clock.now, wantsTrace: wanted)
            return try await hall.gateway.serve(AdRequest(placement: "p"), call).trace
        }
        let ad = InboundResponse.text("<VAST version=\"4.2\">\(inLine("1"))</VAST>")
        let good = try #require(try await exchanges(.response(ad)))
        #expect(good.map(\.request.url) == ["https://w.test/next"])
        #expect(good.first?.lineItem == "a")
        #expect(good.first?.reply?.status == 200)
        let bad = try #require(try await exchanges(.failure(.gone)))
        #expect(bad.first?.reply == nil)
        #expect(bad.first?.failure?.kind == .connectionRefused)
        #expect(try await exchanges(.response(ad), wanted: false) == nil)
    }

    @Test("the caller's own timeout counts, but never beyond a minute, and explain says the same")
    func timeouts() async throws {
        let hall = await Hall(["a": []]) { $0.timeout = .milliseconds(700) }
        func deadline(_ timeout: Duration?) async throws -> [Duration?] {
            var request = AdRequest(placement: "p")
            request.timeout = timeout
            _ = try await hall.serve { $0 = request }
            let left = hall.asks.all.last.map { $0.deadline.remaining(hall.clock) }
            return [left, try hall.gateway.explain(request).timeout]
        }
        // The line's own second is shorter than what the caller allows.
        #expect(try await deadline(nil) == [.milliseconds(700), .milliseconds(700)])
        #expect(try await deadline(.milliseconds(300)) == [.milliseconds(300), .milliseconds(300)])
        #expect(try await deadline(.seconds(3600)) == [.seconds(1), .seconds(60)])
    }

    @Test("explaining asks nobody")
    func explain() async throws {
        let hall = await Hall(["a": [.ads(inLine("1"))], "b": []])
        let explanation = try hall.gateway.explain(AdRequest(placement: "p"))
        #expect(explanation.plan.lines.map(\.lineItem.id) == ["a", "b"])
        #expect(explanation.plan.lines.allSatisfy { $0.skip == nil && !$0.findings.isEmpty })
        #expect(explanation.configuration == "v1")
        #expect(hall.asks.all.isEmpty)
    }

    @Test("the version asked for is the version of the markup, else the ad unit's")
    func version() async throws {
        let hall = await Hall(["a": [.ads(inLine("1"))]]) { $0.vastVersion = "4.1" }
        #expect(try await hall.serve().ads.first?.markupText.contains("version=\"4.1\"") == true)
        #expect(try await hall.serve(version: "3.0").ads.first?.markupText.contains("version=\"3.0\"") == true)
    }

    @Test("the ad unit's reward stands in for a missing one, and overrides the network's when it says so")
    func reward() async throws {
        let (gold, gems) = (
            Reward(item: "gold", amount: ExactDecimal(1)), Reward(item: "gems", amount: ExactDecimal(5))
        )
        func given(_ reward: Reward?, overrides: Bool) async throws -> Reward? {
            var offer = Offer.ads(inLine("1"))
            offer.reward = reward
            let hall = await Hall(["a": [offer]], format: .rewarded) {
                $0.reward = gold
                $0.overridesReward = overrides
            }
            return try await hall.serve().ads.first?.reward
        }
        #expect(try await given(nil, overrides: false) == gold)
        #expect(try await given(gems, overrides: false) == gems)
        #expect(try await given(gems, overrides: true) == gold)
    }

    @Test("personal data does not go to networks where consent is missing")
    func consent() async throws {
        let hall = await Hall(["a": []])
        _ = try await hall.serve { request in
            request.consent = .child
            request.user.id = "u-1"
            request.device.advertisingID = "ifa"
        }
        let ask = try #require(hall.asks.all.first)
        #expect(ask.request.device.advertisingID == nil)
        #expect(ask.request.user.id == nil)
    }

    @Test("a rewarded ad's token names the publisher's user even where consent keeps the id from networks")
    func token() async throws {
        let hall = await Hall(["a": [.ads(inLine("1"))]], format: .rewarded)
        let response = try await hall.serve { request in
            request.consent = .child
            request.user.id = "u-1"
        }
        let text = try #require(response.ads.first?.presentationToken)
        let token = try #require(PresentationToken(text, key: Hall.tokenKey))
        #expect(token.user == "u-1")
        #expect(token.request == "r")
        #expect(token.adUnit == "unit")
        #expect(token.expires == hall.clock.wallNow.advanced(by: .seconds(3600)))
        #expect(hall.asks.all.map(\.request.user.id) == [nil])
    }

    @Test("only rewarded ads carry a token")
    func noToken() async throws {
        let response = try await Hall(["a": [.ads(inLine("1"))]]).serve()
        #expect(response.ads.map(\.presentationToken) == [nil])
    }

    @Test("the ad that expires first decides, but never beyond the ad unit's time")
    func expiry() async throws {
        func expiry(_ durations: Int...) async throws -> Int64? {
            let offers = durations.enumerated().map { index, seconds in
                var offer = Offer.ads(inLine("\(index)"))
                offer.expires = .seconds(seconds)
                return offer
            }
            let hall = await Hall(["a": offers]) { $0.maxAds = 5 }
            let expires = try await hall.serve().expiresAt
            return expires.map { $0.milliseconds - hall.clock.wallNow.milliseconds }
        }
        #expect(try await expiry(60) == 60_000)
        #expect(try await expiry(9000) == 3_600_000)
        #expect(try await expiry(90, 60, 70) == 60_000)
    }
}

extension AdRequest.Consent {
    /// A child's: nothing personal may go out.
    static var child: AdRequest.Consent {
        var consent = AdRequest.Consent()
        consent.coppa = true
        return consent
    }
}

extension ServedAd {
    fileprivate var markupText: String { String(decoding: markup() ?? [], as: UTF8.self) }
}
