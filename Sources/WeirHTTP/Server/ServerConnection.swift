internal import WeirRuntime

/// One client's connection: reads a request, lets the handler answer it, writes the answer, reads the next.
///
/// `@unchecked Sendable`: everything is touched on the loop's thread only; the request's task prefers that loop, and
/// `BodyWriter` goes there before it touches anything.
final class ServerConnection: LoopStreamDelegate, @unchecked Sendable {
    /// What the connection is busy with.
    enum Phase {
        /// Waiting for a request or in the middle of one.
        case reading
        /// The handler, or the closure of a streaming body, runs.
        case answering
        /// The answer is complete and partly still queued.
        case flushing
        /// Our side has said its last word; input is discarded until the client has read it.
        case lingering
        case closed
    }

    let server: HTTPServer
    let stream: LoopStream
    let reader: RequestReader
    let peerAddress: String
    var phase = Phase.reading
    /// The turn time, in milliseconds, at which `timedOut()` is due.
    var deadline: UInt64
    /// When this connection was accepted.
    let acceptedAt: UInt64
    var servedRequests = 0
    /// Where the server's list holds this connection.
    var place = 0

    var input = InputBuffer()
    /// The body of the request that is being answered.
    var answeredBodyBytes = 0
    /// What `ConnectionLimits` has counted for this connection, in blocks.
    var heldBlocks = 0
    var hasEnded = false
    /// Whether the reader is being fed: what is answered meanwhile does not feed it a second time.
    var isFeeding = false
    var task: Task<Void, Never>?
    var output = OutputState()

    init(server: HTTPServer, stream: LoopStream, peerAddress: String) {
        self.server = server
        self.stream = stream
        self.peerAddress = peerAddress
        reader = RequestReader(configuration: server.configuration, peerAddress: peerAddress)
        acceptedAt = server.loop.turnTime
        deadline = server.time(after: server.configuration.headerTimeout)
    }

    /// Begins to read.
    func open() {
        stream.delegate = self
        stream.setReading(true)
    }

    /// Whether it waits for a request of which nothing has come.
    var isIdle: Bool { phase == .reading && reader.stage == .idle && input.isEmpty }

    // MARK: Input

    func stream(_ stream: LoopStream, received bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .closed, .lingering: return
        case .answering, .flushing:
            input.append(bytes)
            // What is paused here is asked for again when the answer has left.
            if !holdInput() || input.count >= server.configuration.pipelineBytes { stream.setReading(false) }
        case .reading:
            if input.isEmpty {
                let consumed = feed(bytes)
                if goesOn {
                    input.append(UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
                }
            } else {
                input.append(bytes)
                feedKeptInput()
            }
            if phase == .reading && !holdInput() { refuse(.overloaded) }
        }
    }

    func stream(_ stream: LoopStream, ended failure: RuntimeFailure?) {
        hasEnded = true
        // A client that closed and one that only stopped sending look the same: whoever works for it is told to stop,
        // and an answer that comes all the same is written.
        if failure == nil && (phase == .answering || phase == .flushing) {
            task?.cancel()
        } else {
            close()
        }
    }

    /// Reads what came while it could not be read.
    func feedKeptInput() {
        var kept = input
        input = InputBuffer()
        kept.consume { feed($0) }
        if goesOn { input = kept }
    }

    /// Whether what has come beyond the present request is still of use.
    private var goesOn: Bool {
        phase == .reading || phase == .answering || (phase == .flushing && output.keepsAlive)
    }

    /// Feeds the reader until it has enough; how many bytes it took.
    private func feed(_ bytes: UnsafeRawBufferPointer) -> Int {
        isFeeding = true
        defer { isFeeding = false }
        var offset = 0
        while true {
            let before = reader.stage
            let (consumed, event) = reader.read(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            offset += consumed
            switch event {
            case .needsMore:
                noteProgress(from: before)
                // A head is shown again with what follows; a body goes on at once.
                if consumed == 0 || offset == bytes.count || reader.stage != .body { return offset }
            case .continueWanted:
                noteProgress(from: before)
                if !stream.write(Self.continueAnswer) { close() }
                return offset
            case .request(let request):
                dispatch(request)
                // Answered at once: the next one may be there already.
                if phase != .reading || offset == bytes.count { return offset }
            case .fault(let fault):
                refuse(fault)
                return bytes.count
            }
        }
    }

    private static let continueAnswer = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Deadlines are totals: they move when a stage begins, never with single bytes.
    private func noteProgress(from before: RequestReader.Stage) {
        if before == reader.stage { return }
        switch reader.stage {
        case .head: deadline = server.time(after: server.configuration.headerTimeout)
        case .body: deadline = server.time(after: server.configuration.bodyTimeout)
        case .idle, .done: break
        }
    }

    /// Counts what this connection keeps; `false`, and counted as before, when all together would keep too much.
    func holdInput() -> Bool {
        let bytes = input.count + reader.bodyBytes + answeredBodyBytes
        let blocks = bytes / ServerConfiguration.heldBlockBytes
        if blocks == heldBlocks { return true }
        guard server.limits.hold(blocks - heldBlocks) else { return false }
        heldBlocks = blocks
        return true
    }

    private func dropInput() {
        input.removeAll()
        server.limits.release(heldBlocks)
        heldBlocks = 0
    }

    // MARK: Answering

    private func dispatch(_ request: ServerRequest) {
        answeredBodyBytes = request.body.count
        guard holdInput() else { return refuse(.overloaded) }
        phase = .answering
        deadline = .max
        servedRequests += 1
        server.statistics.requests += 1
        output = OutputState(
            isHead: request.isHead,
            minorVersion: reader.minorVersion,
            keepsAlive: reader.keepsAlive
        )
        if let response = server.promptHandler(request) {
            begin(response)
            return endAnswer()
        }
        task = Task(executorPreference: server.loop) { [self] in
            let response = await server.handler(request)
            await respond(response)
        }
    }

    func refuse(_ fault: ProtocolFault) {
        phase = .answering
        deadline = .max
        server.statistics.refusals += 1
        output = OutputState(isHead: false, minorVersion: 1, keepsAlive: false)
        var response = server.errorBody(fault)
        response.status = fault.status
        if case .stream = response.body { response.body = .empty }
        begin(response)
        endAnswer()
    }

    // MARK: Time

    /// Called by the server's sweep when the deadline has passed.
    func timedOut() {
        switch phase {
        case .reading where !isIdle: refuse(.requestTimeout)
        case .answering, .flushing:
            // The client takes nothing any more.
            stream.reset()
            close()
        case .reading, .lingering, .closed: close()
        }
    }

    // MARK: End

    /// Says the last word and waits, a second at most, until the client has read it.
    ///
    /// Closing at once with unread input would make the kernel send a reset, which can overtake the answer.
    func finishGently() {
        if hasEnded { return close() }
        phase = .lingering
        task = nil
        dropInput()
        deadline = server.time(after: server.configuration.lingerTimeout)
        stream.finishWriting()
        stream.setReading(true)
    }

    /// Ends everything at once.
    func close() {
        if phase == .closed { return }
        phase = .closed
        deadline = .max
        task?.cancel()
        task = nil
        dropInput()
        stream.close()
        wakeWriters(false)
        server.remove(self)
    }
}
