internal import Glibc

/// A value behind a mutex of the C library.
///
/// Used instead of `Synchronization.Mutex`, whose lock lives in a library that the thread sanitizer cannot see
/// into: every use would be reported as a race. Inlinable, because code that knows nothing of the value would move it
/// about by tables on the way of every request.
///
/// Nobody is woken, and no task cancelled, under a lock: a stream's `yield` and a continuation's `resume` take the
/// runtime's own lock on the task that waits, and a cancelled task runs its `onCancel` and `onTermination` under that same
/// lock. If these want the lock that is held here, two threads wait for each other for ever. Take what is to be woken out
/// of the value, and wake it afterwards; `WakingTests` reads the sources for it.
///
/// `@unchecked Sendable`: the value is reached through `withLock(_:)` only, and the two pointers never change.
@usableFromInline
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: LockMutex
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Guards `value`.
    @inlinable
    package init(_ value: sending Value) {
        mutex = LockMutex(followedBy: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        self.value = mutex.rest(alignment: MemoryLayout<Value>.alignment).bindMemory(to: Value.self, capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        mutex.destroy()
    }

    /// Runs `body` alone with the value; not to be nested.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value.pointee)
    }
}

/// The mutex of a ``Lock``, in one piece of memory with the value that it guards.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points to is made for many threads.
@usableFromInline
struct LockMutex: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer

    @usableFromInline
    init(followedBy size: Int, alignment: Int) {
        let alignment = max(alignment, MemoryLayout<pthread_mutex_t>.alignment)
        memory = .allocate(byteCount: Self.size(alignment) + size, alignment: alignment)
        pthread_mutex_init(memory.bindMemory(to: pthread_mutex_t.self, capacity: 1), nil)
    }

    /// Where the value lies.
    @usableFromInline
    func rest(alignment: Int) -> UnsafeMutableRawPointer { memory + Self.size(alignment) }

    @usableFromInline
    func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline
    func unlock() { pthread_mutex_unlock(mutex) }

    @usableFromInline
    func destroy() {
        pthread_mutex_destroy(mutex)
        memory.deallocate()
    }

    private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        memory.assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// The mutex's size, up to where a value of that alignment may follow.
    private static func size(_ alignment: Int) -> Int {
        let size = MemoryLayout<pthread_mutex_t>.size
        return (size + alignment - 1) / alignment * alignment
    }
}
