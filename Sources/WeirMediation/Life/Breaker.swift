package import WeirModel
package import WeirTime

/// What a breaker looks like from outside.
package struct BreakerStatus: Sendable, Hashable {
    /// The breaker's own states.
    package enum State: String, CaseIterable, Sendable {
        case closed
        case open
        case halfOpen = "half_open"
    }

    /// Where it stands.
    package var state: State
    /// When one request may try again; only while it is open.
    package var retryAt: WallTime?

    /// A status.
    package init(state: State, retryAt: WallTime? = nil) {
        self.state = state
        self.retryAt = retryAt
    }

    /// How a network stands as a whole: open before half open before closed, and of open ones the one that tries next.
    static func worst(of all: [BreakerStatus]) -> BreakerStatus {
        let open = all.filter { $0.state == .open }
        if let first = open.min(by: { ($0.retryAt?.milliseconds ?? .max) < ($1.retryAt?.milliseconds ?? .max) }) {
            return first
        }
        return all.first { $0.state == .halfOpen } ?? BreakerStatus(state: .closed)
    }
}

/// The breaker of one network for one placement.
package struct PlacementBreaker: Sendable, Hashable {
    /// The placement.
    package var placement: PlacementID
    /// Where it stands.
    package var status: BreakerStatus

    /// A breaker that is worth showing.
    package init(placement: PlacementID, status: BreakerStatus) {
        self.placement = placement
        self.status = status
    }
}

/// Leaves a network alone for a while after so many failures in a row; each placement has its own.
///
/// Closed: everybody asks. Open: nobody does, until the pause is over. Half open: exactly one request asks; its success
/// closes the breaker, its failure opens it again.
package struct Breaker: Sendable {
    /// Leave to ask; handed back with ``record(_:_:now:)``.
    package enum Permit: Sendable, Hashable {
        case ordinary
        /// The one request that finds out whether the network is back.
        case trial
    }

    /// What a breaker says to a request.
    package enum Answer: Sendable, Hashable {
        case ask(Permit)
        /// Left alone until `retryAt`, or while somebody else's trial is under way.
        case leaveAlone(retryAt: ContinuousClock.Instant)
    }

    /// What a try says about the network's health.
    package enum Verdict: Sendable, Hashable {
        case healthy
        case broken
        /// Nothing: it was never asked, or the caller went away.
        case unknown
    }

    private enum Phase {
        case closed(failures: Int)
        case open(until: ContinuousClock.Instant)
        case halfOpen(since: ContinuousClock.Instant)
    }

    private let policy: BreakerPolicy
    private var phase = Phase.closed(failures: 0)

    /// A closed breaker.
    package init(policy: BreakerPolicy) {
        self.policy = policy
    }

    /// Whether it is closed and knows of no failure, as a new one.
    package var isUntouched: Bool {
        if case .closed(0) = phase { return true }
        return false
    }

    /// What ``admit(now:)`` would say, without taking the trial.
    package func answer(now: ContinuousClock.Instant) -> Answer {
        guard policy.isEnabled else { return .ask(.ordinary) }
        return switch phase {
        case .closed: .ask(.ordinary)
        case .open(let until) where now >= until: .ask(.trial)
        case .open(let until): .leaveAlone(retryAt: until)
        case .halfOpen: .leaveAlone(retryAt: now)
        }
    }

    /// Asks for leave; a trial is given to one request at a time.
    package mutating func admit(now: ContinuousClock.Instant) -> Answer {
        let answer = answer(now: now)
        if answer == .ask(.trial) { phase = .halfOpen(since: now) }
        return answer
    }

    /// Takes a permit back with what came of it.
    ///
    /// Ordinary permits from before the breaker opened say nothing any more.
    package mutating func record(_ permit: Permit, _ verdict: Verdict, now: ContinuousClock.Instant) {
        switch (phase, permit, verdict) {
        case (.closed(let failures), .ordinary, .broken):
            let count = failures + 1
            phase = count >= max(1, policy.failures) ? opened(now) : .closed(failures: count)
        case (.closed, .ordinary, .healthy), (.halfOpen, .trial, .healthy):
            phase = .closed(failures: 0)
        case (.halfOpen, .trial, .broken):
            phase = opened(now)
        case (.halfOpen, .trial, .unknown):
            phase = .open(until: now)
        default:
            break
        }
    }

    private func opened(_ now: ContinuousClock.Instant) -> Phase { .open(until: now.advanced(by: policy.openDuration)) }

    /// Where it stands.
    package func status(now: ContinuousClock.Instant, wall: WallTime) -> BreakerStatus {
        switch phase {
        case .closed: BreakerStatus(state: .closed)
        case .open(let until): BreakerStatus(state: .open, retryAt: wall.advanced(by: now.duration(to: until)))
        case .halfOpen: BreakerStatus(state: .halfOpen)
        }
    }
}

extension Breaker.Verdict {
    /// A network cut off by the request's own deadline after less than this had no fair chance to answer.
    package static let fairShare: Duration = .milliseconds(50)

    /// What an attempt's verdict says about the network's health: no-fills and rejections are healthy answers.
    package init(_ outcome: AttemptOutcome, after latency: Duration) {
        switch outcome.result {
        case .fill, .noFill, .rejected: self = .healthy
        case .timeout where outcome.reason == .deadline && latency < Self.fairShare: self = .unknown
        // One ending takes all attempts under way with it, and the supervisor looks after the rest.
        case .crash where outcome.reason != .protocol: self = .unknown
        case .timeout, .networkError, .badResponse, .crash: self = .broken
        case .skipped, .notAttempted: self = .unknown
        }
    }
}
