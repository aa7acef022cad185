internal import WeirRuntime
internal import WeirTime

/// The clock of one case over real sockets: it stands still, so that requests are the same at each run, and sleeps for
/// as long as any other.
struct CaseClock: GatewayClock {
    /// The instant at which the case began.
    let now: ContinuousClock.Instant
    /// The day that all cases take place.
    let wallNow = WallTime(milliseconds: ManualClock.day)

    private let real = RuntimeClock()

    /// A clock that stands still from here on.
    init() {
        now = RuntimeClock().now
    }

    func sleep(until instant: ContinuousClock.Instant) async throws {
        try await real.sleep(until: instant)
    }
}
