internal import Glibc

/// A value behind a mutex of the C library.
///
/// Used instead of `Synchronization.Mutex`, whose lock lives in a library that the thread sanitizer cannot see
/// into: every use would be reported as a race.
///
/// `@unchecked Sendable`: the value is reached through `withLock(_:)` only, and the two pointers never change.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Guards `value`.
    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value; not to be nested.
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
