package import WeirRewards
package import WeirTime

/// Fetches a source's verifier keys by the rules of ``KeyCache`` and lends them out.
package final class KeyDesk: Sendable {
    /// Reads the keys where they are published; `nil` when they cannot be had.
    package typealias Fetch = @Sendable () async -> (keys: VerifierKeys, lifetime: Duration)?

    private struct State {
        var cache = KeyCache()
        var waiting: [UnsafeContinuation<Void, Never>] = []
    }

    /// How long a callback waits for keys before it is kept to be verified later.
    private static let patience: Duration = .seconds(3)
    /// The most callbacks that wait; more are kept to be verified later at once.
    private static let waitingLimit = 10_000

    private let state = Lock(State())
    private let clock: any GatewayClock
    private let fetch: Fetch

    /// A desk that reads keys with `fetch`.
    package init(clock: any GatewayClock, fetch: @escaping Fetch) {
        self.clock = clock
        self.fetch = fetch
    }

    /// The key of that id.
    ///
    /// - Throws: ``CallbackFault``: `unknown_key`, or `keys_unavailable` when it cannot be told now.
    package func key(_ id: UInt64) async throws(CallbackFault) -> PublicKey {
        if let key = try look(up: id) { return key }
        let deadline = Deadline.after(Self.patience, clock: clock)
        _ = await race(until: deadline, clock: clock) { await self.fetched() }
        if let key = try look(up: id) { return key }
        throw CallbackFault(.keysUnavailable, "the keys cannot be fetched now")
    }

    /// The key, or `nil` while a fetch is under way.
    private func look(up id: UInt64) throws(CallbackFault) -> PublicKey? {
        let (lookup, mustFetch) = state.withLock { $0.cache.look(up: id, at: clock.now) }
        if mustFetch { begin() }
        switch lookup {
        case .key(let key): return key
        case .pending: return nil
        case .unknown: throw CallbackFault(.unknownKey, "there is no key \(id)")
        case .unavailable: throw CallbackFault(.keysUnavailable, "the keys cannot be fetched now")
        }
    }

    /// The task is unstructured because the callback that needs the keys may go away, and others need them too.
    private func begin() {
        Task(executorPreference: clock.taskExecutor) { [self] in
            let answer = await fetch()
            let waiting = state.withLock { state in
                if let answer {
                    state.cache.fetched(answer.keys, lifetime: answer.lifetime, at: clock.now)
                } else {
                    state.cache.failed()
                }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Returns when the fetch under way has ended.
    private func fetched() async {
        await withUnsafeContinuation { continuation in
            let isWaiting = state.withLock { state in
                guard state.cache.isFetching, state.waiting.count < Self.waitingLimit else { return false }
                state.waiting.append(continuation)
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }
}
