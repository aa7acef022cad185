import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting
import WeirTime

/// One hard deadline, every line item answered for.
@Suite("Waterfall", .serialized)
struct WaterfallTests {
    private static func slow(_ milliseconds: Int, _ reply: SandboxReply = SandboxReply(status: 204)) -> SandboxReply {
        var reply = reply
        reply.delay = .fixed(.milliseconds(milliseconds))
        return reply
    }

    private static func xml(_ text: String) -> SandboxReply { SandboxReply(type: "application/xml", text) }

    @Test("T-7 the deadline is hard: two time-outs, one cut short, one not attempted, and a 200")
    func deadline() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            for id in ["a", "b", "c", "d"] { plan.line(id, base, "/hang", timeout: 400) }
            plan.unit["timeout_ms"] = 1000
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let begun = ContinuousClock.now
            let answer = try await gateway.ad()
            let took = ContinuousClock.now - begun
            // One-sided but for a hang; the exact times are proved with a manual clock.
            #expect(took >= .milliseconds(1000) && took < .milliseconds(2500))
            #expect(answer["result"]?.string == "no_fill")
            #expect(
                answer.verdicts == [
                    "a: timeout(line_timeout)", "b: timeout(line_timeout)", "c: timeout(deadline)",
                    "d: not_attempted(deadline)",
                ]
            )
        }
    }

    @Test("T-8 a slow head is cut, its socket closed, and the next line fills")
    func slowHead() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/hang?x=1", timeout: 300)
            plan.line("b", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            for number in 1...5 {
                let answer = try await gateway.ad()
                #expect(answer.verdicts == ["a: timeout(line_timeout)", "b: fill(fill)"])
                #expect(
                    try await gateway.sandbox.waitForHits {
                        $0.count { $0.path == "/hang" && $0.closedEarly } == number
                    }
                )
            }
            // By the sandbox's own clock. The call began a little before it arrived, and loops count whole milliseconds.
            let closed = gateway.sandbox.hits(of: "/hang").compactMap { hit in
                hit.closedEarlyMilliseconds.map { $0 - hit.milliseconds }
            }
            #expect(closed.allSatisfy { $0 >= 250 }, "\(closed)")
            // The best of five: a busy machine may stop any of them for a while.
            #expect((closed.min() ?? .max) <= 350, "\(closed)")
        }
    }

    @Test("T-9 what is left of the time is passed to the network")
    func budget() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/hang", timeout: 300)
            plan.line("b", base, "/video?tmax={remaining_ms}&unit={network_unit}")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            _ = try await gateway.ad("p", ", \"timeout_ms\": 800")
            let hit = try #require(gateway.sandbox.hits(of: "/video").first)
            let left = try #require(hit.parameter("tmax").flatMap { Int($0) })
            #expect((1...500).contains(left))
            #expect(hit.parameter("unit") == "unit-b")
        }
    }

    @Test("T-11 every form of no-fill is one, the next line is asked, and the Error of an empty document is told once")
    func noFill() async throws {
        let script = [
            "/empty": SandboxReply(type: "application/xml", "  \n"),
            "/bare": Self.xml("<VAST version=\"4.2\"/>"),
            "/told": Self.xml(
                "<VAST version=\"4.2\"><Error><![CDATA[{base}/t/noad?code=[ERRORCODE]]]></Error></VAST>"
            ),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            plan.line("a", base, "/nofill")
            plan.line("b", base, "/empty")
            plan.line("c", base, "/bare")
            plan.line("d", base, "/told")
            plan.line("e", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(
                answer.verdicts == [
                    "a: no_fill(http_204)", "b: no_fill(empty_body)", "c: no_fill(empty_vast)",
                    "d: no_fill(no_ad)", "e: fill(fill)",
                ]
            )
            #expect(try await gateway.sandbox.waitForHits { $0.contains { $0.path == "/t/noad" } })
            try await SystemClock().sleep(for: .milliseconds(100))
            #expect(gateway.sandbox.hits(of: "/t/noad").map { $0.parameter("code") } == ["303"])
        }
    }

    @Test("T-13 one request is one hit; a repeated Idempotency-Key gets the same answer and asks nobody")
    func once() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/nofill")
            plan.line("b", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let key = [HTTPHeader("Idempotency-Key", "k-1")]
            let first = try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}", headers: key)
            #expect(gateway.sandbox.hits(of: "/nofill").count == 1)
            #expect(gateway.sandbox.hits(of: "/video").count == 1)
            let second = try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}", headers: key)
            #expect(first.body == second.body)
            #expect(gateway.sandbox.hits(of: "/video").count == 1)
        }
    }

    @Test("T-18 hollow fills are refused with a reason and the next line is asked")
    func hollow() async throws {
        let script = [
            "/cut": Self.xml("<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>x</AdSystem><Creatives>"),
            "/hollow": Self.xml(
                "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle>"
                    + "<Impression/><Creatives/></InLine></Ad></VAST>"
            ),
            "/html": SandboxReply(type: "text/html", "<!DOCTYPE html><html><body>Sorry</body></html>"),
            "/lost": Self.xml(
                "<VAST version=\"4.2\"><Ad id=\"1\"><Wrapper><AdSystem>x</AdSystem>"
                    + "<VASTAdTagURI><![CDATA[{base}/error]]></VASTAdTagURI><Impression/></Wrapper></Ad></VAST>"
            ),
            "/loop": Self.xml(
                "<VAST version=\"4.2\"><Ad id=\"1\"><Wrapper><AdSystem>x</AdSystem>"
                    + "<VASTAdTagURI><![CDATA[{base}/loop]]></VASTAdTagURI><Impression/></Wrapper></Ad></VAST>"
            ),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["cut", "hollow", "html", "lost", "loop", "error"] { plan.line(id, base, "/\(id)") }
            plan.line("good", base, "/video/wrapper")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(
                answer.verdicts == [
                    "cut: bad_response(bad_vast)", "hollow: rejected(no_markup)", "html: bad_response(bad_vast)",
                    "lost: rejected(wrapper_failed)", "loop: rejected(wrapper_limit)", "error: network_error(http_5xx)",
                    "good: fill(fill)",
                ]
            )
            #expect(answer["ad"]?["wrapper_chain"]?.array?.count == 1)
            #expect((answer["ad"]?["impressions"]?.array?.count ?? 0) >= 2)
        }
    }

    @Test("T-22 every line says why, in order, and no secret shows anywhere")
    func why() async throws {
        let secret = "s3cr3t-value-4711"
        try await LiveGateway.run(environment: ["E2E_KEY": secret]) { base in
            var plan = Plan()
            plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
            plan.line("low", base, "/video", line: ["rate": ["amount": "0.50", "currency": "USD"]])
            plan.line("off", base, "/video", network: ["enabled": false])
            plan.line("de", base, "/video", line: ["targeting": ["country": ["DE"]]])
            plan.line("consent", base, "/video", line: ["requires_consent": true])
            plan.line("audio", base, "/audio", adapter: "instream-audio")
            plan.line("late", base, "/video", probe: "/hang")
            plan.line("field", base, "/video?u={user_id!}")
            plan.line("dry", base, "/nofill")
            plan.line("down", base, "/error?key={settings.api_key}", network: [:])
            plan.line("slow", base, "/hang", timeout: 100)
            plan.line("fill", base, "/video")
            plan.line("rest", base, "/video")
            var keyed = plan.networks[8].object ?? JSONObject()
            var settings = keyed["settings"]?.object ?? JSONObject()
            settings["api_key"] = ["env": "E2E_KEY"]
            keyed["settings"] = .object(settings)
            plan.networks[8] = .object(keyed)
            return plan.json
        } _: { gateway in
            try await gateway.eventually { try await gateway.adapter("n-fill")["ready"]?.bool == true }
            let reply = try await gateway.admin.post(
                "/v1/ads?trace=1",
                json: "{\"placement\": \"p\", \"device\": {\"country\": \"FR\"}, \"consent\": {\"gdpr\": true}}"
            )
            #expect(
                reply.json.verdicts == [
                    "low: skipped(below_floor)", "off: skipped(disabled)", "de: skipped(targeting)",
                    "consent: skipped(consent)", "audio: skipped(format)", "late: skipped(not_ready)",
                    "field: skipped(missing_field)", "dry: no_fill(http_204)", "down: network_error(http_5xx)",
                    "slow: timeout(line_timeout)", "fill: fill(fill)", "rest: not_attempted(filled_above)",
                ]
            )
            for attempt in reply.json["attempts"]?.array ?? [] {
                #expect(attempt["message"]?.string?.isEmpty == false)
            }
            #expect(gateway.sandbox.hits(of: "/error").first?.parameter("key") == secret)
            let id = try #require(reply.json["request_id"]?.string)
            var texts = [reply.text, gateway.process.errors, gateway.process.output]
            for path in ["/metrics", "/v1/config", "/v1/adapters", "/v1/requests", "/v1/requests/\(id)"] {
                let page = try await gateway.admin.get(path)
                #expect(page.status == 200, "\(path)")
                texts.append(page.text)
            }
            for text in texts { #expect(!text.contains(secret)) }
        }
    }

    @Test("a client that goes away closes the network's socket within 250 ms")
    func clientGone() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/hang", timeout: 20_000)
            plan.unit["timeout_ms"] = 20_000
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            var times: [Duration] = []
            for number in 1...7 {
                let call = Task { try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}") }
                #expect(try await gateway.sandbox.waitForHits { $0.count == number })
                let gone = ContinuousClock.now
                call.cancel()
                _ = try? await call.value
                #expect(try await gateway.sandbox.waitForHits { $0.count(where: \.closedEarly) == number })
                times.append(ContinuousClock.now - gone)
            }
            // The middle one: a busy machine may stop any single try for a while.
            let middle = times.sorted()[3]
            print("client gone, socket closed after \(middle), of \(times.min() ?? .zero) to \(times.max() ?? .zero)")
            #expect(middle < .milliseconds(250), "\(times)")
        }
    }
}
