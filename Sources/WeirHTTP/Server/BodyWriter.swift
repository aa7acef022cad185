internal import WeirRuntime

/// What a streaming body writes to.
///
/// It belongs to one answer: once that is over, writing does nothing and says `false`.
package struct BodyWriter: Sendable {
    let connection: ServerConnection
    /// Which answer of the connection this is.
    let answer: Int

    /// Sends `bytes`; waits while the client is behind by more than 64 KiB.
    ///
    /// `false` once the client has gone, or did not catch up within `ServerConfiguration.writeTimeout`, or more would be
    /// sent than the declared length; then stop.
    @discardableResult
    package func write(_ bytes: [UInt8]) async -> Bool {
        if connection.stream.loop.isOnLoop { return await writeOnLoop(bytes) }
        return await connection.stream.loop.perform { await writeOnLoop(bytes) }
    }

    /// Sends the UTF-8 of `text`; see ``write(_:)``.
    @discardableResult
    package func write(_ text: String) async -> Bool {
        await write(Array(text.utf8))
    }

    /// Ends the connection with a reset, as a crashed server would: for servers that must misbehave.
    package func abort() {
        connection.stream.loop.submit {
            guard connection.isGiving(answer) else { return }
            connection.stream.reset()
            connection.close()
        }
    }

    /// Ends the connection in the middle of the answer, once what was written has left.
    package func closeNow() {
        connection.stream.loop.submit {
            if connection.isGiving(answer) { connection.breakOff() }
        }
    }

    private func writeOnLoop(_ bytes: [UInt8]) async -> Bool {
        guard connection.isGiving(answer), connection.sendPart(bytes) else { return false }
        if connection.stream.queuedBytes <= ServerConfiguration.streamQueueBytes { return true }
        return await withUnsafeContinuation { connection.waitForReader($0) }
    }
}

extension ServerConnection {
    /// Whether that answer is still being given.
    fileprivate func isGiving(_ answer: Int) -> Bool { phase == .answering && servedRequests == answer }

    /// Frames and sends a part of a streaming body; whether the connection still stands.
    fileprivate func sendPart(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        switch output.framing {
        case .none: return false
        case .untilClose: send(bytes)
        case .length:
            let part = bytes.count <= output.owedBytes ? bytes : Array(bytes.prefix(output.owedBytes))
            output.owedBytes -= part.count
            send(part)
            if part.count < bytes.count { return false }
        case .chunked:
            var chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
            chunk.reserveCapacity(chunk.count + bytes.count + 2)
            chunk += bytes
            chunk += [.carriageReturn, .lineFeed]
            send(chunk)
        }
        return phase == .answering
    }

    /// Leaves the answer unfinished.
    fileprivate func breakOff() {
        output.keepsAlive = false
        output.framing = .untilClose
        endAnswer()
    }
}
