internal import WeirRuntime

/// What a connection knows about the answer it is giving.
struct OutputState {
    var isHead = false
    var minorVersion = 1
    var keepsAlive = true
    var framing = ResponseHead.Framing.none
    /// Bytes of a declared length that a streaming body still owes.
    var owedBytes = 0
    var waitingWriters: [UnsafeContinuation<Bool, Never>] = []
    /// Bytes unsent when the sweep last looked: a slow reader that moves on is not cut off.
    var unsentBytes = 0
}

extension ServerConnection {
    /// Writes the handler's answer; runs its body's closure when it has one.
    func respond(_ response: ServerResponse) async {
        guard phase == .answering else { return }
        begin(response)
        if case .stream(let body) = response.body, !output.isHead, phase == .answering {
            await body(BodyWriter(connection: self, answer: servedRequests))
        }
        endAnswer()
    }

    /// Writes the head and all of the body that is there.
    func begin(_ response: ServerResponse) {
        if case .raw(let bytes) = response.body {
            output.keepsAlive = false
            output.framing = .untilClose
            return send(bytes)
        }
        output.framing = ResponseHead.framing(response, isHead: output.isHead, minorVersion: output.minorVersion)
        if output.framing == .untilClose || server.isDraining || ResponseHead.asksToClose(response) {
            output.keepsAlive = false
        }
        if case .stream = response.body, case .length(let count) = output.framing, !output.isHead {
            output.owedBytes = count
        }
        let head = ResponseHead(
            response: response,
            framing: output.framing,
            keepsAlive: output.keepsAlive,
            minorVersion: output.minorVersion
        )
        var bytes = server.takeScratch()
        head.write(to: &bytes, date: server.date())
        if case .bytes(let body) = response.body, !output.isHead, output.framing != .none {
            if body.count <= ServerConfiguration.joinedBodyBytes {
                bytes += body
                send(bytes)
            } else {
                send(bytes, then: body)
            }
        } else {
            send(bytes)
        }
        server.giveBack(scratch: &bytes)
    }

    /// Marks the end of the answer and goes on to what comes next.
    func endAnswer() {
        guard phase == .answering else { return }
        task = nil
        if output.framing == .chunked && !output.isHead { send(Self.lastChunk) }
        // Fewer bytes than declared: the client must not take the next answer for the rest of this one.
        if output.owedBytes > 0 { output.keepsAlive = false }
        guard phase == .answering else { return }
        phase = .flushing
        if stream.queuedBytes == 0 { completeExchange() }
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)

    /// Everything has left: close, or read the next request.
    private func completeExchange() {
        if !output.keepsAlive { return finishGently() }
        if hasEnded && input.isEmpty && !isFeeding { return close() }
        phase = .reading
        reader.reset()
        answeredBodyBytes = 0
        // Less than before: there is always room for that.
        _ = holdInput()
        deadline = server.time(after: server.configuration.idleTimeout)
        // Whoever feeds goes on with what it has.
        if isFeeding { return }
        if server.isClosingIdle && input.isEmpty { return finishGently() }
        if !input.isEmpty { feedKeptInput() }
        // Not while the next request is being answered and there is enough behind it: one read for each answer would
        // let a client that pipelines fill memory.
        let wantsMore = phase == .reading || (phase == .answering && input.count < server.configuration.pipelineBytes)
        if !hasEnded && wantsMore { stream.setReading(true) }
        // A client that has stopped sending never completes a request that it began.
        if hasEnded && phase == .reading { close() }
    }

    // MARK: Bytes

    /// Keeps the writer of a stream until the client has taken half of what is queued, for `writeTimeout` at most.
    func waitForReader(_ writer: UnsafeContinuation<Bool, Never>) {
        if output.waitingWriters.isEmpty { expectProgress() }
        output.waitingWriters.append(writer)
    }

    func send(_ bytes: [UInt8], then rest: [UInt8] = []) {
        let written = bytes.withUnsafeBytes { first in
            rest.withUnsafeBytes { stream.write(first, $0) }
        }
        if !written { return close() }
        if stream.queuedBytes > 0 && deadline == .max { expectProgress() }
    }

    /// Gives the client `writeTimeout` to take the next bytes.
    private func expectProgress() {
        output.unsentBytes = stream.unsentBytes
        deadline = server.time(after: server.configuration.writeTimeout)
    }

    /// Called by the sweep: a reader that took something since the last look gets a new term.
    ///
    /// Not while a stream waits for it: a follower that takes a byte now and then would be waited for without end.
    func renewWriteDeadline() {
        guard phase == .answering || phase == .flushing, stream.queuedBytes > 0 else { return }
        guard output.waitingWriters.isEmpty else { return }
        if stream.unsentBytes != output.unsentBytes { expectProgress() }
    }

    func stream(_ stream: LoopStream, wroteQueued failure: RuntimeFailure?) {
        if phase == .closed { return }
        if failure != nil { return close() }
        if stream.queuedBytes <= ServerConfiguration.streamQueueBytes / 2, !output.waitingWriters.isEmpty {
            wakeWriters(true)
            if stream.queuedBytes > 0 { expectProgress() }
        }
        if stream.queuedBytes > 0 { return }
        switch phase {
        case .answering: deadline = .max
        case .flushing: completeExchange()
        case .reading, .lingering, .closed: break
        }
    }

    func wakeWriters(_ alive: Bool) {
        let waiting = output.waitingWriters
        output.waitingWriters = []
        for writer in waiting { writer.resume(returning: alive) }
    }
}
