public import WeirTime

/// One header field; the name's case does not matter.
public struct HTTPHeader: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value, without surrounding blanks.
    public var value: String

    /// A field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// An HTTP request that an adapter, a wrapper or a beacon wants sent.
public struct OutboundRequest: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: String
    /// An absolute http or https URL.
    public var url: String
    /// Header fields; those with control characters are refused by the transport.
    public var headers: [HTTPHeader]
    /// The body; empty for a GET.
    public var body: [UInt8]
    /// Whether the other side counts it, as it does beacons and notices: it is never sent again once it may have been read.
    public var isCounted = false

    /// A request.
    public init(method: String = "GET", url: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// What came back.
public struct InboundResponse: Sendable, Hashable {
    /// The status, 100 to 599.
    public var status: Int
    /// Header fields in the order of arrival.
    public var headers: [HTTPHeader]
    /// The decoded body, within the transport's limit.
    public var body: [UInt8]

    /// A response.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first field called `name`, whatever its case.
    public func header(_ name: String) -> String? {
        headers.first { header in
            header.name.utf8.count == name.utf8.count
                && zip(header.name.utf8, name.utf8).allSatisfy { lowercased($0) == lowercased($1) }
        }?.value
    }
}

private func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

/// Why no response came.
public struct TransportError: Error, Sendable, Hashable {
    /// The kinds that a caller can tell apart.
    public enum Kind: String, CaseIterable, Sendable {
        /// The deadline came first.
        case timeout
        case connectionRefused = "connection_refused"
        case dns
        case tls
        /// The connection broke, or what came was not HTTP.
        case reset
        /// The address is private, or the scheme is not http or https.
        case addressRefused = "address_refused"
        /// Body or head went over its limit.
        case tooLarge = "too_large"
        /// The content encoding could not be undone.
        case badEncoding = "bad_encoding"
        /// Too much is under way already.
        case saturated
        /// The caller's task was cancelled.
        case cancelled

        /// What ``TransportError/mayHaveArrived`` is when nobody knows better.
        fileprivate var mayHaveArrived: Bool {
            switch self {
            case .connectionRefused, .dns, .tls, .addressRefused, .saturated: false
            case .timeout, .reset, .tooLarge, .badEncoding, .cancelled: true
            }
        }
    }

    /// The kind.
    public var kind: Kind
    /// One sentence that names the host, without path or query.
    public var message: String
    /// Whether the server may have read the request.
    ///
    /// What must be counted once may be sent again only when it has not.
    public var mayHaveArrived: Bool

    /// A failure; what is not said of `mayHaveArrived` follows from the kind.
    public init(_ kind: Kind, _ message: String, mayHaveArrived: Bool? = nil) {
        self.kind = kind
        self.message = message
        self.mayHaveArrived = mayHaveArrived ?? kind.mayHaveArrived
    }
}

/// The way to a network: one per network, because the addresses it may reach are the network's own.
///
/// The one that serves follows no redirects, speaks only http and https, checks the address actually connected to,
/// caps head and body, and closes the socket when the task is cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - deadline: When to give up.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TransportError`` when there is none.
    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse
}
