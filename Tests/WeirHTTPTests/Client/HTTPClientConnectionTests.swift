import Testing
import WeirAdapterKit
import WeirRuntime
import WeirTime

@testable import WeirHTTP

@Suite("HTTPClient: connections", .bothRoads)
struct HTTPClientConnectionTests {
    private static func echoServer() -> ScriptedServer {
        ScriptedServer { connection in
            while let head = connection.readHead() {
                let path = head.split(separator: " ").dropFirst().first ?? ""
                connection.answer(200, [], Array(path.utf8))
            }
        }
    }

    @Test("requests one after another share a connection")
    func keepAlive() async throws {
        let server = Self.echoServer()
        try await ClientRig.run { rig in
            for number in 0..<50 {
                let response = try await rig.get(server.url("/\(number)"))
                #expect(response.text == "/\(number)")
            }
        }
        #expect(server.connections.count == 1)
        #expect(server.heads.count == 50)
        server.stop()
    }

    @Test("a connection that the server ended while it idled is replaced")
    func staleConnection() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.answer(200, [], [1])
        }
        try await ClientRig.run { rig in
            for _ in 0..<20 {
                let response = try await rig.get(server.url())
                #expect(response.body == [1])
                try await rig.group.loops[0].sleep(until: .now + .milliseconds(3))
            }
        }
        #expect(server.connections.count == 20)
        server.stop()
    }

    @Test("an answer that says close is not followed by another on its connection")
    func connectionClose() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil { connection.answer(200, ["Connection: close"], [1]) }
        }
        try await ClientRig.run { rig in
            for _ in 0..<3 { _ = try await rig.get(server.url()) }
        }
        #expect(server.connections.count == 3)
        server.stop()
    }

    @Test("many requests at once on one loop each get their own answer")
    func parallel() async throws {
        let server = Self.echoServer()
        try await ClientRig.run { rig in
            try await Self.askAtOnce(200, rig, server, on: rig.group.loops[0])
            // The second round finds connections waiting.
            let before = server.connections.count
            try await Self.askAtOnce(200, rig, server, on: rig.group.loops[0])
            #expect(server.connections.count == before)
        }
        #expect(server.heads.count == 400)
        server.stop()
    }

    @Test("more requests than connections wait for their turn")
    func hostLimit() async throws {
        let server = Self.echoServer()
        var limits = ClientLimits()
        limits.maxConnectionsPerHost = 4
        try await ClientRig.run(limits: limits) { rig in
            try await Self.askAtOnce(100, rig, server, on: rig.group.loops[0])
        }
        #expect((1...4).contains(server.connections.count))
        server.stop()
    }

    @Test("more transfers than the limit are refused at once")
    func saturated() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.readToEnd()
        }
        var limits = ClientLimits()
        limits.maxTransfers = 3
        try await ClientRig.run(limits: limits) { rig in
            let loop = rig.group.loops[0]
            let tasks = (0..<3).map { _ in
                Task(executorPreference: loop) { try await rig.failure(server.url(), within: .milliseconds(300)) }
            }
            while server.heads.count < 3 { try await loop.sleep(until: .now + .milliseconds(1)) }
            let error = try await rig.failure(server.url())
            #expect(error.kind == .saturated)
            for task in tasks {
                let error = try await task.value
                #expect(error.kind == .timeout)
            }
            // There is room again.
            let last = try await rig.failure(server.url(), within: .milliseconds(10))
            #expect(last.kind == .timeout)
        }
        server.stop()
    }

    @Test("two loops and a stranger's thread work side by side")
    func twoLoops() async throws {
        let server = Self.echoServer()
        try await ClientRig.run(loops: 2) { rig in
            try await withThrowingTaskGroup { group in
                for loop in rig.group.loops {
                    group.addTask { try await Self.askAtOnce(100, rig, server, on: loop) }
                }
                group.addTask { try await Self.askAtOnce(50, rig, server, on: globalConcurrentExecutor) }
                try await group.waitForAll()
            }
        }
        #expect(server.heads.count == 250)
        server.stop()
    }

    @Test("cancelling and answering in a tangle loses no request and leaves no connection")
    func tangle() async throws {
        let server = ScriptedServer { connection in
            var count = 0
            while let head = connection.readHead() {
                count += 1
                if head.contains("/slow") { connection.pause(3) }
                if head.contains("/cut") { return }
                if head.contains("/rst") { return connection.reset() }
                connection.answer(200, [], [UInt8(truncatingIfNeeded: count)])
            }
        }
        try await ClientRig.run(loops: 2) { rig in
            await withTaskGroup { group in
                for number in 0..<400 {
                    let loop = rig.group.loops[number % 2]
                    let path = ["/fast", "/slow", "/cut", "/rst"][number / 2 % 4]
                    group.addTask(executorPreference: loop) {
                        let task = Task(executorPreference: loop) {
                            try await rig.get(server.url(path), within: .milliseconds(number % 7 == 0 ? 2 : 5000))
                        }
                        if number % 3 == 0 {
                            try? await loop.sleep(until: .now + .microseconds(number * 10))
                            task.cancel()
                        }
                        _ = await task.result
                    }
                }
            }
        }
        server.stop()
        // A connection's script ends when the other side has closed; its thread may need a moment to see it.
        let patience = ContinuousClock.now + .seconds(5)
        while !server.hasLetGo && .now < patience { try await Task.sleep(for: .milliseconds(10)) }
        #expect(server.hasLetGo)
    }

    private static func askAtOnce(
        _ count: Int,
        _ rig: ClientRig,
        _ server: ScriptedServer,
        on executor: any TaskExecutor
    ) async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask(executorPreference: executor) {
                    let response = try await rig.get(server.url("/\(number)"))
                    #expect(response.text == "/\(number)")
                }
            }
            try await group.waitForAll()
        }
    }
}
