/// Runs `operation` but waits for it no longer than `deadline`.
///
/// Returns `nil` when the deadline came first: the operation is cancelled then and left behind, so one that ignores
/// cancellation cannot hold the caller up (a task group would wait for it). Its late result goes to `late`, which runs
/// at most once. When the caller itself is cancelled, the operation is cancelled and `nil` is returned at once.
///
/// The two tasks are unstructured because that is the only way to leave one of them behind; they run on the clock's
/// ``GatewayClock/taskExecutor``. With `immediately` the operation begins on the caller's thread and goes elsewhere when
/// it first waits; one that never waits then costs no timer and no change of threads.
@inlinable
public func race<Value: Sendable>(
    until deadline: Deadline,
    clock: any GatewayClock,
    immediately: Bool = false,
    late: (@Sendable (Value) -> Void)? = nil,
    _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let gate = Gate<Value>()
    let work: @Sendable () async -> Void = {
        let value = await operation()
        if !gate.open(with: value) { late?(value) }
    }
    let executor = clock.taskExecutor
    let worker =
        immediately
        ? Task.immediate(executorPreference: executor) { await work() }
        : Task(executorPreference: executor) { await work() }
    if immediately, let value = gate.takeIfOpen() { return value }
    let timer = Task(executorPreference: executor) {
        // A cancelled sleep means that the worker or the caller got there first; the gate ignores us then.
        try? await clock.sleep(until: deadline.instant)
        _ = gate.open(with: nil)
    }
    let outcome = await withTaskCancellationHandler {
        await gate.wait()
    } onCancel: {
        _ = gate.open(with: nil)
    }
    timer.cancel()
    worker.cancel()
    return outcome
}

/// A one-shot gate: the first value opens it, the rest bounce off.
@usableFromInline
final class Gate<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case closed
        case waiting(UnsafeContinuation<Value?, Never>)
        case opened(Value?)
        case passed
    }

    @usableFromInline let state: Lock<State>

    @inlinable
    init() {
        state = Lock(.closed)
    }

    /// The value, when it is there already; nobody may wait afterwards.
    @inlinable
    func takeIfOpen() -> Value?? {
        state.withLock { state in
            guard case .opened(let value) = state else { return nil }
            state = .passed
            return .some(value)
        }
    }

    /// Whether this call was the first.
    @inlinable
    func open(with value: Value?) -> Bool {
        let waiter: UnsafeContinuation<Value?, Never>?
        switch exchange(value) {
        case .closed: waiter = nil
        case .waiting(let continuation): waiter = continuation
        case .opened, .passed: return false
        }
        waiter?.resume(returning: value)
        return true
    }

    @inlinable
    func exchange(_ value: Value?) -> State {
        state.withLock { state in
            let before = state
            switch before {
            case .closed: state = .opened(value)
            case .waiting: state = .passed
            case .opened, .passed: break
            }
            return before
        }
    }

    @inlinable
    func wait() async -> Value? {
        await withUnsafeContinuation { continuation in
            let ready: Value?? = state.withLock { state in
                if case .opened(let value) = state {
                    state = .passed
                    return .some(value)
                }
                state = .waiting(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
