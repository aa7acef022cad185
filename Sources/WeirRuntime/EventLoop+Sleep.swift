internal import CUV
internal import Synchronization
internal import WeirTime

extension EventLoop {
    /// Suspends the task until `instant`, never shorter; all sleepers of a loop share one timer.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, or when the loop stops.
    package func sleep(until instant: ContinuousClock.Instant) async throws {
        let ticket = sleepTickets.wrappingAdd(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (waiter: UnsafeContinuation<Void, any Error>) in
                if Task.isCancelled {
                    waiter.resume(throwing: CancellationError())
                } else if isOnLoop {
                    addSleeper(waiter, ticket: ticket, until: instant)
                } else {
                    submitSleeper(waiter, ticket: ticket, until: instant)
                }
            }
        } onCancel: {
            submit { self.sleepers.remove(ticket: ticket)?.resume(throwing: CancellationError()) }
        }
    }

    private func submitSleeper(
        _ waiter: UnsafeContinuation<Void, any Error>,
        ticket: UInt64,
        until instant: ContinuousClock.Instant
    ) {
        let accepted = remote.withLock { queue in
            if queue.phase == .finished { return false }
            if queue.append({ self.addSleeper(waiter, ticket: ticket, until: instant) }) { uv_async_send(wakeHandle) }
            return true
        }
        if !accepted { waiter.resume(throwing: CancellationError()) }
    }

    private func addSleeper(
        _ waiter: UnsafeContinuation<Void, any Error>,
        ticket: UInt64,
        until instant: ContinuousClock.Instant
    ) {
        if isStopping { return waiter.resume(throwing: CancellationError()) }
        if instant <= ContinuousClock.now { return waiter.resume() }
        sleepers.add(waiter, ticket: ticket, at: instant)
        if let armedInstant, armedInstant <= instant { return }
        armSleepTimer(instant)
    }

    private func armSleepTimer(_ instant: ContinuousClock.Instant) {
        armedInstant = instant
        let wait = timerDelay(ContinuousClock.now.duration(to: instant))
        uv_timer_start(sleepHandle, { EventLoop.owning($0?.pointee.data)?.wakeDueSleepers() }, wait, 0)
    }

    private func wakeDueSleepers() {
        armedInstant = nil
        let now = ContinuousClock.now
        while let waiter = sleepers.popDue(now) { waiter.resume() }
        // The kernel's two clocks may differ by a hair: whoever is not due yet gets the rest of his time.
        if let next = sleepers.earliest() { armSleepTimer(next) }
    }

    func wakeAllSleepers() {
        for waiter in sleepers.removeAll() { waiter.resume(throwing: CancellationError()) }
    }

    /// A delay for libuv's timers that ends no earlier than `duration` from now.
    ///
    /// libuv counts whole milliseconds from the turn's cached time, so the end is fixed on its clock and rounded up.
    func timerDelay(_ duration: Duration) -> UInt64 {
        if duration <= .zero { return 0 }
        let (seconds, attoseconds) = duration.components
        // More than a century is for ever.
        let nanoseconds = UInt64(min(seconds, 3_200_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        let end = (uv_hrtime() + nanoseconds + 999_999) / 1_000_000
        let turn = uv_now(uv)
        return end > turn ? end - turn : 0
    }
}
