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
    var timeout: TransportError {
        TransferFailure.timeout(head.url, after: started.duration(to: deadline.instant))
    }

    /// The sentence for an errand that nobody waits for any more.
    var cancelled: TransportError {
        TransportError(.cancelled, "\(head.url.authority): the request was cancelled.")
    }
}
