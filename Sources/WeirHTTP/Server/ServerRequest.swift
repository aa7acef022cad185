/// One request, whole: its body has been read and is within the limits.
package struct ServerRequest: Sendable {
    /// The method in capitals, one that HTTP knows.
    package let method: String
    /// The path as sent, percent-encoded, beginning with `/`; `*` for `OPTIONS *`.
    package let path: String
    /// What follows the first `?`, as sent; `nil` without one.
    package let query: String?
    /// The header lines.
    package let headers: RequestHeaders
    /// The body, empty when there is none.
    package internal(set) var body: [UInt8]
    /// The address of the other end of the connection, without its port; `local` on a local socket.
    package let peerAddress: String

    /// A request, as a test or a caller without a socket makes one.
    package init(
        method: String,
        path: String,
        query: String? = nil,
        headers: RequestHeaders = RequestHeaders(),
        body: [UInt8] = [],
        peerAddress: String = "local"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peerAddress = peerAddress
    }

    /// Whether only the head of the answer is wanted; the server leaves the body out by itself.
    package var isHead: Bool { method == "HEAD" }

    /// The first header line of that name, in any case.
    package func header(_ name: String) -> String? { headers[name] }
}
