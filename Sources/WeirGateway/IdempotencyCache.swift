package import WeirTime

/// Remembers the answers to keyed requests, so that a repeat gets the first answer and asks no network again.
///
/// A repeat that comes while the first is still being answered waits for it. Bounded: at most ``limit`` keys, each for
/// ``lifetime``; when full, keys that have expired go first, then the oldest.
package final class IdempotencyCache<Answer: Sendable>: Sendable {
    /// The most keys remembered.
    package static var limit: Int { 10_000 }
    /// How long an answer is repeated (design: within 10 minutes).
    package static var lifetime: Duration { .seconds(600) }
    /// The longest key, in bytes.
    package static var keyBytes: Int { 255 }

    fileprivate enum Entry {
        case pending([CheckedContinuation<Answer?, Never>])
        case answered(Answer)
    }

    fileprivate struct State {
        var entries: [String: (entry: Entry, expires: ContinuousClock.Instant)] = [:]
        var order: [String] = []
    }

    private let clock: any GatewayClock
    private let state = Lock(State())

    /// An empty memory.
    package init(clock: any GatewayClock) {
        self.clock = clock
    }

    /// The answer to `key`: the remembered one, the one under way, or a new one from `make`.
    ///
    /// When `make` answers `nil` (it failed or was cancelled), nothing is remembered and one waiting repeat tries itself.
    package func answer(to key: String, make: @Sendable () async -> Answer?) async -> Answer? {
        while true {
            switch claim(key) {
            case .answered(let answer): return answer
            case .mine:
                let answer = await make()
                settle(key, answer)
                return answer
            case .waiting:
                if let answer = await wait(for: key) { return answer }
                if Task.isCancelled { return nil }
            }
        }
    }

    private enum Claim {
        case answered(Answer)
        case mine
        case waiting
    }

    private func claim(_ key: String) -> Claim {
        let now = clock.now
        return state.withLock { state in
            if let known = state.entries[key], known.expires > now {
                if case .answered(let answer) = known.entry { return .answered(answer) }
                return .waiting
            }
            state.makeRoom(now: now, limit: Self.limit)
            state.entries[key] = (.pending([]), now.advanced(by: Self.lifetime))
            state.order.append(key)
            return .mine
        }
    }

    private func wait(for key: String) async -> Answer? {
        await withCheckedContinuation { continuation in
            let ready: Answer?? = state.withLock { state in
                guard let known = state.entries[key] else { return .some(nil) }
                switch known.entry {
                case .answered(let answer): return .some(answer)
                case .pending(let waiters):
                    state.entries[key] = (.pending(waiters + [continuation]), known.expires)
                    return nil
                }
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    private func settle(_ key: String, _ answer: Answer?) {
        let waiters: [CheckedContinuation<Answer?, Never>] = state.withLock { state in
            guard let known = state.entries[key], case .pending(let waiters) = known.entry else { return [] }
            if let answer {
                state.entries[key] = (.answered(answer), known.expires)
            } else {
                state.entries[key] = nil
                state.order.removeAll { $0 == key }
            }
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }
}

extension IdempotencyCache.State {
    /// Drops what has expired, and an eighth of the rest, the oldest first, while the memory is full.
    ///
    /// What is still being answered stays: somebody waits for it.
    fileprivate mutating func makeRoom(now: ContinuousClock.Instant, limit: Int) {
        guard order.count >= limit || entries[order.first ?? ""].map({ $0.expires <= now }) ?? false else { return }
        let spare = order.count >= limit ? order.count - limit * 7 / 8 : 0
        var kept: [String] = []
        for (index, key) in order.enumerated() {
            guard let known = entries[key] else { continue }
            if case .answered = known.entry, known.expires <= now || index < spare {
                entries[key] = nil
            } else {
                kept.append(key)
            }
        }
        order = kept
    }
}
