import Testing
import WeirAdapterKit
import WeirTime

@testable import WeirHTTP

@Suite("Requests on both roads")
struct RequestBytesTests {
    private static let fields = [
        [], [HTTPHeader("X-Ad", "1"), HTTPHeader("X-Empty", "")], [HTTPHeader("host", "ads.example")],
        [HTTPHeader("USER-AGENT", "Player/1"), HTTPHeader("Accept", "application/json")],
        [HTTPHeader("Accept-Encoding", "identity"), HTTPHeader("Content-Type", "text/xml")],
        [HTTPHeader("User-Agent", ""), HTTPHeader("Cookie", "a=b; c=d"), HTTPHeader("Cookie", "e=f")],
    ]

    @Test("both send the same fields with the same values", arguments: ["GET", "HEAD", "POST", "PUT", "DELETE"])
    func same(method: String) async throws {
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                if head.contains("Content-Length: 3\r\n") { _ = connection.readBody(3) }
                connection.answer()
            }
        }
        for road in ClientRoad.allCases {
            try await ClientRig.$road.withValue(road) {
                try await ClientRig.run { rig in
                    for fields in Self.fields {
                        for body in [[], [1, 2, 3]] as [[UInt8]] {
                            if method == "HEAD" && !body.isEmpty { continue }
                            _ = try await rig.get(server.url("/a?b=c#d"), method: method, headers: fields, body: body)
                        }
                    }
                }
            }
        }
        let heads = server.connections.map(\.heads)
        #expect(heads.count == 2)
        let (ours, theirs) = (try #require(heads.first), try #require(heads.last))
        #expect(ours.count == theirs.count)
        for (our, their) in zip(ours, theirs) {
            // The order of fields means nothing (RFC 9110 5.3), but among those of one name.
            #expect(our.split(separator: "\r\n").first == their.split(separator: "\r\n").first)
            #expect(our.split(separator: "\r\n").sorted() == their.split(separator: "\r\n").sorted())
        }
        server.stop()
    }

    @Test("a URL that must be rewritten is rewritten", .bothRoads)
    func rewritten() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run(allow: ["127.0.0.0/8"]) { rig in
            _ = try await rig.get(server.url("/a/../b/./c?d=/../e"))
            _ = try await rig.get(server.url("?x", host: "user:pass@127.0.0.1"))
            _ = try await rig.get(server.url(host: "0x7f.1"))
        }
        let heads = server.heads
        #expect(heads.count == 3)
        #expect(heads.first?.hasPrefix("GET /b/c?d=/../e HTTP/1.1\r\n") == true)
        #expect(heads.contains { $0.hasPrefix("GET /?x ") && $0.contains("Authorization: Basic dXNlcjpwYXNz\r\n") })
        #expect(heads.allSatisfy { $0.contains("\r\nHost: 127.0.0.1:\(server.port)\r\n") })
        server.stop()
    }

    @Test(
        "what is sent as it stands, and what libcurl must look at first",
        arguments: [
            ("http://ads.example/a?b=/../c", true), ("https://ads.example:8443", true), ("http://127.0.0.1/", true),
            ("http://[::1]:80/", true), ("http://a_b-c.example?q", true), ("http://ads.example/a.b/c..", true),
            ("http://ads.example#/.x", true), ("http://user@ads.example/", false), ("http://@ads.example/", false),
            ("http://ads.example/../a", false), ("http://ads.example/a/.", false), ("http://ads.example/.b", false),
            ("http://127.1/", false), ("http://0x7f.1/", false), ("http://2130706433/", false),
            ("http://0177.0.0.1/", false), ("http://127.0.0.1./", false), ("http://localhost./", false),
            ("http://[::0001]/", false), ("http://[fe80::1%25eth0]/", false), ("http://[::ffff:127.0.0.1]/", true),
            ("http://%31.example/", false), ("http://é.example/", false), ("http://.example/", false),
            ("http://a.1x/", false), ("http://[127.0.0.1]/", false), ("http://a,b/", false),
        ]
    )
    func plain(text: String, isPlain: Bool) throws {
        #expect(try OutboundURL(text).isPlain == isPlain)
    }

    @Test(
        "target and host of a request",
        arguments: [
            ("http://Ads.Example:80", "/", "Ads.Example"), ("https://a:443/x#y", "/x", "a"),
            ("http://a:443?q#", "/?q", "a:443"), ("http://[::1]:81/é b", "/%C3%A9%20b", "[::1]:81"),
            ("https://a/?#?", "/?", "a"),
        ]
    )
    func target(text: String, target: String, host: String) throws {
        let url = try OutboundURL(text)
        #expect(url.target == target)
        #expect(url.hostField == host)
    }
}
