import Testing
import WeirAdapterKit
import WeirRuntime
import WeirTesting
import WeirTime

@testable import WeirHTTP

@Suite("HTTPClient: connections that have gone stale")
struct HTTPClientStaleTests {
    /// Answers the first request of its first connection; then each one goes as `second` says.
    private static func server(_ second: @escaping @Sendable (ScriptedServer.Connection) -> Void) -> ScriptedServer {
        let first = Lock(true)
        return ScriptedServer { connection in
            let isFirst = first.withLock { value in
                defer { value = false }
                return value
            }
            guard isFirst else { return second(connection) }
            guard connection.readHead() != nil else { return }
            connection.answer(200, [], [1])
            // Read, and answered by an end.
            _ = connection.readHead()
        }
    }

    @Test("what may be sent twice is sent again when a kept connection ends without a byte", .bothRoads)
    func retried() async throws {
        let server = Self.server { connection in
            while connection.readHead() != nil { connection.answer(200, [], [2]) }
        }
        try await ClientRig.run { rig in
            let first = try await rig.get(server.url())
            #expect(first.body == [1])
            let second = try await rig.get(server.url())
            #expect(second.body == [2])
        }
        #expect(server.connections.count == 2 && server.heads.count == 3)
        server.stop()
    }

    @Test("it is sent again once only, and on a new connection")
    func retriedOnce() async throws {
        let server = Self.server { connection in _ = connection.readHead() }
        try await ClientRig.run { rig in
            _ = try await rig.get(server.url())
            let error = try await rig.failure(server.url())
            #expect(error.kind == .reset)
            #expect(error.message.hasSuffix("closed the connection without an answer."))
        }
        #expect(server.connections.count == 2 && server.heads.count == 3)
        server.stop()
    }

    @Test("a call that is counted is not sent twice, whatever its method", .bothRoads)
    func counted() async throws {
        let server = Self.server { connection in
            while connection.readHead() != nil { connection.answer(200, [], [2]) }
        }
        try await ClientRig.run { rig in
            _ = try await rig.get(server.url())
            var request = OutboundRequest(url: server.url("/counted"))
            request.isCounted = true
            _ = try? await rig.transport.send(request, deadline: Deadline(.now + .seconds(20)))
        }
        #expect(server.heads.count { $0.contains("/counted") } == 1)
        server.stop()
    }

    @Test("what must not be sent twice is not", arguments: ["POST", "PATCH"])
    func notRetried(method: String) async throws {
        let server = Self.server { connection in
            while connection.readHead() != nil { connection.answer(200, [], [2]) }
        }
        try await ClientRig.run { rig in
            _ = try await rig.get(server.url())
            let error = await #expect(throws: TransportError.self) { try await rig.get(server.url(), method: method) }
            #expect(error?.kind == .reset)
        }
        #expect(server.connections.count == 1 && server.heads.count == 2)
        server.stop()
    }

    @Test("a connection that has begun to answer is not given up for another")
    func begun() async throws {
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            connection.answer(200, [], [1])
            _ = connection.readHead()
            connection.write("HTTP/1.1 2")
        }
        try await ClientRig.run { rig in
            _ = try await rig.get(server.url())
            let error = try await rig.failure(server.url())
            #expect(error.kind == .reset)
        }
        #expect(server.heads.count == 2)
        server.stop()
    }

    @Test("what must not be sent twice goes over a connection that is still open", .bothRoads)
    func postAfterEnd() async throws {
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            connection.answer(200, [], [1])
        }
        try await ClientRig.run { rig in
            for _ in 0..<10 {
                let answer = try await rig.get(server.url(), method: "POST", body: [])
                #expect(answer.body == [1])
                await waitUntil { server.hasLetGo }
            }
        }
        #expect(server.connections.count == 10)
        server.stop()
    }

    @Test("bytes that nobody asked for are no answer to the next request", .bothRoads, arguments: [true, false])
    func unasked(atOnce: Bool) async throws {
        let hasSpoken = Flag()
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
                let path = head.contains("/one") ? "-1" : "-2"
                let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                connection.write(answer + path + (atOnce ? evil : ""))
                if !atOnce { connection.write(evil) }
                connection.waitUntilHeard()
                hasSpoken.raise()
            }
        }
        try await ClientRig.run { rig in
            let answer = try await rig.get(server.url("/one"))
            #expect(answer.text == "-1")
            // What comes later than the next request cannot be told from its answer.
            await hasSpoken.wait()
            let second = try await rig.get(server.url("/two"))
            #expect(second.text == "-2")
        }
        #expect(server.connections.count == 2)
        server.stop()
    }

    @Test("a connection that idles too long is closed")
    func idle() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        var limits = ClientLimits()
        limits.idleTime = .milliseconds(40)
        try await ClientRig.run(limits: limits) { rig in
            _ = try await rig.get(server.url())
            await waitUntil { server.connections.first?.ended != nil }
            _ = try await rig.get(server.url())
        }
        #expect(server.connections.count == 2)
        server.stop()
    }

    @Test("who is cancelled while it waits for a connection, or for one to be opened, leaves its place to others")
    func cancelledWaiting() async throws {
        let hasBeenCancelled = Flag()
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                while head.contains("/slow"), !hasBeenCancelled.isRaised { connection.pause(1) }
                connection.answer(200, [], [1])
            }
        }
        var limits = ClientLimits()
        limits.maxConnectionsPerHost = 1
        try await ClientRig.run(limits: limits) { rig in
            let loop = rig.group.loops[0]
            let slow = Task(executorPreference: loop) { try await rig.get(server.url("/slow")) }
            while server.heads.isEmpty { try await loop.sleep(until: .now + .milliseconds(1)) }
            let waiting = Task(executorPreference: loop) { try await rig.get(server.url("/given-up")) }
            let next = Task(executorPreference: loop) { try await rig.get(server.url("/next")) }
            try await loop.sleep(until: .now + .milliseconds(10))
            waiting.cancel()
            let error = await #expect(throws: TransportError.self) { try await waiting.value }
            #expect(error?.kind == .cancelled)
            hasBeenCancelled.raise()
            for task in [slow, next] {
                let answer = try await task.value
                #expect(answer.body == [1])
            }
            // A cancelled attempt to connect gives its place back.
            let full = FullListener()
            for _ in 0..<3 {
                let error = try await rig.failure("http://127.0.0.1:\(full.port)/", within: .milliseconds(20))
                #expect(error.kind == .timeout)
            }
            full.close()
        }
        #expect(server.connections.count == 1)
        #expect(!server.heads.contains { $0.contains("given-up") })
        server.stop()
    }
}
