internal import Glibc

/// Runs blocking work on a thread of its own.
package func detachThread(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadWork(work))
    var thread = pthread_t()
    let code = pthread_create(
        &thread,
        nil,
        { raw in
            if let raw { Unmanaged<ThreadWork>.fromOpaque(raw).takeRetainedValue().work() }
            return nil
        },
        box.toOpaque()
    )
    precondition(code == 0, "The system refuses another thread.")
    pthread_detach(thread)
}

private final class ThreadWork {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }
}
