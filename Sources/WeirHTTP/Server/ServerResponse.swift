/// One answer.
///
/// `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` are the server's own business. A streaming body whose
/// length is known may set `Content-Length`; `Connection: close` is honoured. Control characters in names and values
/// never reach the wire.
package struct ServerResponse: Sendable {
    /// What follows the head.
    package enum Body: Sendable {
        /// Nothing.
        case empty
        /// These bytes.
        case bytes([UInt8])
        /// What the closure writes, until it returns. The request's task runs it and is cancelled with the client.
        case stream(@Sendable (BodyWriter) async -> Void)
        /// These bytes instead of a whole answer, head and all, and then the end: for servers that must misbehave.
        case raw([UInt8])
    }

    /// The status code, 200 to 599.
    package var status: Int
    /// Header lines, in order.
    package var headers: [(name: String, value: String)]
    /// What follows the head.
    package var body: Body

    /// An answer.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer of `text` with its media type.
    package init(status: Int, contentType: String, text: String) {
        self.init(status: status, headers: [("Content-Type", contentType)], body: .bytes(Array(text.utf8)))
    }
}
