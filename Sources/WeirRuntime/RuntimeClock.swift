package import WeirTime

/// The machine's clock with the running loop's timers.
///
/// Off a loop it sleeps on the global pool, so one value serves the whole process.
package struct RuntimeClock: GatewayClock {
    /// A clock; all are alike.
    package init() {}

    /// The machine's monotonic clock.
    package var now: ContinuousClock.Instant { ContinuousClock.now }

    /// The machine's calendar.
    package var wallNow: WallTime { .system }

    /// The loop that runs the caller.
    package var taskExecutor: (any TaskExecutor)? { EventLoop.current }

    /// Suspends on the loop's timer, or on the global pool's.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until instant: ContinuousClock.Instant) async throws {
        if let loop = EventLoop.current {
            try await loop.sleep(until: instant)
        } else {
            try await Task.sleep(until: instant, clock: .continuous)
        }
    }
}
