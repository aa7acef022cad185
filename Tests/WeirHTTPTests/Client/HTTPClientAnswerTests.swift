import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("HTTPClient: answers", .bothRoads)
struct HTTPClientAnswerTests {
    @Test(
        "every status is an answer, redirects too",
        arguments: [200, 201, 301, 302, 307, 400, 404, 418, 500, 503, 599]
    )
    func statuses(status: Int) async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.answer(
                    status,
                    ["Location: http://127.0.0.1:1/elsewhere", "X-Two: a", "x-two:  b "],
                    [104, 105]
                )
            }
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url("/ad?unit=1"))
            #expect(response.status == status)
            #expect(response.text == "hi")
            #expect(response.header("location") == "http://127.0.0.1:1/elsewhere")
            #expect(response.headers.filter { $0.name.lowercased() == "x-two" }.map(\.value) == ["a", "b"])
        }
        #expect(server.heads.count == 1)
        server.stop()
    }

    @Test("an answer that begins with a folded line harms no other")
    func foldedBeginning() async throws {
        let server = ScriptedServer { connection in
            var count = 0
            while connection.readHead() != nil {
                count += 1
                if count.isMultiple(of: 2) {
                    connection.write("HTTP/1.1 200 OK\r\n folded: x\r\nContent-Length: 0\r\n\r\n")
                } else {
                    connection.answer(200, ["X-One: a", "X-Two: b"], [1])
                }
            }
        }
        try await ClientRig.run { rig in
            for _ in 0..<20 {
                // Whatever becomes of it, the next one is well.
                _ = try? await rig.get(server.url())
            }
        }
        server.stop()
    }

    @Test("answers without a body end with their head", arguments: [204, 304])
    func noBody(status: Int) async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.write("HTTP/1.1 \(status) None\r\nContent-Length: \(status == 304 ? 9_999_999 : 0)\r\n\r\n")
            }
        }
        try await ClientRig.run { rig in
            for _ in 0..<2 {
                let response = try await rig.get(server.url())
                #expect(response.status == status && response.body.isEmpty)
            }
        }
        #expect(server.connections.count == 1)
        server.stop()
    }

    @Test("HEAD takes the head of a body that would be too large, and no body")
    func head() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n")
            }
        }
        try await ClientRig.run { rig in
            for _ in 0..<2 {
                let response = try await rig.get(server.url(), method: "HEAD")
                #expect(response.status == 200 && response.body.isEmpty)
                #expect(response.header("Content-Length") == "9999999")
            }
        }
        #expect(server.heads.allSatisfy { $0.hasPrefix("HEAD / HTTP/1.1\r\n") })
        #expect(server.connections.count == 1)
        server.stop()
    }

    @Test("chunks are put together, extensions and trailers left out")
    func chunked() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Real: yes\r\n\r\n5;a=b\r\nhello\r\n"
                )
                connection.pause(5)
                connection.write("6\r\n world\r\n0\r\nX-Late: 1\r\nX-Real: no\r\n\r\n")
            }
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.text == "hello world")
            #expect(response.header("x-late") == nil)
            #expect(response.header("x-real") == "yes")
        }
        server.stop()
    }

    @Test("an interim answer is passed over")
    func interim() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
                connection.answer(200, ["X-Final: 1"], [33])
            }
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.status == 200 && response.text == "!")
            #expect(response.header("Link") == nil)
            #expect(response.header("X-Final") == "1")
        }
        server.stop()
    }

    @Test("a body without a length ends with the connection")
    func untilClose() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.0 200 OK\r\n\r\n<VAST/>")
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.text == "<VAST/>")
        }
        server.stop()
    }

    @Test("encoded bodies are decoded", arguments: ["gzip", "x-gzip", "deflate", "identity", "GZIP"])
    func decodes(encoding: String) async throws {
        let plain = pattern(50_000)
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                let body =
                    switch encoding.lowercased() {
                    case "deflate": Encodings.deflate(plain)
                    case "identity": plain
                    default: Encodings.gzip(plain)
                    }
                connection.answer(200, ["Content-Encoding: \(encoding)"], body)
            }
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.body == plain)
        }
        #expect(server.heads.first?.contains("Accept-Encoding: \(CurlLibrary.acceptedEncodings)\r\n") == true)
        server.stop()
    }

    @Test("a folded field is one field")
    func folded() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil { connection.answer(200, ["X-Long: a", " b", "\tc"]) }
        }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.header("x-long") == "a b c")
        }
        server.stop()
    }

    @Test("an empty 200 is an answer with no bytes")
    func empty() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.status == 200 && response.body.isEmpty)
        }
        server.stop()
    }
}
