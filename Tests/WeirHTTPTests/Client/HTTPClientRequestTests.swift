import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("HTTPClient: requests", .bothRoads)
struct HTTPClientRequestTests {
    @Test("a GET carries its header fields, and none that nobody asked for")
    func get() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            _ = try await rig.get(
                server.url("/a b?c=[d]"),
                headers: [HTTPHeader("X-Ad", "1"), HTTPHeader("X-None", "")]
            )
        }
        let expected = """
            GET /a%20b?c=[d] HTTP/1.1\r
            Host: 127.0.0.1:\(server.port)\r
            User-Agent: weir\r
            Accept: */*\r
            Accept-Encoding: \(CurlLibrary.acceptedEncodings)\r
            X-Ad: 1\r
            X-None:\r
            \r

            """
        #expect(server.heads == [expected])
        server.stop()
    }

    @Test("the caller's own user agent and host win")
    func overrides() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            _ = try await rig.get(
                server.url(),
                headers: [HTTPHeader("user-agent", "Player/1"), HTTPHeader("Host", "ads.example")]
            )
        }
        let head = try #require(server.heads.first)
        #expect(head.contains("user-agent: Player/1\r\n") && !head.contains("weir"))
        #expect(head.contains("Host: ads.example\r\n") && !head.contains("127.0.0.1"))
        server.stop()
    }

    @Test("a body is sent with its length at once", arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"])
    func body(method: String) async throws {
        let body = pattern(100_000)
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil, let received = connection.readBody(100_000) else { return }
            connection.answer(200, [], received)
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(
                server.url("/bid"),
                method: method,
                headers: [HTTPHeader("Content-Type", "application/json")],
                body: body
            )
            #expect(response.body == body)
        }
        let head = try #require(server.heads.first)
        #expect(head.hasPrefix("\(method) /bid HTTP/1.1\r\n"))
        #expect(head.contains("Content-Length: 100000\r\n") && !head.contains("Expect"))
        #expect(head.contains("Content-Type: application/json\r\n") && !head.contains("form"))
        server.stop()
    }

    @Test("an empty POST says that it is empty")
    func emptyPost() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            _ = try await rig.get(server.url(), method: "POST")
        }
        #expect(server.heads.first?.contains("Content-Length: 0\r\n") == true)
        #expect(server.heads.first?.contains("Content-Type") == false)
        server.stop()
    }

    @Test("a used handle brings nothing along from its last request")
    func clean() async throws {
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                if head.hasPrefix("PUT") { _ = connection.readBody(3) }
                connection.answer(200, ["X-From: \(head.prefix(3))"], head.hasPrefix("HEAD") ? [] : [1])
            }
        }
        try await ClientRig.run { rig in
            _ = try await rig.get(
                server.url("/1"),
                method: "PUT",
                headers: [HTTPHeader("X-Secret", "1")],
                body: [1, 2, 3]
            )
            _ = try await rig.get(server.url("/2"), method: "HEAD", headers: [HTTPHeader("User-Agent", "x")])
            let last = try await rig.get(server.url("/3"))
            #expect(last.headers.count == 2 && last.body == [1])
        }
        let last = try #require(server.heads.last)
        #expect(last.hasPrefix("GET /3 ") && !last.contains("X-Secret") && !last.contains("Content-"))
        #expect(last.contains("User-Agent: weir\r\n"))
        #expect(server.connections.count == 1)
        server.stop()
    }

    @Test("what must not be sent never opens a connection")
    func refusedBeforehand() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            await #expect(throws: TransportError.self) {
                try await rig.get(server.url(), headers: [HTTPHeader("A", "x\r\nB: y")])
            }
            await #expect(throws: TransportError.self) { try await rig.get(server.url(), method: "CONNECT") }
            await #expect(throws: TransportError.self) { try await rig.get("ftp://127.0.0.1:\(server.port)/") }
        }
        #expect(server.connections.isEmpty)
        server.stop()
    }
}
