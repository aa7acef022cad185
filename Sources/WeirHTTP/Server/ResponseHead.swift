/// Writes the head of an answer.
struct ResponseHead {
    /// How the end of the body is marked.
    enum Framing: Hashable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    let response: ServerResponse
    let framing: Framing
    let keepsAlive: Bool
    let minorVersion: Int

    /// What the answer's body asks for on this connection.
    static func framing(_ response: ServerResponse, isHead: Bool, minorVersion: Int) -> Framing {
        // RFC 9110, 8.6: no Content-Length in 1xx and 204.
        if response.status == 204 || response.status < 200 { return .none }
        switch response.body {
        case .bytes(let bytes): return .length(bytes.count)
        case .empty:
            // The length that the body would have, where there is none by rule.
            if response.status == 304 { return declaredLength(response).map { .length($0) } ?? .none }
            return .length((isHead ? declaredLength(response) : nil) ?? 0)
        case .raw: return .untilClose
        case .stream:
            if let length = declaredLength(response) { return .length(length) }
            return minorVersion >= 1 ? .chunked : .untilClose
        }
    }

    private static func declaredLength(_ response: ServerResponse) -> Int? {
        let line = response.headers.last { $0.name.utf8.equalsIgnoringCase("content-length") }
        return line.flatMap { HeadRules.length(Array($0.value.utf8)[...]) }
    }

    /// Whether the handler itself wants the connection closed.
    static func asksToClose(_ response: ServerResponse) -> Bool {
        response.headers.contains { line in
            line.name.utf8.equalsIgnoringCase("connection") && line.value.utf8.equalsIgnoringCase("close")
        }
    }

    /// Appends the head, its empty line included; `date` is the text of a `Date` header.
    func write(to bytes: inout [UInt8], date: String) {
        StatusLine.append(response.status, to: &bytes)
        bytes.append(text: "Date: ")
        bytes.append(text: date)
        bytes.append(text: "\r\n")
        for line in response.headers where !Self.isServersOwn(line.name) {
            // A name that is none would break the head apart: better no header than a forged one.
            guard Method.isToken(line.name.utf8) else { continue }
            bytes.append(text: line.name)
            bytes.append(text: ": ")
            Self.append(value: line.value, to: &bytes)
            bytes.append(text: "\r\n")
        }
        switch framing {
        case .none, .untilClose: break
        case .length(let count):
            bytes.append(text: "Content-Length: ")
            bytes.append(decimal: count)
            bytes.append(text: "\r\n")
        case .chunked: bytes.append(text: "Transfer-Encoding: chunked\r\n")
        }
        if !keepsAlive {
            bytes.append(text: "Connection: close\r\n")
        } else if minorVersion == 0 {
            bytes.append(text: "Connection: keep-alive\r\n")
        }
        bytes.append(text: "\r\n")
    }

    /// Control characters become blanks; nearly every value has none.
    private static func append(value: String, to bytes: inout [UInt8]) {
        func isControl(_ byte: UInt8) -> Bool { (byte < 32 && byte != .tab) || byte == 127 }
        if value.utf8.contains(where: isControl) {
            bytes.append(contentsOf: value.utf8.lazy.map { isControl($0) ? .space : $0 })
        } else {
            bytes.append(text: value)
        }
    }

    private static func isServersOwn(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.utf8.equalsIgnoringCase("date")
        case 10: name.utf8.equalsIgnoringCase("connection") || name.utf8.equalsIgnoringCase("keep-alive")
        case 14: name.utf8.equalsIgnoringCase("content-length")
        case 17: name.utf8.equalsIgnoringCase("transfer-encoding")
        default: false
        }
    }
}

extension [UInt8] {
    /// Appends the UTF-8 of `text`.
    fileprivate mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends the digits of a number that is not negative.
    fileprivate mutating func append(decimal number: Int) {
        let start = count
        var rest = Swift.max(0, number)
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}

/// The first line of an answer.
private enum StatusLine {
    static func append(_ status: Int, to bytes: inout [UInt8]) {
        if status == 200 { return bytes.append(text: "HTTP/1.1 200 OK\r\n") }
        let status = (100...999).contains(status) ? status : 500
        bytes.append(text: "HTTP/1.1 \(status) \(ReasonPhrase.text(status))\r\n")
    }
}

/// RFC 9110, 15: the words after a status code; nobody reads them, people expect them.
enum ReasonPhrase {
    static func text(_ status: Int) -> String {
        texts[status] ?? (status < 400 ? "OK" : "Error")
    }

    private static let texts = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 422: "Unprocessable Content",
        426: "Upgrade Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
