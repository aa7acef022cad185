internal import WeirModel

/// The order of an ad unit's rungs.
///
/// By rate: best first, a group by the best of its rates, ties as configured. Rates of several currencies cannot be
/// compared: the floor's currency counts, without a floor that of the first rate configured; rungs without a rate in it
/// come last, as configured.
struct RungOrder {
    private let order: WaterfallOrder
    private let currency: Currency?

    init(_ adUnit: AdUnit) {
        order = adUnit.order
        currency = adUnit.floor?.currency ?? adUnit.lineItems.lazy.compactMap(\.rate?.currency).first
    }

    func sorted(_ rungs: [Rung]) -> [Rung] {
        guard order == .rate else { return rungs }
        let keyed = rungs.enumerated().map { (offset: $0.offset, rate: bestRate($0.element), rung: $0.element) }
        return keyed.sorted { left, right in
            left.rate == right.rate ? left.offset < right.offset : left.rate > right.rate
        }.map(\.rung)
    }

    /// Lower than any rate when there is none in the currency that counts.
    private func bestRate(_ rung: Rung) -> Int64 {
        rung.lineItems.lazy.compactMap(\.rate).filter { $0.currency == currency }.map(\.micros).max() ?? .min
    }

    var explanation: String {
        switch (order, currency) {
        case (.list, _): "order: as configured."
        case (.rate, let currency?): "order: best rate in \(currency) first, ties as configured; other rates come last."
        case (.rate, nil): "order: by rate, but no line item has one; as configured."
        }
    }
}
