internal import Synchronization
internal import WeirTime

/// Counts the requests that are being answered, and says when there are too many.
///
/// Early is kind: a caller that hears 503 at once can go elsewhere, one that waits in a queue cannot. What operators and
/// probes ask is not counted, so that they get through.
package final class RequestGate: Sendable {
    /// The most requests at once.
    package let limit: Int
    private let underWay = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let lastTold = Lock<ContinuousClock.Instant?>(nil)

    /// How often, at most, the log hears of refusals.
    static let quiet: Duration = .seconds(10)

    /// A gate for `limit` requests.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Requests being answered now.
    package var inFlight: Int { underWay.load(ordering: .relaxed) }
    /// Requests refused so far.
    package var refused: Int { refusals.load(ordering: .relaxed) }

    /// Lets a request in, to be followed by ``leave()``; `false` when it is to be refused.
    func enter() -> Bool {
        let (_, count) = underWay.add(1, ordering: .relaxed)
        if count <= limit { return true }
        underWay.subtract(1, ordering: .relaxed)
        refusals.add(1, ordering: .relaxed)
        return false
    }

    /// Says that a request has its answer.
    func leave() { underWay.subtract(1, ordering: .relaxed) }

    /// Whether a refusal at `now` is worth a line in the log.
    func isNews(at now: ContinuousClock.Instant) -> Bool {
        lastTold.withLock { last in
            if let told = last, told.duration(to: now) < Self.quiet { return false }
            last = now
            return true
        }
    }
}
