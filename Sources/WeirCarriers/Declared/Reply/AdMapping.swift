internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// Where the parts of one ad stand in a network's reply.
struct AdMapping: Sendable, Hashable {
    /// How a document is wrapped before it is put into JSON.
    enum Decoding: String, CaseIterable, Sendable {
        case none
        case base64
        case url
    }

    /// A document.
    struct Document: Sendable, Hashable {
        var source: ReplySource
        var decoding = Decoding.none
    }

    struct Reward: Sendable, Hashable {
        var item: ReplySource
        var amount: ReplySource
    }

    /// Whom the network wants told what becomes of the ad; each one address, or a list of them.
    struct Notices: Sendable, Hashable {
        var win: ReplySource?
        var billing: ReplySource?
        var loss: ReplySource?
    }

    /// The most domains or categories of one ad.
    static let mostWords = 50

    var vast: Document?
    var vastURL: ReplySource?
    var media: MediaMapping?
    var id: ReplySource?
    var title: ReplySource?
    var price: PriceMapping?
    var expires: ExpiryMapping?
    var reward: Reward?
    var creativeID: ReplySource?
    var deal: ReplySource?
    var advertiserDomains: ReplySource?
    var categories: ReplySource?
    var notices = Notices()
    /// Where the ad says which request it answers; another one's is refused.
    var requestID: ReplySource?

    /// The ad's offers: one, or none when its document holds no ad.
    ///
    /// - Throws: what is wrong with the ad.
    func outcome(_ reply: DeclaredReply, ad: JSONValue, _ scope: DeclaredScope) throws(AdapterError) -> LoadOutcome {
        if let requestID, let answered = requestID.value(reply, ad: ad)?.scalarText,
            answered != scope.ask.requestID.text
        {
            throw AdapterError(
                .rejected,
                .unknownImp,
                "The network's ad answers another request: \(requestID.name) is not this request's id."
            )
        }
        switch try markup(reply, ad) {
        case .noFill(let noFill): return .noFill(noFill)
        case .fill(let offers):
            var complete: [Offer] = []
            for offer in offers { complete.append(try completed(offer, reply, ad, scope)) }
            return .fill(complete)
        }
    }

    /// An ad that was left out, when the network wants to be told so.
    func refused(_ error: AdapterError, _ reply: DeclaredReply, _ ad: JSONValue, _ scope: DeclaredScope) -> Offer? {
        guard notices.loss != nil else { return nil }
        var nothing = Offer(markup: .document([]))
        nothing.id = id?.value(reply, ad: ad)?.shortText
        let loss = notices.filled(reply, ad, nothing, scope).loss
        return Offer(refused: error.outcome, id: nothing.id, loss: loss)
    }

    private func markup(_ reply: DeclaredReply, _ ad: JSONValue) throws(AdapterError) -> LoadOutcome {
        if let document = try vast.flatMap({ document throws(AdapterError) in try document.bytes(reply, ad) }) {
            return try LoadOutcome(markup: document)
        }
        if let vastURL, let url = vastURL.value(reply, ad: ad)?.string {
            guard url.isWebAddress else {
                throw AdapterError(.rejected, .noMarkup, "\(vastURL.name) is no http or https URL.")
            }
            return .fill([Offer(markup: .url(url))])
        }
        if let media, let document = try media.document(reply, ad) {
            return .fill([Offer(markup: .document(document))])
        }
        throw AdapterError(.rejected, .noMarkup, "The network's ad has nothing to show: \(sought) is absent or empty.")
    }

    /// What the file says markup is called, for a sentence.
    private var sought: String {
        let names = [vast?.source, vastURL, media?.url].compactMap { $0?.name }
        return names.isEmpty ? "its markup" : names.joined(separator: " or ")
    }

    private func completed(
        _ offer: Offer,
        _ reply: DeclaredReply,
        _ ad: JSONValue,
        _ scope: DeclaredScope
    ) throws(AdapterError) -> Offer {
        var offer = offer
        offer.id = id?.value(reply, ad: ad)?.shortText
        offer.title = title?.value(reply, ad: ad)?.shortText
        offer.price = try price?.price(reply, ad: ad)
        offer.expires = try expires?.expires(reply, ad: ad, clock: scope.clock)
        offer.reward = try reward?.reward(reply, ad)
        offer.creativeID = creativeID?.value(reply, ad: ad)?.shortText
        offer.deal = deal?.value(reply, ad: ad)?.shortText
        offer.advertiserDomains = advertiserDomains?.texts(reply, ad: ad, limit: Self.mostWords) ?? []
        offer.categories = categories?.texts(reply, ad: ad, limit: Self.mostWords) ?? []
        offer.notices = notices.filled(reply, ad, offer, scope)
        return offer
    }
}

extension AdMapping.Document {
    /// The document; `nil` when there is none.
    fileprivate func bytes(_ reply: DeclaredReply, _ ad: JSONValue) throws(AdapterError) -> [UInt8]? {
        guard let text = source.value(reply, ad: ad)?.string, !JSONValue.string(text).isHollow else { return nil }
        switch decoding {
        case .none:
            return Array(text.utf8)
        case .url:
            return percentDecoded(text)
        case .base64:
            guard let bytes = base64Decoded(text) else {
                throw AdapterError(.badResponse, .badEncoding, "\(source.name) is not base64.")
            }
            return bytes
        }
    }
}

extension AdMapping.Notices {
    /// The notices of an offer, whatever is known of it filled into OpenRTB's macros.
    fileprivate func filled(
        _ reply: DeclaredReply,
        _ ad: JSONValue,
        _ offer: Offer,
        _ scope: DeclaredScope
    ) -> BidNotices {
        if win == nil, billing == nil, loss == nil { return BidNotices() }
        var values: [AuctionMacros.Name: String] = [
            .id: scope.ask.requestID.text, .marketBidRatio: "1", .multiplier: "1",
        ]
        values[.price] = offer.price?.amount
        values[.currency] = offer.price?.currency.code
        values[.adID] = offer.id
        let macros = AuctionMacros(values)
        // A loser does not learn at what price somebody else won.
        var lossMacros = macros
        lossMacros.values[.price] = nil
        lossMacros.values[.marketBidRatio] = nil
        let urls = { (source: ReplySource?, macros: AuctionMacros) in
            (source?.texts(reply, ad: ad, limit: BidNotices.limit) ?? []).map {
                macros.expand($0, keeping: AuctionMacros.Name.late)
            }
        }
        return BidNotices(win: urls(win, macros), billing: urls(billing, macros), loss: urls(loss, lossMacros))
    }
}

extension AdMapping.Reward {
    /// The reward; `nil` when the network names none.
    fileprivate func reward(_ reply: DeclaredReply, _ ad: JSONValue) throws(AdapterError) -> WeirModel.Reward? {
        let item = item.value(reply, ad: ad)
        let amount = amount.value(reply, ad: ad)
        if item == nil, amount == nil { return nil }
        guard let item = item?.shortText, !item.isEmpty,
            let amount = amount?.scalarText.flatMap(ExactDecimal.init), amount.digits > 0
        else {
            throw AdapterError(.badResponse, .badJSON, "The network's reward needs an item and an amount above zero.")
        }
        return WeirModel.Reward(item: item, amount: amount)
    }
}
