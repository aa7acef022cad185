import Glibc
import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting
import WeirTime

/// What is under way when the configuration or the process goes.
@Suite("Leaving", .serialized)
struct LeavingTests {
    private static func slow(_ base: String, _ id: String) -> JSONValue {
        var plan = Plan()
        plan.line(id, base, "/slow?ms=800&id=\(id)", timeout: 2500)
        return plan.json
    }

    @Test("T-20 a request that began on the old configuration ends on it, although its network has gone")
    func underWay() async throws {
        try await LiveGateway.run { base in
            Self.slow(base, "old")
        } _: { gateway in
            try await gateway.initialized()
            let old = try await gateway.admin.get("/v1/config").json["config"]?.string
            async let early = gateway.ad()
            #expect(try await gateway.sandbox.waitForHits { !$0.isEmpty })
            try rewrite(gateway.file.path, Self.slow(gateway.sandbox.baseURL, "new").encodedText)
            #expect(try await gateway.admin.post("/v1/config/reload", json: "").status == 200)
            let late = try await gateway.ad()
            #expect(late.verdicts == ["new: fill(fill)"])
            let answer = try await early
            #expect(answer.verdicts == ["old: fill(fill)"])
            #expect(answer["config"]?.string != late["config"]?.string)
            if let old { #expect(answer["config"]?.string == old) }
        }
    }

    @Test("T-20 SIGHUP with a bad or missing file changes nothing, and the log and GET /v1/config say why")
    func badSignal() async throws {
        try await LiveGateway.run { base in
            Self.slow(base, "old")
        } _: { gateway in
            try await gateway.initialized()
            try rewrite(gateway.file.path, "{\n\n  \"networks\": [{]\n}")
            gateway.process.signal(SIGHUP)
            try await gateway.eventually {
                try await gateway.admin.get("/v1/config").json["error"]?["diagnostics"]?[0]?["line"]?.int == 3
            }
            #expect(unlink(gateway.file.path) == 0)
            #expect(try await gateway.admin.post("/v1/config/reload", json: "").status == 422)
            #expect(try await gateway.ad().verdicts == ["old: fill(fill)"])
            #expect(try await gateway.process.waitForLine { $0.contains("config") && $0.contains("error") } != nil)
        }
    }

    @Test("T-30 neither a watcher nor an idle connection holds the gateway up, and each decision is on disk at the end")
    func flush() async throws {
        let store = try TemporaryFile("")
        defer { for suffix in ["", "-wal", "-shm"] { unlink(store.path + suffix) } }
        let ids = Lock<[String]>([])
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            plan.top["storage"] = ["url": .string("sqlite:" + store.path)]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let admin = gateway.admin
            let seen = Lock(0)
            let watch = Task {
                try await admin.lines(of: "/v1/adapters?watch=1") { lines in
                    seen.withLock { $0 = lines.count }
                    return false
                }
            }
            try await gateway.eventually { seen.withLock { $0 } > 0 }
            for _ in 0..<40 {
                let id = try #require(try await gateway.ad()["request_id"]?.string)
                ids.withLock { $0.append(id) }
            }
            let begun = ContinuousClock.now
            gateway.process.signal(SIGTERM)
            #expect(try await gateway.process.waitForExit() == 0)
            #expect(ContinuousClock.now - begun < .milliseconds(4500))
            _ = try await watch.value
        }
        let kept = String(decoding: try TextFile.read(store.path), as: UTF8.self)
        for id in ids.withLock({ $0 }) { #expect(kept.contains(id), "the decision of \(id) was lost") }
    }

    @Test("T-30 a drain shorter than a watcher's tick does not cut the watcher off")
    func shortDrain() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            plan.top["server"] = ["listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "drain_ms": 800]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let seen = Counter()
            let admin = gateway.admin
            let watch = Task {
                try await admin.lines(of: "/v1/adapters?watch=1") { lines in
                    if !lines.isEmpty { seen.add() }
                    return false
                }
            }
            try await gateway.eventually { seen.value > 0 }
            gateway.process.signal(SIGTERM)
            #expect(try await gateway.process.waitForExit() == 0, "\(gateway.process.errors)")
            _ = try await watch.value
        }
    }

    @Test("T-30 what outlasts the drain is cut, said, and told by the exit code; who is told twice goes at once")
    func cutOff() async throws {
        try await leaveWhileBusy(drain: .milliseconds(300), signals: 1, saying: "drain_ms")
        try await leaveWhileBusy(drain: .seconds(60), signals: 2, saying: "told to go twice")
    }

    private func leaveWhileBusy(drain: Duration, signals: Int, saying words: String) async throws {
        let sandbox = try await SandboxServer.start()
        var plan = Plan()
        plan.line("a", sandbox.baseURL, "/hang", timeout: 20_000)
        plan.unit["timeout_ms"] = 20_000
        plan.top["server"] = [
            "listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "drain_ms": .int(drain.milliseconds),
        ]
        let file = try TemporaryFile(plan.json.encodedText)
        let process = try WeirProcess(["serve", "--config", file.path])
        let line = try #require(try await process.waitForLine { $0.contains("serve.started") })
        let address = try JSONReader.read(line)["listen"]?.string
        let port = try #require(address?.split(separator: ":").last.flatMap { Int($0) })
        let call = Task { try await LoopbackClient(port: port).post("/v1/ads", json: "{\"placement\": \"p\"}") }
        #expect(try await sandbox.waitForHits { !$0.isEmpty })
        for number in 0..<signals {
            process.signal(SIGTERM)
            if number == 0 { _ = try await process.waitForLine { $0.contains("drain.begun") } }
        }
        #expect(try await process.waitForExit(within: .seconds(5)) == 1)
        #expect(process.errors.contains(words))
        _ = try? await call.value
        file.remove()
        await sandbox.stop()
    }

    @Test("T-13 six repeats of a request at once are one request")
    func repeats() async throws {
        try await LiveGateway.run { base in
            Self.slow(base, "a")
        } _: { gateway in
            try await gateway.initialized()
            let key = [HTTPHeader("Idempotency-Key", "k-7")]
            try await withThrowingTaskGroup(of: LoopbackReply.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}", headers: key)
                    }
                }
                var bodies: Set<[UInt8]> = []
                for try await reply in group {
                    #expect(reply.status == 200)
                    bodies.insert(reply.body)
                }
                #expect(bodies.count == 1)
            }
            #expect(gateway.sandbox.hits(of: "/slow").count == 1)
        }
    }
}
