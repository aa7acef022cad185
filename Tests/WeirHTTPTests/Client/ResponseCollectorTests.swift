import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("ResponseCollector")
struct ResponseCollectorTests {
    private func collector(head: Int = 1000, body: Int = 10, isHead: Bool = false) -> ResponseCollector {
        ResponseCollector(maxHeaderBytes: head, maxBodyBytes: body, isHead: isHead)
    }

    private func feed(_ collector: inout ResponseCollector, _ lines: String...) -> Bool {
        lines.allSatisfy { line in Array("\(line)\r\n".utf8).withUnsafeBytes { collector.addHeaderLine($0) } }
    }

    private func body(_ collector: inout ResponseCollector, _ count: Int) -> Bool {
        pattern(count).withUnsafeBytes { collector.addBody($0) }
    }

    @Test("a body may be as long as the limit and not a byte longer")
    func bodyLimit() {
        var answer = collector()
        #expect(feed(&answer, "HTTP/1.1 200 OK", ""))
        #expect(body(&answer, 10))
        #expect(!body(&answer, 1))
        #expect(answer.breach == .bodyTooLarge)
        #expect(answer.body.count == 10)
    }

    @Test(
        "the announced length counts before the first byte has come",
        arguments: ["11", "99999999999999999999", "011"]
    )
    func announced(length: String) {
        var answer = collector()
        #expect(!feed(&answer, "HTTP/1.1 200 OK", "content-LENGTH:  \(length) "))
        #expect(answer.breach == .bodyTooLarge)
    }

    @Test("a length that is none, or of an answer without a body, does not count")
    func notAnnounced() {
        for status in ["204 No Content", "304 Not Modified", "103 Early Hints"] {
            var answer = collector()
            #expect(feed(&answer, "HTTP/1.1 \(status)", "Content-Length: 11"), "\(status)")
        }
        var head = collector(isHead: true)
        #expect(feed(&head, "HTTP/1.1 200 OK", "Content-Length: 11"))
        for length in ["-1", "+11", "1x", "", "0x11", "10"] {
            var answer = collector()
            #expect(feed(&answer, "HTTP/1.1 200 OK", "Content-Length: \(length)"), "\(length)")
        }
    }

    @Test("two lengths that differ are refused, one twice is not, and each head has its own")
    func twoLengths() {
        var different = collector()
        #expect(!feed(&different, "HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n", "Content-Length: 4\r\n"))
        #expect(different.breach == .twoLengths)
        var unreadable = collector()
        #expect(!feed(&unreadable, "HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n", "Content-Length: 3, 4\r\n"))
        var same = collector()
        #expect(feed(&same, "HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n", "Content-Length: 03\r\n", "\r\n"))
        var interim = collector()
        #expect(feed(&interim, "HTTP/1.1 103 Hints\r\n", "Content-Length: 3\r\n", "\r\n"))
        #expect(feed(&interim, "HTTP/1.1 200 OK\r\n", "Content-Length: 4\r\n", "\r\n"))
    }

    @Test("all heads and trailers together count against the head's limit")
    func headLimit() {
        var answer = collector(head: 40)
        #expect(feed(&answer, "HTTP/1.1 100 Continue", ""))
        #expect(answer.breach == nil)
        #expect(!feed(&answer, "HTTP/1.1 200 OK"))
        #expect(answer.breach == .headTooLarge)
        var exact = collector(head: 19)
        #expect(feed(&exact, "HTTP/1.1 200 OK", ""))
        #expect(!feed(&exact, "t:1"))
    }

    @Test(
        "a status line without a proper status is not HTTP",
        arguments: [
            "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 X", "HTTP/1.1 099 X", "HTTP/1.1 600", "HTTP/1.1 abc",
        ]
    )
    func badStatus(line: String) {
        var answer = collector()
        #expect(!feed(&answer, line))
        #expect(answer.breach == .badStatus)
    }

    @Test("interim heads are replaced, trailers ignored")
    func interim() {
        var answer = collector()
        #expect(
            feed(&answer, "HTTP/1.1 103 Early Hints", "A: 1", "", "HTTP/1.1 200", "B: 2", "", "C: 3", "HTTP/1.1 500 No")
        )
        #expect(answer.response == InboundResponse(status: 200, headers: [HTTPHeader("B", "2")]))
    }

    @Test("odd lines of a head do no harm")
    func oddLines() {
        var answer = collector()
        #expect(
            feed(
                &answer,
                "HTTP/1.1 200 OK",
                " folded onto nothing",
                "no colon",
                ": no name",
                "A:",
                "B: \u{e9}:x",
                "\t y"
            )
        )
        #expect(answer.headers == [HTTPHeader("", "no name"), HTTPHeader("A", ""), HTTPHeader("B", "\u{e9}:x y")])
    }

    @Test(
        "encodings that were not asked for are refused",
        arguments: ["zstd", "compress", "gzip, zstd", "utf-8", "gzip,gzip,gzip,gzip,gzip,gzip"]
    )
    func encodings(value: String) {
        var answer = collector()
        #expect(!feed(&answer, "HTTP/1.1 200 OK", "Content-Encoding: \(value)"))
        #expect(answer.breach == .unknownEncoding)
    }
}
