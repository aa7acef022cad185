/// Bodies: lengths, codings, chunks, expectations; and what follows on the same connection.
extension WireCase {
    private static let next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"

    static let lengths = [
        post("a body", "Content-Length: 3", "abc", [200], .open).with { $0.holds = "\r\n\r\nabc" },
        post("a body and a request behind it", "Content-Length: 3", "abc" + next, [200, 200], .open).with {
            $0.holds = "\r\n\r\n/next"
        },
        WireCase(
            "a GET's body is no request",
            "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 34\r\n\r\nGET /evil HTTP/1.1\r\nHost: evil\r\n\r\n",
            [200],
            .open
        ).with { $0.holds = "\r\n\r\n/a" },
        post("a length and a coding", "Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n", [400], .closed),
        post("a coding and a length", "Transfer-Encoding: chunked\r\nContent-Length: 3", "0\r\n\r\n", [400], .closed),
        post("the same length twice", "Content-Length: 3\r\nContent-Length: 3", "abc", [400], .closed),
        post("two lengths", "Content-Length: 3\r\nContent-Length: 30", "abc", [400], .closed),
        post("a list of lengths", "Content-Length: 3, 3", "abc", [400], .closed),
        post("a signed length", "Content-Length: +3", "abc", [400], .closed),
        post("a negative length", "Content-Length: -3", "abc", [400], .closed),
        post("a length in hexadecimal digits", "Content-Length: 0x3", "abc", [400], .closed),
        post("an empty length", "Content-Length:", "abc", [400], .closed),
        post("a length with NUL", "Content-Length: 3\u{0}", "abc", [400], .closed),
        post("a length of 1 MiB and a byte", "Content-Length: 1048577", "abc", [413], .closed),
        post("a length beyond 64 bits", "Content-Length: 99999999999999999999", "abc", [413], .closed),
        post(
            "a length of exactly 1 MiB",
            "Content-Length: 1048576",
            String(repeating: "a", count: 1_048_576),
            [200],
            .open
        ),
    ]

    static let codings = [
        post("gzip as a transfer coding", "Transfer-Encoding: gzip", "abc", [501], .closed),
        post("gzip before chunked", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n", [501], .closed),
        post("chunked before gzip", "Transfer-Encoding: chunked, gzip", "0\r\n\r\n", [400], .closed),
        post("chunked twice in a list", "Transfer-Encoding: chunked, chunked", "0\r\n\r\n", [400], .closed),
        post("identity", "Transfer-Encoding: identity", "abc", [501], .closed),
        post("xchunked", "Transfer-Encoding: xchunked", "0\r\n\r\n", [501], .closed),
        post("chunked with a parameter", "Transfer-Encoding: chunked;q=1", "0\r\n\r\n", [501], .closed),
        post(
            "chunked twice",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "0\r\n\r\n",
            [400],
            .closed
        ),
        post("an empty coding", "Transfer-Encoding:", "0\r\n\r\n", [400], .closed),
        post("a vertical tabulator before chunked", "Transfer-Encoding: \u{B}chunked", "0\r\n\r\n", [400], .closed),
        post("a space before the coding's colon", "Transfer-Encoding : chunked", "0\r\n\r\n", [400], .closed),
        post("a folded coding", "Transfer-Encoding:\r\n chunked", "0\r\n\r\n", [400], .closed),
        WireCase(
            "a coding in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            [400],
            .closed
        ),
    ]

    static let chunkFraming = [
        chunks("chunks", "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", [200], .open).with { $0.holds = "abc0123456789" },
        chunks("chunks and a request behind them", "1\r\na\r\n0\r\n\r\n" + next, [200, 200], .open),
        chunks("a chunk's extension", "1;name=value\r\na\r\n0\r\n\r\n", [200], .open),
        chunks("a quoted extension", "1;a=\"b c\"\r\na\r\n0\r\n\r\n", [200], .open),
        chunks("an extension with a bare LF", "1;a=b\na\r\n0\r\n\r\n", [400], .closed),
        chunks("an extension with a control character", "1;a=\u{1}\r\na\r\n0\r\n\r\n", [400], .closed),
        chunks("extensions without end", "1;" + String(repeating: "e", count: 200_000), [400], .closed),
        chunks("trailers", "1\r\na\r\n0\r\nA: b\r\nContent-Length: 9\r\n\r\n" + next, [200, 200], .open).with {
            $0.holds = "\r\n\r\n/next"
        },
        chunks("a folded trailer", "0\r\nA: b\r\n c\r\n\r\n", [400], .closed),
        chunks("a trailer with NUL", "0\r\nA: \u{0}\r\n\r\n", [400], .closed),
        chunks("trailers without end", "0\r\n" + String(repeating: "A: b\r\n", count: 5000), [431], .closed),
        chunks("LF-only chunks", "1\na\n0\n\n", [400], .closed),
        chunks("a chunk longer than it says", "1\r\nab\r\n0\r\n\r\n", [400], .closed),
        chunks("a size that is no number", "x\r\na\r\n0\r\n\r\n", [400], .closed),
        chunks("an empty size", "\r\na\r\n0\r\n\r\n", [400], .closed),
        chunks("a negative size", "-1\r\na\r\n0\r\n\r\n", [400], .closed),
        chunks("a size with 0x", "0x1\r\na\r\n0\r\n\r\n", [400], .closed),
        chunks("a size beyond 64 bits", "FFFFFFFFFFFFFFFFF\r\na\r\n", [400], .closed),
        chunks("a size beyond the limit", "7FFFFFFF\r\na\r\n", [413], .closed),
        chunks("a thousand chunks of a byte", String(repeating: "1\r\na\r\n", count: 1000) + "0\r\n\r\n", [200], .open),
    ]

    static let expectations = [
        post("100-continue", "Expect: 100-continue\r\nContent-Length: 3", "", [100, 200], .open).with {
            $0.then = Array("abc".utf8)
            $0.holds = "\r\n\r\nabc"
        },
        post("100-continue with its body", "Expect: 100-Continue\r\nContent-Length: 3", "abc", [200], .open),
        post("100-continue for too much", "Expect: 100-continue\r\nContent-Length: 1048577", "", [413], .closed),
        post("another expectation", "Expect: 200-ok\r\nContent-Length: 3", "abc", [417], .closed),
        WireCase(
            "100-continue in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
            [200],
            .closed
        ).with { $0.then = Array("abc".utf8) },
    ]

    static let sequences = [
        WireCase("three at once", String(repeating: next, count: 3), [200, 200, 200], .open),
        WireCase("a hundred at once", String(repeating: next, count: 100), [Int](repeating: 200, count: 100), .open),
        WireCase("one and nonsense", next + "nonsense\r\n\r\n", [200, 400], .closed),
        WireCase("nothing behind a refusal", "GET / HTTP/1.1\r\n\r\n" + next, [400], .closed),
        WireCase(
            "nothing behind the last one",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + next,
            [200],
            .closed
        ),
        WireCase("an empty line between two", next + "\r\n" + next, [200, 200], .open),
        WireCase("HEAD", "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n" + next, [200, 200], .open).with { $0.heads = [0] },
        WireCase("HEAD that closes", "HEAD /a HTTP/1.0\r\n\r\n", [200], .closed).with { $0.heads = [0] },
    ]

    /// With a second for each stage.
    static let impatience = [
        WireCase("nothing at all", "", [], .closed),
        WireCase("a request line that drips", "G", [408], .closed).with { $0.drips = true },
        WireCase("a head that drips", "GET /a HTTP/1.1\r\nHost: x\r\nA: ", [408], .closed).with { $0.drips = true },
        WireCase("a head that stops", "GET /a HTTP/1.1\r\nHost: x\r\n", [408], .closed),
        post("a body that drips", "Content-Length: 9999", "", [408], .closed).with { $0.drips = true },
        post("a body that stops", "Content-Length: 9", "abc", [408], .closed),
        chunks("a chunk that drips", "ffff\r\n", [408], .closed).with { $0.drips = true },
        chunks("trailers that drip", "0\r\nA: ", [408], .closed).with { $0.drips = true },
        WireCase("silence after an answer", next, [200], .closed),
    ]
}
