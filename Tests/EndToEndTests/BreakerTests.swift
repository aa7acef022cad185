import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// A network that fails is left alone for a while, and found again by one request.
@Suite("Breaker", .serialized)
struct BreakerEndToEndTests {
    private static func plan(_ base: String, _ path: String, timeout: Int? = nil) -> Plan {
        var plan = Plan()
        plan.line(
            "bad",
            base,
            path,
            timeout: timeout,
            adapter: "openrtb",
            network: ["breaker": ["failures": 20, "open_ms": 1500], "timeout_ms": 2500]
        )
        plan.line("good", base, "/video")
        return plan
    }

    /// Makes `count` requests, at most eight at a time.
    private static func ask(_ gateway: LiveGateway, _ count: Int) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await gateway.ad().verdicts.first ?? "" } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func breaker(_ gateway: LiveGateway) async throws -> JSONValue? {
        try await gateway.adapter("n-bad")["breaker"]
    }

    @Test("T-16 twenty 500s open it, one of fifty requests at once tries, its success closes it")
    func failures() async throws {
        let script = ["/bid": SandboxReply(status: 500)]
        try await LiveGateway.run(script) {
            Self.plan($0, "/bid").json
        } _: { gateway in
            try await gateway.initialized()
            for _ in 0..<20 { #expect(try await gateway.ad().verdicts[0] == "bad: network_error(http_5xx)") }
            let skipped = try await gateway.ad()
            #expect(skipped.verdicts == ["bad: skipped(circuit_open)", "good: fill(fill)"])
            #expect(skipped["attempts"]?[0]?["retry_at"]?.string != nil)
            #expect(skipped["attempts"]?[0]?["latency_ms"]?.int == 0)
            #expect(gateway.sandbox.hits(of: "/bid").count == 20)
            let breaker = try await Self.breaker(gateway)
            #expect(breaker?["state"]?.string == "open" && breaker?["retry_at"]?.string != nil)
            #expect(breaker?["placements"]?[0]?["placement"]?.string == "p")
            let metrics = try await gateway.admin.get("/metrics").text
            #expect(metrics.contains("weir_breaker_state{network=\"n-bad\",placement=\"p\",state=\"open\"} 1"))

            // While the trial is under way, everybody else is told to wait.
            let bid: JSONValue = [
                "delay_ms": 500,
                "body": [
                    "seatbid": [
                        ["bid": [["id": "1", "impid": "1", "price": 3, "adm": .string("{base}/video")]]]
                    ]
                ],
            ]
            let sandbox = LoopbackClient(port: gateway.sandbox.port)
            #expect(
                try await sandbox.post("/_script", json: JSONValue.object(["paths": ["/bid": bid]]).encodedText).status
                    < 300
            )
            try await SystemClock().sleep(for: .milliseconds(1600))
            let verdicts = try await Self.ask(gateway, 50)
            #expect(verdicts.count { $0 == "bad: fill(fill)" } == 1, "\(verdicts)")
            #expect(verdicts.count { $0 == "bad: skipped(circuit_open)" } == 49)
            #expect(gateway.sandbox.hits(of: "/bid").count == 21)
            #expect(try await Self.breaker(gateway)?["state"]?.string == "closed")
            #expect(try await gateway.ad().verdicts[0] == "bad: fill(fill)")
        }
    }

    @Test("T-16 a trial that fails opens it again")
    func failedTrial() async throws {
        try await LiveGateway.run(["/bid": SandboxReply(status: 503)]) {
            Self.plan($0, "/bid").json
        } _: { gateway in
            try await gateway.initialized()
            for _ in 0..<20 { _ = try await gateway.ad() }
            try await SystemClock().sleep(for: .milliseconds(1600))
            #expect(try await gateway.ad().verdicts[0] == "bad: network_error(http_5xx)")
            #expect(try await gateway.ad().verdicts[0] == "bad: skipped(circuit_open)")
        }
    }

    @Test("T-16 twenty time-outs open it as well")
    func timeouts() async throws {
        try await LiveGateway.run {
            Self.plan($0, "/hang", timeout: 60).json
        } _: { gateway in
            try await gateway.initialized()
            _ = try await Self.ask(gateway, 20)
            #expect(try await gateway.ad().verdicts == ["bad: skipped(circuit_open)", "good: fill(fill)"])
            #expect(try await Self.breaker(gateway)?["state"]?.string == "open")
        }
    }

    @Test("T-16 no-fills never open it, whatever their form", arguments: ["/nofill", "/openrtb/nobid"])
    func noFills(_ path: String) async throws {
        try await LiveGateway.run {
            Self.plan($0, path).json
        } _: { gateway in
            try await gateway.initialized()
            let verdicts = try await Self.ask(gateway, 60)
            #expect(verdicts.allSatisfy { $0.hasPrefix("bad: no_fill(") }, "\(Set(verdicts))")
            #expect(try await Self.breaker(gateway)?["state"]?.string == "closed")
            #expect(try await Self.breaker(gateway)?["placements"]?.array?.isEmpty == true)
        }
    }
}
