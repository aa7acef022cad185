import Testing

@testable import WeirHTTP

/// What a reader makes of raw bytes: one word for each event.
///
/// `step` bytes come at a time; what the reader does not take is shown again, as a connection does.
private func outcome(
    _ raw: String,
    step: Int = .max,
    configuration: ServerConfiguration = ServerConfiguration()
) -> [String] {
    let reader = RequestReader(configuration: configuration, peerAddress: "192.0.2.1")
    var kept: [UInt8] = []
    var rest = ArraySlice(raw.utf8.map { $0 })
    var words: [String] = []
    while true {
        var moved = false
        let (consumed, event) = kept.withUnsafeBytes { reader.read($0) }
        kept.removeFirst(consumed)
        switch event {
        case .needsMore: moved = consumed > 0
        case .continueWanted:
            words.append("continue")
            moved = true
        case .request(let request):
            words.append(describe(request, keepsAlive: reader.keepsAlive))
            reader.reset()
            moved = true
        case .fault(let fault): return words + ["\(fault.status) \(fault.code)"]
        }
        if moved { continue }
        if rest.isEmpty { return words }
        kept += rest.prefix(step)
        rest = rest.dropFirst(step)
    }
}

private func describe(_ request: ServerRequest, keepsAlive: Bool) -> String {
    var text = "\(request.method) \(request.path)"
    if let query = request.query { text += " ?\(query)" }
    if !request.body.isEmpty { text += " [\(String(decoding: request.body, as: UTF8.self))]" }
    return keepsAlive ? text : text + " close"
}

private struct Sample: CustomTestStringConvertible {
    let name: String
    let raw: String
    let expected: [String]

    var testDescription: String { name }

    init(_ name: String, _ raw: String, _ expected: String...) {
        self.name = name
        self.raw = raw
        self.expected = expected
    }
}

private let good = [
    Sample("plain GET", "GET /a/b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a/b"),
    Sample("query, as sent", "GET /a?b=%20&c=? HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a ?b=%20&c=?"),
    Sample("empty query", "GET /a? HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a ?"),
    Sample("empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /"),
    Sample("length body", "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", "POST /p [hello]"),
    Sample("no body", "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "POST /p"),
    Sample("leading zeros", "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 0003\r\n\r\nabc", "POST /p [abc]"),
    Sample(
        "chunks",
        "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;ext=1\r\n0123456789\r\n0\r\n\r\n",
        "POST /p [abc0123456789]"
    ),
    Sample(
        "chunks with trailers, dropped",
        "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\nz\r\n0\r\nT: u\r\nV: w\r\n\r\n",
        "POST /p [z]"
    ),
    Sample(
        "no chunks",
        "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /p"
    ),
    Sample(
        "three in a row",
        "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok"
            + "POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nGET /4 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /1",
        "POST /2 [ok]",
        "POST /3 [hi]",
        "GET /4"
    ),
    Sample("close asked for", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET / close"),
    Sample("HTTP/1.0 closes", "GET / HTTP/1.0\r\n\r\n", "GET / close"),
    Sample("HTTP/1.0 stays when asked", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET /"),
    Sample("HTTP/1.2 is read as 1.1", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", "GET /"),
    Sample("HTTP/1.9 is read as 1.1", "GET / HTTP/1.9\r\nHost: x\r\n\r\n", "GET /"),
    Sample("absolute form", "GET http://x.example:80/a?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a ?b"),
    Sample("absolute form without a path", "GET http://x.example HTTP/1.1\r\nHost: x\r\n\r\n", "GET /"),
    Sample("absolute form with a bare query", "GET http://x?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET / ?b"),
    Sample("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS *"),
    Sample("HEAD", "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", "HEAD /"),
    Sample("upgrade is ignored", "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n", "GET /"),
    Sample(
        "upgrade with a body is ignored",
        "POST / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nok",
        "POST / [ok]"
    ),
    Sample("IPv6 host with a port", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET /"),
    Sample("space around values", "GET / HTTP/1.1\r\nHost:  \t x \t \r\n\r\n", "GET /"),
    Sample("empty header value", "GET / HTTP/1.1\r\nHost: x\r\nA:\r\n\r\n", "GET /"),
    Sample(
        "100-continue",
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nok",
        "POST / [ok]"
    ),
]

private let bad = [
    Sample("length and coding", post("Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), "400 bad_length"),
    Sample("coding and length", post("Transfer-Encoding: chunked\r\nContent-Length: 3", "0\r\n\r\n"), "400 bad_length"),
    Sample("two lengths", post("Content-Length: 3\r\nContent-Length: 4", "abcd"), "400 bad_length"),
    Sample("the same length twice", post("Content-Length: 3\r\nContent-Length: 3", "abc"), "400 bad_length"),
    Sample("length list", post("Content-Length: 3, 3", "abc"), "400 bad_length"),
    Sample("signed length", post("Content-Length: +3", "abc"), "400 bad_length"),
    Sample("negative length", post("Content-Length: -3", "abc"), "400 bad_length"),
    Sample("hexadecimal length", post("Content-Length: 0x3", "abc"), "400 bad_length"),
    Sample("empty length", post("Content-Length:", "abc"), "400 bad_length"),
    Sample("length beyond 64 bits", post("Content-Length: 99999999999999999999999", "abc"), "413 body_too_large"),
    Sample("length over the limit", post("Content-Length: 1048577", ""), "413 body_too_large"),
    Sample("xchunked", post("Transfer-Encoding: xchunked", "0\r\n\r\n"), "501 unknown_transfer_coding"),
    Sample("gzip, chunked", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), "501 unknown_transfer_coding"),
    Sample("chunked, chunked", post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n"), "400 bad_length"),
    Sample(
        "coding twice",
        post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        "400 bad_length"
    ),
    Sample("chunked, identity", post("Transfer-Encoding: chunked, identity", "0\r\n\r\n"), "400 bad_length"),
    Sample("identity", post("Transfer-Encoding: identity", "0\r\n\r\n"), "501 unknown_transfer_coding"),
    Sample("empty coding", post("Transfer-Encoding:", "0\r\n\r\n"), "400 bad_length"),
    Sample("coding behind a tab", post("Transfer-Encoding:\tchunked\u{b}", "0\r\n\r\n"), "400 bad_header"),
    Sample("coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 bad_length"),
    Sample("bad chunk size", chunked("zz\r\nabc\r\n0\r\n\r\n"), "400 bad_chunk"),
    Sample("negative chunk size", chunked("-1\r\nabc\r\n0\r\n\r\n"), "400 bad_chunk"),
    Sample("hexadecimal prefix in a chunk size", chunked("0x3\r\nabc\r\n0\r\n\r\n"), "400 bad_chunk"),
    Sample("chunk longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n"), "400 bad_chunk"),
    Sample("LF after a chunk size", chunked("3\nabc\r\n0\r\n\r\n"), "400 bad_chunk"),
    Sample("LF after a chunk", chunked("3\r\nabc\n0\r\n\r\n"), "400 bad_chunk"),
    Sample("LF after the last chunk", chunked("3\r\nabc\r\n0\n\r\n"), "400 bad_chunk"),
    Sample("LF after the trailers", chunked("0\r\n\n"), "400 bad_chunk"),
    Sample("folded trailer", chunked("0\r\nA: b\r\n c\r\n\r\n"), "400 bad_chunk"),
    Sample("chunk size beyond 64 bits", chunked("fffffffffffffffff\r\n"), "400 bad_chunk"),
    Sample("chunk over the limit", chunked("100001\r\n"), "413 body_too_large"),
    Sample("no Host", "GET / HTTP/1.1\r\nA: b\r\n\r\n", "400 bad_host"),
    Sample("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400 bad_host"),
    Sample("empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "400 bad_host"),
    Sample("Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 bad_host"),
    Sample("Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", "400 bad_host"),
    Sample("Host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400 bad_host"),
    Sample("Host list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", "400 bad_host"),
    Sample("Host with a bad port", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", "400 bad_host"),
    Sample("Host with a large port", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n", "400 bad_host"),
    Sample("Host with two ports", "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n", "400 bad_host"),
    Sample("Host with an open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", "400 bad_host"),
    Sample("Host with high bytes", "GET / HTTP/1.1\r\nHost: ä\r\n\r\n", "400 bad_host"),
    Sample("folded header", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", "400 bad_header"),
    Sample("folded first header", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", "400 bad_header"),
    Sample("space before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "400 bad_header"),
    Sample("empty header name", "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", "400 bad_header"),
    Sample("header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nAbc\r\n\r\n", "400 bad_header"),
    Sample("header name with a space", "GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", "400 bad_header"),
    Sample("NUL in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: b\u{0}c\r\n\r\n", "400 bad_header"),
    Sample("NUL in a name", "GET / HTTP/1.1\r\nHost: x\r\nA\u{0}: c\r\n\r\n", "400 bad_header"),
    Sample("control character in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: \u{1b}[31m\r\n\r\n", "400 bad_header"),
    Sample("bare CR in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n", "400 bad_header"),
    Sample("bare LF after a header", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", "400 bad_header"),
    Sample("bare LF at the end", "GET / HTTP/1.1\r\nHost: x\r\n\n", "400 bad_header"),
    Sample("LF only", "GET / HTTP/1.1\nHost: x\n\n", "400 bad_request_line"),
    Sample("no version", "GET /\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("two spaces", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("two spaces before the version", "GET /  HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("space in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("leading space", " GET / HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("tabs for spaces", "GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("trailing space", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("NUL in the target", "GET /\u{0} HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("lower-case protocol", "GET / http/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("three-digit version", "GET / HTTP/1.10\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("TLS greeting", "\u{16}\u{3}\u{1}\u{2}\u{0}", "400 bad_request_line"),
    Sample("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 unknown_version"),
    Sample("HTTP/0.9 by name", "GET / HTTP/0.9\r\n\r\n", "505 unknown_version"),
    Sample("HTTP/3.0", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", "505 unknown_version"),
    Sample("RTSP", "DESCRIBE / RTSP/1.0\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("RTSP's method", "SETUP / HTTP/1.1\r\nHost: x\r\n\r\n", "501 unknown_method"),
    Sample("lower-case method", "get / HTTP/1.1\r\nHost: x\r\n\r\n", "501 unknown_method"),
    Sample("made-up method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", "501 unknown_method"),
    Sample("method that is no token", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_request_line"),
    Sample("CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n", "501 unknown_method"),
    Sample("fragment", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("high bytes in the target", "GET /ä HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("no slash", "GET a HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("asterisk for GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("another scheme", "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("absolute form without a host", "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("absolute form with a user", "GET http://u@x/a HTTP/1.1\r\nHost: x\r\n\r\n", "400 bad_target"),
    Sample("unknown expectation", post("Expect: 200-ok\r\nContent-Length: 3", "abc"), "417 unknown_expectation"),
]

private func post(_ headers: String, _ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n\(body)"
}

private func chunked(_ body: String) -> String {
    post("Transfer-Encoding: chunked", body)
}

@Suite("RequestReader")
struct RequestReaderTests {
    @Test("a well-formed request is read, whole or in pieces", arguments: good)
    private func reads(sample: Sample) {
        for step in [Int.max, 1, 2, 3, 7] {
            let words = outcome(sample.raw, step: step).filter { $0 != "continue" }
            #expect(words == sample.expected, "\(step) bytes at a time")
        }
    }

    @Test("a client that expects it is told to go on, unless its body is there already or refused")
    func expectContinue() {
        let raw = post("Expect: 100-continue\r\nContent-Length: 2", "ok")
        #expect(outcome(raw, step: 1) == ["continue", "POST / [ok]"])
        #expect(outcome(raw) == ["POST / [ok]"])
        let chunks = post("Expect: 100-continue\r\nTransfer-Encoding: chunked", "2\r\nok\r\n0\r\n\r\n")
        #expect(outcome(chunks, step: 1) == ["continue", "POST / [ok]"])
        #expect(outcome(post("Expect: 100-continue\r\nContent-Length: 9999999", "")) == ["413 body_too_large"])
        #expect(outcome(post("Expect: 100-continue", "")) == ["POST /"])
        #expect(
            outcome("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok", step: 1) == [
                "POST / [ok] close"
            ]
        )
    }

    @Test("a malformed request is refused, whole or in pieces", arguments: bad)
    private func refuses(sample: Sample) {
        for step in [Int.max, 1, 2, 3, 7] {
            #expect(outcome(sample.raw, step: step) == sample.expected, "\(step) bytes at a time")
        }
    }

    @Test("nothing is read behind a refused request")
    func nothingBehindRefusal() {
        let reader = RequestReader(configuration: ServerConfiguration(), peerAddress: "")
        let raw = Array("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        let (consumed, _) = raw.withUnsafeBytes { reader.read($0) }
        #expect(consumed == raw.count)
        #expect(!reader.keepsAlive)
    }

    @Test("headers are found in any case, repeated ones are all there, in order")
    func headers() throws {
        let reader = RequestReader(configuration: ServerConfiguration(), peerAddress: "192.0.2.1")
        let raw = Array("GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a:  2 \r\nUtf: \u{e9}\r\n\r\n".utf8)
        let (_, event) = raw.withUnsafeBytes { reader.read($0) }
        guard case .request(let request) = event else {
            Issue.record("no request")
            return
        }
        #expect(request.header("x-A") == "1")
        #expect(request.headers.values("X-a") == ["1", "2"])
        #expect(request.header("utf") == "é")
        #expect(request.header("missing") == nil)
        #expect(request.headers.pairs.map(\.name) == ["Host", "X-A", "x-a", "Utf"])
        #expect(request.peerAddress == "192.0.2.1")
    }

    @Test("heads up to the limit are read, larger ones are refused, complete or not", arguments: [1, 1000, Int.max])
    func headLimit(step: Int) {
        var configuration = ServerConfiguration()
        configuration.maxHeadBytes = 200
        let frame = "GET / HTTP/1.1\r\nHost: x\r\nA: \r\n\r\n".utf8.count
        func head(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "a", count: count - frame) + "\r\n\r\n"
        }
        #expect(outcome(head(200), step: step, configuration: configuration) == ["GET /"])
        #expect(outcome(head(201), step: step, configuration: configuration) == ["431 head_too_large"])
        #expect(
            outcome(String(head(900).dropLast(4)), step: step, configuration: configuration) == ["431 head_too_large"]
        )
        let line = "GET /" + String(repeating: "a", count: 300)
        #expect(outcome(line, step: step, configuration: configuration) == ["414 target_too_long"])
    }

    @Test("a hundred header lines are read, one more is refused")
    func headerCount() {
        func head(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: b\r\n", count: count - 1) + "\r\n"
        }
        #expect(outcome(head(100)) == ["GET /"])
        #expect(outcome(head(101)) == ["431 head_too_large"])
    }

    @Test("a body up to the limit is read, one byte more is refused, in every framing")
    func bodyLimit() {
        var configuration = ServerConfiguration()
        configuration.maxBodyBytes = 4
        #expect(outcome(post("Content-Length: 4", "abcd"), configuration: configuration) == ["POST / [abcd]"])
        #expect(outcome(post("Content-Length: 5", "abcde"), configuration: configuration) == ["413 body_too_large"])
        for step in [1, 2, Int.max] {
            let fits = chunked("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n")
            #expect(outcome(fits, step: step, configuration: configuration) == ["POST / [abcd]"])
            let large = chunked("2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n")
            #expect(outcome(large, step: step, configuration: configuration) == ["413 body_too_large"])
        }
    }

    @Test("a flood of tiny chunks, long extensions or long trailers is refused")
    func chunkOverhead() {
        let extension_ = "1;" + String(repeating: "e", count: 200_000) + "\r\na\r\n0\r\n\r\n"
        #expect(outcome(chunked(extension_), step: 4096) == ["400 bad_chunk"])
        let trailers = "0\r\n" + String(repeating: "A: b\r\n", count: 5000) + "\r\n"
        #expect(outcome(chunked(trailers), step: 4096) == ["431 head_too_large"])
    }

    @Test("random damage to a request never traps the reader")
    func damage() {
        let seeds = (good + bad).map { Array($0.raw.utf8) }
        for seed in seeds {
            for _ in 0..<50 {
                var bytes = seed
                for _ in 0..<Int.random(in: 1...4) where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices)] = UInt8.random(
                        in: 0...255
                    )
                }
                let reader = RequestReader(configuration: ServerConfiguration(), peerAddress: "")
                let consumed = bytes.withUnsafeBytes { reader.read($0).consumed }
                #expect((0...bytes.count).contains(consumed))
            }
        }
    }
}
