internal import CCurl
internal import WeirAdapterKit
internal import WeirRuntime
internal import WeirTime

/// A libcurl handle with its alarm clock, which runs one errand after another on one loop.
///
/// libcurl's callbacks get an unretained pointer to it: the client keeps it in its table from the moment the handle
/// joins a multi handle until it has left, and no callback comes after that.
final class Transfer {
    /// One request on its way.
    struct Errand {
        let id: UInt64
        let head: RequestHead
        let policy: OutboundPolicy
        let pool: ConnectionPool
        let deadline: Deadline
        let started: ContinuousClock.Instant
        let waiter: UnsafeContinuation<Result<InboundResponse, TransportError>, Never>
        var collector: ResponseCollector
        var refused: (address: IPAddress, kind: SpecialAddress)?
        var hasTried = false
        var isConnected = false
        var socketError: Int32 = 0
    }

    let handle: CurlHandle
    var errand: Errand?
    private let alarm: LoopTimer

    /// `nil` when no memory is left; `rang` is called on the loop when an errand's time may be up.
    init?(loop: EventLoop, rang: @escaping (Transfer) -> Void) {
        guard let handle = CurlHandle() else { return nil }
        self.handle = handle
        // The timer exists before `self` is complete, so its action finds the transfer through a box.
        let box = Box()
        alarm = LoopTimer(loop: loop) { if let transfer = box.transfer { rang(transfer) } }
        box.transfer = self
    }

    private final class Box {
        weak var transfer: Transfer?
    }

    /// Hands `errand` to libcurl.
    func begin(_ errand: Errand, now: ContinuousClock.Instant) {
        self.errand = errand
        handle.configure(
            errand.head,
            errand.policy,
            transfer: Unmanaged.passUnretained(self).toOpaque(),
            pool: Unmanaged.passUnretained(errand.pool).toOpaque()
        )
        setAlarm(now: now)
        errand.pool.add(handle)
    }

    /// Rings at the deadline, never before.
    func setAlarm(now: ContinuousClock.Instant) {
        if let errand { alarm.schedule(after: now.duration(to: errand.deadline.instant)) }
    }

    /// Takes the handle out of libcurl, which closes the connection unless the answer is complete.
    ///
    /// - Returns: The errand that ended; nobody has been told yet.
    func end() -> Errand? {
        guard let errand else { return nil }
        errand.pool.remove(handle)
        alarm.cancel()
        handle.reset()
        self.errand = nil
        return errand
    }

    /// What came of the errand, by libcurl's verdict.
    func outcome(_ code: CURLcode) -> Result<InboundResponse, TransportError>? {
        guard let errand else { return nil }
        if code == CURLE_OK { return .success(errand.collector.response) }
        let failure = TransferFailure(
            code: code,
            url: errand.head.url,
            policy: errand.policy,
            breach: errand.collector.breach,
            refused: errand.refused,
            hasTried: errand.hasTried,
            systemError: errand.socketError == 0 ? handle.systemError : errand.socketError,
            detail: handle.detail,
            hasBegun: errand.isConnected
        )
        return .failure(failure.error)
    }

    /// The transfer behind a pointer that a callback got.
    static func behind(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Transfer.Errand {
    /// The sentence for an errand whose time is up.
    var timeout: TransportError {
        TransferFailure.timeout(head.url, after: started.duration(to: deadline.instant))
    }

    /// The sentence for an errand that nobody waits for any more.
    var cancelled: TransportError {
        TransportError(.cancelled, "\(head.url.authority): the request was cancelled.")
    }
}
