internal import Synchronization
package import WeirModel

/// The latest answers, for an operator who asks why: a ring of at most ``limit``.
package final class RecentDecisions: Sendable {
    /// The most answers kept.
    package static let limit = 1000

    private struct State {
        var ring: [AdResponse] = []
        var next = 0
        var index: [RequestID: Int] = [:]
    }

    private let state = Mutex(State())

    /// An empty ring.
    package init() {}

    /// Keeps an answer; the oldest goes when the ring is full.
    package func record(_ response: AdResponse) {
        state.withLock { state in
            if state.ring.count < Self.limit {
                state.index[response.requestID] = state.ring.count
                state.ring.append(response)
            } else {
                state.index[state.ring[state.next].requestID] = nil
                state.index[response.requestID] = state.next
                state.ring[state.next] = response
                state.next = (state.next + 1) % Self.limit
            }
        }
    }

    /// The answer to the request `id`, while it is kept.
    package func decision(_ id: RequestID) -> AdResponse? {
        state.withLock { state in state.index[id].map { state.ring[$0] } }
    }

    /// The latest answers that fit, the newest first.
    package func decisions(placement: PlacementID?, result: AdResponse.Result?, limit: Int) -> [AdResponse] {
        let ring = state.withLock { state in Array(state.ring[state.next...] + state.ring[..<state.next]) }
        return Array(
            ring.reversed().lazy
                .filter { placement == nil || $0.placement == placement }
                .filter { result == nil || $0.result == result }
                .prefix(limit)
        )
    }
}
