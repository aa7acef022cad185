internal import CUV
internal import WeirTime

/// A timer on a loop: once or again and again.
///
/// Create, schedule and cancel it on the loop. Letting go of it anywhere cancels it.
package final class LoopTimer: Sendable {
    private let handle: TimerHandle

    /// A timer that is not yet running; `action` runs on the loop each time it goes off.
    package init(loop: EventLoop, action: @escaping () -> Void) {
        handle = TimerHandle(loop: loop, action: action)
    }

    deinit {
        handle.closeFromAnywhere()
    }

    /// Goes off no earlier than `delay` from now, then every `interval`; a running schedule is replaced.
    package func schedule(after delay: Duration, repeating interval: Duration? = nil) {
        handle.schedule(after: delay, repeating: interval)
    }

    /// Does not go off any more, unless it is scheduled again.
    package func cancel() {
        handle.cancel()
    }
}

/// `@unchecked Sendable` for the reason given at `LoopHandle`.
private final class TimerHandle: LoopHandle, @unchecked Sendable {
    private var action: (() -> Void)?

    init(loop: EventLoop, action: @escaping () -> Void) {
        self.action = action
        super.init(loop: loop, type: UV_TIMER)
        uv_timer_init(loop.uv, pointer(as: uv_timer_t.self))
        adopt()
    }

    func schedule(after delay: Duration, repeating interval: Duration?) {
        loop.requireLoop()
        if isClosed { return }
        // libuv reads 0 as "do not repeat".
        let again = interval.map { UInt64(max(1, min($0.milliseconds, Int64(UInt32.max)))) } ?? 0
        uv_timer_start(
            pointer(as: uv_timer_t.self),
            { timer in
                guard let handle = LoopHandle.behind(timer?.pointee.data) else { return }
                unsafeDowncast(handle, to: TimerHandle.self).action?()
            },
            loop.timerDelay(delay),
            again
        )
    }

    func cancel() {
        loop.requireLoop()
        if !isClosed { uv_timer_stop(pointer(as: uv_timer_t.self)) }
    }

    override func willClose() {
        action = nil
    }
}
