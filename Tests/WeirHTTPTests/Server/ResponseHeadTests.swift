import Testing

@testable import WeirHTTP

@Suite("ResponseHead")
struct ResponseHeadTests {
    private func head(
        _ response: ServerResponse,
        isHead: Bool = false,
        minorVersion: Int = 1,
        keepsAlive: Bool = true
    ) -> String {
        var bytes: [UInt8] = []
        let framing = ResponseHead.framing(response, isHead: isHead, minorVersion: minorVersion)
        ResponseHead(response: response, framing: framing, keepsAlive: keepsAlive, minorVersion: minorVersion)
            .write(to: &bytes, date: "D")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a plain answer has a date, its headers in order, and its length")
    func plain() {
        let response = ServerResponse(status: 200, headers: [("B", "1"), ("A", "2")], body: .bytes([1, 2, 3]))
        #expect(head(response) == "HTTP/1.1 200 OK\r\nDate: D\r\nB: 1\r\nA: 2\r\nContent-Length: 3\r\n\r\n")
    }

    @Test("no header can break the head apart")
    func injection() {
        let response = ServerResponse(
            status: 200,
            headers: [
                ("Location", "/a\r\nSet-Cookie: evil=1\u{0}\u{7f}"), ("Bad\r\nName", "x"), ("", "y"), ("Sp ace", "z"),
                ("Ok", "tab\tstays"),
            ]
        )
        let text = head(response)
        #expect(text.contains("Location: /a  Set-Cookie: evil=1  \r\n"))
        #expect(text.contains("Ok: tab\tstays\r\n"))
        #expect(!text.contains("Bad"))
        #expect(!text.contains(": y"))
        #expect(!text.contains("Sp ace"))
        #expect(text.utf8.split(separator: 10).count == 6)
    }

    @Test("framing headers of the handler are replaced by the server's")
    func ownHeaders() {
        let response = ServerResponse(
            status: 200,
            headers: [
                ("content-length", "99"), ("Transfer-Encoding", "chunked"), ("connection", "close"), ("DATE", "x"),
            ],
            body: .bytes([65])
        )
        #expect(head(response) == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 1\r\n\r\n")
        #expect(ResponseHead.asksToClose(response))
    }

    @Test("204 has no length, 304 only a declared one, HEAD keeps the length of what it leaves out")
    func lengths() {
        #expect(head(ServerResponse(status: 204)) == "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n")
        #expect(head(ServerResponse(status: 304)) == "HTTP/1.1 304 Not Modified\r\nDate: D\r\n\r\n")
        let declared = [(name: "Content-Length", value: "7")]
        #expect(head(ServerResponse(status: 304, headers: declared)).contains("Content-Length: 7\r\n"))
        #expect(head(ServerResponse(status: 200, headers: declared), isHead: true).contains("Content-Length: 7\r\n"))
        #expect(head(ServerResponse(status: 200, headers: declared)).contains("Content-Length: 0\r\n"))
        #expect(
            head(ServerResponse(status: 200, body: .bytes([1, 2])), isHead: true).contains("Content-Length: 2\r\n")
        )
    }

    @Test("a streaming body is chunked, or ends with the connection for HTTP/1.0, or has its declared length")
    func streams() {
        let response = ServerResponse(status: 200, body: .stream { _ in })
        #expect(head(response).contains("Transfer-Encoding: chunked\r\n"))
        let old = head(response, minorVersion: 0, keepsAlive: false)
        #expect(!old.contains("Transfer-Encoding"))
        #expect(old.contains("Connection: close\r\n"))
        let declared = ServerResponse(status: 200, headers: [("Content-Length", "5")], body: .stream { _ in })
        #expect(head(declared).contains("Content-Length: 5\r\n"))
        #expect(!head(declared).contains("chunked"))
    }

    @Test("HTTP/1.0 clients are told that the connection stays")
    func keepAlive() {
        let text = head(ServerResponse(status: 200), minorVersion: 0)
        #expect(text.contains("Connection: keep-alive\r\n"))
    }

    @Test("a status that is none becomes 500", arguments: [-1, 0, 99, 1000, Int.max])
    func badStatus(status: Int) {
        #expect(head(ServerResponse(status: status)).hasPrefix("HTTP/1.1 500 "))
    }

    @Test("dates have the form of RFC 9110")
    func dates() {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(1_709_164_800) == "Thu, 29 Feb 2024 00:00:00 GMT")
    }
}
