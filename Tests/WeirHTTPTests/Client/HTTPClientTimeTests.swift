import Testing
import WeirAdapterKit
import WeirRuntime
import WeirTime

@testable import WeirHTTP

@Suite("HTTPClient: time and cancellation", .bothRoads)
struct HTTPClientTimeTests {
    @Test("a silent server is left at the deadline, never before", arguments: [1, 20, 33, 100, 250])
    func deadline(milliseconds: Int) async throws {
        let hasArrived = Flag()
        let server = ScriptedServer { connection in
            if connection.readHead() != nil { hasArrived.raise() }
            connection.readToEnd()
        }
        try await ClientRig.run { rig in
            let started = ContinuousClock.now
            let deadline = Deadline(started + .milliseconds(milliseconds))
            let error = await #expect(throws: TransportError.self) {
                try await rig.transport.send(OutboundRequest(url: server.url("/secret")), deadline: deadline)
            }
            let ended = ContinuousClock.now
            #expect(error?.kind == .timeout)
            // In one millisecond the request may not be under way yet.
            if hasArrived.isRaised { #expect(error?.mayHaveArrived == true) }
            #expect(ended >= deadline.instant)
            #expect(ended < deadline.instant + .seconds(2))
            // The sentence counts from the call, which on a busy machine comes a moment after the deadline was made.
            let counted = try #require(Self.milliseconds(in: error?.message, port: server.port))
            #expect((0...milliseconds).contains(counted))
        }
        server.stop()
    }

    private static func milliseconds(in message: String?, port: UInt16) -> Int? {
        guard let message, let start = message.firstRange(of: "127.0.0.1:\(port) did not answer within "),
            message.hasSuffix(" ms.")
        else { return nil }
        return Int(message[start.upperBound...].dropLast(4))
    }

    @Test("bytes that trickle in do not put off the deadline")
    func trickle() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while connection.write("x") { connection.pause(5) }
        }
        try await ClientRig.run { rig in
            let started = ContinuousClock.now
            let error = try await rig.failure(server.url(), within: .milliseconds(100))
            #expect(error.kind == .timeout)
            #expect(.now - started >= .milliseconds(100))
        }
        server.stop()
    }

    @Test("a server that accepts nothing is left at the deadline too")
    func unaccepted() async throws {
        try await ClientRig.run(allow: ["127.0.0.0/8"]) { rig in
            let full = FullListener()
            let error = try await rig.failure("http://127.0.0.1:\(full.port)/", within: .milliseconds(60))
            #expect(error.kind == .timeout && !error.mayHaveArrived)
            full.close()
        }
    }

    @Test("what was not sent before its time was up, or its task cancelled, cannot have arrived")
    func unsent() async throws {
        // It takes the connection, and says nothing of TLS.
        let server = ScriptedServer { connection in connection.readToEnd() }
        try await ClientRig.run { rig in
            let url = "https://127.0.0.1:\(server.port)/"
            let late = try await rig.failure(url, within: .milliseconds(100))
            #expect(late.kind == .timeout && !late.mayHaveArrived)
            let task = Task(executorPreference: rig.group.loops[0]) { try await rig.failure(url, within: .seconds(20)) }
            while server.connections.count < 2 { try await rig.group.loops[0].sleep(until: .now + .milliseconds(5)) }
            task.cancel()
            let cancelled = try await task.value
            #expect(cancelled.kind == .cancelled && !cancelled.mayHaveArrived)
        }
        server.stop()
    }

    @Test("a name service that does not answer holds up nobody else")
    func slowNames() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            let loop = rig.group.loops[0]
            let started = ContinuousClock.now
            let task = Task(executorPreference: loop) {
                try await rig.failure("http://ads\(server.port).invalid/", within: .milliseconds(50))
            }
            try await loop.sleep(until: started + .milliseconds(60))
            _ = try await rig.get(server.url())
            let error = try await task.value
            // Where the name service answers at once, it says that there is no such name.
            #expect([.timeout, .dns].contains(error.kind))
            #expect(.now - started < .seconds(2))
        }
        server.stop()
    }

    @Test("a deadline that has passed opens no connection")
    func passed() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            let error = try await rig.failure(server.url(), within: .zero)
            #expect(error.kind == .timeout)
            #expect(error.message == "127.0.0.1:\(server.port) did not answer within 0 ms.")
        }
        #expect(server.connections.isEmpty)
        server.stop()
    }

    @Test("cancelling closes the connection at once, and it is not used again", arguments: [true, false])
    func cancel(inBody: Bool) async throws {
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                if head.hasPrefix("GET /next") {
                    connection.answer()
                } else {
                    if inBody { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") }
                    connection.readToEnd()
                }
            }
        }
        try await ClientRig.run { rig in
            let loop = rig.group.loops[0]
            let task = Task(executorPreference: loop) { try await rig.get(server.url()) }
            while server.heads.isEmpty { try await loop.sleep(until: .now + .milliseconds(1)) }
            try await loop.sleep(until: .now + .milliseconds(20))
            let cancelled = ContinuousClock.now
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            let connection = try #require(server.connections.first)
            while connection.ended == nil && .now < cancelled + .seconds(5) {
                try await loop.sleep(until: .now + .milliseconds(1))
            }
            let ended = try #require(connection.ended)
            #expect(ended - cancelled < .seconds(1))
            _ = try await rig.get(server.url("/next"))
            #expect(server.connections.count == 2)
        }
        server.stop()
    }

    @Test("a cancelled task sends nothing")
    func cancelledBefore() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            let task = Task(executorPreference: rig.group.loops[0]) {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await rig.get(server.url())
            }
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
        #expect(server.connections.isEmpty)
        server.stop()
    }

    @Test("shutting down ends what is under way and refuses what comes after")
    func shutdown() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.readToEnd()
        }
        try await ClientRig.run { rig in
            let loop = rig.group.loops[0]
            let task = Task(executorPreference: loop) { try await rig.failure(server.url()) }
            while server.heads.isEmpty { try await loop.sleep(until: .now + .milliseconds(1)) }
            await rig.clients.shutdown()
            let error = try await task.value
            #expect(error.kind == .cancelled)
            let later = try await rig.failure(server.url())
            #expect(later.message == "127.0.0.1:\(server.port): the client has been shut down.")
        }
        server.stop()
    }

    @Test("a loop that stops leaves nobody waiting")
    func loopStops() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.readToEnd()
        }
        let group = try EventLoopGroup(count: 1)
        let clients = HTTPClientPool(group: group, road: ClientRig.road)
        let policy = OutboundPolicy(allowPrivate: try AddressPolicy(allowPrivate: ["127.0.0.1"]))
        let task = Task {
            try await clients.transport(policy: policy).send(
                OutboundRequest(url: server.url()),
                deadline: Deadline(.now + .seconds(20))
            )
        }
        while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        await group.shutDown()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        await clients.shutdown()
        server.stop()
    }
}
