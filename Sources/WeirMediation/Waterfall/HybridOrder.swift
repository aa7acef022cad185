/// Where bids stand among rated steps: a stable total order.
///
/// Rated steps keep the order of the plan. A bid stands before the first step that is worth less; at the same worth the
/// one that was configured first stands first. Steps without a rate are worth less than any bid. Bids stand among each
/// other by worth, then as configured.
package enum HybridOrder {
    /// What decides about a place.
    package struct Rank: Sendable, Hashable {
        /// The place in the configuration.
        package var position: Int
        /// Millionths of the ad unit's currency; `nil` for a step without a comparable rate.
        package var worth: Int64?

        /// A rank.
        package init(position: Int, worth: Int64?) {
            self.position = position
            self.worth = worth
        }

        fileprivate func stands(before other: Rank) -> Bool {
            switch (worth, other.worth) {
            case (nil, _): false
            case (_, nil): true
            case (let left?, let right?): left == right ? position < other.position : left > right
            }
        }
    }

    /// A place in the order.
    package enum Entry: Sendable, Hashable {
        /// The step of this number.
        case step(Int)
        /// The bid of this number.
        case bid(Int)
    }

    /// The order of steps, given in the plan's order, and bids.
    ///
    /// - Returns: Every step and every bid exactly once.
    package static func entries(steps: [Rank], bids: [Rank]) -> [Entry] {
        let sorted = bids.indices.sorted { left, right in
            bids[left].stands(before: bids[right])
                || (!bids[right].stands(before: bids[left]) && left < right)
        }
        var entries: [Entry] = []
        entries.reserveCapacity(steps.count + bids.count)
        var waiting = sorted[...]
        for (number, step) in steps.enumerated() {
            while let bid = waiting.first, bids[bid].stands(before: step) {
                entries.append(.bid(bid))
                waiting.removeFirst()
            }
            entries.append(.step(number))
        }
        return entries + waiting.map { .bid($0) }
    }
}
