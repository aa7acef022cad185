internal import WeirModel

/// Who wins among the fills of a group: the best price, ties by list order.
///
/// A price beats none. Prices in different currencies cannot be compared: the earlier in the list stays ahead.
enum GroupContest {
    /// The position of the winner; `nil` when there are no candidates.
    static func winner(_ prices: [Money?]) -> Int? {
        guard var best = prices.indices.first else { return nil }
        for candidate in prices.indices.dropFirst() where beats(prices[candidate], prices[best]) { best = candidate }
        return best
    }

    private static func beats(_ candidate: Money?, _ best: Money?) -> Bool {
        guard let candidate else { return false }
        guard let best else { return true }
        return candidate.currency == best.currency && candidate.micros > best.micros
    }

    /// Why a fill lost, in one sentence; it stays a fill, because the network did offer an ad that could be shown.
    static func loss(_ network: NetworkID, price: Money?, to winner: LineItemID, at winning: Money?) -> String {
        guard let winning else { return "\(network) filled, but \(winner) stands before it in the group." }
        guard let price else { return "\(network) filled without a price, but \(winner) pays \(winning)." }
        if price.currency == winning.currency, price.micros < winning.micros {
            return "\(network) filled at \(price), but \(winner) pays more: \(winning)."
        }
        return "\(network) filled at \(price), but \(winner) at \(winning) stands before it in the group."
    }
}
