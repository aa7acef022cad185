import Testing

@testable import WeirHTTP

/// One row of the table: what a client sends, what comes back, and whether the connection lives on.
struct WireCase: Sendable, CustomTestStringConvertible {
    /// What becomes of the connection.
    enum End: Sendable {
        /// A further request is answered.
        case open
        /// The server closes, without a reset.
        case closed
    }

    let name: String
    /// What is sent at once, unless ``pieces`` says otherwise.
    let bytes: [UInt8]
    /// The statuses of all answers, interim ones included.
    let statuses: [Int]
    let end: End
    /// What is sent once the answer before it has come.
    var then: [UInt8] = []
    /// Which answers have no body because they answer a HEAD.
    var heads: Set<Int> = []
    /// What the last answer must hold.
    var holds = ""
    /// What is dripped, a byte every 50 ms, until the server has had enough.
    var drips = false

    var testDescription: String { name }

    init(_ name: String, _ text: String, _ statuses: [Int], _ end: End) {
        self.init(name, Array(text.utf8), statuses, end)
    }

    init(_ name: String, _ bytes: [UInt8], _ statuses: [Int], _ end: End) {
        self.name = name
        self.bytes = bytes
        self.statuses = statuses
        self.end = end
    }

    /// The same row with something changed.
    func with(_ change: (inout WireCase) -> Void) -> WireCase {
        var copy = self
        change(&copy)
        return copy
    }

    /// The row of a GET with these header lines behind its request line.
    static func get(_ name: String, _ lines: String, _ statuses: [Int], _ end: End) -> WireCase {
        WireCase(name, "GET /a HTTP/1.1\r\n\(lines)\r\n\r\n", statuses, end)
    }

    /// The row of a POST that is echoed, with these header lines and this body.
    static func post(_ name: String, _ lines: String, _ body: String, _ statuses: [Int], _ end: End) -> WireCase {
        WireCase(name, "POST /echo HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n\(body)", statuses, end)
    }

    /// The row of a POST in chunks.
    static func chunks(_ name: String, _ body: String, _ statuses: [Int], _ end: End) -> WireCase {
        post(name, "Transfer-Encoding: chunked", body, statuses, end)
    }
}

/// All answers on one connection, taken apart by their framing.
struct WireAnswers {
    var statuses: [Int] = []
    var last = ""
    /// Whether nothing is left over.
    var isWhole = true

    init(_ bytes: [UInt8], heads: Set<Int>) {
        var rest = bytes[...]
        while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
            let head = String(decoding: rest[..<end.upperBound], as: UTF8.self)
            guard head.hasPrefix("HTTP/1.1 "), let status = Int(head.dropFirst(9).prefix(3)) else { break }
            let hasBody = status >= 200 && status != 204 && status != 304 && !heads.contains(statuses.count)
            let body = hasBody ? Self.length(head) : 0
            guard rest.endIndex - end.upperBound >= body else { break }
            let next = end.upperBound + body
            last = String(decoding: rest[rest.startIndex..<next], as: UTF8.self)
            statuses.append(status)
            rest = rest[next...]
        }
        isWhole = rest.isEmpty
    }

    private static func length(_ head: String) -> Int {
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        return line.flatMap { Int($0.dropFirst(16)) } ?? 0
    }
}
