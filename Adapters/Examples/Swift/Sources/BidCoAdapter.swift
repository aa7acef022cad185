internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// The adapter of the network BidCo, in Swift: see README.md for what the network speaks.
///
/// Nothing in it knows that it runs in a process of its own; listed in `BuiltInAdapters` it would run in the gateway.
struct BidCoAdapter: HTTPAdapter {
    static let factory = AdapterFactory(
        descriptor: AdapterDescriptor(kind: "bidco", version: "1.0.0", formats: [.video]),
        settings: ["url", "seat"],
        make: { (settings, context) throws(SettingsError) in
            try BidCoAdapter(AdapterSettings(settings), context)
        }
    )

    let descriptor = BidCoAdapter.factory.descriptor
    let context: AdapterContext
    private let url: String
    private let seat: String?

    init(_ settings: AdapterSettings, _ context: AdapterContext) throws(SettingsError) {
        guard let url = try settings.url("url") else {
            throw SettingsError(path: "settings.url", message: "is required")
        }
        self.url = url
        self.context = context
        seat = try settings.text("seat")
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        guard let ip = ask.request.device.ip else {
            throw AdapterError(.skipped, .missingField, "BidCo needs the device's address.")
        }
        var body = JSONWriter()
        body.object { json in
            json.member("unit", ask.lineItem.networkUnit)
            json.member("ip", ip)
            json.member("ua", ask.request.device.userAgent)
            json.member("test", ask.isTest)
            json.key("floor")
            if let floor = ask.adUnit.floor {
                json.object { json in
                    json.member("amount", floor.amount)
                    json.member("currency", floor.currency.code)
                }
            } else {
                json.null()
            }
            json.member("seat", seat)
        }
        return OutboundRequest(
            method: "POST",
            url: url,
            headers: [HTTPHeader("Content-Type", "application/json")],
            body: body.bytes
        )
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        let answer = (try? JSONReader.read(reply.body)) ?? .null
        if let error = answer["error"] { throw .reported(code: nil, message: error.string) }
        guard let bids = answer["bids"]?.array, bids.allSatisfy({ $0.object != nil }) else {
            throw AdapterError(.badResponse, .badJSON, "BidCo's answer is not the JSON that it promises.")
        }
        guard !bids.isEmpty else { return .noFill(NoFill(.noBid, "BidCo has no bid.")) }
        var offers: [Offer] = []
        for bid in bids { offers += try self.offers(in: bid) }
        return offers.isEmpty ? .noFill(NoFill(.emptyVAST, "BidCo's bids hold no ad.")) : .fill(offers)
    }

    private func offers(in bid: JSONValue) throws(AdapterError) -> [Offer] {
        guard let vast = bid["vast"]?.string, vast.contains(where: { !$0.isWhitespace }) else {
            throw AdapterError(.rejected, .noMarkup, "BidCo's bid has no markup.")
        }
        guard case .fill(let offers) = try LoadOutcome(markup: Array(vast.utf8)) else { return [] }
        let price = try price(of: bid)
        return offers.map { offer in
            var offer = offer
            offer.id = bid["id"]?.string
            offer.price = price
            return offer
        }
    }

    private func price(of bid: JSONValue) throws(AdapterError) -> Money {
        guard let currency = bid["currency"]?.string.flatMap(Currency.init) else {
            throw AdapterError(.rejected, .currency, "BidCo's bid has no currency.")
        }
        let amount = bid["cpm"]?.string ?? bid["cpm"]?.number?.text ?? ""
        guard let price = Money(amount: amount, currency: currency), price.micros >= 0 else {
            throw AdapterError(.badResponse, .badPrice, "BidCo's cpm is no decimal from zero.")
        }
        return price
    }
}
