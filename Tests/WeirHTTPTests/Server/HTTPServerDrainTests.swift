import Glibc
import Testing
import WeirRuntime
import WeirTime

@testable import WeirHTTP

private let get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("HTTPServer, on its way out")
struct HTTPServerDrainTests {
    @Test("after the announcement requests are served, old and new connections alike, and told to close")
    func announced() async throws {
        try await LiveServer.run { live in
            let port = live.port
            let old = try await offPool { () -> RawClient? in
                let client = RawClient(port: port)
                client?.send(get)
                #expect(client?.readAnswer()?.head.contains("Connection: close") == false)
                return client
            }
            live.server.beginDrain()
            // The loop hears of it in its next turn, the connections' bytes may come in this one.
            let server = live.server
            #expect(await live.eventually { await server.loop.perform { server.isDraining } })
            try await offPool {
                for client in [old, RawClient(port: port)] {
                    client?.send(get)
                    let (text, reset) = client?.readAll() ?? ("", true)
                    #expect(!reset)
                    #expect(text.hasPrefix("HTTP/1.1 200 OK"))
                    #expect(text.contains("Connection: close\r\n"))
                }
            }
        }
    }

    @Test("after the listeners have closed idle connections end, running requests finish, new ones are refused")
    func stopped() async throws {
        var configuration = ServerConfiguration()
        // A busy machine may need long until the fresh connection speaks.
        configuration.firstRequestGrace = .seconds(300)
        configuration.headerTimeout = .seconds(300)
        configuration.idleTimeout = .seconds(300)
        try await LiveServer.run(configuration: configuration) { live in
            let port = live.port
            let idle = try await offPool { () -> RawClient? in
                let client = RawClient(port: port)
                client?.send(get)
                _ = client?.readAnswer()
                return client
            }
            let running = try await offPool { () -> RawClient? in
                let client = RawClient(port: port)
                client?.send("GET /wait?200 HTTP/1.1\r\nHost: x\r\n\r\n")
                while live.notes.all.count < 2 { usleep(1000) }
                return client
            }
            let fresh = RawClient(port: port)
            live.server.beginDrain()
            await live.server.stopListening()
            try await offPool {
                #expect(RawClient(port: port) == nil)
                #expect(idle?.readAll() ?? ("", true) == ("", false))
                // Its request was on the way when the listeners closed.
                fresh?.send(get)
                #expect(fresh?.readAll().text.hasPrefix("HTTP/1.1 200 OK") == true)
                let (text, reset) = running?.readAll() ?? ("", true)
                #expect(!reset)
                #expect(text.hasPrefix("HTTP/1.1 200 OK"))
            }
            let cutOff = await live.server.finish(by: .after(.seconds(5), clock: SystemClock()), clock: SystemClock())
            #expect(cutOff == 0)
        }
    }

    @Test("connections that the kernel had queued are served before the listener closes")
    func queued() async throws {
        try await LiveServer.run { live in
            let port = live.port
            // While the loop is held up nothing is accepted; then the drain comes first.
            let clients = try await live.loop.perform { () async throws -> [RawClient] in
                let clients = (0..<20).compactMap { _ in RawClient(port: port) }
                for client in clients { client.send(get) }
                live.server.beginDrain()
                await live.server.stopListening()
                return clients
            }
            try await offPool {
                for client in clients {
                    let (text, reset) = client.readAll()
                    #expect(!reset)
                    #expect(text.hasPrefix("HTTP/1.1 200 OK"))
                }
            }
        }
    }

    @Test("finish waits for the last request, no longer than its deadline, and counts what it cut off")
    func finish() async throws {
        try await LiveServer.run { live in
            let port = live.port
            let client = try await offPool { () -> RawClient? in
                let client = RawClient(port: port)
                client?.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                while live.notes.all.isEmpty { usleep(1000) }
                return client
            }
            let begin = ContinuousClock.now
            let cutOff = await live.server.finish(
                by: .after(.milliseconds(100), clock: SystemClock()),
                clock: SystemClock()
            )
            #expect(cutOff == 1)
            #expect(ContinuousClock.now - begin >= .milliseconds(100))
            #expect(await live.eventually { live.notes.all.contains("cancelled") })
            #expect(await live.open() == 0)
            withExtendedLifetime(client) {}
        }
    }

    @Test("finish returns early when nothing is left")
    func finishEmpty() async throws {
        try await LiveServer.run { live in
            let cutOff = await live.server.finish(by: .after(.seconds(600), clock: SystemClock()), clock: SystemClock())
            #expect(cutOff == 0)
        }
    }

    @Test("no client sees a reset while a busy server drains")
    func underLoad() async throws {
        try await LiveServer.run { live in
            let port = live.port
            try await withThrowingTaskGroup(of: (answers: Int, resets: Int).self) { group in
                for _ in 0..<8 {
                    group.addTask { try await offPool { hammer(port: port) } }
                }
                try await Task.sleep(for: .milliseconds(150))
                live.server.beginDrain()
                try await Task.sleep(for: .milliseconds(50))
                let cutOff = await live.server.finish(
                    by: .after(.seconds(5), clock: SystemClock()),
                    clock: SystemClock()
                )
                #expect(cutOff == 0)
                var answers = 0
                var resets = 0
                for try await part in group {
                    answers += part.answers
                    resets += part.resets
                }
                #expect(resets == 0)
                #expect(answers >= 8)
            }
        }
    }
}

/// Connects, asks and reads until connections are refused; counts answers, and requests that ended without one.
private func hammer(port: Int) -> (answers: Int, resets: Int) {
    var answers = 0
    var resets = 0
    while let client = RawClient(port: port) {
        var isFirst = true
        while true {
            guard client.send(get), let answer = client.readAnswer() else {
                // A kept connection may be closed while it is idle; the first request of a new one must be served.
                if isFirst { resets += 1 }
                break
            }
            isFirst = false
            answers += 1
            if answer.head.contains("Connection: close") {
                if client.readAll().reset { resets += 1 }
                break
            }
        }
    }
    return (answers, resets)
}
