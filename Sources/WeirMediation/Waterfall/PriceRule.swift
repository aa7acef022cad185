package import WeirModel

/// What a price is worth to one ad unit: one currency, one floor, exact.
package struct PriceRule: Sendable {
    /// The least that is accepted.
    package let floor: Money?
    /// The currency in which prices are compared: the floor's, else the first rate's, else the base of the rates.
    package let currency: Currency
    /// What currencies are worth in one another.
    package let rates: CurrencyRates

    /// The rule of an ad unit.
    package init(_ adUnit: AdUnit, rates: CurrencyRates) {
        floor = adUnit.floor
        currency = adUnit.floor?.currency ?? adUnit.lineItems.lazy.compactMap(\.rate?.currency).first ?? rates.base
        self.rates = rates
    }

    /// An amount in millionths of ``currency``; `nil` when there is no rate for it.
    package func worth(_ money: Money) -> Int64? { rates.convert(money, to: currency)?.micros }

    /// Whether one price is above another; a price beats none, and what cannot be compared beats nothing.
    package func beats(_ candidate: Money?, _ best: Money?) -> Bool {
        guard let candidate else { return false }
        guard let best else { return true }
        if candidate.currency == best.currency { return candidate.micros > best.micros }
        guard let left = worth(candidate), let right = worth(best) else { return false }
        return left > right
    }

    /// Why an offer at this price is not taken; `nil` when it is (T-24).
    ///
    /// The same currency is compared as it is, another one by its rate; without a rate it cannot be, and is never taken
    /// for the same.
    package func refusal(of price: Money) -> AttemptOutcome? {
        if price.micros < 0 {
            return AttemptOutcome(.badResponse, .badPrice, "The network's price \(price) is negative.")
        }
        guard let floor else { return nil }
        guard let converted = rates.convert(price, to: floor.currency) else {
            return AttemptOutcome(
                .rejected,
                .noRate,
                "The network's price is in \(price.currency), the floor in \(floor.currency), and no rate is configured."
            )
        }
        guard converted.micros >= floor.micros else {
            let worth = price.currency == floor.currency ? "" : " is \(converted), which"
            return AttemptOutcome(
                .rejected,
                .belowFloor,
                "The network's price \(price)\(worth) is below the floor \(floor)."
            )
        }
        return nil
    }

    /// Why a bid at this price has no place in the order: besides ``refusal(of:)``, it must be comparable.
    package func refusal(ofBid price: Money) -> AttemptOutcome? {
        if let refusal = refusal(of: price) { return refusal }
        guard worth(price) == nil else { return nil }
        return AttemptOutcome(
            .rejected,
            .noRate,
            "The network bids in \(price.currency), prices are compared in \(currency), and no rate is configured."
        )
    }
}
