import Testing
import WeirHTTP
import WeirJSON
import WeirModel

@testable import WeirAPI

@Suite("Routing")
struct RoutingTests {
    private let router: Router = Router([
        Router.Route("GET", "/a", .everybody) { _ in ServerResponse(status: 200) },
        Router.Route("POST", "/a", .operators) { _ in ServerResponse(status: 201) },
        Router.Route("GET", "/a/{id}/b", .everybody) { _ in ServerResponse(status: 202) },
    ])

    private func problem(_ method: String, _ path: String) -> Problem? {
        do {
            _ = try router.destination(method: method, path: path)
            return nil
        } catch { return error }
    }

    @Test("a route is found by method and path; HEAD goes where GET goes; segments are decoded")
    func finds() throws {
        #expect(try router.destination(method: "POST", path: "/a").route.audience == .operators)
        #expect(try router.destination(method: "HEAD", path: "/a").route.method == "GET")
        #expect(try router.destination(method: "GET", path: "/a/x%20y/b").segments == ["x y"])
        // In a path a plus is a plus (RFC 3986); only forms mean a blank by it.
        #expect(try router.destination(method: "GET", path: "/a/x+y%2Bz/b").segments == ["x+y+z"])
    }

    @Test("a path that is no route is 404", arguments: ["/", "*", "/b", "/a/", "//a", "/a//b", "/a/x", "/a/x/b/c"])
    func notFound(path: String) {
        #expect(problem("GET", path)?.status == 404)
        #expect(problem("GET", path)?.code == "not_found")
    }

    @Test("another method of a known path is 405 and lists the allowed ones")
    func notAllowed() {
        let problem = problem("DELETE", "/a")
        #expect(problem?.status == 405)
        #expect(problem?.headers == [Problem.Field(name: "Allow", value: "GET, HEAD, POST")])
        #expect(self.problem("POST", "/a/x/b")?.headers.first?.value == "GET, HEAD")
    }

    @Test("two routes of one address name each method once")
    func allowedOnce() async {
        let answer = await House().ask("PUT", "/v1/ssv/keys")
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "GET, HEAD, POST")
    }

    private static let traceID: String = "0af7651916cd43dd8448eb211c80319c"

    @Test("a trace is passed on under a span of Weir's own")
    func trace() throws {
        let header = "00-\(Self.traceID)-b7ad6b7169203331-01"
        let passed = try #require(TraceContext(header)).passedOn()
        #expect(passed.hasPrefix("00-\(Self.traceID)-"))
        #expect(passed.hasSuffix("-01"))
        #expect(passed != header)
        #expect(TraceContext(passed) != nil)
        #expect(TraceContext("01-\(Self.traceID)-b7ad6b7169203331-01-later") != nil)
    }

    @Test(
        "what is no traceparent is ignored",
        arguments: [
            nil, "", "00", "00-\(traceID)-b7ad6b7169203331", "ff-\(traceID)-b7ad6b7169203331-01",
            "00-\(traceID)-b7ad6b7169203331-01-more", "00-\(traceID.uppercased())-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-\(traceID)-0000000000000000-01",
            "00-\(traceID)-b7ad6b7169203331-1",
        ]
    )
    func badTrace(header: String?) {
        #expect(TraceContext(header) == nil)
    }

    @Test(
        "X-Forwarded-For is believed as far as trusted proxies wrote it",
        arguments: [
            ("198.51.100.1", "203.0.113.7", "198.51.100.1"), ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
            ("10.0.0.1", "1.2.3.4, 203.0.113.7 , 10.0.0.2", "203.0.113.7"), ("10.0.0.1", "", "10.0.0.1"),
            ("10.0.0.1", "1.2.3.4, junk, 10.0.0.2", "10.0.0.2"), ("10.0.0.1", "10.0.0.3", "10.0.0.3"),
            ("10.0.0.1", "203.0.113.7:4711", "203.0.113.7"), ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
            ("10.0.0.1", "2001:db8::1", "2001:db8::1"), ("10.0.0.1", "203.0.113.7:x", "10.0.0.1"),
        ]
    )
    func proxies(peer: String, header: String, client: String) throws {
        let proxies = TrustedProxies([try AddressRange("10.0.0.0/8")])
        let request = ServerRequest(
            method: "GET",
            path: "/",
            headers: RequestHeaders([("X-Forwarded-For", header)]),
            peerAddress: peer
        )
        #expect(proxies.clientAddress(of: request) == client)
    }

    @Test("a peer without an address has none")
    func localPeer() {
        #expect(TrustedProxies([]).clientAddress(of: ServerRequest(method: "GET", path: "/")) == nil)
    }

    @Test("a compressed body is refused by the header's name, wherever it is sent")
    func compressed() async throws {
        let house = await House()
        for path in ["/v1/ads", "/v1/sessions", "/v1/events"] {
            let answer = await house.ask("POST", path, headers: [("Content-Encoding", "gzip")], body: "\u{1F}\u{8}")
            #expect(answer.status == 415)
            #expect(try answer.json()["errors"]?[0]?["path"]?.string == "Content-Encoding")
            #expect(answer.header("Accept-Encoding") == "identity")
        }
        let plain = [("Content-Encoding", "identity")]
        #expect(await house.ask("POST", "/v1/ads", headers: plain, body: #"{"placement":"p"}"#).status == 200)
    }
}
