/// The limits of an HTTP server; every one has a default.
package struct ServerConfiguration: Sendable {
    /// Bytes of a request body; more is answered with 413.
    package var maxBodyBytes = 1 << 20
    /// Bytes of a request line with its headers; more is answered with 431 (414 when the line alone is that long).
    package var maxHeadBytes = 16384
    /// Header lines of a request; more is answered with 431.
    package var maxHeaders = 100
    /// Open connections; at that number the listeners pause and the kernel queues.
    package var maxConnections = 10_000
    /// Open connections of one address; one more is closed at once.
    package var maxConnectionsPerAddress = 256
    /// From the first byte of a head to its last, and from a new connection to its first request.
    package var headerTimeout = Duration.seconds(10)
    /// From the end of a head to the end of its body.
    package var bodyTimeout = Duration.seconds(30)
    /// Between an answer and the next request on the same connection.
    package var idleTimeout = Duration.seconds(60)
    /// For which a client may take no byte of an answer that waits for it, or too few of a stream's.
    package var writeTimeout = Duration.seconds(30)
    /// For which input is discarded after a last answer, so that the client can read it before the connection closes.
    package var lingerTimeout = Duration.seconds(1)
    /// For which a connection that has not asked anything yet is spared once the listeners are closed.
    package var firstRequestGrace = Duration.milliseconds(500)
    /// Bytes of further requests kept while one is being answered; at that number reading pauses.
    package var pipelineBytes = 65536
    /// Bytes of bodies and further requests that all connections together keep; beyond it 503 is the answer.
    ///
    /// What one connection keeps counts in blocks of ``heldBlockBytes``; a smaller rest is free.
    package var maxHeldBytes = 64 << 20

    /// The defaults.
    package init() {}

    /// How often all the timeouts are checked, with one timer for all connections.
    static let sweepInterval = Duration.milliseconds(250)
    /// An answer's body up to here is copied behind its head and leaves in one write.
    static let joinedBodyBytes = 32768
    /// A streaming body waits while more than this is queued, until half of it has left.
    static let streamQueueBytes = 65536
    /// Bytes of chunk framing tolerated beyond eight times the body they carry.
    static let chunkOverheadBytes = 65536
    /// The step in which ``maxHeldBytes`` is counted.
    package static let heldBlockBytes = 4096
    /// For which handshakes that have begun may end before the listeners close.
    static let handshakeGrace = Duration.milliseconds(20)
}
