import Glibc
import Testing
import WeirRuntime
import WeirTime

@testable import WeirHTTP

@Suite("Answers without a task")
struct PromptAnswerTests {
    /// `/now` is answered at once, everything else by the handler, after a while.
    private func withServer(_ body: @escaping @Sendable (RawClient) throws -> Void) async throws {
        let loop = EventLoop()
        try loop.start()
        let socket = try ListeningSocket.bind("127.0.0.1:0")
        let server = HTTPServer(
            loop: loop,
            promptHandler: { request in
                guard request.path == "/now" else { return nil }
                return ServerResponse(status: 200, contentType: "text/plain", text: "now \(request.query ?? "")")
            },
            handler: { request in
                try? await RuntimeClock().sleep(for: .milliseconds(5))
                return ServerResponse(status: 200, contentType: "text/plain", text: "later \(request.query ?? "")")
            }
        )
        try await server.listen(socket)
        try await offPool {
            guard let client = RawClient(port: socket.port) else { throw NoConnection() }
            try body(client)
        }
        await loop.shutDown()
    }

    private static func get(_ target: String, _ more: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: x\r\n\(more)\r\n"
    }

    @Test("one after another and pipelined, prompt and waiting requests are answered in their order")
    func order() async throws {
        try await withServer { client in
            for number in 0..<5 {
                client.send(Self.get("/now?\(number)"))
                #expect(client.readAnswer()?.body == "now \(number)")
            }
            let targets = ["/now?1", "/now?2", "/later?3", "/now?4", "/later?5", "/later?6", "/now?7", "/now?8"]
            client.send(targets.map { Self.get($0) }.joined())
            for target in targets {
                let words = target.dropFirst().split(separator: "?").joined(separator: " ")
                #expect(client.readAnswer()?.body == words)
            }
        }
    }

    @Test("thousands of pipelined prompt requests are answered, however they are cut")
    func many() async throws {
        try await withServer { client in
            let text = (0..<5000).map { Self.get("/now?\($0)") }.joined()
            let sender = Thread {
                var rest = Substring(text)
                while !rest.isEmpty {
                    client.send(String(rest.prefix(7001)))
                    rest = rest.dropFirst(7001)
                }
            }
            for number in 0..<5000 { #expect(client.readAnswer()?.body == "now \(number)") }
            sender.join()
        }
    }

    @Test("a request with a body leaves nothing behind for the next one")
    func bodies() async throws {
        try await withServer { client in
            let post = "POST /now?b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"
            client.send(post + "GET /" + post + "hello" + Self.get("/now?c"))
            for word in ["b", "b", "c"] { #expect(client.readAnswer()?.body == "now \(word)") }
        }
    }

    @Test("a client that stops sending gets all answers that it is owed, and then the end")
    func halfClosed() async throws {
        try await withServer { client in
            client.send(["/later?1", "/now?2", "/now?3"].map { Self.get($0) }.joined())
            client.finishSending()
            for body in ["later 1", "now 2", "now 3"] { #expect(client.readAnswer()?.body == body) }
            #expect(client.readAnswer() == nil)
        }
    }

    @Test("what follows a request that closes the connection is not answered")
    func closing() async throws {
        try await withServer { client in
            client.send(Self.get("/now?1") + Self.get("/now?2", "Connection: close\r\n") + Self.get("/now?3"))
            for body in ["now 1", "now 2"] { #expect(client.readAnswer()?.body == body) }
            #expect(client.readAnswer() == nil)
        }
    }

    @Test("a bad request behind a prompt one is refused in its turn")
    func refused() async throws {
        try await withServer { client in
            client.send(Self.get("/now?1") + "GET  /now HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.readAnswer()?.body == "now 1")
            #expect(client.readAnswer()?.status == 400)
        }
    }
}
