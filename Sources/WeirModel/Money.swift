/// An ISO 4217 currency code: three capital letters.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// The code, such as `USD`.
    public let code: String

    /// Reads a code of three letters, in capitals or not; `nil` for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (65...90).contains($0 & 0xDF) }) else { return nil }
        code = text.uppercased()
    }

    private init(code: String) { self.code = code }

    /// The United States dollar: what networks mean when they name no currency.
    public static let usDollar = Currency(code: "USD")

    /// The code.
    public var description: String { code }
}

/// An amount of one currency, exact to a millionth; there is no default currency.
///
/// A rate, a floor and an offer's price are all CPM: the price of 1,000 impressions.
public struct Money: Hashable, Sendable, CustomStringConvertible {
    /// Millionths of the currency's unit.
    public let micros: Int64

    /// The currency.
    public let currency: Currency

    /// An amount in millionths.
    public init(micros: Int64, currency: Currency) {
        self.micros = micros
        self.currency = currency
    }

    /// Reads a decimal amount; what lies beyond the sixth decimal is cut off, not rounded up.
    ///
    /// `nil` when `amount` is no decimal number or does not fit.
    public init?(amount: String, currency: Currency) {
        guard let micros = ExactDecimal(amount)?.micros else { return nil }
        self.init(micros: micros, currency: currency)
    }

    /// The amount as a decimal with at least two decimals: `12.50`, `0.000001`.
    public var amount: String {
        let whole = micros.magnitude / 1_000_000
        var fraction = String(micros.magnitude % 1_000_000 + 1_000_000).dropFirst()
        while fraction.count > 2, fraction.last == "0" { fraction.removeLast() }
        return (micros < 0 ? "-" : "") + "\(whole).\(fraction)"
    }

    /// The amount and its currency: `12.50 USD`.
    public var description: String { "\(amount) \(currency)" }
}
