internal import WeirAdapterKit
internal import WeirTime

/// One request on its way, whichever road it takes.
struct Errand {
    let id: UInt64
    let head: RequestHead
    let policy: OutboundPolicy
    let deadline: Deadline
    let started: ContinuousClock.Instant
    let waiter: UnsafeContinuation<Result<InboundResponse, TransportError>, Never>

    /// The sentence for an errand whose time is up.
    func timeout(mayHaveArrived: Bool) -> TransportError {
        let time = started.duration(to: deadline.instant)
        return TransferFailure.timeout(head.url, after: time, mayHaveArrived: mayHaveArrived)
    }

    /// The sentence for an errand that nobody waits for any more.
    func cancelled(mayHaveArrived: Bool) -> TransportError {
        let sentence = "\(head.url.authority): the request was cancelled."
        return TransportError(.cancelled, sentence, mayHaveArrived: mayHaveArrived)
    }
}
