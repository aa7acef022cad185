import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting

/// The battery itself is tested: for each fault there is an adapter that it catches, and one that it lets through.
@Suite("Fault battery", .serialized)
struct BatteryTests {
    private static let faults = AdapterConformance.faultNames

    private func report(
        _ factory: AdapterFactory,
        only: String? = nil,
        grace: Duration = AdapterConformance.usualGrace
    ) async throws -> ConformanceReport {
        try await AdapterConformance(try BidAdapter.subject(factory), only: only, grace: grace).run()
    }

    private func report(vice: String, only: String) async throws -> ConformanceReport {
        // What never ends is given up soon.
        try await report(BidAdapter.factory { BadAdapter(vice, $0, $1) }, only: only, grace: .seconds(2))
    }

    @Test("an adapter that does everything right passes every fault, and none of them is not applicable")
    func good() async throws {
        let report = try await report(BidAdapter.factory)
        #expect(report.rows.map(\.name) == ["a bid is a fill"] + Self.faults)
        for row in report.rows { #expect(row.result == .passed, "\(row.name): \(row.did)") }
        #expect(report.isGreen)
    }

    @Test("a deliberately bad adapter is caught by its fault, and told the fix", arguments: faults)
    func bad(_ fault: String) async throws {
        let report = try await report(vice: fault, only: fault)
        let row = try #require(report.rows.first { $0.name == fault })
        #expect(row.result == .failed, "\(row.did)")
        #expect(row.fix?.isEmpty == false)
        #expect(!report.isGreen)
    }

    @Test(
        "further bad habits are caught as well",
        arguments: [
            ("secrets in a message", "secrets"), ("secrets in the trace", "secrets"),
            ("set_up_hangs and is ready at once", "set_up_hangs"), ("set_up_hangs in silence", "set_up_hangs"),
            ("set_up_fails without a remedy", "set_up_fails"),
        ]
    )
    func habits(_ vice: String, _ fault: String) async throws {
        let report = try await report(vice: vice, only: fault)
        let row = try #require(report.rows.first { $0.name == fault })
        #expect(row.result == .failed, "\(row.did)")
    }

    @Test("a secret never stands in the report that complains about it")
    func hiddenSecrets() async throws {
        let report = try await report(vice: "secrets", only: "secrets")
        #expect(report.rows.first?.did.contains("[secret]") == true)
    }

    @Test("without any case, faults that need a good answer are not applicable, and the others are sent")
    func withoutCases() async throws {
        let subject = ConformanceSubject(name: "bids", factory: BidAdapter.factory, settings: ["api_key": "k-1"])
        let report = try await AdapterConformance(subject).run()
        let results = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.name, $0.result) })
        #expect(results["http_204"] == .passed && results["hang"] == .passed && results["secrets"] == .passed)
        #expect(results["negative_price"] == .notApplicable && results["vast_2"] == .notApplicable)
        #expect(report.count(.failed) == 0)
    }

    @Test("an adapter that asks nobody has nothing to bear")
    func house() async throws {
        struct House: NetworkAdapter {
            let descriptor = AdapterDescriptor(kind: "house", version: "1", formats: [.video])
            func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
                .fill([Offer(markup: .url("https://h.example/"))])
            }
        }
        let report = try await report(BidAdapter.factory { _, _ in House() }, only: "http")
        #expect(report.rows.allSatisfy { $0.result == .notApplicable })
    }

    @Test("a price is found whatever it is called and counted in, and with it the list of bids")
    func oddPrices() async throws {
        let markup = #""<VAST version=\"4.2\"><Ad id=\"1\"><InLine/></Ad></VAST>""#
        func subject(
            _ bid: String,
            _ price: @escaping @Sendable (JSONValue) throws(AdapterError) -> Money?
        ) throws
            -> ConformanceSubject
        {
            let file = try TemporaryFile(
                """
                {"name": "a spot is a fill", "ask": {"format": "video"},
                 "steps": [{"reply": {"headers": {"Content-Type": "application/json"},
                   "body": {"meta": {"code": 7}, "spots": [\(bid)]}}}],
                 "outcome": {"result": "fill"}}
                """
            )
            defer { file.remove() }
            let factory = BidAdapter.factory { _, context in SpotAdapter(context: context, price: price) }
            return ConformanceSubject(name: "spots", factory: factory, cases: [try AdapterCase(file: file.path)])
        }
        let rated = try subject(#"{"ref": "t-1", "doc": \#(markup), "life": 5, "rate": {"n": 2500, "iso": "EUR"}}"#) {
            (spot) throws(AdapterError) in
            guard let text = spot["rate"]?["n"]?.number?.text, let mills = Int64(text), mills >= 0, mills < 1 << 40
            else {
                throw AdapterError(.badResponse, .badPrice, "No price.")
            }
            guard let currency = spot["rate"]?["iso"]?.string.flatMap(Currency.init) else {
                throw AdapterError(.rejected, .currency, "No currency.")
            }
            return Money(micros: mills * 1000, currency: currency)
        }
        let report = try await AdapterConformance(rated, only: "price").run()
        #expect(report.rows.count == 6)
        for row in report.rows { #expect(row.result == .passed, "\(row.name): \(row.did)") }
        let careless = try subject(#"{"ref": "t-1", "doc": \#(markup), "rate": {"n": 2500, "iso": "EUR"}}"#) { spot in
            Currency("EUR").map { Money(micros: Int64(spot["rate"]?["n"]?.int ?? 0) * 1000, currency: $0) }
        }
        let caught = try await AdapterConformance(careless, only: "negative_price").run()
        #expect(caught.rows.map(\.result) == [.failed])
        let twice = try await AdapterConformance(rated, only: "duplicate_bids").run()
        #expect(twice.rows.map(\.result) == [.failed], "it offers the same id twice")
    }

    @Test(
        "of several ads the distorted one alone is judged, whether the others can be left away or not",
        arguments: [
            #"{"seats": [{"name": "A", "spots": [SPOT1]}, {"name": "B", "spots": [SPOT2, SPOT3]}]}"#,
            #"{"seats": [{"name": "A", "spots": [SPOT1, SPOT2, SPOT3]}]}"#,
            #"{"left": SPOT1, "right": SPOT2}"#,
        ]
    )
    func severalAds(_ body: String) async throws {
        func spot(_ number: Int, _ mills: Int) -> String {
            #"""
            {"ref": "t-\#(number)", "rate": {"n": \#(mills), "iso": "EUR"},
             "doc": "<VAST version=\"4.2\"><Ad id=\"\#(number)\"><InLine/></Ad></VAST>"}
            """#
        }
        let spots = [spot(1, 2500), spot(2, 1750), spot(3, 2500)]
        let filled = spots.enumerated().reduce(body) { $0.replacing("SPOT\($1.offset + 1)", with: $1.element) }
        let file = try TemporaryFile(
            """
            {"name": "spots are a fill", "ask": {"format": "video"},
             "steps": [{"reply": {"headers": {"Content-Type": "application/json"}, "body": \(filled)}}],
             "outcome": {"result": "fill"}}
            """
        )
        defer { file.remove() }
        let cases = [try AdapterCase(file: file.path)]
        func results(isCareful: Bool) async throws -> [String: ConformanceRow] {
            let factory = BidAdapter.factory { _, context in SeatAdapter(context: context, isCareful: isCareful) }
            let subject = ConformanceSubject(name: "seats", factory: factory, cases: cases)
            let rows = try await AdapterConformance(subject).run().rows
            return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })
        }
        let careful = try await results(isCareful: true)
        let names = [
            "negative_price", "zero_price", "huge_price", "string_price", "text_price", "missing_currency",
            "unknown_currency", "empty_vast", "wrapper_loop", "vast_3",
        ]
        for name in names { #expect(careful[name]?.result == .passed, "\(name): \(careful[name]?.did ?? "")") }
        let careless = try await results(isCareful: false)
        for name in ["negative_price", "text_price", "missing_currency", "empty_vast"] {
            #expect(careless[name]?.result == .failed, "\(name): \(careless[name]?.did ?? "")")
        }
    }

    @Test("a setting that is declared to be a secret is one, whatever its name")
    func declaredSecrets() async throws {
        let file = try TemporaryFile(
            #"{"name": "none", "settings": {"pass_phrase": "s"}, "ask": {}, "steps": [{"reply": {"status": 204}}], "outcome": {"result": "no_fill"}}"#
        )
        defer { file.remove() }
        var factory = BidAdapter.factory { settings, context in
            BadAdapter("secrets", ["api_key": settings["pass_phrase"] ?? ""], context)
        }
        let cases = [try AdapterCase(file: file.path)]
        let innocent = ConformanceSubject(name: "x", factory: factory, cases: cases)
        #expect(try await AdapterConformance(innocent, only: "secrets").run().rows.map(\.result) == [.passed])
        factory.secrets = ["pass_phrase"]
        let subject = ConformanceSubject(name: "x", factory: factory, cases: cases)
        #expect(try await AdapterConformance(subject, only: "secrets").run().rows.map(\.result) == [.failed])
    }

    @Test("settings that the adapter refuses are a failure that says so")
    func refusedSettings() async throws {
        let factory = AdapterFactory(
            descriptor: AdapterDescriptor(kind: "x", version: "1", formats: [.video]),
            settings: [],
            make: { (_, _) throws(SettingsError) in throw SettingsError(path: "settings.url", message: "is required") }
        )
        let report = try await AdapterConformance(ConformanceSubject(name: "x", factory: factory), only: "hang").run()
        #expect(report.rows.first?.did == "settings.url is required")
        #expect(report.rows.map(\.result) == [.failed, .notApplicable])
    }
}

/// Reads `{"spots": [{"ref", "doc", …}]}`, the price as its test says.
private struct SpotAdapter: HTTPAdapter {
    let descriptor = AdapterDescriptor(kind: "spots", version: "1", formats: [.video])
    let context: AdapterContext
    let price: @Sendable (JSONValue) throws(AdapterError) -> Money?

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest { OutboundRequest(url: "https://s.example/") }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        guard let body = try? JSONReader.read(reply.body) else {
            throw AdapterError(.badResponse, .badJSON, "The answer is no JSON.")
        }
        var offers: [Offer] = []
        for spot in body["spots"]?.array ?? [] {
            var offer = Offer(markup: .document(Array((spot["doc"]?.string ?? "").utf8)))
            offer.id = spot["ref"]?.string
            offer.price = try price(spot)
            offers.append(offer)
        }
        return .fill(offers)
    }
}

/// Reads spots of several seats, and leaves out those that are wrong, when it is careful.
private struct SeatAdapter: HTTPAdapter {
    let descriptor = AdapterDescriptor(kind: "seats", version: "1", formats: [.video])
    let context: AdapterContext
    let isCareful: Bool

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest { OutboundRequest(url: "https://s.example/") }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        guard let body = try? JSONReader.read(reply.body) else {
            throw AdapterError(.badResponse, .badJSON, "The answer is no JSON.")
        }
        var offers: [Offer] = []
        var problem: AdapterError?
        let listed = (body["seats"]?.array ?? []).flatMap { $0["spots"]?.array ?? [] }
        for spot in listed + [body["left"], body["right"]].compactMap(\.self) {
            do throws(AdapterError) { offers.append(try offer(spot)) } catch { problem = problem ?? error }
        }
        if offers.isEmpty, let problem { throw problem }
        return offers.isEmpty ? .noFill(NoFill(.noAd, "No ad.")) : .fill(offers)
    }

    private func offer(_ spot: JSONValue) throws(AdapterError) -> Offer {
        let text = spot["rate"]?["n"].flatMap { $0.number?.text ?? $0.string } ?? ""
        let mills = Int64(text).flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
        let currency = spot["rate"]?["iso"]?.string.flatMap(Currency.init)
        let markup = Array((spot["doc"]?.string ?? "").utf8)
        var offer = Offer(markup: .document(markup))
        offer.id = spot["ref"]?.string
        offer.price = currency.flatMap { currency in mills.map { Money(micros: $0 * 1000, currency: currency) } }
        guard isCareful else { return offer }
        guard currency != nil else { throw AdapterError(.rejected, .currency, "No currency.") }
        guard mills != nil else { throw AdapterError(.badResponse, .badPrice, "No price.") }
        guard case .fill = try LoadOutcome(markup: markup) else {
            throw AdapterError(.rejected, .noMarkup, "No ad.")
        }
        return offer
    }
}
