internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// Bids that name a wrong impression, a wrong currency or no price that could be paid.
extension Fault {
    static let prices: [Fault] = [
        unknownImpression,
        missingCurrency,
        unknownCurrency,
        price("negative_price", "a price below zero", .number(JSONNumber(-1))),
        zeroPrice,
        price("nan_price", "the price NaN, which is no JSON", nil),
        price("huge_price", "the price 1e308", JSONNumber("1e308").map(JSONValue.number) ?? .null),
        stringPrice,
        price("text_price", "a price in words", "expensive"),
        duplicateBids,
    ]

    private static let priceFix =
        "What cannot be paid is bad_response(bad_price), and in Swift nil of Money(amount:currency:); an offer without a price "
        + "would be sold at the line's rate."

    private static let nanFix =
        "NaN is no JSON: it is bad_response(bad_json), as JSONReader says in Swift; some languages read it, and write it, too."

    /// What stands for NaN until the text is written.
    private static let nanMark = "weir-nan"

    /// A price that must not become an offer; `nil` writes the bare word NaN.
    private static func price(_ name: String, _ sent: String, _ value: JSONValue?) -> Fault {
        Fault(name: name, sent: sent, fix: value == nil ? nanFix : priceFix) { (stage) throws(SettingsError) in
            guard let (good, place, _) = stage.priced, let json = good.json else { return stage.needsPrice }
            let distorted = json.replacing([place], with: value ?? .string(nanMark)).encodedText
            let body = value == nil ? distorted.replacing("\"\(nanMark)\"", with: "NaN") : distorted
            let seen = try await stage.play(good.answer(Array(body.utf8)), good: good)
            if seen.isRest(of: good) || seen.isFill && stage.allAmong(good.otherPrices(than: place), seen) {
                return .passed("\(seen.said), another bid")
            }
            return seen.isRefusal ? .passed(seen.said) : .failed(seen.said)
        }
    }

    private static let zeroPrice = Fault(
        name: "zero_price",
        sent: "the price 0",
        fix:
            "Hand up a price of zero as it is, or refuse it; an offer without a price would be sold at the line's rate."
    ) { (stage) throws(SettingsError) in
        guard let (good, place, price) = stage.priced, let json = good.json else { return stage.needsPrice }
        let seen = try await stage.play(good.answer(json.replacing([place], with: 0)), good: good)
        guard seen.isFill else {
            return seen.isRefusal || seen.result == .noFill ? .passed(seen.said) : .failed(seen.said)
        }
        let zero = Money(micros: 0, currency: price.currency)
        return stage.allAmong(good.otherPrices(than: place) + [zero], seen) ? .passed(seen.said) : .failed(seen.said)
    }

    private static let stringPrice = Fault(
        name: "string_price",
        sent: "the price as a string, or as a number where it is a string",
        fix:
            "Read the price either way, in Swift as value.string ?? value.number?.text, or call it bad_response(bad_price)."
    ) { (stage) throws(SettingsError) in
        guard let (good, place, price) = stage.priced, let json = good.json, let value = json[place] else {
            return stage.needsPrice
        }
        let other: JSONValue =
            value.string.flatMap { JSONNumber($0).map(JSONValue.number) } ?? .string(value.number?.text ?? "")
        let seen = try await stage.play(good.answer(json.replacing([place], with: other)), good: good)
        if seen.isFill, stage.allAmong(good.otherPrices(than: place) + [price], seen) { return .passed(seen.said) }
        return seen.isRefusal ? .passed(seen.said) : .failed(seen.said)
    }

    private static let currencyFix =
        "It is rejected(currency) when no currency of three letters stands beside the price; there is no default."

    private static let missingCurrency = Fault(
        name: "missing_currency",
        sent: "a price without its currency",
        fix: currencyFix
    ) { (stage) throws(SettingsError) in
        guard let good = stage.goods.first(where: { !$0.currency.isEmpty }), let json = good.json else {
            return stage.needsCurrency
        }
        let bare = good.currency.reversed().reduce(json) { $0.replacing($1.steps[...], with: nil) ?? $0 }
        let seen = try await stage.play(good.answer(bare), good: good)
        let isDollar = !seen.offers.isEmpty && seen.offers.allSatisfy { $0.price?.currency.code == "USD" }
        // OpenRTB 2.6 §4.3.1: `cur` of a response is USD unless it says otherwise.
        if json["seatbid"] != nil, isDollar { return .passed("\(seen.said), OpenRTB's default") }
        return seen.isRefusal || seen.isRest(of: good) ? .passed(seen.said) : .failed(seen.said)
    }

    private static let unknownCurrency = Fault(
        name: "unknown_currency",
        sent: "a price in DOLLARS",
        fix: currencyFix
    ) { (stage) throws(SettingsError) in
        guard let good = stage.goods.first(where: { !$0.currency.isEmpty }), let json = good.json else {
            return stage.needsCurrency
        }
        let seen = try await stage.play(good.answer(json.replacing(good.currency, with: "DOLLARS")), good: good)
        return seen.isRefusal || seen.isRest(of: good) ? .passed(seen.said) : .failed(seen.said)
    }

    private static let unknownImpression = Fault(
        name: "unknown_imp",
        sent: "a bid for an impression that nobody asked for",
        fix: "Compare each bid's impid with what was asked: another one is rejected(unknown_imp)."
    ) { (stage) throws(SettingsError) in
        guard let good = stage.goods.first(where: { !$0.impressions.isEmpty }), let json = good.json else {
            return .notApplicable("no exemplary answer names impressions")
        }
        let seen = try await stage.play(good.answer(json.replacing(good.impressions, with: "weir-unknown")), good: good)
        return seen.isRefusal ? .passed(seen.said) : .failed(seen.said)
    }

    private static let duplicateBids = Fault(
        name: "duplicate_bids",
        sent: "the same bid twice",
        fix: "Offer each bid id once, or call the second rejected(duplicate)."
    ) { (stage) throws(SettingsError) in
        guard let (good, element) = stage.listed, let json = good.json, let bids = json[element.array]?.array else {
            return .notApplicable("no exemplary answer holds a list of bids")
        }
        let doubled = JSONValue.array(bids + [bids[element.index]])
        let seen = try await stage.play(good.answer(json.replacing([element.array], with: doubled)), good: good)
        guard seen.isFill else { return seen.isRefusal ? .passed(seen.said) : .failed(seen.said) }
        let offers = seen.offers
        let isTwice = offers.indices.contains { index in
            offers[(index + 1)...].contains { $0.isSame(as: offers[index]) }
        }
        return isTwice ? .failed("\(seen.said), two of them the same") : .passed(seen.said)
    }
}

extension FaultStage {
    /// The first good answer with a price, and where that stands.
    fileprivate var priced: (good: GoodAnswer, place: JSONPlace, price: Money)? {
        for good in goods {
            if let (place, price) = good.price { return (good, place, price) }
        }
        return nil
    }

    /// The first good answer with a list of bids, and the place of one in it: what has no price is no bid.
    fileprivate var listed: (good: GoodAnswer, element: (array: JSONPlace, index: Int))? {
        for good in goods {
            if let element = good.price?.place.element { return (good, element) }
        }
        return nil
    }

    fileprivate var needsPrice: FaultVerdict {
        goods.contains { $0.offers.contains { $0.price != nil } }
            ? .notApplicable("the price of a good answer does not stand in JSON, where it could be changed")
            : .notApplicable("no exemplary answer holds a price")
    }

    fileprivate var needsCurrency: FaultVerdict { .notApplicable("no exemplary answer holds a price's currency") }

    /// Whether there are offers, and every one costs one of these.
    fileprivate func allAmong(_ prices: [Money], _ seen: FaultObservation) -> Bool {
        !seen.offers.isEmpty && seen.offers.allSatisfy { $0.price.map(prices.contains) ?? false }
    }
}

extension Offer {
    fileprivate func isSame(as other: Offer) -> Bool {
        id == nil && other.id == nil ? self == other : id == other.id && seat == other.seat
    }
}
