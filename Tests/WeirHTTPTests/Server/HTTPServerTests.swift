import Glibc
import Testing
import WeirRuntime

@testable import WeirHTTP

private let get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("HTTPServer")
struct HTTPServerTests {
    @Test("one connection serves request after request")
    func keepAlive() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                for number in 0..<20 {
                    client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                    let answer = client.readAnswer()
                    #expect(answer?.status == 200)
                    #expect(answer?.body == "/\(number)")
                }
            }
            let statistics = await live.server.readStatistics()
            #expect(statistics.requests == 20)
            #expect(statistics.connections == 1)
        }
    }

    @Test("pipelined requests are answered in their order, one at a time")
    func pipelining() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                let waits = [30, 0, 15, 1, 0]
                client.send(waits.map { "GET /wait?\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
                for wait in waits { #expect(client.readAnswer()?.body == "\(wait)") }
            }
        }
    }

    @Test("a thousand pipelined requests are answered although they exceed the buffer")
    func deepPipelining() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                let filler = String(repeating: "f", count: 300)
                let one = "POST /echo HTTP/1.1\r\nHost: x\r\nA: \(filler)\r\nContent-Length: 4\r\n\r\nbody"
                let sender = Thread { client.send(String(repeating: one, count: 1000)) }
                for _ in 0..<1000 { #expect(client.readAnswer()?.body == "body") }
                sender.join()
            }
        }
    }

    @Test("HEAD has the head of GET and no body, and the connection goes on")
    func head() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\nHEAD /stream?3 HTTP/1.1\r\nHost: x\r\n\r\n" + get)
                let text = client.read(until: "/hello")
                #expect(text.occurrences(of: "HTTP/1.1 200 OK") == 3)
                #expect(text.occurrences(of: "Content-Length: 6\r\n") == 2)
                #expect(!text.contains("data:"))
                #expect(text.hasSuffix("\r\n\r\n/hello"))
            }
        }
    }

    @Test("bodies arrive whole in both framings, to the limit of a mebibyte", arguments: [0, 1, 65536, 1 << 20])
    func bodies(count: Int) async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                let body = [UInt8](repeating: 97, count: count)
                client.send(Array("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n".utf8) + body)
                #expect(client.readAnswer()?.body.utf8.count == count)
                client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                for start in stride(from: 0, to: count, by: 50_000) {
                    let part = body[start..<min(count, start + 50_000)]
                    client.send(Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8))
                }
                client.send("0\r\n\r\n")
                #expect(client.readAnswer()?.body.utf8.count == count)
            }
        }
    }

    @Test("a client that expects 100 Continue gets it, then its answer")
    func expectContinue() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
                #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                client.send("ok")
                #expect(client.readAnswer()?.body == "ok")
            }
        }
    }

    @Test("large answers arrive whole", arguments: [32768, 32769, 1 << 20, 20 << 20])
    func largeAnswers(count: Int) async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /large?\(count) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let (text, reset) = client.readAll()
                #expect(!reset)
                #expect(text.utf8.count { $0 == 120 } == count)
            }
        }
    }

    @Test("64 clients at once get their own answers")
    func parallel() async throws {
        try await LiveServer.run { live in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        try await live.client { client in
                            var good = 0
                            for round in 0..<10 {
                                let body = "\(number)-\(round)"
                                client.send(
                                    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                                )
                                if client.readAnswer()?.body == body { good += 1 }
                            }
                            return good
                        }
                    }
                }
                let total = try await group.reduce(0, +)
                #expect(total == 640)
            }
        }
    }

    @Test("a chunked stream arrives in pieces and the connection goes on")
    func stream() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /stream?3 HTTP/1.1\r\nHost: x\r\n\r\n" + get)
                let text = client.read(until: "/hello")
                #expect(text.contains("Transfer-Encoding: chunked\r\n"))
                #expect(
                    text.contains(
                        "\r\n\r\n9\r\ndata: 0\n\n\r\n9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\nHTTP/1.1"
                    )
                )
            }
        }
    }

    @Test("a stream for an HTTP/1.0 client ends with the connection")
    func oldStream() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /stream?2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let (text, reset) = client.readAll()
                #expect(!reset)
                #expect(text.contains("Connection: close\r\n"))
                #expect(text.hasSuffix("\r\n\r\ndata: 0\n\ndata: 1\n\n"))
            }
        }
    }

    @Test("a slow reader holds the stream back instead of filling memory")
    func backPressure() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = client.read(limit: 100)
                usleep(150_000)
            }
            // The client took 100 bytes and closed: the kernel's buffers hold a few MiB, never all 32.
            #expect(await live.eventually { live.notes.all.contains { $0.hasPrefix("flood") } })
            let sent = live.notes.all.last.flatMap { Int($0.dropFirst(6)) } ?? .max
            #expect(sent < 1000)
        }
    }

    @Test(
        "a stream with a declared length keeps to it",
        arguments: [(0, ""), (3, "zzz"), (5, "zzzzz"), (9, "zzzzz")]
    )
    func declaredLength(count: Int, body: String) async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /declared?\(count) HTTP/1.1\r\nHost: x\r\n\r\n" + (count < 5 ? "" : get))
                let text = count < 5 ? client.readAll().text : client.read(until: "/hello")
                #expect(text.contains("Content-Length: 5\r\n"))
                #expect(text.contains("\r\n\r\n\(body)" + (count < 5 ? "" : "HTTP/1.1 200")))
            }
        }
    }

    @Test("the peer's address and its headers reach the handler")
    func peer() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /header HTTP/1.1\r\nHost: x\r\nX-A: b\r\n\r\n")
                #expect(client.readAnswer()?.body == "Host=x;X-A=b;peer=127.0.0.1")
            }
        }
    }

    @Test("a local socket serves as well")
    func localSocket() async throws {
        try await LiveServer.run { live in
            let path = "/tmp/weir-live-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
            try await live.server.listen(try ListeningSocket.bind("unix:\(path)"))
            let body = try await offPool { () -> String? in
                let client = RawClient(port: 0, path: path)
                client?.send("GET /header HTTP/1.1\r\nHost: x\r\n\r\n")
                return client?.readAnswer()?.body
            }
            unlink(path)
            #expect(body == "Host=x;peer=local")
        }
    }

    @Test("a listening server lives although nobody holds it, and goes when its loop stops")
    func unheld() async throws {
        let loop = EventLoop()
        try loop.start()
        let socket = try ListeningSocket.bind("127.0.0.1:0")
        let held = Held()
        do {
            let server = HTTPServer(loop: loop) { _ in ServerResponse(status: 200) }
            try await server.listen(socket)
            held.server = server
        }
        let status = try await offPool { () -> Int? in
            let client = RawClient(port: socket.port)
            client?.send(get)
            return client?.readAnswer()?.status
        }
        #expect(status == 200)
        await loop.shutDown()
        #expect(held.server == nil)
    }

    @Test("servers on several loops share one port")
    func workers() async throws {
        let group = try EventLoopGroup(count: 3)
        let sockets = try ListeningSocket.bind("127.0.0.1:0", count: 3)
        let port = sockets[0].port
        let limits = ConnectionLimits(ServerConfiguration())
        var servers: [HTTPServer] = []
        for (loop, socket) in zip(group.loops, sockets) {
            let server = HTTPServer(loop: loop, limits: limits) { _ in
                ServerResponse(status: EventLoop.current === loop ? 200 : 500)
            }
            try await server.listen(socket)
            servers.append(server)
        }
        let good = try await offPool { () -> Int in
            var good = 0
            for _ in 0..<200 {
                let client = RawClient(port: port)
                client?.send(get)
                if client?.readAnswer()?.status == 200 { good += 1 }
            }
            return good
        }
        #expect(good == 200)
        var busy = 0
        for server in servers where await server.readStatistics().requests > 0 { busy += 1 }
        #expect(busy == 3)
        await group.shutDown()
    }
}

/// Looks at a server without keeping it; used by one test in one order.
private final class Held: @unchecked Sendable {
    weak var server: HTTPServer?
}
