/// Lets tasks wait on a loop until something has changed; they look for themselves what it was.
///
/// `@unchecked Sendable`: the list is touched on the loop's thread only.
final class LoopNews: @unchecked Sendable {
    private let loop: EventLoop
    private var lastTicket: UInt64 = 0
    private var waiting: [UInt64: UnsafeContinuation<Void, Never>] = [:]

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Suspends the task, which must run on the loop, until the next announcement, when there is something to wait for.
    ///
    /// A task may give way before its wait has begun, and miss what is announced meanwhile: so `isNeeded` is looked at
    /// when it begins.
    ///
    /// - Parameter isNeeded: Whether what is waited for has not come yet.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(while isNeeded: () -> Bool) async throws {
        lastTicket += 1
        let ticket = lastTicket
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                if Task.isCancelled || !isNeeded() { waiter.resume() } else { waiting[ticket] = waiter }
            }
        } onCancel: {
            loop.submit { self.waiting.removeValue(forKey: ticket)?.resume() }
        }
        try Task.checkCancellation()
    }

    /// Wakes everybody who waits.
    func announce() {
        let woken = waiting
        waiting = [:]
        for waiter in woken.values { waiter.resume() }
    }
}
