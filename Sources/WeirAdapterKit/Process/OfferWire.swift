internal import WeirJSON
internal import WeirModel

/// An offer as JSON, spelled as case files spell it: `vast` or `vast_url`, and what the network says of the ad.
///
/// What a network may get wrong (no markup, a price without currency) is a verdict on the network, not a fault of the
/// adapter that passes it on.
struct OfferWire {
    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    /// The offers in the markup, each with what is said of it; markup without ads is a no-fill here as anywhere.
    func outcome() throws(AdapterError) -> LoadOutcome {
        switch try markup() {
        case .noFill(let noFill): return .noFill(noFill)
        case .fill(let offers):
            var filled: [Offer] = []
            for offer in offers { filled.append(try complete(offer)) }
            return .fill(filled)
        }
    }

    /// An offer that cannot be used, when the network wants to be told so.
    func refused(_ refusal: AttemptOutcome) -> Offer? {
        Offer(refused: refusal, id: text("id"), loss: addresses("loss"))
    }

    private func markup() throws(AdapterError) -> LoadOutcome {
        if let document = value["vast"]?.string, document.contains(where: { !$0.isWhitespace }) {
            return try LoadOutcome(markup: Array(document.utf8))
        }
        guard let url = value["vast_url"]?.string, url.isWebAddress, url.utf8.count <= AdapterProtocol.addressBytes
        else { throw AdapterError(.rejected, .noMarkup, "The offer has neither vast nor an http or https vast_url.") }
        return .fill([Offer(markup: .url(url))])
    }

    private func complete(_ offer: Offer) throws(AdapterError) -> Offer {
        var offer = offer
        offer.id = text("id")
        offer.title = text("title")
        offer.price = try price()
        offer.reward = try reward()
        offer.expires = try milliseconds("expires_in_ms", in: 1...Self.longest)
        offer.slot = try slot()
        offer.controls = controls
        offer.seat = text("seat")
        offer.deal = text("deal")
        offer.creativeID = text("creative_id")
        offer.advertiserDomains = texts("advertiser_domains", Self.wordCount)
        offer.categories = texts("categories", Self.wordCount)
        offer.notices = BidNotices(win: addresses("win"), billing: addresses("billing"), loss: addresses("loss"))
        return offer
    }

    /// The most domains or categories of one offer.
    private static let wordCount = 32

    private func texts(_ key: String, _ count: Int) -> [String] {
        (value[key]?.array ?? []).prefix(count).compactMap { word in
            word.string.map { String($0.unicodeScalars.prefix(256)).printable }
        }
    }

    private func addresses(_ key: String) -> [String] {
        (value[key]?.array ?? []).compactMap(\.string).filter { $0.utf8.count <= AdapterProtocol.addressBytes }
    }

    private func text(_ key: String) -> String? {
        guard let value = value[key] else { return nil }
        return (value.string ?? value.number?.text).map { String($0.unicodeScalars.prefix(256)).printable }
    }

    /// There is no default currency, and a price is a decimal from zero that can be kept exactly.
    private func price() throws(AdapterError) -> Money? {
        guard let price = value["price"], !price.isNull else { return nil }
        guard let amount = price["amount"], !amount.isNull else {
            throw AdapterError(.badResponse, .missingPrice, "The offer's price has no amount.")
        }
        guard let currency = price["currency"]?.string.flatMap(Currency.init) else {
            throw AdapterError(.rejected, .currency, "The offer's price has no currency code of three letters.")
        }
        guard let text = amount.string ?? amount.number?.text,
            let money = Money(amount: text, currency: currency), money.micros >= 0
        else {
            throw AdapterError(.badResponse, .badPrice, "The offer's price is no decimal from zero that can be kept.")
        }
        return money
    }

    private func reward() throws(AdapterError) -> Reward? {
        guard let reward = value["reward"], !reward.isNull else { return nil }
        let amount = reward["amount"].flatMap { $0.string ?? $0.number?.text }.flatMap(ExactDecimal.init)
        guard let item = reward["item"]?.string, !item.isEmpty, item.utf8.count <= 256, let amount, amount.digits > 0
        else { throw badJSON("The offer's reward needs an item and an amount above zero.") }
        return Reward(item: item.printable, amount: amount)
    }

    private func slot() throws(AdapterError) -> AudioSlot? {
        guard let word = value["section"], !word.isNull else { return nil }
        guard let section = word.string.flatMap(AudioSection.init) else {
            throw badJSON("The offer's section is none of preroll, midroll, pauseroll and postroll.")
        }
        return AudioSlot(section, point: try milliseconds("point_ms", in: 0...Self.longest))
    }

    private var controls: AudioControls? {
        let keys = ["allow_seek", "allow_skip", "allow_pause", "allow_track_change", "ad_text"]
        guard keys.contains(where: { !(value[$0]?.isNull ?? true) }) else { return nil }
        var controls = AudioControls()
        controls.allowsSeek = value["allow_seek"]?.bool ?? controls.allowsSeek
        controls.allowsSkip = value["allow_skip"]?.bool ?? controls.allowsSkip
        controls.allowsPause = value["allow_pause"]?.bool ?? controls.allowsPause
        controls.allowsTrackChange = value["allow_track_change"]?.bool ?? controls.allowsTrackChange
        controls.adText = text("ad_text")
        return controls
    }

    private func milliseconds(_ key: String, in range: ClosedRange<Int>) throws(AdapterError) -> Duration? {
        guard let value = value[key], !value.isNull else { return nil }
        guard let milliseconds = value.int, range.contains(milliseconds) else {
            throw badJSON("The offer's \(key) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return .milliseconds(milliseconds)
    }

    /// Thirty days; more is a mistake of units.
    private static let longest = 30 * 24 * 3_600_000
}

private func badJSON(_ message: String) -> AdapterError { AdapterError(.badResponse, .badJSON, message) }
