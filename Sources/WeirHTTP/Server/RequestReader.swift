internal import CLLHTTP

/// Turns bytes into requests: strict, bounded, without a socket.
///
/// The head is looked at by `HeadScan`, parsed by llhttp in one piece, and judged by `HeadRules`; a chunked body goes
/// through llhttp as it comes. After a request (or a fault) nothing more is read until ``reset()``.
///
/// llhttp keeps a pointer to this object, which owns its state; not `Sendable`: a connection's own.
final class RequestReader {
    /// Where in a request the reader stands.
    enum Stage {
        case idle
        case head
        case body
        case done
    }

    /// What reading came to.
    enum Event {
        case needsMore
        /// The client waits for `100 Continue` before it sends the body.
        case continueWanted
        case request(ServerRequest)
        case fault(ProtocolFault)
    }

    let configuration: ServerConfiguration
    let peerAddress: String
    private(set) var stage = Stage.idle
    /// Whether the connection may serve another request after this one.
    private(set) var keepsAlive = true
    /// 0 or 1; later ones of HTTP/1 read as 1.
    private(set) var minorVersion = 1

    private let parser: UnsafeMutablePointer<llhttp_t>
    private var scan = HeadScan(startsWithRequestLine: true)
    private var request: ServerRequest?
    private var missingBytes = 0
    private var chunk: ChunkProgress?
    // What the parser's callbacks noted during one call.
    var notes = ParserNotes()

    init(configuration: ServerConfiguration, peerAddress: String) {
        self.configuration = configuration
        self.peerAddress = peerAddress
        parser = .allocate(capacity: 1)
        llhttp_init(parser, HTTP_REQUEST, ParserNotes.settings)
        parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        parser.deallocate()
    }

    /// Bytes of the body that have come so far; 0 once the request has been handed over.
    var bodyBytes: Int { request?.body.count ?? 0 }

    /// Ready for the next request.
    func reset() {
        stage = .idle
        scan = HeadScan(startsWithRequestLine: true)
        request = nil
        chunk = nil
    }

    /// Reads as far as it gets; `consumed` bytes need not be shown again, the others must be, with more behind them.
    func read(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
        do throws(ProtocolFault) {
            switch stage {
            case .idle, .head: return try readHead(bytes)
            case .body where chunk == nil: return readPlainBody(bytes)
            case .body: return try readChunks(bytes)
            case .done: return (0, .needsMore)
            }
        } catch {
            stage = .done
            keepsAlive = false
            return (bytes.count, .fault(error))
        }
    }
}

// MARK: Head

extension RequestReader {
    private func readHead(_ bytes: UnsafeRawBufferPointer) throws(ProtocolFault) -> (consumed: Int, event: Event) {
        var start = 0
        if stage == .idle {
            // RFC 9112, 2.2: empty lines before a request line are skipped.
            while start + 1 < bytes.count && bytes[start] == .carriageReturn && bytes[start + 1] == .lineFeed {
                start += 2
            }
            if start == bytes.count || (start + 1 == bytes.count && bytes[start] == .carriageReturn) {
                return (start, .needsMore)
            }
            stage = .head
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        switch scan.scan(rest) {
        case .refused(let fault): throw fault
        case .incomplete:
            if rest.count > configuration.maxHeadBytes { throw sizeFault }
            return (start, .needsMore)
        case .complete(let length):
            if length > configuration.maxHeadBytes { throw sizeFault }
            let event = try parseHead(UnsafeRawBufferPointer(rebasing: rest[..<length]), hasMore: length < rest.count)
            return (start + length, event)
        }
    }

    /// RFC 9112, 3: 414 when the request line alone is too long.
    private var sizeFault: ProtocolFault {
        let line = scan.firstLineBytes
        return line == 0 || line > configuration.maxHeadBytes ? .targetTooLong : .headTooLarge
    }

    private func parseHead(_ head: UnsafeRawBufferPointer, hasMore: Bool) throws(ProtocolFault) -> Event {
        var bytes = Array(head)
        Self.readLaterVersionsAsOne(&bytes)
        notes = ParserNotes(maxHeaders: configuration.maxHeaders)
        llhttp_reset(parser)
        let complaint = try execute(bytes)
        minorVersion = Int(parser.pointee.http_minor)
        guard let method = Method.name(parser.pointee.method) else { throw .unknownMethod }
        var fields: [RequestHeaders.Field] = []
        swap(&fields, &notes.fields)
        for index in fields.indices { fields[index] = fields[index].trimmed(in: bytes) }
        let rules = HeadRules(minorVersion: minorVersion, maxBodyBytes: configuration.maxBodyBytes)
        let verdict = try rules.judge(bytes, fields)
        if let complaint { throw complaint }
        let target = try RequestTarget(bytes[notes.target], isOptions: method == "OPTIONS")
        keepsAlive = llhttp_should_keep_alive(parser) != 0
        request = ServerRequest(
            method: method,
            path: target.path,
            query: target.query,
            headers: RequestHeaders(bytes: bytes, fields: fields),
            peerAddress: peerAddress
        )
        return try beginBody(verdict, hasMore: hasMore)
    }

    /// RFC 9110, 2.5: a higher minor version is served as the highest known one.
    private static func readLaterVersionsAsOne(_ bytes: inout [UInt8]) {
        guard let end = bytes.firstIndex(of: .carriageReturn), end > 0 else { return }
        if bytes[end - 1] > UInt8(ascii: "1") { bytes[end - 1] = UInt8(ascii: "1") }
    }

    /// Runs the parser over a head; returns a complaint about the body's framing, on which our rules may know better.
    private func execute(_ head: [UInt8]) throws(ProtocolFault) -> ProtocolFault? {
        let code = head.withUnsafeBytes { buffer -> llhttp_errno_t in
            notes.base = buffer.baseAddress
            return llhttp_execute(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        if let refusal = notes.refusal { throw refusal }
        switch code {
        case HPE_OK: return nil
        case HPE_PAUSED:
            llhttp_resume(parser)
            return nil
        case HPE_INVALID_METHOD: throw Method.isToken(head.prefix { $0 != .space }) ? .unknownMethod : .badRequestLine
        case HPE_INVALID_URL: throw .badTarget
        // The line has the right shape, so it is the method that belongs to another protocol.
        case HPE_INVALID_CONSTANT: throw .unknownMethod
        case HPE_INVALID_CONTENT_LENGTH, HPE_UNEXPECTED_CONTENT_LENGTH, HPE_INVALID_TRANSFER_ENCODING:
            return .badLength
        default: throw .badHeader
        }
    }

    private func beginBody(_ verdict: HeadRules.Verdict, hasMore: Bool) throws(ProtocolFault) -> Event {
        if !verdict.isChunked && (verdict.length ?? 0) == 0 { return finish() }
        stage = .body
        if verdict.isChunked {
            chunk = ChunkProgress()
        } else {
            missingBytes = verdict.length ?? 0
            request?.body.reserveCapacity(min(missingBytes, 65536))
        }
        return verdict.expectsContinue && !hasMore ? .continueWanted : .needsMore
    }

    private func finish() -> Event {
        stage = .done
        guard let request else { return .fault(.badRequestLine) }
        self.request = nil
        return .request(request)
    }
}

// MARK: Body

extension RequestReader {
    private func readPlainBody(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
        let count = min(missingBytes, bytes.count)
        request?.body.append(contentsOf: bytes[..<count])
        missingBytes -= count
        return (count, missingBytes == 0 ? finish() : .needsMore)
    }

    private func readChunks(_ bytes: UnsafeRawBufferPointer) throws(ProtocolFault) -> (consumed: Int, event: Event) {
        guard var progress = chunk else { return (0, .needsMore) }
        if progress.trailers != nil { return try readTrailers(bytes, &progress) }
        notes.bodyRoom = configuration.maxBodyBytes - (request?.body.count ?? 0)
        let code = llhttp_execute(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        request?.body.append(contentsOf: notes.body)
        notes.body.removeAll(keepingCapacity: true)
        if let refusal = notes.refusal { throw refusal }
        switch code {
        case HPE_OK:
            progress.rawBytes += bytes.count
            let allowance = ServerConfiguration.chunkOverheadBytes + 8 * (request?.body.count ?? 0)
            if progress.rawBytes > allowance { throw .badChunk }
            chunk = progress
            return (bytes.count, .needsMore)
        case HPE_PAUSED:
            // The last chunk's header: trailers follow, which get the same look as a head.
            llhttp_resume(parser)
            progress.trailers = HeadScan(startsWithRequestLine: false)
            chunk = progress
            let consumed = notes.pausedAt(bytes, parser)
            return (consumed, .needsMore)
        default: throw .badChunk
        }
    }

    private func readTrailers(
        _ bytes: UnsafeRawBufferPointer,
        _ progress: inout ChunkProgress
    ) throws(ProtocolFault) -> (consumed: Int, event: Event) {
        guard var scan = progress.trailers else { return (0, .needsMore) }
        switch scan.scan(bytes) {
        case .refused: throw .badChunk
        case .incomplete:
            if bytes.count > configuration.maxHeadBytes { throw .headTooLarge }
            progress.trailers = scan
            chunk = progress
            return (0, .needsMore)
        case .complete(let length):
            if length > configuration.maxHeadBytes { throw .headTooLarge }
            notes.ignoresFields = true
            let code = llhttp_execute(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length)
            guard code == HPE_PAUSED, notes.isComplete else { throw .badChunk }
            llhttp_resume(parser)
            return (length, finish())
        }
    }
}

/// How far a chunked body has come.
private struct ChunkProgress {
    var rawBytes = 0
    var trailers: HeadScan?
}
