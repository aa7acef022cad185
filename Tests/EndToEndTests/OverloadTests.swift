import Glibc
import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting
import WeirTime

/// More work than the gateway may take on: it says so at once, keeps its memory, and operators get through.
@Suite("Overload", .serialized)
struct OverloadTests {
    private static func plan(
        _ base: String,
        server: [String: JSONValue] = [:],
        network: [String: JSONValue] = [:],
        line: Int = 1500
    ) -> JSONValue {
        var plan = Plan()
        plan.line("slow", base, "/slow", timeout: line, network: network)
        plan.line("good", base, "/video")
        plan.unit["timeout_ms"] = 15_000
        var doors: [String: JSONValue] = [
            "listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 2, "max_connections_per_address": 2000,
        ]
        doors.merge(server) { $1 }
        plan.top["server"] = .object(JSONObject(doors.map { ($0.key, $0.value) }))
        return plan.json
    }

    private static var slow: SandboxReply {
        var slow = SandboxReply(status: 204)
        slow.delay = .fixed(.milliseconds(700))
        return slow
    }

    @Test("beyond server.max_in_flight callers hear 503 at once with Retry-After, while admin and health answer")
    func inAll() async throws {
        var slow = Self.slow
        slow.delay = .fixed(.seconds(3))
        try await LiveGateway.run(["/slow": slow]) { base in
            Self.plan(base, server: ["max_in_flight": 20], line: 8000)
        } _: { gateway in
            try await gateway.initialized()
            _ = try await gateway.ad()
            let before = try Memory(gateway.process.id).residentKilobytes
            let isOver = Counter()
            // Operators and probes, all the while.
            async let watched = Self.watch(gateway, until: { isOver.value > 0 })
            var served = 0
            var refused = 0
            var slowestRefusal = Duration.zero
            for _ in 0..<2 {
                for (status, retry, time) in try await Self.storm(gateway, count: 150) {
                    switch status {
                    case 200: served += 1
                    case 503:
                        refused += 1
                        #expect(retry == "1")
                        slowestRefusal = max(slowestRefusal, time)
                    default: Issue.record("status \(status)")
                    }
                }
            }
            isOver.add()
            let (answers, slowest) = try await watched
            print(
                "Overload: \(served) served, \(refused) refused, \(answers) looks of operators, the slowest \(slowest)"
            )
            #expect(served >= 40)
            #expect(refused >= 40)
            #expect(served + refused == 300)
            // Early: before the network has answered, on a busy machine, too.
            #expect(slowestRefusal < .seconds(2.9))
            #expect(answers > 10)
            #expect(slowest < .seconds(2))
            #expect(try Memory(gateway.process.id).residentKilobytes - before < 24_576)
            let metrics = try await gateway.admin.get("/metrics").text
            #expect(metrics.contains("weir_overload_total{limit=\"max_in_flight\"} \(refused)"))
            #expect(metrics.contains("weir_requests_in_flight 0"))
            #expect(gateway.process.errors.contains("\"event\":\"serve.overload\""))
            // All is well again at once.
            #expect(try await gateway.ad()["result"]?.string == "fill")
        }
    }

    @Test("beyond a network's max_in_flight its line is skipped and the next one fills")
    func perNetwork() async throws {
        try await LiveGateway.run(["/slow": Self.slow]) { base in
            Self.plan(base, network: ["max_in_flight": 5])
        } _: { gateway in
            try await gateway.initialized()
            let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<40 { group.addTask { try await gateway.ad() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let verdicts = answers.map { $0.verdicts }
            #expect(verdicts.allSatisfy { $0.last == "good: fill(fill)" })
            let skipped = verdicts.count { $0.first == "slow: skipped(saturated)" }
            #expect(skipped > 0)
            #expect(verdicts.count { $0.first == "slow: no_fill(http_204)" } + skipped == 40)
            #expect(gateway.sandbox.hits(of: "/slow").count == 40 - skipped)
        }
    }

    @Test("bodies that trickle in from hundreds of connections keep no more memory than server.max_held_bytes")
    func heldBodies() async throws {
        try await LiveGateway.run { base in
            Self.plan(base, server: ["max_held_bytes": 4_194_304, "body_timeout_ms": 3000])
        } _: { gateway in
            try await gateway.initialized()
            _ = try await gateway.ad()
            let before = try Memory(gateway.process.id).residentKilobytes
            let head = Array("POST /v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n".utf8)
            let most = Array(repeating: UInt8(ascii: " "), count: 900_000)
            let statuses = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        // The exchange ends with the server's patience, or its refusal.
                        let answer = (try? await gateway.open.exchange(head + most)) ?? []
                        return Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
                    }
                }
                return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            print("Held bodies: \(statuses)")
            // The rest of a refused body may still be under way when the connection ends; then no status is seen.
            #expect((statuses[408] ?? 0) <= 5)
            #expect((statuses[503] ?? 0) > 10)
            let growth = try Memory(gateway.process.id).peakKilobytes - before
            #expect(growth < 32_768, "\(growth) KiB")
            #expect(try await gateway.admin.get("/metrics").text.contains("weir_held_bytes 0"))
        }
    }

    @Test("with few descriptors the gateway takes fewer connections, says so, and operators get through")
    func descriptors() async throws {
        let sandbox = try await SandboxServer.start()
        let file = try TemporaryFile(Self.plan(sandbox.baseURL).encodedText)
        defer { file.remove() }
        let script = "ulimit -n 200; exec \"$0\" serve --config \"$1\""
        let process = try WeirProcess(["-c", script, WeirProcess.binary, file.path], program: "/bin/sh")
        let line = try #require(try await process.waitForLine { $0.contains("\"serve.started\"") })
        let started = try JSONReader.read(line)
        func port(_ key: String) throws -> Int {
            try #require(started[key]?.string?.split(separator: ":").last.flatMap { Int($0) })
        }
        #expect(process.errors.contains("\"serve.descriptors\""))
        #expect(process.errors.contains("\"connections\":68"))
        let admin = LoopbackClient(port: try port("admin_listen"))
        let publicPort = try port("listen")
        let idlers = IdleConnections(port: publicPort, count: 150)
        for _ in 0..<20 { #expect(try await admin.get("/healthz").status == 200) }
        let metrics = try await admin.get("/metrics").text
        #expect(metrics.contains("weir_connections 68"))
        idlers.close()
        var served = false
        for _ in 0..<100 where !served {
            served = (try? await LoopbackClient(port: publicPort).get("/healthz").status) == 200
        }
        #expect(served)
        process.signal(SIGTERM)
        #expect(try await process.waitForExit() == 0)
        await sandbox.stop()
    }

    // MARK: Load

    /// So many requests at once: status, `Retry-After` and time of each.
    private static func storm(
        _ gateway: LiveGateway,
        count: Int
    ) async throws -> [(status: Int, retry: String?, time: Duration)] {
        try await withThrowingTaskGroup(of: (status: Int, retry: String?, time: Duration).self) { group in
            for _ in 0..<count {
                group.addTask {
                    let start = ContinuousClock.now
                    let reply = try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}")
                    return (reply.status, reply.header("Retry-After"), ContinuousClock.now - start)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Looks as operators and probes do; how often, and how long the slowest look took.
    private static func watch(
        _ gateway: LiveGateway,
        until isOver: @Sendable () -> Bool
    ) async throws -> (Int, Duration) {
        var count = 0
        var slowest = Duration.zero
        while !isOver() {
            for (client, path) in [
                (gateway.admin, "/v1/adapters"), (gateway.admin, "/metrics"), (gateway.open, "/healthz"),
                (gateway.open, "/readyz"),
            ] {
                let start = ContinuousClock.now
                #expect(try await client.get(path).status == 200)
                slowest = max(slowest, ContinuousClock.now - start)
                count += 1
            }
            try await SystemClock().sleep(for: .milliseconds(50))
        }
        return (count, slowest)
    }
}

/// Connections that ask nothing.
private final class IdleConnections: Sendable {
    private let descriptors: [Int32]

    init(port: Int, count: Int) {
        descriptors = (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return descriptor
        }
    }

    func close() {
        for descriptor in descriptors { Glibc.close(descriptor) }
    }
}
