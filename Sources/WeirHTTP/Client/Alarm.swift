internal import WeirRuntime
internal import WeirTime

/// A timer for one deadline after another.
struct Alarm {
    private let timer: LoopTimer

    init(loop: EventLoop, rang: @escaping () -> Void) {
        timer = LoopTimer(loop: loop, action: rang)
    }

    /// Rings at `deadline`, never before; the loop's clock may be a hair ahead of ours, so look at the time then.
    func set(_ deadline: Deadline, now: ContinuousClock.Instant) {
        timer.schedule(after: now.duration(to: deadline.instant))
    }

    /// Does not ring any more.
    func stop() { timer.cancel() }
}
