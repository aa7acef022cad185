package import WeirModel
package import WeirTime

/// The one initialization of a process: complete exactly once, when nobody is starting any more (S2.31).
///
/// It needs no timer of its own: after the limit each network that is still starting becomes `timed_out`, and the last
/// of them completes it.
package struct Initialization: Sendable {
    private enum Phase {
        case notBegun
        case inProgress(since: ContinuousClock.Instant)
        case complete(elapsed: Duration, at: WallTime)
    }

    private let timeout: Duration
    private var phase = Phase.notBegun
    private var order: [NetworkID] = []
    private var pending: Set<NetworkID> = []
    private var late: Set<NetworkID> = []

    /// An initialization that has not begun.
    package init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Begins with the networks of the first configuration; later calls change nothing.
    ///
    /// - Returns: Whether it is complete already, because there is nobody to wait for.
    package mutating func begin(_ networks: [NetworkID], now: ContinuousClock.Instant, wall: WallTime) -> Bool {
        guard case .notBegun = phase else { return false }
        order = networks
        pending = Set(networks)
        phase = .inProgress(since: now)
        return completeIfDone(now, wall)
    }

    /// Says that a network is not starting any more.
    ///
    /// - Returns: Whether this completed the initialization; true exactly once.
    package mutating func settle(
        _ network: NetworkID,
        isTimedOut: Bool,
        now: ContinuousClock.Instant,
        wall: WallTime
    ) -> Bool {
        guard pending.remove(network) != nil else { return false }
        if isTimedOut { late.insert(network) }
        return completeIfDone(now, wall)
    }

    private mutating func completeIfDone(_ now: ContinuousClock.Instant, _ wall: WallTime) -> Bool {
        guard case .inProgress(let since) = phase, pending.isEmpty else { return false }
        phase = .complete(elapsed: since.duration(to: now), at: wall)
        return true
    }

    /// How far it has come.
    package func status(now: ContinuousClock.Instant) -> InitializationStatus {
        let timedOut = order.filter(late.contains)
        return switch phase {
        case .notBegun:
            InitializationStatus(isComplete: false, timedOut: [], timeout: timeout, elapsed: .zero)
        case .inProgress(let since):
            InitializationStatus(
                isComplete: false,
                timedOut: timedOut,
                timeout: timeout,
                elapsed: since.duration(to: now)
            )
        case .complete(let elapsed, let wall):
            InitializationStatus(
                isComplete: true,
                timedOut: timedOut,
                timeout: timeout,
                elapsed: elapsed,
                completedAt: wall
            )
        }
    }
}
