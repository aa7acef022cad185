internal import WeirModel
internal import WeirTime

/// By when one attempt must have ended, and which of the limits that is.
struct AttemptLimit: Sendable, Hashable {
    /// When it must have ended.
    let deadline: Deadline
    /// ``WeirModel/Reason/lineTimeout``, ``WeirModel/Reason/groupTimeout`` or ``WeirModel/Reason/deadline``.
    let cause: Reason
    /// How long it may take.
    let share: Duration
    /// What ``WeirModel/Reason/groupTimeout`` is the limit of.
    var groupName = "the group"

    /// The earliest of three limits; of equal ones the line item's own, then the group's.
    init(now: ContinuousClock.Instant, own: Duration, group: Deadline?, whole: Deadline) {
        var earliest = (deadline: Deadline(now.advanced(by: own)), cause: Reason.lineTimeout)
        if let group, group < earliest.deadline { earliest = (group, .groupTimeout) }
        if whole < earliest.deadline { earliest = (whole, .deadline) }
        deadline = earliest.deadline
        cause = earliest.cause
        share = max(.zero, now.duration(to: earliest.deadline.instant))
    }

    /// The verdict on an attempt that this limit has ended.
    func timeout(of network: NetworkID) -> AttemptOutcome {
        let milliseconds = share.milliseconds
        let why =
            switch cause {
            case .groupTimeout: "what \(groupName) allows"
            case .deadline: "all that was left of the request's time"
            default: "its own limit"
            }
        return AttemptOutcome(.timeout, cause, "\(network) did not answer within \(milliseconds) ms, \(why).")
    }

    /// An outcome as this limit sees it: a timeout at the deadline gets the limit that caused it as its reason.
    ///
    /// Timers of event loops count whole milliseconds and may be early by ``timerSlack``.
    func refine(_ outcome: AttemptOutcome, of network: NetworkID, now: ContinuousClock.Instant) -> AttemptOutcome {
        guard outcome.result == .timeout, now.duration(to: deadline.instant) <= Self.timerSlack else { return outcome }
        return timeout(of: network)
    }

    /// How early the timer of a transport may be.
    static let timerSlack: Duration = .milliseconds(5)
}
