import Synchronization
import WeirTime

/// A clock that stands still; a sleep ends only when it is cancelled.
struct FixedClock: GatewayClock {
    var now: ContinuousClock.Instant { Self.start }
    var wallNow: WallTime { WallTime(milliseconds: 1_767_225_600_000) }

    private static let start = ContinuousClock.now

    func sleep(until instant: ContinuousClock.Instant) async throws {
        let gate = Gate()
        await withTaskCancellationHandler {
            await gate.wait()
        } onCancel: {
            gate.open()
        }
        throw CancellationError()
    }

    private final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiter = continuation }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiter = state.withLock { state in
                state.isOpen = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
