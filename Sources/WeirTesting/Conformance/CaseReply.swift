internal import WeirAdapterKit
internal import WeirJSON

/// What a step of a case answers: `status`, `headers`, `body` or `body_file`, how it is sent (`delay_ms`, `chunk_ms`,
/// `chunk_bytes`, `repeat_bytes`, `close_after`, `reset`, `length_open`), or `failure`.
struct CaseReply {
    /// The members that a reply may have.
    static let keys = [
        "status", "headers", "body", "body_file", "delay_ms", "chunk_ms", "chunk_bytes", "repeat_bytes", "close_after",
        "reset", "length_open", "failure",
    ]

    /// The longest body that a case may ask for: far beyond what any adapter accepts.
    static let longestBody = 1 << 30

    private let value: JSONValue
    private let directory: String

    init(_ value: JSONValue, directory: String) {
        self.value = value
        self.directory = directory
    }

    /// The failure in place of an answer.
    var failure: TransportError.Kind? { value["failure"]?.string.flatMap(TransportError.Kind.init) }

    /// The status.
    var status: Int { value["status"]?.int ?? 200 }

    /// The header fields.
    var headers: [HTTPHeader] {
        (value["headers"]?.object?.members ?? []).map { HTTPHeader($0.key, $0.value.string ?? "") }
    }

    /// The body, as it is written in the case or in its file.
    func body() throws -> [UInt8] {
        if let file = value["body_file"]?.string { return try TextFile.read("\(directory)/\(file)") }
        return value["body"].map { Array(($0.string ?? $0.encodedText).utf8) } ?? []
    }

    /// The answer as a sandbox sends it.
    func scripted() throws -> SandboxReply {
        var reply = SandboxReply(status: status)
        reply.headers = headers.map { SandboxReply.Header($0.name, $0.value) }
        let bytes = try body()
        reply.body = bytes.isEmpty ? .none : .bytes(bytes)
        reply.delay = .fixed(.milliseconds(value["delay_ms"]?.int ?? 0))
        reply.chunkPause = value["chunk_ms"]?.int.map { .milliseconds($0) }
        reply.chunkBytes = value["chunk_bytes"]?.int ?? 1
        reply.repeatBytes = value["repeat_bytes"]?.int
        reply.closeAfter = value["close_after"]?.int
        reply.closesByReset = value["reset"]?.bool ?? false
        reply.isLengthOpen = value["length_open"]?.bool ?? false
        return reply
    }

    /// Complains about a reply that no sandbox could send.
    static func check(_ field: JSONField) {
        field.refuseUnknownKeys(known: keys)
        _ = field.optionalInt("status", range: 200...599)
        for key in ["delay_ms", "chunk_ms"] { _ = field.optionalInt(key, range: 0...SandboxReply.longestDelay) }
        for key in ["repeat_bytes", "close_after"] { _ = field.optionalInt(key, range: 0...longestBody) }
        _ = field.optionalInt("chunk_bytes", range: 1...65_536)
        for key in ["reset", "length_open"] { _ = field.optionalBool(key) }
        if field.member("body") != nil, field.member("body_file") != nil {
            field.complain("must have one of body, body_file, not both")
        }
        if let failure = field.optionalString("failure"), TransportError.Kind(rawValue: failure) == nil {
            let kinds = TransportError.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            field.complain(about: "failure", "must be one of \(kinds)")
        }
    }
}
