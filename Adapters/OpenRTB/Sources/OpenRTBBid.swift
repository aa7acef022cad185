internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// A bid as it was read: an offer, and where it stands.
struct OpenRTBBid {
    var offer: Offer
    /// Its impression's place in the request; `nil` when it is for none of them.
    var impression: Int?
    /// The place in its pod that it wants: 1 first, -1 last, 0 any (OpenRTB 2.6 §4.2.3, `slotinpod`).
    var slotInPod = 0
}

/// Reads the bids of one response, one after the other.
struct OpenRTBBidReader {
    private let profile: OpenRTBProfile
    private let ask: AdAsk
    private let currency: Currency
    private let impressions: [OpenRTBImpression]
    private let common: AuctionMacros
    private var seen: Set<[String?]> = []

    init(_ profile: OpenRTBProfile, _ ask: AdAsk, reply: JSONValue, currency: Currency) {
        self.profile = profile
        self.ask = ask
        self.currency = currency
        impressions = OpenRTBImpression.all(for: ask, profile)
        var values: [AuctionMacros.Name: String] = [
            .id: OpenRTBRequest.id(for: ask), .currency: currency.code, .marketBidRatio: "1", .multiplier: "1",
        ]
        values[.bidID] = reply["bidid"]?.shortText
        common = AuctionMacros(values)
    }

    /// Reads one bid; what is wrong with it is its offer's refusal.
    mutating func read(_ bid: JSONValue, seat: String?) -> OpenRTBBid {
        let place = impressions.firstIndex { $0.id == bid["impid"]?.shortText }
        var macros = common
        macros.values[.impressionID] = bid["impid"]?.shortText
        macros.values[.seat] = seat
        macros.values[.adID] = bid["adid"]?.shortText
        var offer = Offer(markup: .document([]))
        describe(bid, seat, &offer)
        do throws(AdapterError) {
            offer.price = try price(of: bid)
            let text = bid["price"]?.number?.text ?? ""
            macros.values[.price] = ExactDecimal(text)?.description ?? text
            if let place { offer.slot = impressions[place].slot }
            try check(bid, seat, isKnown: place != nil, offer)
            try fill(&offer, from: bid, macros)
        } catch {
            offer.refusal = error.outcome
        }
        offer.notices.loss = notices(bid, "lurl", lossMacros(macros))
        return OpenRTBBid(offer: offer, impression: place, slotInPod: bid["slotinpod"]?.int ?? 0)
    }

    /// A loser does not learn at what price somebody else won.
    private func lossMacros(_ macros: AuctionMacros) -> AuctionMacros {
        var macros = macros
        macros.values[.price] = nil
        macros.values[.marketBidRatio] = nil
        return macros
    }

    private func describe(_ bid: JSONValue, _ seat: String?, _ offer: inout Offer) {
        offer.id = bid["id"]?.shortText
        offer.seat = seat
        offer.deal = bid["dealid"]?.shortText
        offer.creativeID = bid["crid"]?.shortText
        offer.advertiserDomains = (bid["adomain"]?.shortTexts ?? []).map { $0.lowercased() }
        offer.categories = bid["cat"]?.shortTexts ?? []
        // Seconds between the auction and the impression; nonsense counts as silence.
        if let seconds = bid["exp"]?.int, (1...31_536_000).contains(seconds) { offer.expires = .seconds(seconds) }
    }

    /// T-24: an exact number from zero, as JSON writes numbers; a string is none.
    private func price(of bid: JSONValue) throws(AdapterError) -> Money {
        guard let price = bid["price"], !price.isNull else {
            throw AdapterError(.badResponse, .missingPrice, "A bid has no price.")
        }
        guard let number = price.number else {
            throw AdapterError(.badResponse, .badPrice, "A bid's price is \(price.kindName), not a number.")
        }
        guard let money = Money(amount: number.text, currency: currency) else {
            throw AdapterError(.badResponse, .badPrice, "A bid's price is too large or too fine to be kept.")
        }
        guard !number.text.hasPrefix("-") else {
            throw AdapterError(.badResponse, .badPrice, "A bid's price is negative.")
        }
        return money
    }

    /// What can be wrong beside price and markup.
    private mutating func check(_ bid: JSONValue, _ seat: String?, isKnown: Bool, _ offer: Offer) throws(AdapterError) {
        guard isKnown else {
            throw AdapterError(.rejected, .unknownImp, "A bid is for an impression that was not offered.")
        }
        if let id = offer.id, !seen.insert([seat, id]).inserted {
            throw AdapterError(.rejected, .duplicate, "A bid has the id of another one of the same seat.")
        }
        // AdCOM, markup types: 1 banner, 2 video, 3 audio, 4 native.
        if let type = bid["mtype"]?.int, type != (ask.adUnit.format == .audio ? 3 : 2) {
            throw AdapterError(
                .rejected,
                .mime,
                "A bid's markup is of type \(type), not \(ask.adUnit.format.rawValue)."
            )
        }
        let deal = profile.deals.first { $0.id == offer.deal }
        if deal == nil, profile.isPrivateAuction {
            throw AdapterError(
                .rejected,
                .unknownImp,
                "Only bids on the configured deals are wanted, and a bid names none of them."
            )
        }
        if let floor = deal?.floor, let price = offer.price, floor.currency == price.currency,
            price.micros < floor.micros
        {
            throw AdapterError(.rejected, .belowFloor, "The bid \(price) is below the floor \(floor) of its deal.")
        }
        if let domain = offer.advertiserDomains.first(where: isBlocked) {
            throw AdapterError(.rejected, .blockedCategory, "A bid is for the blocked advertiser \(domain.prefix(64)).")
        }
    }

    /// A blocked domain blocks those below it.
    private func isBlocked(_ domain: String) -> Bool {
        profile.blockedAdvertisers.contains { domain == $0 || domain.hasSuffix(".\($0)") }
    }

    /// Fills in markup and notices.
    ///
    /// The body of `nurl` is the markup when there is no `adm`; fetching it is the win notice then
    /// (OpenRTB 2.6 §4.3.1).
    private func fill(_ offer: inout Offer, from bid: JSONValue, _ macros: AuctionMacros) throws(AdapterError) {
        var win = notices(bid, "nurl", macros)
        if let markup = bid["adm"]?.string, markup.contains(where: { !$0.isWhitespace }) {
            let text = macros.expand(markup)
            if text.isWebAddress {
                offer.markup = .url(text)
            } else if case .noFill = try LoadOutcome(markup: Array(text.utf8)) {
                throw AdapterError(.rejected, .noMarkup, "A bid's markup is a document without an ad.")
            } else {
                offer.markup = .document(Array(text.utf8))
            }
        } else if let url = win.first {
            // What is known only afterwards is not known when the markup is fetched.
            offer.markup = .url(AuctionMacros().expand(url))
            win = []
        } else {
            throw AdapterError(.rejected, .noMarkup, "A bid has neither markup nor an http or https address of it.")
        }
        offer.notices = BidNotices(win: win, billing: notices(bid, "burl", macros))
    }

    private func notices(_ bid: JSONValue, _ key: String, _ macros: AuctionMacros) -> [String] {
        guard let url = bid[key]?.string, url.utf8.count <= AdapterSettings.textBytes else { return [] }
        return BidNotices(win: [macros.expand(url, keeping: AuctionMacros.Name.late)]).win
    }
}

/// The order in which bids are handed up.
struct BidRanking {
    /// Best price first, of equal prices the one that was named first; pods in the order of their places.
    let offers: [Offer]

    init(_ bids: [OpenRTBBid]) {
        var rest = bids.enumerated().sorted { left, right in
            let (first, second) = (left.element.offer.price?.micros ?? 0, right.element.offer.price?.micros ?? 0)
            return first == second ? left.offset < right.offset : first > second
        }.map(\.element)
        // The best bid for each impression stands in the impression's place; what is left may stand in for one of them.
        var chosen: [OpenRTBBid] = []
        var taken: Set<Int?> = []
        rest.removeAll { bid in
            guard taken.insert(bid.impression).inserted else { return false }
            chosen.append(bid)
            return true
        }
        chosen.sort { ($0.impression ?? 0) < ($1.impression ?? 0) }
        if taken.count == 1 {
            // One impression holds the whole pod: who asks for the first or the last place gets it.
            let pod = chosen + rest
            offers =
                (pod.filter { $0.slotInPod == 1 } + pod.filter { $0.slotInPod != 1 && $0.slotInPod != -1 }
                + pod.filter { $0.slotInPod == -1 }).map(\.offer)
        } else {
            offers = (chosen + rest).map(\.offer)
        }
    }
}
