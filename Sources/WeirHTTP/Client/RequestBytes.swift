internal import WeirAdapterKit

extension RequestHead {
    /// The request as it goes over a connection of our own: what libcurl would send, byte for byte.
    func bytes(userAgent: String) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(url.text.utf8.count + body.count + 512)
        text.append(contentsOf: method.utf8)
        text.append(.space)
        text.append(contentsOf: url.target.utf8)
        text.append(contentsOf: " HTTP/1.1\r\n".utf8)
        add("Host", own("host") ?? url.hostField, to: &text)
        if own("user-agent") == nil { add("User-Agent", userAgent, to: &text) }
        if own("accept") == nil { add("Accept", "*/*", to: &text) }
        if own("accept-encoding") == nil { add("Accept-Encoding", CurlLibrary.acceptedEncodings, to: &text) }
        for header in headers where !Self.isName(header.name, "host") { add(header.name, header.value, to: &text) }
        if sendsBody { add("Content-Length", String(body.count), to: &text) }
        text.append(contentsOf: "\r\n".utf8)
        text.append(contentsOf: body)
        return text
    }

    /// Whether sending it twice does no more than sending it once (RFC 9110 9.2.2); a call that is counted does more.
    var isIdempotent: Bool { method != "POST" && method != "PATCH" && !isCounted }

    private func own(_ name: StaticString) -> String? {
        headers.first { Self.isName($0.name, name) }?.value
    }

    private static func isName(_ name: String, _ wanted: StaticString) -> Bool {
        name.utf8.count == wanted.utf8CodeUnitCount
            && wanted.withUTF8Buffer { zip(name.utf8, $0).allSatisfy { ($0 &- 65 < 26 ? $0 | 0x20 : $0) == $1 } }
    }

    private func add(_ name: String, _ value: String, to text: inout [UInt8]) {
        text.append(contentsOf: name.utf8)
        text.append(.colon)
        if value.utf8.contains(where: { $0 != .space && $0 != .tab }) {
            text.append(.space)
            text.append(contentsOf: value.utf8)
        }
        text.append(.carriageReturn)
        text.append(.lineFeed)
    }
}
