public import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// OpenRTB's words in ours: what a bid response means for one ask (OpenRTB 2.6 §4.2).
public struct OpenRTBReply: Sendable {
    /// The most bids of one response that are looked at, over all seats.
    public static let bidLimit = 50

    let profile: OpenRTBProfile

    /// Replies of a bidder.
    public init(_ profile: OpenRTBProfile) {
        self.profile = profile
    }

    /// The outcome of a reply's body.
    ///
    /// Offers come best price first; those of a pod that names places, in the order of their places. Bids that cannot be
    /// used stand behind the others with their ``WeirAdapterKit/Offer/refusal``.
    ///
    /// - Throws: `bad_response(bad_json)` for what is no bid response; when no bid can be used, the verdict on the first.
    public func outcome(of body: [UInt8], for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        let reply: JSONValue
        do { reply = try JSONReader.read(body) } catch {
            throw badJSON("The network's answer is not JSON, from line \(error.line), column \(error.column) on.")
        }
        guard reply.object != nil else { throw badJSON("The network's answer is \(reply.kindName), not an object.") }
        let bids = try bids(in: reply)
        guard !bids.isEmpty else { return .noFill(try noBid(reply)) }
        let currency = try currency(of: reply, ask)
        var reader = OpenRTBBidReader(profile, ask, reply: reply, currency: currency)
        let verdicts = bids.map { reader.read($0.bid, seat: $0.seat) }
        let usable = verdicts.filter { $0.offer.refusal == nil }
        let refused = verdicts.filter { $0.offer.refusal != nil }
        guard !usable.isEmpty else {
            guard let verdict = refused.first?.offer.refusal else { return .noFill(try noBid(reply)) }
            throw AdapterError(verdict, lossURLs: refused.flatMap { $0.offer.lossURLs })
        }
        return .fill(BidRanking(usable).offers + refused.map(\.offer))
    }

    private func bids(in reply: JSONValue) throws(AdapterError) -> [(bid: JSONValue, seat: String?)] {
        guard let list = reply["seatbid"], !list.isNull else { return [] }
        guard let seats = list.array else { throw badJSON("seatbid is \(list.kindName), not an array.") }
        var bids: [(bid: JSONValue, seat: String?)] = []
        for seat in seats {
            guard seat.object != nil else { throw badJSON("An element of seatbid is \(seat.kindName), not an object.") }
            guard let list = seat["bid"], !list.isNull else { continue }
            guard let elements = list.array else { throw badJSON("seatbid.bid is \(list.kindName), not an array.") }
            for bid in elements {
                guard bid.object != nil else {
                    throw badJSON("An element of seatbid.bid is \(bid.kindName), not an object.")
                }
                if bids.count < Self.bidLimit { bids.append((bid, seat["seat"]?.shortText)) }
            }
        }
        return bids
    }

    private func noBid(_ reply: JSONValue) throws(AdapterError) -> NoFill {
        guard let reason = reply["nbr"], !reason.isNull else {
            return NoFill(.noBid, "The network did not bid.")
        }
        guard let code = reason.int else { throw badJSON("nbr is no whole number.") }
        let words = NoBidReason.words(code)
        return NoFill(.noBid, "The network did not bid: \(words).", networkCode: "\(code)", networkMessage: words)
    }

    /// One currency for the whole response; USD when it names none (OpenRTB 2.6 §4.2.1).
    private func currency(of reply: JSONValue, _ ask: AdAsk) throws(AdapterError) -> Currency {
        let accepted = profile.accepted(for: ask)
        let named = reply["cur"] ?? .null
        guard let currency = named.isNull ? .usDollar : named.string.flatMap(Currency.init) else {
            throw AdapterError(.rejected, .currency, "The bids' currency is no code of three letters.")
        }
        // An operator who lists no currencies takes all for which there is a rate: the gateway knows.
        guard profile.currencies.isEmpty || accepted.contains(currency) else {
            let list = accepted.map(\.code).joined(separator: ", ")
            throw AdapterError(.rejected, .currency, "The network bids in \(currency), but was asked for \(list).")
        }
        return currency
    }
}

func badJSON(_ message: String) -> AdapterError { AdapterError(.badResponse, .badJSON, message) }

extension AdapterError {
    /// The verdict on one bid as the verdict on all.
    fileprivate init(_ verdict: AttemptOutcome, lossURLs: [String]) {
        self.init(verdict.result, verdict.reason, verdict.message)
        self.lossURLs = lossURLs
    }
}

extension JSONValue {
    /// An id or a name, cut to a length that a log line bears; numbers count as their digits.
    var shortText: String? { (string ?? number?.text).map { String($0.unicodeScalars.prefix(256)) } }

    /// The texts of a list, cut in number and length.
    var shortTexts: [String] { (array ?? []).prefix(32).compactMap(\.shortText) }
}
