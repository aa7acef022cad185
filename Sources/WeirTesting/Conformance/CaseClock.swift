internal import WeirRuntime
internal import WeirTime

/// The clock of one case over real sockets: it stands still, so that requests are the same at each run, and sleeps for
/// as long as any other.
final class CaseClock: GatewayClock {
    /// The day that all cases take place.
    let wallNow = WallTime(milliseconds: ManualClock.day)

    private let real = RuntimeClock()
    private let instant: Lock<ContinuousClock.Instant>

    /// A clock that stands still from here on.
    init() {
        instant = Lock(RuntimeClock().now)
    }

    /// The instant at which the case began.
    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    /// Stands still from here on: what came before takes nothing of the ask's time.
    func begin() {
        let now = real.now
        instant.withLock { $0 = now }
    }

    func sleep(until instant: ContinuousClock.Instant) async throws {
        try await real.sleep(until: instant)
    }
}
