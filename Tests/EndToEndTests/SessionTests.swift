import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting

/// Playback sessions of the built gateway, over loopback, against sandbox networks.
@Suite("Playback sessions", .serialized)
struct SessionTests {
    private func plan(_ base: String, _ path: String, top: [String: JSONValue] = [:]) -> JSONValue {
        var plan = Plan()
        plan.line("ads", base, path)
        plan.top = top
        return plan.json
    }

    private func open(_ gateway: LiveGateway, _ more: String = "") async throws -> (String, JSONValue) {
        let reply = try await gateway.open.post("/v1/sessions", json: #"{"placement": "p"\#(more)}"#)
        #expect(reply.status == 201, "\(reply.text)")
        return (try #require(reply.json["session"]?.string), reply.json)
    }

    @discardableResult
    private func send(_ gateway: LiveGateway, _ session: String, _ inputs: String) async throws -> JSONValue {
        let reply = try await gateway.open.post("/v1/sessions/\(session)/inputs", json: #"{"inputs": [\#(inputs)]}"#)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json
    }

    private func types(_ answer: JSONValue) -> [String] {
        (answer["outputs"]?.array ?? []).compactMap { $0["type"]?.string }
    }

    /// Starts the break that is ready and plays its ad.
    private func playAd(_ gateway: LiveGateway, _ session: String) async throws {
        try await send(
            gateway,
            session,
            #"{"type": "start"}, {"type": "ad_started"}, {"type": "ad_progress", "position_ms": 3000, "duration_ms": 5000}"#
        )
        try await send(gateway, session, #"{"type": "ad_completed"}"#)
    }

    @Test(
        "S0.1 S0.24 S0.44 a schedule plays pre-roll, mid-roll and post-roll; each beacon reaches its network once, for the viewer's device"
    )
    func schedule() async throws {
        try await LiveGateway.run {
            plan($0, "/video/custom/vmap")
        } _: { gateway in
            try await gateway.initialized()
            let (session, opened) = try await open(
                gateway,
                #", "request": {"device": {"ip": "203.0.113.9", "ua": "Player/2"}}"#
            )
            #expect(opened["cue_points_ms"] == [0, 10_000, -1])
            gateway.sandbox.clearHits()
            try await send(gateway, session, #"{"type": "initialize"}"#)
            try await playAd(gateway, session)
            let due = try await send(gateway, session, #"{"type": "playhead", "position_ms": 10500}"#)
            #expect(types(due).contains("ad_break_ready"))
            try await playAd(gateway, session)
            try await send(gateway, session, #"{"type": "content_complete"}"#)
            try await playAd(gateway, session)
            let view = try await gateway.open.get("/v1/sessions/\(session)").json
            #expect(view["state"]?.string == "completed")
            // Six of each ad and two of each break.
            try await gateway.eventually { gateway.sandbox.hits.filter { $0.path.hasPrefix("/t/") }.count >= 24 }
            let hits = gateway.sandbox.hits.filter { $0.path.hasPrefix("/t/") }
            #expect(Set(hits.map { $0.path + ($0.parameter("break") ?? "") }).count == hits.count)
            #expect(hits.count == 24)
            #expect(hits.allSatisfy { $0.header("X-Device-IP") == "203.0.113.9" })
            #expect(hits.allSatisfy { $0.header("X-Device-User-Agent") == "Player/2" })
        }
    }

    @Test("a stream tells every output as it comes, and ends with the session")
    func stream() async throws {
        try await LiveGateway.run {
            plan($0, "/video")
        } _: { gateway in
            try await gateway.initialized()
            let (session, _) = try await open(gateway)
            let heard = Counter()
            async let lines = gateway.open.lines(of: "/v1/sessions/\(session)/outputs?after=0") { lines in
                if lines.contains("event: ads_loaded") { heard.add() }
                return lines.contains("event: content_resume_requested")
            }
            // On a busy machine the session could have ended before anybody follows it.
            try await gateway.eventually { heard.value > 0 }
            try await send(gateway, session, #"{"type": "initialize"}, {"type": "start"}"#)
            let ended = try await gateway.open.send("DELETE", "/v1/sessions/\(session)")
            #expect(ended.status == 200)
            let events = try await lines.filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
            #expect(
                events.filter { $0 != "ui" } == [
                    "ads_loaded", "ad_break_ready", "load_ad", "loaded", "content_pause_requested", "ad_break_started",
                    "play_ad", "stop_ad", "ad_break_ended", "content_resume_requested",
                ]
            )
        }
    }

    @Test(
        "S0.30 an ad server that never answers, answers 503 or is broken never blocks the content",
        arguments: ["/hang", "/error", "/broken", "/nofill", "/nofill/vast"]
    )
    func dead(path: String) async throws {
        try await LiveGateway.run {
            plan($0, path)
        } _: { gateway in
            try await gateway.initialized()
            let (_, opened) = try await open(gateway, #", "request": {"timeout_ms": 700}"#)
            #expect(opened["state"]?.string == "failed")
            #expect(types(opened) == ["load_failed", "content_resume_requested"])
            #expect(opened["outputs"]?[0]?["message"]?.string?.isEmpty == false)
        }
    }

    @Test("a session does not outlive its gateway: the next one says 410 and what to do")
    func restart() async throws {
        let session = Box()
        try await LiveGateway.run {
            plan($0, "/video")
        } _: { gateway in
            try await gateway.initialized()
            await session.set(try await open(gateway).0)
        }
        try await LiveGateway.run {
            plan($0, "/video")
        } _: { gateway in
            let id = try #require(await session.value)
            let reply = try await gateway.open.post("/v1/sessions/\(id)/inputs", json: #"{"inputs": []}"#)
            #expect(reply.status == 410)
            #expect(reply.json["detail"]?.string?.contains("POST /v1/sessions") == true)
        }
    }

    @Test("more sessions than limits.sessions are 429, and a megabyte of inputs leaves the session unharmed")
    func limits() async throws {
        try await LiveGateway.run { base in
            plan(base, "/video", top: ["limits": ["sessions": 1]])
        } _: { gateway in
            try await gateway.initialized()
            let (session, _) = try await open(gateway)
            let refused = try await gateway.open.post("/v1/sessions", json: #"{"placement": "p"}"#)
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") != nil)
            let many = Array(repeating: #"{"type": "playhead", "position_ms": 1}"#, count: 40_000).joined(
                separator: ","
            )
            let heavy = try await gateway.open.post("/v1/sessions/\(session)/inputs", json: #"{"inputs": [\#(many)]}"#)
            #expect(heavy.status == 413 || heavy.status == 400, "\(heavy.status)")
            let answer = try await send(gateway, session, #"{"type": "initialize"}"#)
            #expect(types(answer).contains("loaded"))
        }
    }

    @Test("weir session shows the fate of each beacon")
    func command() async throws {
        try await LiveGateway.run {
            plan($0, "/video")
        } _: { gateway in
            try await gateway.initialized()
            let (session, _) = try await open(gateway)
            try await send(gateway, session, #"{"type": "initialize"}, {"type": "start"}, {"type": "ad_started"}"#)
            try await gateway.eventually { !gateway.sandbox.hits(of: "/t/start").isEmpty }
            let admin = ["--admin", "http://127.0.0.1:\(gateway.admin.port)"]
            let process = try WeirProcess(["session", session] + admin)
            #expect(try await process.waitForExit() == 0)
            #expect(process.output.contains("impression") && process.output.contains("sent"))
            let gone = try WeirProcess(["session", "ses_0123456789abcdef0123456789abcdef"] + admin)
            #expect(try await gone.waitForExit() == 1)
            let wrong = try WeirProcess(["session", "../v1/config"] + admin)
            #expect(try await wrong.waitForExit() == 2)
        }
    }
}

/// One text from one run to the next.
private actor Box {
    var value: String?

    func set(_ value: String) { self.value = value }
}
