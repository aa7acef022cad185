import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("HTTPClient: failures", .bothRoads)
struct HTTPClientFailureTests {
    private func failure(
        change: (inout OutboundPolicy) -> Void = { _ in },
        _ script: @escaping @Sendable (ScriptedServer.Connection) -> Void
    ) async throws -> TransportError {
        let server = ScriptedServer(script)
        defer { server.stop() }
        let found = Found()
        try await ClientRig.run(change: change) { rig in
            found.error = try await rig.failure(server.url("/secret?secret"))
        }
        let error = try #require(found.error)
        #expect(error.message.hasPrefix("127.0.0.1:\(server.port)"))
        #expect(!error.message.contains("secret"))
        return error
    }

    /// Written on the loop before the test goes on, read afterwards.
    private final class Found: @unchecked Sendable {
        var error: TransportError?
    }

    @Test("a port where nobody listens refuses the connection")
    func refused() async throws {
        let port = ScriptedServer.closedPort()
        try await ClientRig.run { rig in
            let error = try await rig.failure("http://127.0.0.1:\(port)/")
            #expect(error == TransportError(.connectionRefused, "127.0.0.1:\(port): connection refused."))
        }
    }

    @Test("a name that does not exist is a failure of DNS")
    func dns() async throws {
        try await ClientRig.run { rig in
            // RFC 6761 6.4: invalid never exists. A resolver that does not answer at all is a time-out.
            let error = try await rig.failure("http://ads.invalid/", within: .seconds(10))
            #expect([.dns, .timeout].contains(error.kind), "\(error)")
            if error.kind == .dns { #expect(error.message == "ads.invalid: the name could not be resolved.") }
        }
    }

    @Test("a server that does not speak TLS is a failure of TLS")
    func tls() async throws {
        let server = ScriptedServer { connection in
            connection.pause(1)
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.readToEnd()
        }
        try await ClientRig.run { rig in
            let error = try await rig.failure("https://127.0.0.1:\(server.port)/")
            #expect(error.kind == .tls)
            #expect(error.message.hasPrefix("127.0.0.1:\(server.port): TLS failed"))
        }
        server.stop()
    }

    @Test("trust that cannot be read is a failure of TLS")
    func caFile() async throws {
        let server = ScriptedServer { connection in connection.readToEnd() }
        try await ClientRig.run(change: { $0.caFile = "/nowhere/ca.pem" }) { rig in
            let error = try await rig.failure("https://127.0.0.1:\(server.port)/")
            #expect(error.kind == .tls)
        }
        server.stop()
    }

    @Test("a body of exactly the limit passes, one byte more is cut")
    func bodyLimit() async throws {
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                let count = head.contains("/over") ? 1001 : 1000
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                connection.write(
                    Array("\(String(count, radix: 16))\r\n".utf8) + pattern(count) + Array("\r\n0\r\n\r\n".utf8)
                )
            }
        }
        try await ClientRig.run(change: { $0.maxBodyBytes = 1000 }) { rig in
            let response = try await rig.get(server.url("/exact"))
            #expect(response.body == pattern(1000))
            let error = try await rig.failure(server.url("/over"))
            #expect(error.kind == .tooLarge)
            #expect(error.message == "127.0.0.1:\(server.port): the answer's body is larger than 1000 bytes.")
        }
        server.stop()
    }

    @Test("a length over the limit ends the request before the body has come")
    func announced() async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n")
            connection.readToEnd()
        }
        #expect(error.kind == .tooLarge)
    }

    @Test("a bomb is cut when it has unfolded to the limit")
    func bomb() async throws {
        let bomb = Encodings.gzipBomb(64 << 20)
        // The length that is announced would pass.
        #expect(bomb.count < 1 << 20)
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.answer(200, ["Content-Encoding: gzip"], bomb)
            connection.readToEnd()
        }
        #expect(error.kind == .tooLarge)
        #expect(error.message.hasSuffix(": the answer's body is larger than 1048576 bytes."))
    }

    @Test("a flood of header fields is cut", arguments: [10, 1000, 200_000])
    func headerFlood(length: Int) async throws {
        let line = "X-Flood: \(String(repeating: "x", count: length))\r\n"
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write(line) {}
        }
        #expect(error.kind == .tooLarge)
        #expect(error.message.hasSuffix(": the answer's head is larger than 65536 bytes."))
    }

    @Test("a flood of interim answers is cut")
    func interimFlood() async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            while connection.write("HTTP/1.1 102 Processing\r\n\r\n") {}
        }
        #expect(error.kind == .tooLarge)
    }

    @Test("a flood of trailers is cut")
    func trailerFlood() async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n")
            while connection.write("X-Flood: xxxxxxxxxxxxxxxx\r\n") {}
        }
        #expect(error.kind == .tooLarge)
    }

    @Test("a connection that breaks in the middle of a body is a reset")
    func resetInBody() async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
            connection.pause(20)
            connection.reset()
        }
        #expect(error.kind == .reset)
    }

    @Test("fewer bytes than announced are a reset")
    func tooShort() async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        }
        #expect(error.kind == .reset)
        #expect(error.message.hasSuffix("closed the connection before the whole body had come."))
    }

    @Test("an answer that never begins is a reset")
    func nothing() async throws {
        let error = try await failure { connection in _ = connection.readHead() }
        #expect(error.kind == .reset)
        #expect(error.message.hasSuffix("closed the connection without an answer."))
    }

    @Test(
        "what is not HTTP is a reset",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 999 Odd\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "<VAST/>",
            "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        ]
    )
    func notHTTP(bytes: String) async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.write(bytes)
            connection.pause(10)
        }
        #expect(error.kind == .reset, "\(error)")
    }

    @Test("codings within codings that unfold to nothing are too large, and hold nobody up")
    func codedNothing() async throws {
        let bomb = Encodings.gzipOfNothing(64 << 20)
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.answer(200, ["Content-Encoding: gzip, gzip"], bomb)
        }
        try await ClientRig.run { rig in
            let error = try await rig.failure(server.url())
            #expect(error.kind == .tooLarge)
        }
        server.stop()
    }

    @Test("an encoding that cannot be undone is told", arguments: ["gzip", "deflate", "br", "zstd", "rot13"])
    func badEncoding(encoding: String) async throws {
        let error = try await failure { connection in
            _ = connection.readHead()
            connection.answer(200, ["Content-Encoding: \(encoding)"], Array("this is plain text, nothing else".utf8))
            connection.readToEnd()
        }
        #expect(error.kind == .badEncoding, "\(error)")
    }
}
