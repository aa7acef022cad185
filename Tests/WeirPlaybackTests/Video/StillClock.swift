import WeirTime

/// A clock that stands still.
struct StillClock: GatewayClock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var wallNow: WallTime { WallTime(milliseconds: 1_700_000_000_000) }
    func sleep(until instant: ContinuousClock.Instant) async throws { try await Task.sleep(for: .seconds(60)) }
}
