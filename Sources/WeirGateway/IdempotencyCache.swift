package import WeirTime

/// Remembers the answers to keyed requests, so that a repeat gets the first answer and asks no network again.
///
/// A repeat that comes while the first is still being answered waits for it. Bounded: at most ``limit`` keys and
/// ``sizeLimit`` bytes of answers, each for ``lifetime``; when full, the oldest answers go. When every place is taken by
/// a request that is still being answered, further ones are answered without being remembered.
package final class IdempotencyCache<Answer: Sendable>: Sendable {
    /// The most keys remembered, those still being answered included.
    package static var limit: Int { 10_000 }
    /// The most bytes of answers remembered: 64 MiB, some thousands of ordinary answers.
    package static var sizeLimit: Int { 64 << 20 }
    /// How long an answer is repeated (design: within 10 minutes).
    package static var lifetime: Duration { .seconds(600) }
    /// The longest key, in bytes.
    package static var keyBytes: Int { 255 }

    fileprivate typealias Waiter = CheckedContinuation<Answer?, Never>

    private let clock: any GatewayClock
    private let size: @Sendable (Answer) -> Int
    private let memory: Lock<IdempotencyMemory<Answer, Waiter>>

    /// An empty memory; `size` says how many bytes an answer takes.
    package init(clock: any GatewayClock, size: @escaping @Sendable (Answer) -> Int = { _ in 0 }) {
        self.clock = clock
        self.size = size
        memory = Lock(IdempotencyMemory(limit: Self.limit, sizeLimit: Self.sizeLimit, lifetime: Self.lifetime))
    }

    /// The answer to `key`: the remembered one, the one under way, or a new one from `make`.
    ///
    /// When `make` answers `nil` (it failed or was cancelled), nothing is remembered and a waiting repeat tries itself.
    ///
    /// - Returns: The answer; `nil` when `make` had none, and at once when the task is cancelled while it waits.
    package func answer(to key: String, make: @Sendable () async -> Answer?) async -> Answer? {
        while true {
            switch memory.withLock({ $0.claim(key, now: clock.now) }) {
            case .answered(let answer): return answer
            case .full: return await make()
            case .mine:
                let answer = await make()
                let waiters = memory.withLock { $0.settle(key, answer, size: answer.map(size) ?? 0, now: clock.now) }
                for waiter in waiters { waiter.resume(returning: answer) }
                return answer
            case .pending:
                if let answer = await wait(for: key) { return answer }
                if Task.isCancelled { return nil }
            }
        }
    }

    /// Waits until the request under way has ended; `nil` when it had no answer or the task was cancelled.
    private func wait(for key: String) async -> Answer? {
        let id = memory.withLock { $0.makeWaiterID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A task that is cancelled after this look finds its waiter in the memory and takes it out itself.
                let ready: Answer?? = memory.withLock { memory in
                    Task.isCancelled ? .some(nil) : memory.join(key, id, continuation)
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            memory.withLock { $0.leave(key, id) }?.resume(returning: nil)
        }
    }
}

/// What an ``IdempotencyCache`` knows: a pure value, so that its bounds can be tested without tasks.
struct IdempotencyMemory<Answer, Waiter> {
    /// What becomes of one more request with a key.
    enum Claim {
        /// It has been answered.
        case answered(Answer)
        /// It is being answered.
        case pending
        /// The caller is to answer it, and to settle it.
        case mine
        /// The caller is to answer it, and nobody will remember.
        case full
    }

    private enum Entry {
        case pending([Int: Waiter])
        case answered(Answer)
    }

    private let limit: Int
    private let sizeLimit: Int
    private let lifetime: Duration
    private var entries: [String: Entry] = [:]
    /// The answered keys, the oldest first, from ``head``; they expire in this order.
    private var answered: [(key: String, expires: ContinuousClock.Instant, size: Int)] = []
    private var head = 0
    private var nextWaiterID = 0

    /// Bytes of the answers remembered.
    private(set) var size = 0
    /// Keys remembered.
    var count: Int { entries.count }

    init(limit: Int, sizeLimit: Int, lifetime: Duration) {
        self.limit = limit
        self.sizeLimit = sizeLimit
        self.lifetime = lifetime
    }

    /// Takes `key` for the caller unless somebody has it already.
    mutating func claim(_ key: String, now: ContinuousClock.Instant) -> Claim {
        while head < answered.count, answered[head].expires <= now { forgetOldest() }
        switch entries[key] {
        case .answered(let answer): return .answered(answer)
        case .pending: return .pending
        case nil: break
        }
        if entries.count >= limit { forgetOldest() }
        guard entries.count < limit else { return .full }
        entries[key] = .pending([:])
        return .mine
    }

    /// Ends a claim; without an answer, or with one that is too large to keep, the key is free again.
    ///
    /// - Returns: Who waits for it.
    mutating func settle(_ key: String, _ answer: Answer?, size: Int, now: ContinuousClock.Instant) -> [Waiter] {
        guard case .pending(let waiters) = entries[key] else { return [] }
        entries[key] = nil
        if let answer, size <= sizeLimit {
            while self.size + size > sizeLimit { forgetOldest() }
            entries[key] = .answered(answer)
            answered.append((key, now.advanced(by: lifetime), size))
            self.size += size
        }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func makeWaiterID() -> Int {
        nextWaiterID += 1
        return nextWaiterID
    }

    /// Waits for `key`.
    ///
    /// - Returns: `nil` when the waiter was taken; else what it would have waited for, which may be no answer.
    mutating func join(_ key: String, _ id: Int, _ waiter: Waiter) -> Answer?? {
        switch entries[key] {
        case nil: return .some(nil)
        case .answered(let answer): return .some(answer)
        case .pending(var waiters):
            // Out of the dictionary while it changes, so that it is not copied.
            entries[key] = .pending([:])
            waiters[id] = waiter
            entries[key] = .pending(waiters)
            return nil
        }
    }

    /// Waits no more.
    mutating func leave(_ key: String, _ id: Int) -> Waiter? {
        guard case .pending(var waiters) = entries[key] else { return nil }
        let waiter = waiters.removeValue(forKey: id)
        entries[key] = .pending(waiters)
        return waiter
    }

    private mutating func forgetOldest() {
        guard head < answered.count else { return }
        entries[answered[head].key] = nil
        size -= answered[head].size
        head += 1
        guard head > 1024, head * 2 > answered.count else { return }
        answered.removeFirst(head)
        head = 0
    }
}
