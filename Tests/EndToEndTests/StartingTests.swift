import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Adapters start side by side, and each says where it stands.
@Suite("Starting", .serialized)
struct StartingTests {
    private static func health(after milliseconds: Int) -> SandboxReply {
        var reply = SandboxReply(status: 200)
        reply.delay = .fixed(.milliseconds(milliseconds))
        return reply
    }

    @Test("T-1 five adapters start side by side, and early requests are served by those that are ready")
    func parallel() async throws {
        let delays = [0, 200, 800, 1200, 1600]
        let script = Dictionary(uniqueKeysWithValues: delays.map { ("/h\($0)", Self.health(after: $0)) })
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for delay in delays { plan.line("l\(delay)", base, delay == 0 ? "/nofill" : "/video", probe: "/h\(delay)") }
            return plan.json
        } _: { gateway in
            try await gateway.eventually { try await gateway.adapter("n-l200")["ready"]?.bool == true }
            let early = try await gateway.ad()
            #expect(early["ad"]?["line_item"]?.string == "l200", "\(early.verdicts)")
            #expect(early.verdicts.contains("l0: no_fill(http_204)"))
            try await gateway.initialized()
            var started: [String] = []
            for delay in delays {
                let adapter = try await gateway.adapter("n-l\(delay)")
                #expect(adapter["state"]?.string == "ready")
                #expect((adapter["latency_ms"]?.int ?? -1) >= delay)
                started.append(try #require(adapter["started_at"]?.string))
            }
            // Side by side: all had begun before the second of them was ready.
            let ready = try #require(try await gateway.adapter("n-l200")["ready_at"]?.string)
            for instant in started { #expect(instant < ready) }
        }
    }

    @Test("T-2 after the real ten seconds a hanging set-up is timed out, says why and what to do, and may join late")
    func timeout() async throws {
        let late = Self.health(after: 12_000)
        try await LiveGateway.run(["/late": late]) { base in
            var plan = Plan()
            plan.line("a", base, "/video", probe: "/late")
            return plan.json
        } _: { gateway in
            let early = try await gateway.adapter("n-a")
            #expect(early["state"]?.string == "starting")
            #expect(early["latency_ms"]?.isNull == true)
            #expect(try await gateway.ad().verdicts == ["a: skipped(not_ready)"])
            #expect(try await gateway.open.get("/readyz").status == 503)
            try await gateway.eventually(within: .seconds(11)) {
                try await gateway.adapter("n-a")["state"]?.string == "timed_out"
            }
            let adapter = try await gateway.adapter("n-a")
            let description = try #require(adapter["description"]?.string)
            #expect(description.contains("n-a") && description.contains("10.0 s") && description.contains("/late"))
            #expect(adapter["remedy"]?.string?.contains("probe_url") == true)
            let snapshot = try await gateway.admin.get("/v1/adapters").json
            #expect(snapshot["initialization"]?["state"]?.string == "complete")
            #expect(snapshot["initialization"]?["timed_out"]?[0]?.string == "n-a")
            let elapsed = snapshot["initialization"]?["elapsed_ms"]?.int ?? 0
            #expect((10_000...10_500).contains(elapsed))
            // S2.33: asked though it is not ready. S2.34: a late success serves the same session.
            #expect(try await gateway.ad()["result"]?.string == "fill")
            try await gateway.eventually { try await gateway.adapter("n-a")["ready"]?.bool == true }
            #expect(try await gateway.adapter("n-a")["late"]?.bool == true)
        }
    }

    @Test("T-3 a closed port fails at once and joins without a restart when it opens")
    func offline() async throws {
        // A port that was free a moment ago.
        let probe = try await SandboxServer.start()
        let port = probe.port
        await probe.stop()
        try await LiveGateway.run { _ in
            var plan = Plan()
            plan.top["initialization"] = ["retry_initial_ms": 50, "retry_max_ms": 200]
            plan.line("a", "http://127.0.0.1:\(port)", "/video", probe: "/health/video")
            return plan.json
        } _: { gateway in
            try await gateway.eventually(within: .seconds(2)) {
                try await gateway.adapter("n-a")["state"]?.string == "failed"
            }
            let adapter = try await gateway.adapter("n-a")
            #expect(adapter["description"]?.string?.contains("connection refused") == true)
            #expect(adapter["last_error"]?.string?.contains("connection refused") == true)
            let network = try await SandboxServer.start(port: port)
            try await gateway.eventually { try await gateway.adapter("n-a")["ready"]?.bool == true }
            #expect(try await gateway.ad()["result"]?.string == "fill")
            await network.stop()
        }
    }

    @Test("T-4 readiness counts networks; liveness does not", arguments: [1, 2])
    func readiness(minReady: Int) async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.top["initialization"] = ["min_ready": .int(minReady)]
            plan.line("a", base, "/video")
            for id in ["b", "c", "d", "e"] { plan.line(id, base, "/video", probe: "/hang") }
            return plan.json
        } _: { gateway in
            try await gateway.eventually { try await gateway.adapter("n-a")["ready"]?.bool == true }
            let reply = try await gateway.open.get("/readyz")
            #expect(reply.status == (minReady == 1 ? 200 : 503))
            #expect(reply.text.contains("ready 1/5") && reply.text.contains("n-b"))
            #expect(try await gateway.open.get("/healthz").status == 200)
        }
    }

    @Test("watching sends the snapshot on every change")
    func watch() async throws {
        try await LiveGateway.run(["/h": Self.health(after: 400)]) { base in
            var plan = Plan()
            plan.line("a", base, "/video", probe: "/h")
            return plan.json
        } _: { gateway in
            let lines = try await gateway.admin.lines(of: "/v1/adapters?watch=1") { lines in
                lines.contains { $0.hasPrefix("data: ") && $0.contains("\"state\":\"ready\"") }
            }
            #expect(lines.contains("event: adapters"))
            #expect(lines.contains { $0.hasPrefix("data: ") && $0.contains("\"state\":\"ready\"") })
        }
    }

    @Test("operators disable, enable and restart a network")
    func operators() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            #expect(
                try await gateway.admin.post("/v1/adapters/n-a/disable", json: "{}").json["state"]?.string == "disabled"
            )
            #expect(try await gateway.ad().verdicts == ["a: skipped(disabled)"])
            #expect(try await gateway.admin.post("/v1/adapters/n-a/enable", json: "{}").status == 200)
            try await gateway.eventually { try await gateway.adapter("n-a")["ready"]?.bool == true }
            #expect(try await gateway.admin.post("/v1/adapters/n-a/restart", json: "{}").status == 200)
            try await gateway.eventually { try await gateway.adapter("n-a")["ready"]?.bool == true }
            #expect(try await gateway.ad()["result"]?.string == "fill")
            #expect(try await gateway.admin.post("/v1/adapters/nobody/restart", json: "{}").status == 404)
        }
    }
}
