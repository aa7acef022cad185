public import WeirAdapterKit
public import WeirTime

/// A transport that answers from a script and keeps what it was sent; no socket is opened.
public final class StubTransport: HTTPTransport {
    /// What a request is answered with.
    public enum Reply: Sendable {
        /// A response at once.
        case response(InboundResponse)
        /// A failure at once.
        case failure(TransportError)
        /// A reply after some time on the clock; the deadline cuts it off.
        indirect case delayed(Duration, Reply)
        /// Nothing until the deadline.
        case hang
        /// No connection until the deadline.
        case unreached
    }

    private let clock: any GatewayClock
    private let answer: @Sendable (OutboundRequest) -> Reply
    private let sent = Lock<[OutboundRequest]>([])

    /// A transport that answers each request by `answer`.
    public init(clock: any GatewayClock, answer: @escaping @Sendable (OutboundRequest) -> Reply) {
        self.clock = clock
        self.answer = answer
    }

    /// What was sent, in order.
    public var requests: [OutboundRequest] { sent.withLock { $0 } }

    /// Answers by the script.
    ///
    /// - Throws: The script's failure; `timeout` at the deadline; `cancelled` when the task is.
    public func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        sent.withLock { $0.append(request) }
        return try await play(answer(request), deadline: deadline)
    }

    private func play(_ reply: Reply, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        switch reply {
        case .response(let response): return response
        case .failure(let failure): throw failure
        case .hang: try await sleep(until: deadline.instant)
        case .unreached: try await sleep(until: deadline.instant, mayHaveArrived: false)
        case .delayed(let delay, let reply):
            let due = clock.now.advanced(by: delay)
            try await sleep(until: min(due, deadline.instant))
            if due < deadline.instant { return try await play(reply, deadline: deadline) }
        }
        throw TransportError(.timeout, "stub.test did not answer in time.")
    }

    private func sleep(
        until instant: ContinuousClock.Instant,
        mayHaveArrived: Bool = true
    ) async throws(TransportError) {
        do { try await clock.sleep(until: instant) } catch {
            throw TransportError(.cancelled, "The call was cancelled.", mayHaveArrived: mayHaveArrived)
        }
        if !mayHaveArrived { throw TransportError(.timeout, "stub.test took no connection.", mayHaveArrived: false) }
    }
}

extension InboundResponse {
    /// A 200 whose body is `text`.
    public static func text(_ text: String, type: String = "application/xml") -> InboundResponse {
        InboundResponse(status: 200, headers: [HTTPHeader("Content-Type", type)], body: Array(text.utf8))
    }
}
