internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// How a network tells its price.
struct PriceMapping: Sendable, Hashable {
    /// What the network's number counts.
    enum Unit: String, CaseIterable, Sendable {
        /// The price of 1,000 impressions.
        case cpm
        /// Hundredths of that.
        case cents
        /// Millionths of that.
        case micros
        /// The price of one impression.
        case impression

        /// The power of ten that leads from the number to the CPM.
        var shift: Int {
            switch self {
            case .cpm: 0
            case .cents: -2
            case .micros: -6
            case .impression: 3
            }
        }
    }

    var amount: ReplySource
    /// Where the network says its currency.
    var currency: ReplySource?
    /// The currency when the network says none; `nil` refuses such an ad (T-24).
    var defaultCurrency: Currency?
    var unit = Unit.cpm
    /// How many of the number's last digits stand behind the decimal point, beyond what ``unit`` says of it.
    var decimals = 0
    /// Whether an ad without a price is taken at the line item's rate.
    var isOptional = false

    /// The power of ten that leads from the network's number to the CPM.
    private var shift: Int { unit.shift - decimals }

    /// The price of an ad.
    ///
    /// - Throws: `bad_response(missing_price)`, `bad_response(bad_price)` or `rejected(currency)`.
    func price(_ reply: DeclaredReply, ad: JSONValue) throws(AdapterError) -> Money? {
        guard let amount = amount.value(reply, ad: ad) else {
            if isOptional { return nil }
            throw AdapterError(.badResponse, .missingPrice, "The network's ad has no price: \(amount.name) is absent.")
        }
        let currency = try currency(reply, ad)
        guard let micros = amount.scalarText.flatMap(ExactDecimal.init).flatMap({ $0.micros(shiftedBy: shift) }),
            micros >= 0
        else {
            throw AdapterError(
                .badResponse,
                .badPrice,
                "The network's price \(self.amount.name) is no decimal from zero that can be kept."
            )
        }
        return Money(micros: micros, currency: currency)
    }

    private func currency(_ reply: DeclaredReply, _ ad: JSONValue) throws(AdapterError) -> Currency {
        // A currency that counts for the whole answer often stands at its top.
        let said = currency.flatMap { $0.value(reply, ad: ad) ?? $0.value(reply, ad: reply.json) }
        guard let said else {
            if let defaultCurrency { return defaultCurrency }
            throw AdapterError(
                .rejected,
                .currency,
                "The network's price has no currency, and the network's file names no default_currency."
            )
        }
        guard let currency = said.string.flatMap(Currency.init) else {
            throw AdapterError(.rejected, .currency, "The network's currency is no code of three letters.")
        }
        return currency
    }
}

extension ExactDecimal {
    /// The number times ten to the `shift`, in millionths cut off toward zero; `nil` when that does not fit.
    func micros(shiftedBy shift: Int) -> Int64? {
        var digits = digits
        var exponent = 6 + shift - scale
        while exponent < 0, digits != 0 {
            digits /= 10
            exponent += 1
        }
        while exponent > 0, digits != 0 {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            digits = product
            exponent -= 1
        }
        return digits
    }
}
