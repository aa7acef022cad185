internal import Glibc

/// A thread of its own for work that blocks, such as writing to a disk.
///
/// Event loops and Swift's own pool must never wait for a disk or a pipe. The thread belongs to the whole process: it
/// takes no signals (they go to the loop that handles them) and nobody joins it; it ends when its work returns.
package enum WorkerThread {
    /// Starts `work` on a new thread; answers whether the system had one to give.
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let retained = Unmanaged.passRetained(Work(work))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var handle = pthread_t()
        let isStarted = pthread_create(&handle, &attributes, runWork, retained.toOpaque()) == 0
        if !isStarted { retained.release() }
        return isStarted
    }
}

private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

private func runWork(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    guard let pointer else { return nil }
    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
}
