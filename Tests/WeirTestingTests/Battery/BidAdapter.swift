import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

/// An adapter that bears every fault, written for the battery's own tests; each ``BadAdapter`` breaks one thing of it.
///
/// Its network answers `{"bids": [{"id", "impid", "price", "currency", "vast"}]}`.
struct BidAdapter: NetworkAdapter {
    let descriptor = AdapterDescriptor(kind: "bids", version: "1.0.0", formats: [.video])
    let context: AdapterContext
    let key: String
    let probeURL: String?

    init(_ settings: JSONValue, _ context: AdapterContext) {
        self.context = context
        key = settings["api_key"]?.string ?? ""
        probeURL = settings["probe_url"]?.string
    }

    static let factory = factory { BidAdapter($0, $1) }

    static func factory(
        _ make: @escaping @Sendable (JSONValue, AdapterContext) -> any NetworkAdapter
    ) -> AdapterFactory {
        AdapterFactory(
            descriptor: AdapterDescriptor(kind: "bids", version: "1.0.0", formats: [.video]),
            settings: ["api_key", "probe_url"],
            make: { (settings, context) throws(SettingsError) in make(settings, context) }
        )
    }

    /// The adapter under test, with its one exemplary case.
    static func subject(_ factory: AdapterFactory = factory) throws -> ConformanceSubject {
        let file = try TemporaryFile(example)
        defer { file.remove() }
        return ConformanceSubject(name: "bids", factory: factory, cases: [try AdapterCase(file: file.path)])
    }

    private static let example = #"""
        {
          "name": "a bid is a fill",
          "settings": {"api_key": "k-1"},
          "ask": {"format": "video"},
          "steps": [{"expect": {"url": "https://bids.example/ask"},
            "reply": {"headers": {"Content-Type": "application/json"}, "body": {"bids": [{"id": "b-1", "impid": "1",
              "price": "2.50", "currency": "USD",
              "vast": "<VAST version=\"4.2\"><Ad id=\"1\"><InLine/></Ad></VAST>"}]}}}],
          "outcome": {"result": "fill", "offers": [{"id": "b-1", "price": {"amount": "2.50", "currency": "USD"}}]}
        }
        """#

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        if let probeURL { try await HTTPProbe(url: probeURL).run(context, progress: progress) }
    }

    var request: OutboundRequest {
        OutboundRequest(url: "https://bids.example/ask", headers: [HTTPHeader("Authorization", "Bearer \(key)")])
    }

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        try Self.outcome(of: try await context.send(request, for: ask))
    }

    static func outcome(of reply: InboundResponse) throws(AdapterError) -> LoadOutcome {
        switch StatusVerdict(reply) {
        case .noFill(let noFill): return .noFill(noFill)
        case .failure(let error): throw error
        case .readBody: return try outcome(of: bids(reply))
        }
    }

    static func bids(_ reply: InboundResponse) throws(AdapterError) -> [JSONValue] {
        guard try BodyKind(reply, acceptsJSON: true) == .json, let body = try? JSONReader.read(reply.body) else {
            throw AdapterError(.badResponse, .badJSON, "The answer is no JSON.")
        }
        return body["bids"]?.array ?? []
    }

    static func outcome(of bids: [JSONValue]) throws(AdapterError) -> LoadOutcome {
        var offers: [Offer] = []
        for bid in bids where !offers.contains(where: { $0.id == bid["id"]?.string }) {
            guard bid["impid"]?.string == "1" else {
                throw AdapterError(.rejected, .unknownImp, "Nobody asked for that impression.")
            }
            guard case .fill(var filled) = try LoadOutcome(markup: Array((bid["vast"]?.string ?? "").utf8)) else {
                continue
            }
            let price = try price(of: bid)
            for index in filled.indices {
                filled[index].id = bid["id"]?.string
                filled[index].price = price
            }
            offers += filled
        }
        return offers.isEmpty ? .noFill(NoFill(.noBid, "No bid.")) : .fill(offers)
    }

    static func price(of bid: JSONValue) throws(AdapterError) -> Money {
        guard let currency = bid["currency"]?.string.flatMap(Currency.init) else {
            throw AdapterError(.rejected, .currency, "The bid has no currency.")
        }
        guard let price = Money(amount: text(bid["price"]), currency: currency), price.micros >= 0 else {
            throw AdapterError(.badResponse, .badPrice, "The bid's price cannot be paid.")
        }
        return price
    }

    static func text(_ value: JSONValue?) -> String { value?.string ?? value?.number?.text ?? "" }
}
