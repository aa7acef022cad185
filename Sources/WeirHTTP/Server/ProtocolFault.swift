/// A request that the server refuses before any handler sees it.
package struct ProtocolFault: Error, Hashable, Sendable {
    /// The status that answers it.
    package let status: Int
    /// A stable word for machines.
    package let code: String
    /// One sentence for people.
    package let sentence: String
}

extension ProtocolFault {
    /// RFC 9112, 3.2: what is not a request line.
    static let badRequestLine = ProtocolFault(
        status: 400,
        code: "bad_request_line",
        sentence: "The request line is not METHOD SP TARGET SP HTTP/1.1 followed by CR LF."
    )
    /// RFC 9112, 2.2 and 5: lines that end in a bare LF, bare CR, NUL, control characters, folded lines, empty names.
    static let badHeader = ProtocolFault(
        status: 400,
        code: "bad_header",
        sentence: "A header line is malformed, folded, ends without CR LF, or holds a control character."
    )
    /// RFC 9112, 3.2.
    static let badTarget = ProtocolFault(
        status: 400,
        code: "bad_target",
        sentence: "The request target is neither a path nor an absolute http URL, or carries a fragment."
    )
    /// RFC 9112, 3.2: exactly one valid Host field in HTTP/1.1.
    static let badHost = ProtocolFault(
        status: 400,
        code: "bad_host",
        sentence: "Exactly one valid Host header is needed."
    )
    /// RFC 9112, 6.3: anything that two parsers could measure differently.
    static let badLength = ProtocolFault(
        status: 400,
        code: "bad_length",
        sentence: "The body's length is given wrongly, twice, or in two ways."
    )
    /// RFC 9112, 7.1.
    static let badChunk = ProtocolFault(
        status: 400,
        code: "bad_chunk",
        sentence: "The chunked body is malformed."
    )
    /// The head, or a whole body, took longer than it may.
    static let requestTimeout = ProtocolFault(
        status: 408,
        code: "request_timeout",
        sentence: "The request did not arrive in time."
    )
    /// The body is, or says it is, larger than the limit.
    static let bodyTooLarge = ProtocolFault(
        status: 413,
        code: "body_too_large",
        sentence: "The request body is larger than this server accepts."
    )
    /// The request line alone is larger than a head may be.
    static let targetTooLong = ProtocolFault(
        status: 414,
        code: "target_too_long",
        sentence: "The request target is longer than this server accepts."
    )
    /// RFC 9110, 10.1.1: the only expectation known is 100-continue.
    static let unknownExpectation = ProtocolFault(
        status: 417,
        code: "unknown_expectation",
        sentence: "The only expectation this server knows is 100-continue."
    )
    /// RFC 6585, 5.
    static let headTooLarge = ProtocolFault(
        status: 431,
        code: "head_too_large",
        sentence: "The request headers are larger or more than this server accepts."
    )
    /// A method that HTTP servers do not know, or that only proxies serve.
    static let unknownMethod = ProtocolFault(
        status: 501,
        code: "unknown_method",
        sentence: "This server does not know the request method."
    )
    /// RFC 9112, 6.1: codings other than a single chunked.
    static let unknownTransferCoding = ProtocolFault(
        status: 501,
        code: "unknown_transfer_coding",
        sentence: "The only transfer coding this server knows is chunked."
    )
    /// All connections together keep as much as they may; the same request may be sent again a little later.
    package static let overloaded = ProtocolFault(
        status: 503,
        code: "overloaded",
        sentence: "The server has as much to do as it can; try again in a second."
    )
    /// HTTP/2 and HTTP/3 in clear text, and HTTP/0.9.
    static let unknownVersion = ProtocolFault(
        status: 505,
        code: "unknown_version",
        sentence: "This server speaks HTTP/1.1 and HTTP/1.0."
    )
}
