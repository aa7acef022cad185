internal import Glibc

/// The running loop of each thread, kept in a thread-specific slot.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "no thread-specific slot is left")
        return key
    }()

    /// The loop that runs on the calling thread.
    ///
    /// The slot holds no reference of its own: `EventLoop.run()` keeps the loop alive while the slot is filled.
    static var value: EventLoop? {
        get {
            guard let pointer = pthread_getspecific(key) else { return nil }
            return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
        }
        set {
            pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }
}
