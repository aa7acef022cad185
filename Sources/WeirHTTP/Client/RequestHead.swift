internal import WeirAdapterKit

/// An outbound request after all checks that need no network.
struct RequestHead: Hashable {
    /// The methods that are sent.
    static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// Header fields that belong to the transport: a wrong one would let an answer be mistaken for another's.
    static let reserved: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
    /// The most bytes of all header fields together.
    ///
    /// Servers commonly take 8 to 64 KiB.
    static let maxHeaderBytes = 32768

    let url: OutboundURL
    let method: String
    /// The caller's header fields, which may be sent.
    let headers: [HTTPHeader]
    let body: [UInt8]
    /// Whether the other side counts it.
    let isCounted: Bool

    /// Checks `request`.
    ///
    /// - Throws: `TransportError`, of kind `addressRefused` for what must not be sent, `tooLarge` over a limit.
    init(_ request: OutboundRequest, policy: OutboundPolicy) throws(TransportError) {
        url = try OutboundURL(request.url)
        guard Self.methods.contains(request.method) else {
            throw TransportError(.addressRefused, "\(url.authority): the request's method is not one that is sent.")
        }
        guard request.body.count <= policy.maxRequestBytes else {
            throw TransportError(
                .tooLarge,
                "\(url.authority): the request's body is larger than \(policy.maxRequestBytes) bytes."
            )
        }
        method = request.method
        body = request.body
        headers = request.headers
        isCounted = request.isCounted
        try Self.check(headers, url)
    }

    /// Whether the answer has no body, whatever its head says (RFC 9110 9.3.2).
    var isHead: Bool { method == "HEAD" }

    /// Whether a body is sent, possibly an empty one.
    var sendsBody: Bool { !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) }

    /// Header lines in libcurl's notation.
    var lines: [String] {
        // libcurl would wait a second for a 100 before it sends a longer body.
        var lines = ["Expect:"]
        if !headers.contains(where: { $0.name.lowercased() == "accept-encoding" }) {
            lines.append("Accept-Encoding: \(CurlLibrary.acceptedEncodings)")
        }
        var hasType = false
        for header in headers {
            hasType = hasType || header.name.lowercased() == "content-type"
            // In libcurl's notation a colon and nothing removes a field, a semicolon sends it empty.
            let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        // libcurl would call any body a form.
        if !hasType { lines.append("Content-Type:") }
        return lines
    }

    private static func check(_ headers: [HTTPHeader], _ url: OutboundURL) throws(TransportError) {
        var bytes = 0
        for header in headers {
            let lowered = header.name.lowercased()
            if !isToken(header.name) || reserved.contains(lowered) || !isFieldValue(header.value) {
                throw TransportError(.addressRefused, "\(url.authority): \(complaint(header, lowered))")
            }
            bytes += header.name.utf8.count + header.value.utf8.count + 4
        }
        guard bytes <= maxHeaderBytes else {
            throw TransportError(
                .tooLarge,
                "\(url.authority): the request's head is larger than \(maxHeaderBytes) bytes."
            )
        }
    }

    private static func complaint(_ header: HTTPHeader, _ lowered: String) -> String {
        if !isToken(header.name) { return "a header field's name is not one that HTTP allows." }
        if reserved.contains(lowered) { return "the header field \(header.name) is the transport's own." }
        return "the header field \(header.name) has a control character in its value."
    }

    /// RFC 9110 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: tokenMarks.contains(byte)
                }
            }
    }

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    /// RFC 9110 5.5, which leaves control characters out, except the tabulator.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
