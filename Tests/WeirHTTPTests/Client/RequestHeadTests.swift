import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("RequestHead")
struct RequestHeadTests {
    private func head(_ method: String = "GET", _ headers: [HTTPHeader] = [], body: Int = 0) throws -> RequestHead {
        let request = OutboundRequest(
            method: method,
            url: "http://user:secret@ads.example/path?q",
            headers: headers,
            body: pattern(body)
        )
        return try RequestHead(request, policy: OutboundPolicy())
    }

    @Test(
        "methods other than the known are refused",
        arguments: ["", "get", "CONNECT", "TRACE", "GET /x HTTP/1.1\r\n", "G T"]
    )
    func methods(method: String) {
        let error = #expect(throws: TransportError.self) { try head(method) }
        #expect(error?.kind == .addressRefused)
    }

    @Test(
        "names and values that could break out of their line are refused",
        arguments: [
            ("", "x"), ("A B", "x"), ("A:", "x"), ("A\r\nB", "x"), ("A\u{0}", "x"), ("Ä", "x"), ("A", "x\r\nB: y"),
            ("A", "x\n"), ("A", "x\u{0}"), ("A", "x\u{7f}"), ("A", "\u{1}"), (String(repeating: "a", count: 257), "x"),
        ]
    )
    func breakouts(name: String, value: String) {
        let error = #expect(throws: TransportError.self) { try head("GET", [HTTPHeader(name, value)]) }
        #expect(error?.kind == .addressRefused)
        #expect(error?.message.hasPrefix("ads.example:80: ") == true)
        #expect(error?.message.contains { $0.isNewline } == false)
    }

    @Test(
        "framing is the transport's own",
        arguments: ["Content-Length", "transfer-encoding", "CONNECTION", "Expect", "Upgrade", "TE", "Trailer"]
    )
    func framing(name: String) {
        let error = #expect(throws: TransportError.self) { try head("POST", [HTTPHeader(name, "1")]) }
        #expect(error?.message == "ads.example:80: the header field \(name) is the transport's own.")
    }

    /// What stands above the caller's lines.
    private static let own = ["Expect:", "Accept-Encoding: gzip, deflate"]

    @Test("tabs, blanks, UTF-8 and empty values are sent")
    func values() throws {
        let fields = [HTTPHeader("A", "x\ty"), HTTPHeader("B", "é"), HTTPHeader("C", ""), HTTPHeader("D", "  ")]
        #expect(try head("GET", fields).lines == Self.own + ["A: x\ty", "B: é", "C;", "D;", "Content-Type:"])
    }

    @Test("a content type of the caller's own is kept")
    func contentType() throws {
        let lines = try head("POST", [HTTPHeader("content-type", "application/json")], body: 2).lines
        #expect(lines == Self.own + ["content-type: application/json"])
    }

    @Test("head and body of a request have limits")
    func limits() throws {
        let most = OutboundPolicy().maxRequestBytes
        #expect(try head("POST", body: most).body.count == most)
        let body = #expect(throws: TransportError.self) { try head("POST", body: most + 1) }
        #expect(body?.kind == .tooLarge)
        let fields = Array(repeating: HTTPHeader("A", String(repeating: "x", count: 1019)), count: 32)
        #expect(try head("GET", fields).lines.count == 35)
        let over = #expect(throws: TransportError.self) { try head("GET", fields + [HTTPHeader("B", "")]) }
        #expect(over?.kind == .tooLarge)
    }
}
