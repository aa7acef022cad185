public import WeirModel
internal import WeirTime

/// Keeps what was sent to networks and what came back, for a caller who asked why.
///
/// Bounded: at most ``limit`` exchanges, and ``bodyLimit`` bytes of each body.
public final class TraceRecorder: Sendable {
    /// One request and its reply.
    public struct Exchange: Sendable, Hashable {
        /// The line item it was made for.
        public var lineItem: LineItemID
        /// The request, its body cut.
        public var request: OutboundRequest
        /// The reply, its body cut; `nil` when there was none.
        public var reply: InboundResponse?
        /// Why there was none.
        public var failure: TransportError?
    }

    /// The most exchanges kept.
    public static let limit = 64

    /// The most bytes kept of one body.
    public static let bodyLimit = 16_384

    private let state = Lock<[Exchange]>([])

    /// An empty record.
    public init() {}

    /// What was kept, in the order of the ends of the exchanges.
    public var exchanges: [Exchange] { state.withLock { $0 } }

    /// Keeps an exchange that got a reply.
    public func record(lineItem: LineItemID, request: OutboundRequest, reply: InboundResponse) {
        var reply = reply
        reply.body = Array(reply.body.prefix(Self.bodyLimit))
        keep(Exchange(lineItem: lineItem, request: request, reply: reply))
    }

    /// Keeps an exchange that failed.
    public func record(lineItem: LineItemID, request: OutboundRequest, failure: TransportError) {
        keep(Exchange(lineItem: lineItem, request: request, failure: failure))
    }

    private func keep(_ exchange: Exchange) {
        var exchange = exchange
        exchange.request.body = Array(exchange.request.body.prefix(Self.bodyLimit))
        state.withLock { if $0.count < Self.limit { $0.append(exchange) } }
    }
}
