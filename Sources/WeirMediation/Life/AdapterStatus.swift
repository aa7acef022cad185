package import WeirModel
package import WeirTime

/// Where a network's adapter stands in its life.
package enum AdapterState: String, CaseIterable, Sendable {
    case disabled
    case starting
    case ready
    case timedOut = "timed_out"
    case failed
    case draining
    case stopped
}

/// How an adapter's code reaches the gateway.
package enum AdapterCarrier: String, CaseIterable, Sendable {
    case builtIn = "built_in"
    case declared
    case process
}

/// Everything there is to know about one network's adapter at one instant (S2.35, S2.36).
package struct AdapterStatus: Sendable, Hashable {
    /// The network.
    package var network: NetworkID
    /// The adapter's kind, such as `vast`; the word of the configuration when no such adapter exists.
    package var adapter: String
    /// The adapter's version; `nil` when it is unknown.
    package var adapterVersion: String?
    /// The version of the adapter contract; `nil` when the adapter is unknown.
    package var api: Int?
    /// How the adapter's code got here.
    package var carrier: AdapterCarrier
    /// Where it stands.
    package var state: AdapterState
    /// Network, step, how long and why, in one or two sentences.
    package var description: String
    /// What an operator can do; `nil` when there is nothing to do.
    package var remedy: String?
    /// How long the successful set-up took; `nil` while that is unknown.
    package var latency: Duration?
    /// When set-up began.
    package var startedAt: WallTime?
    /// When it became ready.
    package var readyAt: WallTime?
    /// Whether it became ready only after its time-out.
    package var isLate: Bool
    /// How many times set-up was begun.
    package var attempts: Int
    /// Why the last set-up failed; `nil` once it is ready.
    package var lastError: String?
    /// The breaker that stands worst, over all placements.
    package var breaker: BreakerStatus
    /// The breakers that are not closed, by placement.
    package var breakers: [PlacementBreaker] = []
    /// What the adapter can load.
    package var formats: Set<AdFormat>
    /// Loads under way.
    package var inFlight: Int

    /// Whether it is ready.
    package var isReady: Bool { state == .ready }
}

/// How far the one initialization of this process has come (S2.31).
package struct InitializationStatus: Sendable, Hashable {
    /// Whether it is over; it never begins again.
    package var isComplete: Bool
    /// Who was still starting when the time was up, in the order of the configuration.
    package var timedOut: [NetworkID]
    /// The limit.
    package var timeout: Duration
    /// How long it took, or has taken so far.
    package var elapsed: Duration
    /// When it was over.
    package var completedAt: WallTime?
}

/// The status of all adapters at one instant.
package struct AdaptersSnapshot: Sendable, Hashable {
    /// The initialization of the process.
    package var initialization: InitializationStatus
    /// Every configured network, in the order of the configuration.
    package var adapters: [AdapterStatus]
    /// The fewest ready networks that make the gateway ready.
    package var minReady: Int
    /// Adapters of earlier configurations that have not been torn down yet.
    package var retiring: Int
    /// Set-ups that were cancelled and run on regardless.
    package var leftBehind: Int

    /// The status of one network.
    package func status(of network: NetworkID) -> AdapterStatus? { adapters.first { $0.network == network } }

    /// What `/readyz` says.
    package var readiness: Readiness {
        let wanted = adapters.filter { $0.state != .disabled }
        let waiting = wanted.filter { !$0.isReady }.map(\.network)
        return Readiness(ready: wanted.count - waiting.count, total: wanted.count, waiting: waiting, minReady: minReady)
    }
}

/// How many networks are ready, and who is missing; disabled networks do not count.
package struct Readiness: Sendable, Hashable, CustomStringConvertible {
    /// Networks that are ready.
    package var ready: Int
    /// Networks that are not disabled.
    package var total: Int
    /// Those of them that are not ready, in the order of the configuration.
    package var waiting: [NetworkID]
    /// The fewest that are enough.
    package var minReady: Int

    /// Whether enough are ready.
    package var isEnough: Bool { ready >= minReady }

    /// `ready 3/5, waiting: gam, audioco`.
    package var description: String {
        let count = "ready \(ready)/\(total)"
        return waiting.isEmpty ? count : count + ", waiting: " + waiting.map(\.text).joined(separator: ", ")
    }
}
