internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// A good answer of the network, taken from an exemplary case: what faults distort.
struct GoodAnswer: Sendable {
    /// The case it comes from.
    let example: AdapterCase
    /// The answers of the steps before it, as they are.
    let earlier: [SandboxReply]
    /// The answer itself, of the last step.
    let reply: SandboxReply
    /// Its body.
    let body: [UInt8]
    /// What the adapter makes of it, undistorted.
    let offers: [Offer]
    /// Where the price stands, found by changing one number after another; `nil` when its name or value told.
    var triedPrice: JSONPlace?

    /// The body as JSON; `nil` when it is none.
    var json: JSONValue? { try? JSONReader.read(body) }

    /// How many requests lead to it.
    var requestCount: Int { earlier.count + 1 }

    /// The answer with another body.
    func answer(_ body: [UInt8]) -> SandboxReply {
        var answer = reply
        answer.body = body.isEmpty ? .none : .bytes(body)
        return answer
    }

    /// The answer with another JSON value as its body.
    func answer(_ value: JSONValue) -> SandboxReply { answer(value.encoded()) }

    // MARK: Where things stand

    /// Where the price of the offer stands in the answer, and the price; `nil` when there is none.
    var price: (place: JSONPlace, price: Money)? {
        guard let price = offers.first?.price, let json else { return nil }
        if let triedPrice { return (triedPrice, price) }
        let amounts = json.scalars().compactMap { scalar -> (place: JSONPlace, micros: Int64)? in
            guard let text = scalar.value.string ?? scalar.value.number?.text,
                let money = Money(amount: text, currency: price.currency)
            else { return nil }
            return (scalar.place, money.micros)
        }
        let equal = amounts.filter { $0.micros == price.micros }.map(\.place)
        if let place = equal.first(where: \.isOfMoney) ?? equal.first { return (place, price) }
        // Some networks count in cents, micros, or the price of one impression.
        let scaled = amounts.filter { amount in
            amount.place.isOfMoney
                && [100, 1_000_000].contains {
                    price.micros.multipliedReportingOverflow(by: $0) == (amount.micros, false)
                }
                || amount.micros.multipliedReportingOverflow(by: 1000) == (price.micros, false)
        }
        return scaled.first { $0.place.isOfMoney }.map { ($0.place, price) }
    }

    /// What further bids cost: the other offers, and the other numbers of the same name, where the network counts as Weir
    /// does.
    func otherPrices(than place: JSONPlace) -> [Money] {
        guard let json, let currency = offers.first?.price?.currency else { return [] }
        return offers.dropFirst().compactMap(\.price)
            + json.scalars().filter { $0.place != place && $0.place.name == place.name }.compactMap { scalar in
                (scalar.value.string ?? scalar.value.number?.text).flatMap { Money(amount: $0, currency: currency) }
            }
    }

    /// Where the currency of the offer stands in the answer.
    var currency: [JSONPlace] {
        guard let code = offers.first?.price?.currency.code, let json else { return [] }
        let places = json.scalars().filter { $0.value.string?.uppercased() == code }.map(\.place)
        let named = places.filter { ["cur", "currency"].contains($0.name) }
        return named.isEmpty ? Array(places.prefix(1)) : named
    }

    /// Where bids name the impression that they are for, as OpenRTB's do.
    var impressions: [JSONPlace] {
        json?.scalars().filter { ["impid", "imp_id"].contains($0.place.name) && $0.value.string != nil }.map(\.place)
            ?? []
    }

    /// The most numbers that are changed one after another to find the price: each is a call of the adapter.
    static let mostTries = 32

    /// Answers in which one number is another, each with the number's place: a different price tells which it is.
    var trials: [(place: JSONPlace, answer: SandboxReply)] {
        guard let json else { return [] }
        let numbers = json.scalars().compactMap { scalar -> (place: JSONPlace, other: JSONValue)? in
            guard let text = scalar.value.string ?? scalar.value.number?.text, let number = ExactDecimal(text),
                number.digits != 0, let other = JSONNumber(text.hasPrefix("7") ? "8" + text.dropFirst() : "7" + text)
            else { return nil }
            return (scalar.place, scalar.value.string == nil ? .number(other) : .string(other.text))
        }
        return numbers.prefix(Self.mostTries).map { ($0.place, answer(json.replacing([$0.place], with: $0.other))) }
    }

    /// The answer with other markup in the place of the ad's; `nil` when the answer holds none.
    func withMarkup(_ document: String) -> SandboxReply? {
        guard case .document(let bytes) = offers.first?.markup else { return nil }
        if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") || body == bytes {
            return answer(Array(document.utf8))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let json else { return nil }
        let scalars = json.scalars()
        let plain = scalars.filter { $0.value.string == text }.map(\.place)
        if !plain.isEmpty { return answer(json.replacing(plain, with: .string(document))) }
        // Some networks wrap it once more.
        let coded = Base64Text.of(bytes)
        let wrapped = scalars.filter { $0.value.string == coded }.map(\.place)
        if wrapped.isEmpty { return nil }
        return answer(json.replacing(wrapped, with: .string(Base64Text.of(Array(document.utf8)))))
    }
}

extension JSONPlace {
    /// Whether its name is one that prices have.
    fileprivate var isOfMoney: Bool {
        ["price", "amount", "cpm", "bid", "cents", "micros"].contains { name.contains($0) }
    }
}
