/// How much the queue of beacons may hold, and how long it tries.
package struct BeaconLimits: Hashable, Sendable {
    /// The most that wait or are under way; what comes on top is dropped.
    ///
    /// A single network may have half of them.
    package var count = 20_000
    /// The most under way at once.
    package var atOnce = 128
    /// How long one try may take.
    package var patience: Duration = .seconds(5)
    /// How old one may become before it is given up.
    package var age: Duration = .seconds(3600)
    /// The wait after the first try that did not reach the server; it doubles each time.
    package var retryInitial: Duration = .seconds(1)
    /// The longest such wait.
    package var retryMax: Duration = .seconds(60)

    /// The defaults of docs/configuration.md.
    package init() {}

    /// The wait after so many tries.
    func pause(after tries: Int) -> Duration {
        // Beyond ten doublings every wait is the longest.
        min(retryInitial * Int64(1 << min(max(tries - 1, 0), 10)), retryMax)
    }
}
