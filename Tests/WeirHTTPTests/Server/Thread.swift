import Glibc
import WeirRuntime
import WeirTime

/// A thread for a client that may block.
final class Thread: Sendable {
    private let handle: pthread_t
    private let isJoined = Lock(false)

    init(_ body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let box = Unmanaged.passRetained(Body(body)).toOpaque()
        let code = pthread_create(
            &handle,
            nil,
            { box in
                if let box { Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run() }
                return nil
            },
            box
        )
        precondition(code == 0)
        self.handle = handle
    }

    deinit {
        if !isJoined.withLock({ $0 }) { pthread_detach(handle) }
    }

    func join() {
        isJoined.withLock { $0 = true }
        pthread_join(handle, nil)
    }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
