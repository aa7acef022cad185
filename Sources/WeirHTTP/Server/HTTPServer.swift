internal import Glibc
package import WeirRuntime
internal import WeirTime

/// An HTTP/1.1 server on one event loop.
///
/// A machine's worth of them, one per loop, listens on one port with sockets of ``ListeningSocket/bind(_:count:)`` and
/// shares one ``ConnectionLimits``. Every request is a task that prefers the server's loop.
///
/// `@unchecked Sendable`: mutable state is touched on the loop's thread only, which the methods see to themselves.
package final class HTTPServer: @unchecked Sendable {
    /// What the server has done so far.
    package struct Statistics: Hashable, Sendable {
        /// Requests given to the handler.
        package internal(set) var requests = 0
        /// Requests refused before any handler saw them.
        package internal(set) var refusals = 0
        /// Connections accepted.
        package internal(set) var connections = 0
        /// Connections closed at once because their address had too many.
        package internal(set) var turnedAway = 0
        /// Connections open now.
        package internal(set) var open = 0
    }

    /// The loop that everything of this server runs on.
    package let loop: EventLoop
    let configuration: ServerConfiguration
    let handler: @Sendable (ServerRequest) async -> ServerResponse
    let promptHandler: @Sendable (ServerRequest) -> ServerResponse?
    let errorBody: @Sendable (ProtocolFault) -> ServerResponse
    let limits: ConnectionLimits
    var statistics = Statistics()

    var connections: [ServerConnection] = []
    var listeners: [LoopListener] = []
    var pausedListeners: [LoopListener] = []
    var sweeper: LoopTimer?
    var drain = DrainState()

    private var scratch: [UInt8] = []
    private var dateSecond = Int.min
    private var dateText = ""

    /// A server that listens to nothing yet.
    ///
    /// `errorBody` words the answer to a request that never reached `handler`; its status is set by the server.
    /// `promptHandler` is asked first: what it answers needs no task; `nil` leaves the request to `handler`. It must not
    /// block, and its answers have no streaming body.
    package init(
        loop: EventLoop,
        configuration: ServerConfiguration = ServerConfiguration(),
        limits: ConnectionLimits? = nil,
        errorBody: @escaping @Sendable (ProtocolFault) -> ServerResponse = HTTPServer.plainErrorBody,
        promptHandler: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil },
        handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
    ) {
        self.loop = loop
        self.configuration = configuration
        self.limits = limits ?? ConnectionLimits(configuration)
        self.errorBody = errorBody
        self.promptHandler = promptHandler
        self.handler = handler
        scratch.reserveCapacity(4096)
    }

    /// The refusal's sentence as plain text.
    package static let plainErrorBody: @Sendable (ProtocolFault) -> ServerResponse = { fault in
        ServerResponse(status: fault.status, contentType: "text/plain; charset=utf-8", text: fault.sentence + "\n")
    }

    /// Accepts connections from `socket`, which belongs to the server from here on.
    ///
    /// The server lives until it has stopped listening, or its loop has stopped.
    ///
    /// - Throws: `RuntimeFailure` when the system refuses.
    package func listen(_ socket: ListeningSocket) async throws(RuntimeFailure) {
        try await loop.perform { () async throws(RuntimeFailure) -> Void in
            let listener = try LoopListener(loop: loop, kind: socket.kind, descriptor: socket.descriptor) {
                [self] in
                accept(from: $0)
            }
            listeners.append(listener)
        }
    }

    /// What the server has done so far.
    package func readStatistics() async -> Statistics {
        await loop.perform { () async -> Statistics in
            var statistics = statistics
            statistics.open = connections.count
            return statistics
        }
    }

    // MARK: Connections

    private func accept(from listener: LoopListener) {
        guard limits.reserve() else {
            // Not accepting holds the listener back.
            if !pausedListeners.contains(where: { $0 === listener }) { pausedListeners.append(listener) }
            keepSweeping()
            return
        }
        guard let stream = listener.accept() else { return limits.giveBack() }
        adopt(stream)
    }

    /// Serves `stream`, for which a place is reserved.
    func adopt(_ stream: LoopStream) {
        let address = stream.peerAddress
        guard limits.enter(address) else {
            statistics.turnedAway += 1
            stream.close()
            return
        }
        statistics.connections += 1
        let connection = ServerConnection(server: self, stream: stream, peerAddress: address)
        connection.place = connections.count
        connections.append(connection)
        keepSweeping()
        connection.open()
    }

    func remove(_ connection: ServerConnection) {
        limits.leave(connection.peerAddress)
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.place] = last
            last.place = connection.place
        }
        resumeListeners()
        drain.noteClosed(left: connections.count)
    }

    private func resumeListeners() {
        while limits.hasRoom, let listener = pausedListeners.popLast() {
            if !listener.isClosed { accept(from: listener) }
        }
    }

    // MARK: Time

    /// The turn time in milliseconds, `duration` from now.
    func time(after duration: Duration) -> UInt64 {
        loop.turnTime &+ UInt64(max(0, duration.milliseconds))
    }

    /// One timer for all connections, as long as there are any.
    private func keepSweeping() {
        if sweeper != nil { return }
        let timer = LoopTimer(loop: loop) { [weak self] in self?.sweep() }
        timer.schedule(after: ServerConfiguration.sweepInterval, repeating: ServerConfiguration.sweepInterval)
        sweeper = timer
    }

    private func sweep() {
        let now = loop.turnTime
        // Closing moves the last connection into the closed one's place: backwards nobody is missed.
        for place in connections.indices.reversed() where place < connections.count {
            let connection = connections[place]
            connection.renewWriteDeadline()
            if connection.deadline <= now { connection.timedOut() }
        }
        if isClosingIdle { closeIdleConnections() }
        resumeListeners()
        if connections.isEmpty && pausedListeners.isEmpty { sweeper = nil }
    }

    /// The `Date` header's text, made once a second.
    func date() -> String {
        let second = Glibc.time(nil)
        if second != dateSecond {
            dateSecond = second
            dateText = HTTPDate.text(second)
        }
        return dateText
    }

    // MARK: Scratch

    /// An empty array with room, for the bytes of one answer.
    func takeScratch() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &scratch)
        return bytes
    }

    /// The caller's array is empty afterwards; a copy of it would keep the room from being used again.
    func giveBack(scratch bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        swap(&bytes, &scratch)
    }
}
