internal import CUV
internal import WeirTime

/// Something that wants a word in every turn, before the loop sleeps.
///
/// Work that arises while jobs run (a transfer library's "call me at once") is done in the same turn that way.
package protocol LoopPump: AnyObject {
    /// Does what is due; `true` when there was something, which asks for another round.
    func pump() -> Bool
}

extension EventLoop {
    /// Adds `pump` to every turn; the loop keeps it until it is removed.
    package func add(_ pump: any LoopPump) {
        requireLoop()
        pumps.append(pump)
    }

    /// Takes `pump` out again.
    package func remove(_ pump: any LoopPump) {
        requireLoop()
        pumps.removeAll { $0 === pump }
    }

    func setUpHandles() {
        let code = uv_loop_init(uv)
        precondition(code == 0, "the kernel refuses an event queue: too many open files")
        let me = Unmanaged.passUnretained(self).toOpaque()
        uv_async_init(uv, wakeHandle) { handle in
            EventLoop.owning(handle?.pointee.data)?.takeRemoteWork()
        }
        wakeHandle.pointee.data = me
        uv_prepare_init(uv, prepareHandle)
        prepareHandle.pointee.data = me
        uv_prepare_start(prepareHandle) { handle in
            EventLoop.owning(handle?.pointee.data)?.settle()
        }
        uv_idle_init(uv, idleHandle)
        idleHandle.pointee.data = me
        uv_timer_init(uv, sleepHandle)
        sleepHandle.pointee.data = me
        // Only the wake-up handle keeps the loop turning.
        prepareHandle.withHandle { uv_unref($0) }
        idleHandle.withHandle { uv_unref($0) }
        sleepHandle.withHandle { uv_unref($0) }
    }

    static func owning(_ pointer: UnsafeMutableRawPointer?) -> EventLoop? {
        pointer.map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Moves what other threads have asked for into this turn.
    func takeRemoteWork() {
        let batch = remote.withLock { $0.takeAll() }
        jobs.append(contentsOf: batch.jobs)
        closures.append(contentsOf: batch.closures)
    }

    /// Runs jobs, closures and pumps until all are quiet or the turn has had its rounds.
    func settle() {
        var rounds = 0
        var busy = true
        while busy && rounds < Self.roundsPerTurn {
            rounds += 1
            busy = runRound()
        }
        idle(busy || !jobs.isEmpty || !closures.isEmpty)
    }

    private func runRound() -> Bool {
        var busy = false
        if !jobs.isEmpty {
            swap(&jobs, &runningJobs)
            // The loop is no actor's executor: named as one too, each of a task's switches to nobody's isolation, which
            // is at nearly every call, would queue it again.
            let preferred = asUnownedTaskExecutor()
            for job in runningJobs { job.runSynchronously(on: preferred) }
            runningJobs.removeAll(keepingCapacity: true)
            busy = true
        }
        if !closures.isEmpty {
            let batch = closures
            closures = []
            for closure in batch { closure() }
            busy = true
        }
        for pump in pumps where pump.pump() { busy = true }
        return busy
    }

    /// An active idle handle keeps the next poll from sleeping.
    private func idle(_ wanted: Bool) {
        if wanted == isIdling { return }
        isIdling = wanted
        if wanted { uv_idle_start(idleHandle) { _ in } } else { uv_idle_stop(idleHandle) }
    }
}

extension UnsafeMutablePointer {
    /// The same handle as libuv's base type.
    func withHandle<Result>(_ body: (UnsafeMutablePointer<uv_handle_t>) -> Result) -> Result {
        body(UnsafeMutableRawPointer(self).assumingMemoryBound(to: uv_handle_t.self))
    }
}
