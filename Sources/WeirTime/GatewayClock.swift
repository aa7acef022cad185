/// The one source of time: every room gets it through `init`, tests hand in a manual one.
///
/// Monotonic instants drive deadlines and latencies; wall time only dates things for people.
public protocol GatewayClock: Sendable {
    /// The monotonic present.
    var now: ContinuousClock.Instant { get }

    /// The calendar present, for logs, answers and expiry dates.
    var wallNow: WallTime { get }

    /// The executor on which work started by ``race(until:clock:_:)`` belongs; `nil` is the global pool.
    ///
    /// An event loop's clock answers with the loop that is running, so that racing tasks stay on their thread.
    var taskExecutor: (any TaskExecutor)? { get }

    /// Suspends until `instant`; returns at once when it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(until instant: ContinuousClock.Instant) async throws
}

extension GatewayClock {
    /// The global pool, unless a clock knows better.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// Suspends for `duration`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}

/// The machine's own clock, for programs without an event loop.
public struct SystemClock: GatewayClock {
    /// A clock; all are alike.
    public init() {}

    /// The machine's monotonic clock.
    public var now: ContinuousClock.Instant { ContinuousClock.now }

    /// The machine's calendar.
    public var wallNow: WallTime { .system }

    /// Suspends on the global pool's timer.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        try await Task.sleep(until: instant, clock: .continuous)
    }
}
