internal import WeirHTTP
internal import WeirTime

/// Turns a scripted answer into one that the server sends.
struct SandboxAnswer {
    var reply: SandboxReply
    var template: SandboxTemplate
    var clock: any GatewayClock

    /// The answer to a request; its delay has passed already.
    func response(to request: ServerRequest) -> ServerResponse {
        var response = ServerResponse(status: reply.status, headers: headers(for: request))
        switch reply.body {
        case .raw(let bytes):
            response.body = .raw(bytes)
        case .media(let media):
            serve(media, request, &response)
        case .none, .template, .bytes:
            fill(&response, with: bytes)
        }
        return response
    }

    private var bytes: [UInt8] {
        switch reply.body {
        case .template(let text): Array(template.fill(text, .init(contentType: reply.contentType)).utf8)
        case .bytes(let bytes): bytes
        case .none, .media, .raw: []
        }
    }

    private func headers(for request: ServerRequest) -> [(name: String, value: String)] {
        var headers = reply.headers.map { (name: $0.name, value: template.fill($0.value, .none)) }
        if case .media(let media) = reply.body, reply.contentType.isEmpty {
            headers.append(("Content-Type", media.contentType))
        }
        if !headers.contains(where: { $0.name.lowercased() == "access-control-allow-origin" }) {
            headers += Self.crossOrigin(request)
        }
        return headers
    }

    /// What lets a page of another origin read the answer: video players ask with credentials.
    static func crossOrigin(_ request: ServerRequest) -> [(name: String, value: String)] {
        guard let origin = request.header("Origin") else { return [("Access-Control-Allow-Origin", "*")] }
        return [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"),
            ("Access-Control-Expose-Headers", "Content-Length, Content-Range"), ("Vary", "Origin"),
        ]
    }

    // MARK: Bodies that are bytes

    private func fill(_ response: inout ServerResponse, with bytes: [UInt8]) {
        let total = bytes.isEmpty ? 0 : reply.repeatBytes ?? bytes.count
        guard reply.chunkPause != nil || reply.closeAfter != nil || reply.repeatBytes != nil || reply.isLengthOpen
        else {
            response.body = bytes.isEmpty ? .empty : .bytes(bytes)
            return
        }
        if !reply.isLengthOpen { response.headers.append(("Content-Length", String(total))) }
        let piece = SandboxPieces(reply: reply, bytes: bytes, total: total)
        let clock = clock
        response.body = .stream { await piece.send(to: $0, clock: clock) }
    }

    // MARK: Media, whole or by ranges

    private func serve(_ media: SandboxMedia, _ request: ServerRequest, _ response: inout ServerResponse) {
        response.headers.append(("Accept-Ranges", "bytes"))
        response.headers.append(("Cache-Control", "public, max-age=3600"))
        switch ByteRange(request.header("Range"), count: media.count) {
        case .whole:
            fill(&response, with: media.bytes)
        case .part(let range):
            response.status = 206
            response.headers.append(
                ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(media.count)")
            )
            response.body = .bytes(media.bytes(in: range))
        case .unsatisfiable:
            response.status = 416
            response.headers.append(("Content-Range", "bytes */\(media.count)"))
        }
    }
}

/// Sends a body in pieces, repeated, or cut short.
private struct SandboxPieces: Sendable {
    /// A piece of a body that is sent without pauses.
    private static let pieceBytes = 65_536

    let reply: SandboxReply
    let bytes: [UInt8]
    let total: Int

    func send(to writer: BodyWriter, clock: any GatewayClock) async {
        let end = min(total, reply.closeAfter ?? total)
        let size = reply.chunkPause == nil ? Self.pieceBytes : reply.chunkBytes
        var sent = 0
        while sent < end {
            if sent > 0, let pause = reply.chunkPause, (try? await clock.sleep(for: pause)) == nil { return }
            let piece = piece(from: sent, count: min(size, end - sent))
            guard await writer.write(piece) else { return }
            sent += piece.count
        }
        if reply.closeAfter == nil { return }
        if reply.closesByReset { writer.abort() } else { writer.closeNow() }
    }

    private func piece(from offset: Int, count: Int) -> [UInt8] {
        let start = offset % bytes.count
        if start + count <= bytes.count { return Array(bytes[start..<start + count]) }
        return (0..<count).map { bytes[(start + $0) % bytes.count] }
    }
}

/// The range of bytes that a request asks for (RFC 9110 §14.2); several ranges are answered with the whole.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ header: String?, count: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return }
        let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?) where first <= last:
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < count ? .part(first..<count) : .unsatisfiable
        case (nil, let suffix?) where bounds[0].isEmpty:
            self = suffix > 0 ? .part(max(0, count - suffix)..<count) : .unsatisfiable
        default:
            break
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
