/// What currencies are worth in one another: exact, and only what somebody has said.
///
/// Every rate is a fraction of whole numbers, so that nothing is rounded before the end: a conversion is cut off at the
/// sixth decimal of its result and compares with a floor exactly as the unrounded value would.
public struct CurrencyRates: Sendable, Hashable {
    /// The most currencies of one table.
    public static let limit = 1000

    /// What one unit of a currency is worth, as a fraction of whole numbers.
    private struct Worth: Sendable, Hashable {
        var numerator: Int64
        var denominator: Int64
    }

    /// The currency that the others are measured in; floors and prices are compared in it.
    public let base: Currency
    /// When the rates were right, as milliseconds since 1970; `nil` when nobody says.
    public let asOfMilliseconds: Int64?

    private var worths: [Currency: Worth]

    /// A table that knows its base only.
    public init(base: Currency, asOfMilliseconds: Int64? = nil) {
        self.base = base
        self.asOfMilliseconds = asOfMilliseconds
        worths = [base: Worth(numerator: 1, denominator: 1)]
    }

    /// The currencies it knows, by code.
    public var currencies: [Currency] { worths.keys.sorted { $0.code < $1.code } }

    /// Says that one unit of `currency` is worth `rate` units of the base: EUR 1.1 in USD.
    ///
    /// - Returns: Whether that is a rate: above zero, and the base is worth one.
    public mutating func set(_ currency: Currency, worth rate: ExactDecimal) -> Bool {
        set(currency, rate) { Worth(numerator: $0, denominator: $1) }
    }

    /// Says that one unit of the base buys `rate` units of `currency`, as files of exchange rates do.
    ///
    /// - Returns: Whether that is a rate: above zero, and the base is worth one.
    public mutating func set(_ currency: Currency, perBase rate: ExactDecimal) -> Bool {
        set(currency, rate) { Worth(numerator: $1, denominator: $0) }
    }

    private mutating func set(_ currency: Currency, _ rate: ExactDecimal, _ worth: (Int64, Int64) -> Worth) -> Bool {
        guard rate.digits > 0, worths.count < Self.limit || worths[currency] != nil else { return false }
        if currency == base { return rate.digits == 1 && rate.scale == 0 }
        worths[currency] = worth(rate.digits, powerOfTen(rate.scale))
        return true
    }

    /// An amount in another currency, cut off at a millionth; `nil` when there is no rate, or the result does not fit.
    ///
    /// The same currency is the same amount, whether the table knows it or not.
    public func convert(_ money: Money, to currency: Currency) -> Money? {
        if money.currency == currency { return money }
        guard let from = worths[money.currency], let to = worths[currency] else { return nil }
        // Each part is below 10^19, so both products fit; what they multiply may need twice the width.
        let numerator = UInt128(from.numerator) * UInt128(to.denominator)
        let denominator = UInt128(from.denominator) * UInt128(to.numerator)
        let product = numerator.multipliedFullWidth(by: UInt128(money.micros.magnitude))
        guard product.high < denominator else { return nil }
        let quotient = denominator.dividingFullWidth(product).quotient
        guard let magnitude = Int64(exactly: quotient) else { return nil }
        return Money(micros: money.micros < 0 ? -magnitude : magnitude, currency: currency)
    }

    /// An amount in the base currency; `nil` when there is no rate.
    public func inBase(_ money: Money) -> Money? { convert(money, to: base) }
}
