import Testing
import WeirAdapterKit

@testable import WeirHTTP

/// An answer as bytes, and what must be read.
struct ReaderCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var isHead = false
    /// `nil`: the bytes make no answer.
    var status: Int?
    var body: [UInt8] = []
    var fault: ResponseReader.Fault?
    /// Whether the connection's end completes it.
    var needsEnd = false
    var keepsAlive = true
    /// Bytes behind the answer.
    var leftOver = 0

    init(_ description: String, _ text: String, _ change: (inout ReaderCase) -> Void) {
        testDescription = description
        bytes = Array(text.utf8)
        change(&self)
    }
}

@Suite("ResponseReader")
struct ResponseReaderTests {
    /// Reads `bytes` cut into pieces at `cuts`; bytes behind the answer are counted.
    private func read(
        _ test: ReaderCase,
        cuts: [Int],
        with reader: ResponseReader = ResponseReader()
    ) -> (event: ResponseReader.Event, unread: Int) {
        reader.begin(ResponseReader.Rules(maxHeaderBytes: 300, maxBodyBytes: 100, isHead: test.isHead))
        var start = 0
        for end in cuts + [test.bytes.count] where end > start {
            let (consumed, event) = test.bytes[start..<end].withUnsafeBytes { reader.read($0) }
            if event != .needsMore { return (event, test.bytes.count - start - consumed) }
            #expect(consumed == end - start)
            start = end
        }
        return (.needsMore, 0)
    }

    private func check(_ test: ReaderCase, cuts: [Int]) {
        let reader = ResponseReader()
        var (event, unread) = read(test, cuts: cuts, with: reader)
        if let fault = test.fault {
            if event == .needsMore { event = reader.finish() }
            #expect(event == .fault(fault), "cut at \(cuts)")
            #expect(!reader.keepsAlive)
            return
        }
        if test.needsEnd {
            #expect(event == .needsMore, "cut at \(cuts)")
            event = reader.finish()
        }
        #expect(event == .complete, "cut at \(cuts)")
        #expect(reader.keepsAlive == (test.keepsAlive && !test.needsEnd), "cut at \(cuts)")
        #expect(unread == test.leftOver, "cut at \(cuts)")
        let response = reader.takeResponse()
        #expect(response.status == test.status && response.body == test.body, "cut at \(cuts)")
    }

    @Test("answers are the same wherever their bytes are cut", arguments: ReaderCase.answers)
    func answers(test: ReaderCase) {
        check(test, cuts: [])
        for cut in 1..<test.bytes.count { check(test, cuts: [cut]) }
        check(test, cuts: Array(1..<test.bytes.count))
    }

    @Test("what is no answer is none wherever its bytes are cut", arguments: ReaderCase.faults)
    func faults(test: ReaderCase) {
        check(test, cuts: [])
        for cut in 1..<test.bytes.count { check(test, cuts: [cut]) }
        check(test, cuts: Array(1..<test.bytes.count))
    }

    @Test("an answer that breaks off anywhere is incomplete, until its last byte")
    func truncated() {
        for test in ReaderCase.answers where !test.needsEnd {
            for count in 1..<(test.bytes.count - test.leftOver) {
                var short = test
                short.bytes = Array(test.bytes[..<count])
                let reader = ResponseReader()
                let (event, _) = read(short, cuts: [], with: reader)
                #expect(event == .needsMore, "\(test.testDescription), \(count)")
                let end = reader.finish()
                #expect(end == .fault(.nothing) || end == .fault(.partial), "\(test.testDescription), \(count)")
            }
        }
    }

    @Test("a reader keeps nothing of the answer before")
    func reuse() {
        let reader = ResponseReader()
        for test in ReaderCase.answers + ReaderCase.faults + ReaderCase.answers {
            let (event, _) = read(test, cuts: [1], with: reader)
            if test.fault != nil { continue }
            if test.needsEnd { #expect(reader.finish() == .complete) } else { #expect(event == .complete) }
            let response = reader.takeResponse()
            #expect(response.status == test.status && response.body == test.body, "\(test.testDescription)")
            #expect(reader.takeResponse().body.isEmpty)
        }
    }

    @Test("the head's limit counts every byte of every head, and a line without an end")
    func headLimit() {
        func outcome(_ count: Int, tail: String) -> ResponseReader.Event {
            let text = "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: count) + tail
            return read(ReaderCase("", text) { _ in }, cuts: []).event
        }
        #expect(outcome(260, tail: "\r\nContent-Length: 0\r\n\r\n") == .fault(.breach(.headTooLarge)))
        #expect(outcome(257, tail: "\r\nContent-Length: 0\r\n\r\n") == .complete)
        #expect(outcome(280, tail: "") == .needsMore)
        #expect(outcome(300, tail: "") == .fault(.breach(.headTooLarge)))
    }

    @Test("bytes around a body are limited, however they are dealt out")
    func framing() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let trailers = String(repeating: "T: aaaaaaaaaaaaaaa\r\n", count: 20)
        for cuts in [[], Array(1..<head.utf8.count + 390)] {
            let flood = ReaderCase("", head + "1\r\nx\r\n0\r\n" + trailers) { _ in }
            #expect(read(flood, cuts: cuts).event == .fault(.breach(.headTooLarge)))
            let note = ReaderCase("", head + "1;" + String(repeating: "e", count: 1000)) { _ in }
            #expect(read(note, cuts: cuts).event == .fault(.breach(.headTooLarge)))
        }
        let small = ReaderCase("", head + String(repeating: "1\r\nx\r\n", count: 100) + "0\r\n\r\n") { _ in }
        #expect(read(small, cuts: []).event == .complete)
    }
}

extension ReaderCase {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func answer(
        _ description: String,
        _ text: String,
        _ status: Int = 200,
        _ body: String = "abc",
        change: (inout ReaderCase) -> Void = { _ in }
    ) -> ReaderCase {
        ReaderCase(description, text) { test in
            test.status = status
            test.body = Array(body.utf8)
            change(&test)
        }
    }

    static let answers: [ReaderCase] = [
        answer("a length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
        answer("no reason", "HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc"),
        answer("an empty reason", "HTTP/1.1 404 \r\nContent-Length: 3\r\n\r\nabc", 404),
        answer("an odd reason", "HTTP/1.1 200 \u{1}\u{e9}\r\nContent-Length: 3\r\n\r\nabc"),
        answer("no body", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, ""),
        answer("the same length twice", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 03\r\n\r\nabc"),
        answer("chunks", chunkedHead + "1\r\na\r\n2;x=\"y\"\r\nbc\r\n0\r\n\r\n"),
        answer("chunks and trailers", chunkedHead + "3\r\nabc\r\n000\r\nContent-Length: 9\r\nX: y\r\n\r\n"),
        answer("any case", "HTTP/1.1 200 OK\r\ntransfer-ENCODING:CHUNKED\t \r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        answer("lines that end in LF alone", "HTTP/1.1 200 OK\nContent-Length: 3\n\nabc"),
        answer("a folded field", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 3\r\n\r\nabc"),
        answer("odd fields", "HTTP/1.1 200 OK\r\n: no name\r\nX Y : \u{1}\r\nContent-Length: 3\r\n\r\nabc"),
        answer("identity", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc"),
        answer("a later version", "HTTP/1.2 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
        answer(
            "interim answers",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
        ),
        answer("HTTP/1.0 kept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc"),
        answer("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc") { $0.keepsAlive = false },
        answer("close", "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 3\r\n\r\nabc") {
            $0.keepsAlive = false
        },
        answer(
            "a length and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        ) { $0.keepsAlive = false },
        answer(
            "chunks and a length",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        ) { $0.keepsAlive = false },
        answer("until the end", "HTTP/1.1 200 OK\r\n\r\nabc") { $0.needsEnd = true },
        answer("nothing until the end", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n", 200, "") {
            $0.needsEnd = true
        },
        answer("204", "HTTP/1.1 204 None\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 204, "") {
            $0.keepsAlive = false
        },
        answer("304", "HTTP/1.1 304 None\r\nContent-Length: 999\r\n\r\n", 304, ""),
        answer("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n", 200, "") { $0.isHead = true },
        answer("HEAD of chunks", chunkedHead, 200, "") { $0.isHead = true },
        answer("another answer behind it", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 500 No\r\n\r\n") {
            $0.leftOver = 19
        },
        answer("bytes behind chunks", chunkedHead + "3\r\nabc\r\n0\r\n\r\nxyz") { $0.leftOver = 3 },
        answer("bytes behind no body", "HTTP/1.1 204 None\r\n\r\nabc", 204, "") { $0.leftOver = 3 },
        ReaderCase("gzip", "") { test in
            let coded = Encodings.gzip(Array("abc".utf8))
            test.bytes =
                Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n".utf8)
                + coded
            (test.status, test.body) = (200, Array("abc".utf8))
        },
        ReaderCase("gzip over deflate, in chunks", "") { test in
            let coded = Encodings.gzip(Encodings.deflate(Array("abc".utf8)))
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Encoding: x-gzip\r\n"
            test.bytes = Array("\(head)Transfer-Encoding: chunked\r\n\r\n\(String(coded.count, radix: 16))\r\n".utf8)
            test.bytes += coded + Array("\r\n0\r\n\r\n".utf8)
            (test.status, test.body) = (200, Array("abc".utf8))
        },
        ReaderCase("no bytes of gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n") {
            $0.status = 200
        },
    ]

    private static func fault(_ fault: ResponseReader.Fault, _ text: String) -> ReaderCase {
        ReaderCase(text.filter { $0 != "\r\n" }, text) { $0.fault = fault }
    }

    static let faults: [ReaderCase] = [
        fault(.notHTTP, "<VAST/>"), fault(.notHTTP, "SSH-2.0-OpenSSH\r\n\r\n"), fault(.notHTTP, "\r\nHTTP/1.1 200 OK"),
        fault(.notHTTP, "HTTP/2 200\r\n\r\n"), fault(.notHTTP, "HTTP/2.0 200 OK\r\n\r\n"),
        fault(.notHTTP, "http/1.1 200 OK\r\n\r\n"), fault(.breach(.badStatus), "HTTP/1.1\t200 OK\r\n\r\n"),
        fault(.breach(.badStatus), "HTTP/1.1 999 Odd\r\n"), fault(.breach(.badStatus), "HTTP/1.1 101 Switch\r\n"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 3\r\n\r\nabc"),
        fault(.notHTTP, "HTTP/1.1 103 Hints\r\nno colon\r\n\r\nHTTP/1.1 200 OK\r\n"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nabc"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\nabc"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nabc"),
        fault(.notHTTP, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n 4\r\n\r\nabc"),
        fault(.breach(.twoLengths), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"),
        fault(.breach(.bodyTooLarge), "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n"),
        fault(.breach(.unknownEncoding), "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n"),
        fault(
            .breach(.unknownEncoding),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"
        ),
        fault(.breach(.unknownEncoding), "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n"),
        fault(.breach(.unknownEncoding), "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n"),
        fault(.breach(.unknownEncoding), "HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip,gzip,gzip,gzip\r\n"),
        fault(.badEncoding, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\nplain text"),
        fault(.notHTTP, chunkedHead + "xyz\r\n"), fault(.notHTTP, chunkedHead + "-1\r\n"),
        fault(.notHTTP, chunkedHead + "3\nabc\n0\n\n"), fault(.notHTTP, chunkedHead + "3\r\nabcd\r\n"),
        fault(.notHTTP, chunkedHead + "FFFFFFFFFFFFFFFFF\r\n"),
        fault(.breach(.bodyTooLarge), chunkedHead + "65\r\n" + String(repeating: "x", count: 101)),
        fault(.nothing, "HTTP/1.1 2"), fault(.nothing, "HTTP/1.1 200 OK\r\nA: b"),
        fault(.nothing, "HTTP/1.1 103 Hints\r\n\r\n"),
        fault(.partial, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"),
        fault(.partial, chunkedHead + "3\r\nabc\r\n"),
        fault(.partial, chunkedHead + "3\r\nabc\r\n0\r\n"),
    ]
}
