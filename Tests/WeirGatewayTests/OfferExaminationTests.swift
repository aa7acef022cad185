import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime
import WeirVAST

@testable import WeirGateway

@Suite("OfferExamination and AdAcceptance", .timeLimit(.minutes(10)))
struct OfferExaminationTests {
    private func attempts(_ response: AdResponse) -> [String] {
        response.attempts.map { "\($0.outcome.result.rawValue)(\($0.outcome.reason.rawValue))" }
    }

    private func verdict(
        _ offer: Offer,
        hideable: Bool = false,
        pages: Pages = Pages { _ in .failure(.gone) },
        change: (inout AdUnit) -> Void = { _ in }
    ) async throws -> String? {
        let hall = await Hall(["a": [offer]], hideable: hideable, pages: pages, change: change)
        return attempts(try await hall.serve()).first
    }

    @Test("what the placement must not show is refused with its reason")
    func refusals() async throws {
        #expect(try await verdict(.ads(inLine("1", type: "audio/mpeg"))) == "rejected(mime)")
        #expect(try await verdict(.ads(inLine("1"))) { $0.maxDuration = .seconds(5) } == "rejected(duration)")
        #expect(try await verdict(.ads(inLine("1"))) { $0.minDuration = .seconds(11) } == "rejected(duration)")
        #expect(
            try await verdict(.ads(inLine("1", category: "7"))) { $0.blockedCategories = ["7"] }
                == "rejected(blocked_category)"
        )
        #expect(try await verdict(.ads(inLine("1"))) { $0.requiresCategory = true } == "rejected(missing_category)")
        #expect(try await verdict(.ads(inLine("1", category: "7"))) { $0.requiresCategory = true } == "fill(fill)")
        #expect(try await verdict(.ads(inLine("1")), hideable: true) == "rejected(ui_not_hideable)")
        #expect(try await verdict(Offer(markup: .document(Array("junk".utf8)))) == "bad_response(bad_vast)")
    }

    @Test("T-24 a price is compared exactly, and only in the floor's currency")
    func prices() async throws {
        let floor: (inout AdUnit) -> Void = { $0.floor = Money.of("2.00") }
        func verdict(_ amount: String, _ currency: String = "USD") async throws -> String? {
            try await self.verdict(.ads(inLine("1")).priced(amount, currency), change: floor)
        }
        #expect(try await verdict("1.999999") == "rejected(below_floor)")
        #expect(try await verdict("2") == "fill(fill)")
        #expect(try await verdict("9", "EUR") == "rejected(no_rate)")
        #expect(try await verdict("-1") == "bad_response(bad_price)")
        #expect(try await self.verdict(.ads(inLine("1")).priced("9", "EUR")) == "fill(fill)")
        #expect(try await self.verdict(.ads(inLine("1")).priced("-1")) == "bad_response(bad_price)")
    }

    @Test("an offer's own price stands for the line's rate, which stands for a missing one")
    func price() async throws {
        let priced = try await Hall(["a": [.ads(inLine("1")).priced("7")]]).serve()
        #expect(priced.ads.first?.price == Money.of("7"))
        let hall = await Hall(["a": [.ads(inLine("1"))]]) { unit in
            var line = LineItem(id: "a", network: "a", networkUnit: "u")
            line.rate = Money.of("3")
            unit.waterfall = [.line(line)]
        }
        #expect(try await hall.serve().ads.first?.price == Money.of("3"))
    }

    @Test("a wrapper is followed, told for which device, and its trackers are merged")
    func follows() async throws {
        let hall = await Hall(
            ["a": [.wrapper]],
            pages: Pages { _ in .response(.text("<VAST version=\"4.2\">\(inLine("1"))</VAST>")) }
        )
        let response = try await hall.serve { request in
            request.device.ip = "203.0.113.7"
            request.device.userAgent = "UA/1\r\nX-Evil: 1"
            request.device.language = "en"
        }
        let ad = try #require(response.ads.first?.ad)
        #expect(ad.wrapperChain.map(\.adID) == ["w"])
        #expect(ad.errors.contains("https://w.test/error?code=[ERRORCODE]"))
        // A user agent that would break the header out of its line does not go.
        #expect(
            hall.transport.requests.first?.headers == [
                HTTPHeader("X-Device-IP", "203.0.113.7"), HTTPHeader("X-Device-Accept-Language", "en"),
            ]
        )
    }

    @Test("an offer that is an address is fetched like a wrapper")
    func address() async throws {
        func verdict(_ reply: StubTransport.Reply) async throws -> String? {
            try await self.verdict(Offer(markup: .url("https://w.test/ad")), pages: Pages { _ in reply })
        }
        let document = InboundResponse.text("<VAST version=\"4.2\">\(inLine("1"))</VAST>")
        #expect(try await verdict(.response(document)) == "fill(fill)")
        #expect(try await verdict(.response(InboundResponse(status: 204))) == "rejected(no_markup)")
        #expect(try await verdict(.response(InboundResponse(status: 500))) == "rejected(wrapper_failed)")
        #expect(try await verdict(.failure(TransportError(.addressRefused, "No."))) == "network_error(address_refused)")
        #expect(try await verdict(.failure(TransportError(.tooLarge, "Large."))) == "bad_response(too_large)")
        #expect(try await verdict(.failure(.gone)) == "rejected(wrapper_failed)")
    }

    @Test("more wrappers than wrapper_depth are refused; as many are not")
    func depth() async throws {
        func served(_ depth: Int) async throws -> [String] {
            let hall = await Hall(
                ["a": [.wrapper]],
                wrapperDepth: depth,
                pages: Pages { request in
                    // The first wrapper leads to a second one, and that one to the ad.
                    let isFirst = request.url == "https://w.test/next"
                    let text = isFirst ? Offer.wrapper(to: "https://w.test/last") : inLine("1")
                    return .response(.text("<VAST version=\"4.2\">\(text)</VAST>"))
                }
            )
            return attempts(try await hall.serve())
        }
        #expect(try await served(1) == ["rejected(wrapper_limit)"])
        #expect(try await served(2) == ["fill(fill)"])
    }

    @Test("a wrapper that hangs costs no more than the request's time")
    func hangs() async throws {
        let hall = await Hall(["a": [.wrapper]], pages: Pages { _ in .hang })
        async let serving = hall.serve { $0.timeout = .milliseconds(500) }
        await waitUntil { !hall.transport.requests.isEmpty }
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .milliseconds(500))
        let response = try await serving
        #expect(attempts(response) == ["timeout(deadline)"])
        #expect(response.latency == .milliseconds(500))
    }

    @Test("a wrapper that leads nowhere is refused, and its error URL is told once")
    func errorPing() async throws {
        let hall = await Hall(
            ["a": [.wrapper]],
            pages: Pages { request in
                request.url.contains("error") ? .response(.text("")) : .response(InboundResponse(status: 500))
            }
        )
        #expect(attempts(try await hall.serve()) == ["rejected(wrapper_failed)"])
        await hall.observer.wait(.sent, 1)
        #expect(hall.transport.requests.map(\.url) == ["https://w.test/next", "https://w.test/error?code=301"])
    }

    @Test("offers of one answer are fetched side by side and keep their order")
    func sideBySide() async throws {
        let offers = (1...3).map { Offer(markup: .url("https://w.test/\($0)")) }
        let hall = await Hall(
            ["a": offers],
            pages: Pages { request in
                let id = request.url.last.map(String.init) ?? ""
                let reply = StubTransport.Reply.response(.text("<VAST version=\"4.2\">\(inLine(id))</VAST>"))
                return .delayed(.milliseconds(id == "1" ? 30 : 10), reply)
            }
        ) { $0.maxAds = 5 }
        async let serving = hall.serve()
        await waitUntil { hall.transport.requests.count == 3 }
        await hall.clock.sleepers(3)
        hall.clock.advance(by: .milliseconds(30))
        let response = try await serving
        #expect(response.ads.map(\.ad.id) == ["1", "2", "3"])
        #expect(response.latency == .milliseconds(30))
    }

    @Test("one bad offer among good ones is left out")
    func oneBad() async throws {
        let offers: [Offer] = [.ads(inLine("1", type: "audio/mpeg")), .ads(inLine("2"))]
        let response = try await Hall(["a": offers]).serve()
        #expect(response.ads.map(\.ad.id) == ["2"])
    }

    @Test("many offers with many wrappers each make no more calls than one whole chain for every offer")
    func fetchLimit() async throws {
        let pod = (1...30).map { (number: Int) in Offer.wrapper(to: "https://w.test/\(number)", sequence: number) }
            .joined()
        let offers = (1...AdAcceptance.offerLimit).map { _ in Offer.ads(pod) }
        let hall = await Hall(
            ["a": offers],
            wrapperDepth: 3,
            pages: Pages { _ in .response(InboundResponse(status: 204)) }
        )
        _ = try await hall.serve()
        let calls = hall.transport.requests.count { !$0.url.contains("error") }
        #expect(calls <= AdAcceptance.offerLimit * 4)
        #expect(calls >= AdAcceptance.offerLimit)
        // A single offer has all the room to itself.
        let alone = await Hall(["a": [.ads(pod)]], pages: Pages { _ in .response(InboundResponse(status: 204)) })
        _ = try await alone.serve()
        #expect(alone.transport.requests.count { !$0.url.contains("error") } == 30)
    }

    @Test("0 % and 100 % of the content are its start and its end, however long it is")
    func percentages() async throws {
        let offer = Offer.vmap(("0%", inLine("1")), ("100%", inLine("2")), ("50%", inLine("3")))
        for duration in [nil, Duration.seconds(600)] {
            let response = try await Hall(["a": [offer]]) { $0.maxAds = 5 }.serve { $0.content.duration = duration }
            let offsets = Dictionary(response.ads.map { ($0.ad.id, $0.breakOffset) }) { first, _ in first }
            #expect(offsets["1"] == .start)
            #expect(offsets["2"] == .end)
            #expect(offsets["3"] == (duration == nil ? .start : .position(.seconds(300))))
        }
    }

    @Test("of endless offers only so many are looked at")
    func offerLimit() async throws {
        let offers = (0...AdAcceptance.offerLimit).map { Offer.ads(inLine("\($0)")) }
        let response = try await Hall(["a": offers]) { $0.maxAds = 1000 }.serve()
        #expect(response.ads.count == AdAcceptance.offerLimit)
    }
}

extension Offer {
    static func wrapper(to url: String, sequence: Int? = nil) -> String {
        """
        <Ad id="w"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><Wrapper><AdSystem>w</AdSystem><Error>https://w.test/error?code=[ERRORCODE]</Error>
        <VASTAdTagURI>\(url)</VASTAdTagURI></Wrapper></Ad>
        """
    }

    /// Leads to `https://w.test/next`.
    static var wrapper: Offer { .ads(wrapper(to: "https://w.test/next")) }
}

extension TransportError {
    static let gone = TransportError(.connectionRefused, "Connection refused.")
}
