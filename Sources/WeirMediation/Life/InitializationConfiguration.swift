/// How networks are started: the configuration's `initialization`.
package struct InitializationConfiguration: Sendable, Hashable {
    /// After this the initialization is complete whatever is still under way (S2.31: 10 s).
    package var timeout: Duration
    /// The fewest ready networks that make `/readyz` answer 200.
    package var minReady: Int
    /// The pause before a failed set-up is tried again; doubles each time.
    package var retryInitial: Duration
    /// The longest such pause.
    package var retryMax: Duration

    /// 10 s; one ready network; 500 ms doubling to 30 s.
    package init(
        timeout: Duration = .milliseconds(10_000),
        minReady: Int = 1,
        retryInitial: Duration = .milliseconds(500),
        retryMax: Duration = .milliseconds(30_000)
    ) {
        self.timeout = timeout
        self.minReady = minReady
        self.retryInitial = retryInitial
        self.retryMax = retryMax
    }

    /// The pause after the `failures`-th failure in a row.
    ///
    /// - Parameters:
    ///   - failures: At least 1.
    ///   - chance: 0 to 1; shortens the pause by up to ``jitter``, so that networks which failed together do not
    ///     come back together. 1 leaves it as it is.
    /// - Returns: A pause no longer than ``retryMax``.
    package func pause(afterFailures failures: Int, chance: Double) -> Duration {
        // 2^20 initial pauses are beyond any sensible limit; the bound keeps the shift from overflowing.
        let doubled = retryInitial * (1 << (min(max(failures, 1), 21) - 1))
        return min(doubled, retryMax) * (1 - Self.jitter * (1 - min(max(chance, 0), 1)))
    }

    /// The largest part of a pause that chance takes away.
    package static let jitter = 0.2

    /// How long a cancelled set-up may take to end before it counts as left behind.
    package static let cancellationPatience: Duration = .seconds(1)

    /// How long tearing one adapter down may take before it is left behind.
    package static let tearDownPatience: Duration = .seconds(5)
}
