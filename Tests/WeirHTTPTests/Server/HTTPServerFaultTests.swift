import Glibc
import Testing
import WeirRuntime
import WeirTime

@testable import WeirHTTP

private let get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("HTTPServer, when things go wrong")
struct HTTPServerFaultTests {
    @Test(
        "a refused request gets its status, a sentence, and the end of the connection",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET /\nHost: x\n\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n", 413),
            ("GET /" + String(repeating: "a", count: 20000), 414),
            ("GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "a", count: 20000), 431),
            ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: b\r\n", count: 101) + "\r\n", 431),
            ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n", 501),
            ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ]
    )
    func refusals(raw: String, status: Int) async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send(raw)
                let (text, reset) = client.readAll()
                #expect(!reset)
                #expect(text.hasPrefix("HTTP/1.1 \(status) "))
                #expect(text.contains("Connection: close\r\n"))
                #expect(text.hasSuffix(".\n"))
            }
            #expect(live.notes.all.isEmpty)
            #expect(await live.server.readStatistics().refusals == 1)
        }
    }

    @Test("a client that goes on sending a too large body can still read its 413")
    func earlyAnswer() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n")
                let sent = client.send([UInt8](repeating: 97, count: 5_000_000))
                let (text, reset) = client.readAll()
                #expect(sent)
                #expect(!reset)
                #expect(text.hasPrefix("HTTP/1.1 413 "))
            }
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test("the answer to a refused request can be worded")
    func errorBody() async throws {
        let loop = EventLoop()
        try loop.start()
        let errorBody: @Sendable (ProtocolFault) -> ServerResponse = { fault in
            ServerResponse(status: 200, contentType: "application/problem+json", text: "{\"code\":\"\(fault.code)\"}")
        }
        let server = HTTPServer(loop: loop, errorBody: errorBody) { _ in ServerResponse(status: 200) }
        let socket = try ListeningSocket.bind("127.0.0.1:0")
        try await server.listen(socket)
        let text = try await offPool { () -> String in
            let client = RawClient(port: socket.port)
            client?.send("GET / HTTP/1.1\r\n\r\n")
            return client?.readAll().text ?? ""
        }
        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(text.contains("Content-Type: application/problem+json\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"code\":\"bad_host\"}"))
        await loop.shutDown()
    }

    @Test("a client that closes cancels its request")
    func disconnect() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                while live.notes.all.isEmpty { usleep(1000) }
            }
            #expect(await live.eventually { live.notes.all.contains("cancelled") })
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test("a client that resets cancels its request")
    func reset() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                while live.notes.all.isEmpty { usleep(1000) }
                var hard = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
            }
            #expect(await live.eventually { live.notes.all.contains("cancelled") })
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test(
        "a client that only stops sending still gets the answer that comes",
        arguments: ["/slow", "/wait?50", "/large?9000000"]
    )
    func halfClose(path: String) async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                client.finishSending()
                let (text, reset) = client.readAll()
                #expect(!reset)
                #expect(text.hasPrefix("HTTP/1.1 " + (path == "/slow" ? "503" : "200")))
                if path.hasPrefix("/large") { #expect(text.utf8.count > 9_000_000) }
            }
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test("a stream ends when its client goes")
    func streamClientGone() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /sse HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = client.read(until: "tick", count: 3)
            }
            #expect(await live.eventually { live.notes.all.contains("sse over") })
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test("an incomplete request of a client that stopped sending gets no answer and no thread of its own")
    func truncated() async throws {
        try await LiveServer.run { live in
            for raw in ["", "GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"] {
                try await live.client { client in
                    client.send(raw)
                    client.finishSending()
                    #expect(client.readAll().text == "")
                }
            }
            #expect(live.notes.all.isEmpty)
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test("misbehaviour on demand: reset, early end, and raw bytes")
    func misbehaviour() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /abort HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.readAll().reset)
            }
            try await live.client { client in
                client.send("GET /close-now HTTP/1.1\r\nHost: x\r\n\r\n")
                let (text, reset) = client.readAll()
                #expect(!reset)
                #expect(text.hasSuffix("5\r\nbegun\r\n"))
            }
            #expect(await live.eventually { live.notes.all.contains("after close false") })
            try await live.client { client in
                client.send("GET /raw HTTP/1.1\r\nHost: x\r\n\r\n")
                let (text, reset) = client.readAll()
                #expect(!reset)
                #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort")
            }
        }
    }

    @Test("slow heads and bodies get 408 after their time in all, silent connections just end")
    func slowLoris() async throws {
        var configuration = ServerConfiguration()
        configuration.headerTimeout = .milliseconds(300)
        configuration.bodyTimeout = .milliseconds(300)
        configuration.idleTimeout = .milliseconds(300)
        try await LiveServer.run(configuration: configuration) { live in
            let drips = [
                ("", "HTTP/1.1 408 "), ("GET / HTTP/1.1\r\nHost: x\r\n", "HTTP/1.1 408 "),
                ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n", "HTTP/1.1 408 "),
                ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n", "HTTP/1.1 408 "),
            ]
            for (start, expected) in drips {
                try await live.client { client in
                    let begin = ContinuousClock.now
                    client.send(start)
                    let dripper = Thread {
                        for _ in 0..<40 {
                            if !client.send("a") { return }
                            usleep(50_000)
                        }
                    }
                    let text = client.readAll().text
                    #expect(text.hasPrefix(expected), "after \(start)")
                    #expect(ContinuousClock.now - begin < .seconds(1.8))
                    dripper.join()
                }
            }
            try await live.client { client in
                #expect(client.readAll() == ("", false))
            }
            try await live.client { client in
                client.send(get)
                #expect(client.readAnswer()?.status == 200)
                #expect(client.readAll() == ("", false))
            }
            #expect(await live.eventually { await live.open() == 0 })
        }
    }

    @Test("a client that takes nothing is cut off, a slow one is not")
    func writeStall() async throws {
        var configuration = ServerConfiguration()
        configuration.writeTimeout = .milliseconds(400)
        try await LiveServer.run(configuration: configuration) { live in
            try await live.client { client in
                client.send("GET /large?30000000 HTTP/1.1\r\nHost: x\r\n\r\n")
                usleep(1_500_000)
                #expect(client.readAll().reset)
            }
            try await live.client { client in
                client.send("GET /large?12000000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                var count = 0
                while let bytes = client.read(limit: 600_000) {
                    count += bytes.count
                    usleep(40_000)
                }
                #expect(count > 12_000_000)
            }
        }
    }

    @Test("at the connection limit the next clients wait in the kernel and are served when there is room")
    func connectionLimit() async throws {
        var configuration = ServerConfiguration()
        configuration.maxConnections = 3
        try await LiveServer.run(configuration: configuration) { live in
            let port = live.port
            try await offPool {
                var holders = (0..<3).compactMap { _ in RawClient(port: port) }
                for holder in holders {
                    holder.send(get)
                    #expect(holder.readAnswer()?.status == 200)
                }
                let waiting = RawClient(port: port)
                waiting?.send(get)
                usleep(100_000)
                #expect(recv(waiting?.descriptor ?? -1, nil, 0, Int32(MSG_DONTWAIT)) == -1)
                holders.removeAll()
                #expect(waiting?.readAnswer()?.status == 200)
            }
            #expect(await live.server.readStatistics().connections == 4)
        }
    }

    @Test("one address may not take all connections")
    func addressLimit() async throws {
        var configuration = ServerConfiguration()
        configuration.maxConnectionsPerAddress = 2
        try await LiveServer.run(configuration: configuration) { live in
            let port = live.port
            try await offPool {
                var holders = (0..<2).compactMap { _ in RawClient(port: port) }
                for holder in holders {
                    holder.send(get)
                    #expect(holder.readAnswer()?.status == 200)
                }
                let third = RawClient(port: port)
                #expect(third?.readAll().text == "")
                holders.removeAll()
            }
            #expect(await live.eventually { await live.open() == 0 })
            #expect(await live.server.readStatistics().turnedAway == 1)
            try await live.client { client in
                client.send(get)
                #expect(client.readAnswer()?.status == 200)
            }
        }
    }

    @Test("stopping the loop under load ends every task and connection")
    func stopUnderLoad() async throws {
        let notes = try await { () async throws -> Notes in
            let box = Lock<Notes?>(nil)
            try await LiveServer.run { live in
                box.withLock { $0 = live.notes }
                let port = live.port
                try await offPool {
                    let clients = (0..<10).compactMap { _ in RawClient(port: port) }
                    for client in clients { client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") }
                    while live.notes.all.count < 10 { usleep(1000) }
                }
            }
            return box.withLock { $0 } ?? Notes()
        }()
        #expect(notes.all.count { $0 == "cancelled" } == 10)
    }
}
