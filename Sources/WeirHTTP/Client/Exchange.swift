internal import WeirAdapterKit
internal import WeirRuntime
internal import WeirTime

/// An alarm clock, which accompanies one errand after another on connections of our own.
final class Exchange {
    private(set) var errand: Errand?
    /// The connection that is being opened for it.
    var dial: Dial?
    /// The connection that it has.
    var wire: Wire?
    /// Whether a connection that idled too long has cost it an attempt.
    var hasRetried = false
    /// The connections it may use while an errand is under way.
    private(set) var road: DirectRoad?
    private var alarm: Alarm?

    /// Whether the server may have read a part of the request.
    var mayHaveArrived: Bool { wire != nil || hasRetried }

    /// `rang` is called on the loop when an errand's time may be up.
    init(loop: EventLoop, rang: @escaping (Exchange) -> Void) {
        alarm = Alarm(loop: loop) { [weak self] in if let self { rang(self) } }
    }

    /// Accompanies `errand` from now on.
    func begin(_ errand: Errand, _ road: DirectRoad, now: ContinuousClock.Instant) {
        self.errand = errand
        self.road = road
        hasRetried = false
        setAlarm(now: now)
    }

    /// Rings at the deadline, never before.
    func setAlarm(now: ContinuousClock.Instant) {
        if let errand { alarm?.set(errand.deadline, now: now) }
    }

    /// Ready for another errand.
    ///
    /// - Returns: The errand that ended; nobody has been told yet.
    func end() -> Errand? {
        guard let errand else { return nil }
        alarm?.stop()
        self.errand = nil
        (road, dial, wire) = (nil, nil, nil)
        return errand
    }
}
