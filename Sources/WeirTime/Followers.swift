/// Tasks that follow something: each is rung when there is something new, and looks for itself what it is.
///
/// A follower that is slow hears of many changes once. Whoever stops reading, or is cancelled, is forgotten.
package final class Followers: Sendable {
    private struct State {
        var lastNumber = 0
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var hasEnded = false
    }

    private let limit: Int
    private let state = Lock(State())

    /// Nobody yet; at most `limit` at once.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether nobody follows.
    package var isEmpty: Bool { state.withLock { $0.bells.isEmpty } }

    /// A stream that rings at once and after every change; `nil` when too many follow, or nothing comes any more.
    package func join() -> AsyncStream<Void>? {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            guard state.bells.count < limit, !state.hasEnded else { return nil }
            state.lastNumber += 1
            state.bells[state.lastNumber] = bell
            return state.lastNumber
        }
        guard let number else { return nil }
        bell.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.bells.removeValue(forKey: number) }
        }
        bell.yield()
        return rings
    }

    /// Says that there is something new.
    ///
    /// Not to be called under a lock that a follower, or what it does when it is cancelled, may want: see ``Lock``.
    package func ring() {
        for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() }
    }

    /// Ends all streams; nobody can join any more.
    package func end() {
        let bells = state.withLock { state in
            state.hasEnded = true
            defer { state.bells = [:] }
            return Array(state.bells.values)
        }
        for bell in bells { bell.finish() }
    }
}
