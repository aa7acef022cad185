internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// The JSON answer of a rewarded network: `{"ad": {…}}`, `{"ad": null}`, or `{"error": {…}}`.
struct RewardedReply {
    private let body: JSONValue

    init(_ bytes: [UInt8]) throws(AdapterError) {
        do { body = try JSONReader.read(bytes) } catch {
            throw badJSON("The network's answer is not JSON, from line \(error.line), column \(error.column) on.")
        }
        guard body.object != nil else { throw badJSON("The network's answer is \(body.kindName), not an object.") }
    }

    /// What the answer means.
    func outcome() throws(AdapterError) -> LoadOutcome {
        if let error = body["error"], !error.isNull {
            throw .reported(code: error["code"]?.shortText, message: error["message"]?.string ?? error.string)
        }
        guard let ad = body["ad"], !ad.isNull else {
            return .noFill(NoFill(.noAd, "The network answered that it has no ad."))
        }
        guard ad.object != nil else { throw badJSON("ad is \(ad.kindName), not an object.") }
        switch try markup(of: ad) {
        case .noFill(let noFill): return .noFill(noFill)
        case .fill(let offers):
            var filled: [Offer] = []
            for offer in offers { filled.append(try complete(offer, from: ad)) }
            return .fill(filled)
        }
    }

    /// The offer as far as the markup goes; a document without ads is a no-fill here as anywhere.
    private func markup(of ad: JSONValue) throws(AdapterError) -> LoadOutcome {
        if let document = ad["vast"]?.string, document.contains(where: { !$0.isWhitespace }) {
            return try LoadOutcome(markup: Array(document.utf8))
        }
        guard let url = ad["vast_url"]?.string, url.isWebAddress else {
            throw AdapterError(.rejected, .noMarkup, "The ad has neither vast nor an http or https vast_url.")
        }
        return .fill([Offer(markup: .url(url))])
    }

    private func complete(_ offer: Offer, from ad: JSONValue) throws(AdapterError) -> Offer {
        var offer = offer
        offer.id = ad["id"]?.shortText
        offer.title = ad["title"]?.shortText
        offer.price = try price(in: ad)
        offer.reward = try reward(in: ad)
        offer.expires = try expires(in: ad)
        return offer
    }

    /// A price has an amount and a currency, or it is none: there is no default currency.
    private func price(in ad: JSONValue) throws(AdapterError) -> Money? {
        guard let price = ad["price"], !price.isNull else { return nil }
        guard let amount = price["amount"], !amount.isNull else {
            throw AdapterError(.badResponse, .missingPrice, "ad.price has no amount.")
        }
        guard let currency = price["currency"]?.string.flatMap(Currency.init) else {
            throw AdapterError(.rejected, .currency, "ad.price has no currency code of three letters.")
        }
        guard let text = amount.decimalText, let money = Money(amount: text, currency: currency), money.micros >= 0
        else {
            throw AdapterError(.badResponse, .badPrice, "ad.price.amount is no decimal from zero that can be kept.")
        }
        return money
    }

    private func reward(in ad: JSONValue) throws(AdapterError) -> Reward? {
        guard let reward = ad["reward"], !reward.isNull else { return nil }
        guard let item = reward["item"]?.shortText, !item.isEmpty,
            let amount = reward["amount"]?.decimalText.flatMap(ExactDecimal.init), amount.digits > 0
        else { throw badJSON("ad.reward needs an item and an amount above zero.") }
        return Reward(item: item, amount: amount)
    }

    private func expires(in ad: JSONValue) throws(AdapterError) -> Duration? {
        guard let expires = ad["expires_in_ms"], !expires.isNull else { return nil }
        guard let milliseconds = expires.int, milliseconds > 0, milliseconds <= longestExpiry else {
            throw badJSON("ad.expires_in_ms must be a whole number from 1 to \(longestExpiry).")
        }
        return .milliseconds(milliseconds)
    }
}

/// Thirty days; an ad kept longer is a mistake of units.
private let longestExpiry = 30 * 24 * 3_600_000

private func badJSON(_ message: String) -> AdapterError { AdapterError(.badResponse, .badJSON, message) }

extension JSONValue {
    /// An id, title or name, cut to a length that a log line bears; numbers count as their digits.
    fileprivate var shortText: String? { (string ?? number?.text).map { String($0.unicodeScalars.prefix(256)) } }

    /// A decimal written as a string or as a number.
    fileprivate var decimalText: String? { string ?? number?.text }
}
