internal import CLLHTTP
internal import Glibc
internal import WeirAdapterKit

/// Turns the bytes of a connection into answers: bounded, without a socket.
///
/// Heads are taken line by line, as tolerantly as libcurl takes them, by ``ResponseCollector``. What says where an answer
/// ends (status, length, coding, connection) goes to llhttp in its plainest spelling, and llhttp, which is strict, cuts
/// out the body: so there is one opinion on where the next answer begins.
///
/// llhttp keeps a pointer to this object; not `Sendable`: a connection's own.
final class ResponseReader {
    /// What an answer is held to.
    struct Rules: Hashable {
        var maxHeaderBytes = OutboundPolicy().maxHeaderBytes
        var maxBodyBytes = OutboundPolicy().maxBodyBytes
        var isHead = false
    }

    /// Why no answer can be made of the bytes.
    enum Fault: Hashable {
        case breach(ResponseCollector.Breach)
        case notHTTP
        case badEncoding
        /// The connection ended before the first byte, or within the head.
        case nothing
        /// The connection ended within the body.
        case partial
    }

    /// What reading came to.
    enum Event: Hashable {
        case needsMore
        /// The answer is complete; bytes that are left over belong to none.
        case complete
        case fault(Fault)
    }

    private enum Stage {
        case head
        case body
        case done
    }

    /// Framing bytes for each byte that a body may have.
    private static let framingPerByte = 8

    private let parser: UnsafeMutablePointer<llhttp_t>
    private var stage = Stage.done
    private var rules = Rules()
    private var collector: ResponseCollector
    private var decoder = BodyDecoder()
    /// The beginning of a line whose end has not come.
    private var partialLine: [UInt8] = []
    private var framing = FramingFields()
    /// Bytes between pieces of the body: sizes of chunks.
    private var framingBytes = 0
    private var isInTrailers = false
    private var trailerBytes = 0
    private var bodyBytes = 0
    // What llhttp's callbacks noted.
    private var headIsComplete = false
    private var isComplete = false
    private var staysOpen = false
    private var fault: Fault?

    /// Whether a byte of the answer has come.
    private(set) var hasBegun = false

    init() {
        collector = ResponseCollector(maxHeaderBytes: 0, maxBodyBytes: 0, isHead: false)
        parser = .allocate(capacity: 1)
        llhttp_init(parser, HTTP_RESPONSE, Self.settings)
        // RFC 9112 6.3: the coding wins over a length; such a connection is not used again.
        llhttp_set_lenient_chunked_length(parser, 1)
        parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        parser.deallocate()
    }

    /// The answer, once it is complete; the reader forgets it.
    func takeResponse() -> InboundResponse {
        let response = collector.response
        collector = ResponseCollector(maxHeaderBytes: 0, maxBodyBytes: 0, isHead: false)
        decoder = BodyDecoder()
        return response
    }

    /// Whether the connection may serve another request, as far as the answer says.
    var keepsAlive: Bool { stage == .done && staysOpen && !framing.isAmbiguous }

    /// Ready for the answer to the next request.
    func begin(_ rules: Rules) {
        self.rules = rules
        collector = ResponseCollector(
            maxHeaderBytes: rules.maxHeaderBytes,
            maxBodyBytes: rules.maxBodyBytes,
            isHead: rules.isHead
        )
        decoder = BodyDecoder()
        partialLine.removeAll(keepingCapacity: partialLine.capacity <= 4096)
        framing = FramingFields()
        (framingBytes, trailerBytes, bodyBytes) = (0, 0, 0)
        isInTrailers = false
        (headIsComplete, isComplete, staysOpen, hasBegun) = (false, false, false, false)
        fault = nil
        stage = .head
    }

    /// Reads all of `bytes`, or the part that belongs to the answer.
    func read(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
        var consumed = 0
        if !bytes.isEmpty { hasBegun = true }
        if stage == .head {
            switch readHead(bytes) {
            case .failure(let fault): return (bytes.count, end(fault))
            case .success(let count): consumed = count
            }
        }
        if stage == .body && consumed < bytes.count {
            switch readBody(UnsafeRawBufferPointer(rebasing: bytes[consumed...])) {
            case .failure(let fault): return (bytes.count, end(fault))
            case .success(let count): consumed += count
            }
        }
        return (consumed, stage == .done ? .complete : .needsMore)
    }

    /// The connection has ended: an answer without a length is complete now.
    func finish() -> Event {
        switch stage {
        case .done: return .complete
        case .head: return end(.nothing)
        case .body:
            llhttp_finish(parser)
            if let fault { return end(fault) }
            if !isComplete { return end(.partial) }
            stage = .done
            staysOpen = false
            return .complete
        }
    }

    private func end(_ fault: Fault) -> Event {
        stage = .done
        staysOpen = false
        // What was broken off must not be taken for an answer, nor kept.
        collector = ResponseCollector(maxHeaderBytes: 0, maxBodyBytes: 0, isHead: false)
        return .fault(fault)
    }
}

extension ResponseReader.Fault: Error {}

// MARK: Head

extension ResponseReader {
    private func readHead(_ bytes: UnsafeRawBufferPointer) -> Result<Int, Fault> {
        var start = 0
        while stage == .head, start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let length = Self.lineLength(rest) else { return keep(rest).map { bytes.count } }
            start += length
            let line = UnsafeRawBufferPointer(rebasing: rest[..<length])
            let fault: Fault?
            if partialLine.isEmpty {
                fault = take(line)
            } else {
                partialLine.append(contentsOf: line)
                let whole = partialLine
                partialLine.removeAll(keepingCapacity: true)
                fault = whole.withUnsafeBytes { take($0) }
            }
            if let fault { return .failure(fault) }
        }
        return .success(start)
    }

    private static func lineLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let end = memchr(base, 0x0a, bytes.count) else { return nil }
        return UnsafeRawPointer(end) - base + 1
    }

    /// Keeps the beginning of a line, if it can still become one of a head.
    private func keep(_ bytes: UnsafeRawBufferPointer) -> Result<Void, Fault> {
        if partialLine.count + bytes.count > rules.maxHeaderBytes { return .failure(.breach(.headTooLarge)) }
        partialLine.append(contentsOf: bytes)
        if collector.status == 0 && !ResponseLine.mayBegin(with: partialLine) { return .failure(.notHTTP) }
        return .success(())
    }

    /// Takes one line of a head, its line end included.
    private func take(_ line: UnsafeRawBufferPointer) -> Fault? {
        // No reader agrees with another one on what follows a NUL.
        if line.contains(0) { return .notHTTP }
        let isStatusLine = ResponseLine.mayBegin(with: line) && line.count >= 5
        if collector.status == 0 && !isStatusLine { return .notHTTP }
        if !collector.addHeaderLine(line) { return collector.breach.map { .breach($0) } ?? .notHTTP }
        if isStatusLine {
            framing = FramingFields()
            guard let version = ResponseLine.minorVersion(line) else { return .notHTTP }
            llhttp_reset(parser)
            headIsComplete = false
            return collector.status < 200 ? nil : feed("HTTP/1.\(version) \(collector.status)\r\n")
        }
        if collector.headIsComplete { return endHead() }
        if FramingFields.isNoField(line) { return .notHTTP }
        // Interim answers have no body and say nothing about the last one's.
        if collector.status < 200 { return nil }
        switch framing.note(line) {
        case .other: return nil
        case .bad: return .notHTTP
        case .badCoding: return .breach(.unknownEncoding)
        case .connection(let value): return feed("Connection: \(value)\r\n")
        case .length(let value): return feed("Content-Length: \(value)\r\n")
        case .chunked: return feed("Transfer-Encoding: chunked\r\n")
        }
    }

    private func endHead() -> Fault? {
        if let fault = feed("\r\n") { return fault }
        guard headIsComplete else { return .notHTTP }
        decoder = BodyDecoder(collector.codings, maxBytes: rules.maxBodyBytes)
        stage = isComplete ? .done : .body
        return nil
    }

    private func feed(_ text: String) -> Fault? {
        let code = text.withCString { llhttp_execute(parser, $0, text.utf8.count) }
        return code == HPE_OK || (code == HPE_PAUSED && isComplete) ? nil : .notHTTP
    }
}

// MARK: Body

extension ResponseReader {
    private func readBody(_ bytes: UnsafeRawBufferPointer) -> Result<Int, Fault> {
        var consumed = 0
        while consumed < bytes.count && !isComplete {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            let start = rest.baseAddress?.assumingMemoryBound(to: CChar.self)
            let (wasInTrailers, before) = (isInTrailers, bodyBytes)
            let code = llhttp_execute(parser, start, rest.count)
            if let fault { return .failure(fault) }
            guard code == HPE_OK || code == HPE_PAUSED else { return .failure(.notHTTP) }
            var count = rest.count
            if code == HPE_PAUSED, let start, let position = llhttp_get_error_pos(parser) {
                count = min(max(0, position - UnsafePointer(start)), rest.count)
            }
            if code == HPE_PAUSED && !isComplete { llhttp_resume(parser) }
            if wasInTrailers { trailerBytes += count } else { framingBytes += count - (bodyBytes - before) }
            // Counted by kind, so that it does not matter in which pieces the bytes come.
            if collector.headerBytes + trailerBytes > rules.maxHeaderBytes || framingBytes > framingLimit {
                return .failure(.breach(.headTooLarge))
            }
            consumed += count
        }
        if isComplete { stage = .done }
        return .success(consumed)
    }

    private var framingLimit: Int {
        let (bytes, isHuge) = rules.maxBodyBytes.multipliedReportingOverflow(by: Self.framingPerByte)
        return isHuge ? .max : max(rules.maxHeaderBytes, bytes)
    }

    /// A piece of the body as it came.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += bytes.count
        let outcome: Inflater.Outcome
        if decoder.isIdle {
            outcome = collector.addBody(bytes) ? .taken : .stopped
        } else {
            outcome = decoder.take(bytes) { collector.addBody($0) }
        }
        switch outcome {
        case .taken: return true
        case .stopped: fault = .breach(collector.breach ?? .bodyTooLarge)
        case .bad: fault = .badEncoding
        }
        return false
    }
}

// MARK: llhttp

extension ResponseReader {
    /// The callbacks, shared by all parsers.
    ///
    /// `nonisolated(unsafe)`: written once, before its first use, and only read from then on.
    private nonisolated(unsafe) static let settings: UnsafeMutablePointer<llhttp_settings_t> = {
        let settings = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
        llhttp_settings_init(settings)
        settings.pointee.on_headers_complete = { parser in
            guard let reader = behind(parser) else { return -1 }
            reader.headIsComplete = true
            // 1: there is no body, whatever the head says (RFC 9112 6.3).
            return reader.rules.isHead || [204, 304].contains(reader.collector.status) ? 1 : 0
        }
        settings.pointee.on_chunk_header = { parser in
            guard let parser, let reader = behind(parser) else { return -1 }
            if parser.pointee.content_length > 0 { return 0 }
            // The last one; trailers follow, which count as a head does.
            reader.isInTrailers = true
            return Int32(HPE_PAUSED.rawValue)
        }
        settings.pointee.on_body = { parser, start, count in
            guard let reader = behind(parser) else { return -1 }
            return reader.takeBody(UnsafeRawBufferPointer(start: start, count: count)) ? 0 : -1
        }
        settings.pointee.on_message_complete = { parser in
            guard let reader = behind(parser) else { return -1 }
            reader.isComplete = true
            reader.staysOpen = llhttp_should_keep_alive(parser) != 0
            return Int32(HPE_PAUSED.rawValue)
        }
        return settings
    }()

    private static func behind(_ parser: UnsafeMutablePointer<llhttp_t>?) -> ResponseReader? {
        guard let owner = parser?.pointee.data else { return nil }
        return Unmanaged<ResponseReader>.fromOpaque(owner).takeUnretainedValue()
    }
}
