internal import WeirModel

/// The order of an ad unit's rungs.
///
/// By rate: best first, a group by the best of its rates, ties as configured. Rates of several currencies are compared
/// by their currencies' rates, in the currency of ``PriceRule``; rungs without a comparable rate come last, as
/// configured. Bidding line items are no rungs: they take their place once they have bid.
struct RungOrder {
    /// A rung with what decides about its place.
    struct Placed {
        var rung: Rung
        /// Its place in the configuration.
        var position: Int
        /// The best of its rates; `nil` without a comparable one.
        var worth: Int64?
    }

    private let adUnit: AdUnit
    private let rule: PriceRule
    private let all: [Placed]

    init(_ adUnit: AdUnit, _ rule: PriceRule) {
        self.adUnit = adUnit
        self.rule = rule
        all = adUnit.waterfall.enumerated().map { position, rung in
            Placed(
                rung: rung,
                position: position,
                worth: rung.lineItems.lazy.compactMap(\.rate).compactMap(rule.worth).max()
            )
        }
    }

    /// The rated rungs in order.
    var rungs: [Placed] {
        let placed = all.filter { !$0.rung.isBidding }
        guard adUnit.order == .rate else { return placed }
        return placed.sorted { left, right in
            let (first, second) = (left.worth ?? .min, right.worth ?? .min)
            return first == second ? left.position < right.position : first > second
        }
    }

    /// The bidding ones, as configured.
    var bids: [Placed] { all.filter(\.rung.isBidding) }

    var explanation: String {
        let bids = bids.isEmpty ? "" : " Bids are asked for first and take their places by price."
        guard adUnit.order == .rate else { return "order: as configured." + bids }
        guard adUnit.lineItems.contains(where: { $0.rate != nil }) else {
            return "order: by rate, but no line item has one; as configured." + bids
        }
        return "order: best rate in \(rule.currency) first, ties as configured; other rates come last." + bids
    }
}

extension Rung {
    /// Whether it is a single line item that bids; inside a group a bidding one is asked with the group.
    fileprivate var isBidding: Bool {
        if case .line(let line) = self { return line.isBidding }
        return false
    }
}
