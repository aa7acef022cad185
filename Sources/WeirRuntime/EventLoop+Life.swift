internal import CUV
internal import Glibc
internal import Synchronization
internal import WeirTime

extension EventLoop {
    /// Runs the loop on a thread of its own.
    ///
    /// - Throws: `RuntimeFailure` when the system refuses another thread.
    package func start() throws(RuntimeFailure) {
        precondition(owner.load(ordering: .relaxed) == 0, "the loop runs already")
        var handle = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let code = pthread_create(&handle, nil, loopThread, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            throw RuntimeFailure(code: -code, operation: "starting an event loop's thread")
        }
        thread.withLock { $0 = handle }
    }

    /// Runs the loop on the calling thread until ``stop()``; a loop runs once in its life.
    package func run() {
        remote.withLock { queue in
            precondition(queue.phase == .waiting, "an event loop runs once")
            queue.phase = .running
        }
        owner.store(pthread_self(), ordering: .relaxed)
        CurrentLoop.value = self
        while !isStopping { uv_run(uv, UV_RUN_DEFAULT) }
        tearDown()
        CurrentLoop.value = nil
        owner.store(0, ordering: .relaxed)
        for waiter in finishWaiters.withLock({ take(&$0) }) { waiter.resume() }
    }

    /// Ends ``run()`` soon: handles are closed, sleeping tasks wake with `CancellationError`, queued jobs run.
    package func stop() {
        later {
            self.isStopping = true
            uv_stop(self.uv)
        }
    }

    /// Blocks until the thread of ``start()`` has ended.
    ///
    /// Not for the loop itself.
    package func join() {
        precondition(!isOnLoop, "a loop cannot wait for itself")
        let handle = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let handle { pthread_join(handle, nil) }
    }

    /// Stops the loop that ``start()`` started and returns when its thread has ended.
    package func shutDown() async {
        await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
            finishWaiters.withLock { $0.append(waiter) }
            if remote.withLock({ $0.phase == .finished }) {
                for waiter in finishWaiters.withLock({ take(&$0) }) { waiter.resume() }
            } else {
                stop()
            }
        }
        join()
    }

    /// Closes every handle, lets what waits for them run, and gives libuv's memory back.
    func tearDown() {
        isStopping = true
        var rounds = 0
        repeat {
            rounds += 1
            wakeAllSleepers()
            LoopHandle.closeAll(of: self)
            uv_run(uv, UV_RUN_NOWAIT)
            takeRemoteWork()
            settle()
        } while rounds < 1000 && (LoopHandle.anyOpen(in: self) || !jobs.isEmpty || !closures.isEmpty)
        let last = remote.withLock { queue in
            queue.phase = .finished
            return queue.takeAll()
        }
        // Latecomers: their tasks end on the global pool, which asks nothing of the loop.
        for job in jobs + last.jobs { globalConcurrentExecutor.enqueue(job) }
        jobs = []
        closures = []
        pumps = []
        wakeHandle.withHandle { uv_close($0, nil) }
        prepareHandle.withHandle { uv_close($0, nil) }
        idleHandle.withHandle { uv_close($0, nil) }
        sleepHandle.withHandle { uv_close($0, nil) }
        uv_run(uv, UV_RUN_NOWAIT)
        uv_loop_close(uv)
    }
}

private func take<Element>(_ list: inout [Element]) -> [Element] {
    defer { list = [] }
    return list
}

/// The thread's entry: a free function, so that no actor's isolation clings to it.
private func loopThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
