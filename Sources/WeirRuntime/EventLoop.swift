package import CUV
internal import Glibc
internal import Synchronization
internal import WeirTime

/// One thread that runs sockets, timers, signals, child processes and the tasks that prefer it.
///
/// A task started with `executorPreference: loop` runs on the loop's thread and never hops: work enqueued on that thread
/// costs an array append and no system call, work from another thread costs a lock and at most one wake-up.
///
/// Create handles (``LoopTimer``, ``LoopPoll``, …) on the loop, or before it runs. The loop keeps everything that it
/// watches alive until it has been closed; ``stop()`` closes whatever is left.
///
/// `@unchecked Sendable`: the executor's entry points touch only `remote` (locked), `owner` and `sleepTickets`
/// (atomics) unless the caller is on the loop's thread; every other stored property is read and written on that thread
/// alone, or before it exists, which ``requireLoop()`` checks.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// Rounds of jobs and pumps in one turn before the loop looks at its sockets again.
    static let roundsPerTurn = 32
    /// Bytes that one read can deliver.
    package static let receiveBytes = 65536

    /// libuv's loop, for handles of this package.
    package let uv: UnsafeMutablePointer<uv_loop_t>
    /// The one receive buffer of this loop; what a read put there is consumed before its callback returns.
    package let receiveBuffer: UnsafeMutablePointer<CChar>

    let wakeHandle: UnsafeMutablePointer<uv_async_t>
    let prepareHandle: UnsafeMutablePointer<uv_prepare_t>
    let idleHandle: UnsafeMutablePointer<uv_idle_t>
    let sleepHandle: UnsafeMutablePointer<uv_timer_t>

    /// The thread that runs the loop; 0 while nobody does.
    let owner = Atomic<UInt>(0)
    let remote = Lock(RemoteQueue())
    let thread = Lock<pthread_t?>(nil)
    let finishWaiters = Lock<[UnsafeContinuation<Void, Never>]>([])

    var jobs: [UnownedJob] = []
    var runningJobs: [UnownedJob] = []
    var closures: [@Sendable () -> Void] = []
    var pumps: [any LoopPump] = []
    var isIdling = false
    var isStopping = false

    let sleepTickets = Atomic<UInt64>(0)
    var sleepers = DeadlineQueue<UnsafeContinuation<Void, any Error>>()
    var armedInstant: ContinuousClock.Instant?

    /// A loop that waits for ``start()`` or ``run()``.
    package init() {
        _ = Self.brokenPipesAreErrors
        uv = .allocate(capacity: 1)
        receiveBuffer = .allocate(capacity: Self.receiveBytes)
        wakeHandle = .allocate(capacity: 1)
        prepareHandle = .allocate(capacity: 1)
        idleHandle = .allocate(capacity: 1)
        sleepHandle = .allocate(capacity: 1)
        jobs.reserveCapacity(256)
        runningJobs.reserveCapacity(256)
        setUpHandles()
    }

    deinit {
        if remote.withLock({ $0.phase != .finished }) { tearDown() }
        uv.deallocate()
        receiveBuffer.deallocate()
        wakeHandle.deallocate()
        prepareHandle.deallocate()
        idleHandle.deallocate()
        sleepHandle.deallocate()
    }

    /// The loop that runs on the calling thread.
    package static var current: EventLoop? { CurrentLoop.value }

    /// Whether the caller is on the loop's thread.
    package var isOnLoop: Bool { owner.load(ordering: .relaxed) == pthread_self() }

    /// Traps unless the caller may touch the loop's handles: on its thread, or before it runs.
    package func requireLoop() {
        let owner = owner.load(ordering: .relaxed)
        precondition(owner == pthread_self() || owner == 0, "this belongs on the event loop's thread")
    }

    /// Whether the loop has ended; nothing can be watched any more.
    package var hasFinished: Bool { remote.withLock { $0.phase == .finished } }

    /// The loop's own time in milliseconds, taken once a turn.
    package var turnTime: UInt64 { uv_now(uv) }

    /// A write to a closed pipe or socket shall be an error, not the end of the process.
    private static let brokenPipesAreErrors: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
}

// MARK: Executor

extension EventLoop {
    /// Runs `job` on the loop's thread, after what is already queued.
    ///
    /// After ``stop()`` the global pool runs it, so that no task waits for ever.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isOnLoop {
            jobs.append(job)
            return
        }
        let accepted = remote.withLock { queue in
            if queue.phase == .finished { return false }
            if queue.append(job) { uv_async_send(wakeHandle) }
            return true
        }
        if !accepted { globalConcurrentExecutor.enqueue(job) }
    }

    /// Runs `closure` on the loop: at once when the caller is there, else as soon as the loop turns.
    ///
    /// Closures of one thread run in their order. After ``stop()`` they are dropped.
    package func submit(_ closure: @escaping @Sendable () -> Void) {
        if isOnLoop { closure() } else { submitRemotely(closure) }
    }

    /// Runs `closure` on the loop, but never inside the caller: for what must not re-enter it.
    package func later(_ closure: @escaping @Sendable () -> Void) {
        if isOnLoop { closures.append(closure) } else { submitRemotely(closure) }
    }

    private func submitRemotely(_ closure: @escaping @Sendable () -> Void) {
        remote.withLock { queue in
            if queue.phase == .finished { return }
            // The wake-up stays inside the lock: the handle is closed only after the phase has changed under it.
            if queue.append(closure) { uv_async_send(wakeHandle) }
        }
    }

    /// Runs `body` on the loop and returns what it returns; the caller's cancellation reaches it.
    @concurrent
    package func perform<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(self, operation: body)
    }
}
