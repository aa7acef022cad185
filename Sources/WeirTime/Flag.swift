/// Something that happens once and stays so; tasks can wait for it.
package final class Flag: Sendable {
    private struct State {
        var isRaised = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Lock(State())

    /// A flag that is down.
    package init() {}

    /// Whether it has happened.
    package var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Says that it has happened, and wakes everybody who waits for it; once is enough.
    package func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Suspends until it has happened; returns at once when it has, or when the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A task that is cancelled after this look finds its continuation here and takes it out itself.
                let isOver = state.withLock { state in
                    if state.isRaised || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
