internal import WeirModel
internal import WeirTime

extension AttemptOutcome {
    /// The breaker leaves the network alone.
    static func circuitOpen(_ network: NetworkID, retryAt: WallTime) -> AttemptOutcome {
        AttemptOutcome(
            .skipped,
            .circuitOpen,
            "\(network) failed too often in a row; it is asked again from \(retryAt.rfc3339) on."
        )
    }

    /// As many loads are under way as may be.
    static func saturated(_ network: NetworkID) -> AttemptOutcome {
        AttemptOutcome(.skipped, .saturated, "\(network) has as many requests under way as it may have.")
    }
}
