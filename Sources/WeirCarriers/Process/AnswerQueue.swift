internal import WeirAdapterKit

/// Who waits for an answer, and until when.
struct AnswerQueue {
    typealias Waiter = UnsafeContinuation<Result<AdapterAnswer.Content, AdapterError>, Never>

    private var waiters: [Int: (waiter: Waiter, deadline: ContinuousClock.Instant)] = [:]
    private var armed: ContinuousClock.Instant?

    /// Adds one.
    mutating func add(_ waiter: Waiter, id: Int, until deadline: ContinuousClock.Instant) {
        waiters[id] = (waiter, deadline)
    }

    /// Takes one out, to be resumed; `nil` when it has been already.
    mutating func take(_ id: Int) -> Waiter? { waiters.removeValue(forKey: id)?.waiter }

    /// Those whose time is up; whoever armed a timer for them has to arm the next one.
    mutating func due(_ now: ContinuousClock.Instant) -> [Int] {
        armed = nil
        return waiters.filter { $0.value.deadline <= now }.keys.sorted()
    }

    /// The earliest deadline, when it is earlier than the one that a timer was armed for.
    mutating func earliestToArm() -> ContinuousClock.Instant? {
        guard let next = waiters.values.map(\.deadline).min() else { return nil }
        if let armed, armed <= next { return nil }
        armed = next
        return next
    }
}
