internal import WeirModel

/// Who wins among the fills of a group: the best price, ties by list order.
///
/// A price beats none. Prices in currencies without a rate cannot be compared: the earlier in the list stays ahead.
enum GroupContest {
    /// The position of the winner; `nil` when there are no candidates.
    static func winner(_ prices: [Money?], _ rule: PriceRule) -> Int? {
        guard var best = prices.indices.first else { return nil }
        for candidate in prices.indices.dropFirst() where rule.beats(prices[candidate], prices[best]) {
            best = candidate
        }
        return best
    }

    /// Why a fill lost, in one sentence; it stays a fill, because the network did offer an ad that could be shown.
    static func loss(
        _ network: NetworkID,
        price: Money?,
        to winner: LineItemID,
        at winning: Money?,
        _ rule: PriceRule
    ) -> String {
        guard let winning else { return "\(network) filled, but \(winner) stands before it in the group." }
        guard let price else { return "\(network) filled without a price, but \(winner) pays \(winning)." }
        if rule.beats(winning, price) {
            return "\(network) filled at \(price), but \(winner) pays more: \(winning)."
        }
        return "\(network) filled at \(price), but \(winner) at \(winning) stands before it in the group."
    }
}
