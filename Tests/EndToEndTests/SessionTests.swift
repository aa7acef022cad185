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

    /// A schedule whose one break comes again; the beacons name the `round` they were sent in.
    private func repeating(_ round: String) -> SandboxReply {
        func call(_ event: String) -> String { "<![CDATA[{base}/t/\(event)?round=\(round)]]>" }
        let text = """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
            <vmap:AdBreak timeOffset="00:00:10" breakType="linear" breakId="mid" repeatAfter="00:00:20"><vmap:AdSource>
            <vmap:VASTAdData><VAST version="4.2"><Ad id="\(round)"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
            <Impression>\(call("impression"))</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration>
            <TrackingEvents><Tracking event="start">\(call("start"))</Tracking>
            <Tracking event="complete">\(call("complete"))</Tracking></TrackingEvents><MediaFiles>
            <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">{base}/m.mp4</MediaFile></MediaFiles>
            </Linear></Creative></Creatives></InLine></Ad></VAST></vmap:VASTAdData></vmap:AdSource><vmap:TrackingEvents>
            <vmap:Tracking event="breakStart">\(call("breakStart"))</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak></vmap:VMAP>
            """
        return SandboxReply(type: "application/xml", text)
    }

    @Test("a break with repeatAfter asks the ad server anew each time; no beacon is called twice")
    func repetition() async throws {
        try await LiveGateway.run(["/again": repeating("first")]) {
            plan($0, "/again")
        } _: { gateway in
            try await gateway.initialized()
            let (session, _) = try await open(gateway, #", "request": {"content": {"duration_ms": 45000}}"#)
            try await send(gateway, session, #"{"type": "initialize"}"#)
            gateway.sandbox.clearHits()
            try await send(gateway, session, #"{"type": "playhead", "position_ms": 10000}"#)
            try await playAd(gateway, session)
            gateway.sandbox.change(SandboxScript(["/again": repeating("second")]))
            let early = try await send(gateway, session, #"{"type": "playhead", "position_ms": 21000}"#)
            #expect(types(early).isEmpty && gateway.sandbox.hits(of: "/again").isEmpty)
            // Within the preloading window the ad server is asked, and the ad is handed over ahead of its time.
            let ahead = try await send(gateway, session, #"{"type": "playhead", "position_ms": 23000}"#)
            #expect(types(ahead) == ["load_ad"] && gateway.sandbox.hits(of: "/again").count == 1)
            let due = try await send(gateway, session, #"{"type": "playhead", "position_ms": 30000}"#)
            #expect(types(due) == ["ad_break_ready", "loaded"])
            try await playAd(gateway, session)
            try await gateway.eventually { gateway.sandbox.hits.filter { $0.path.hasPrefix("/t/") }.count >= 8 }
            let calls = gateway.sandbox.hits.filter { $0.path.hasPrefix("/t/") }.map {
                $0.path.dropFirst(3) + " " + ($0.parameter("round") ?? "")
            }
            let events = ["breakStart", "complete", "impression", "start"]
            #expect(calls.sorted() == events.flatMap { ["\($0) first", "\($0) second"] })
            // The content ends before it would come a third time, and the second play has said that there is no more.
            let none = try await send(gateway, session, #"{"type": "playhead", "position_ms": 43000}"#)
            #expect(types(none).isEmpty && gateway.sandbox.hits(of: "/again").count == 1)
        }
    }

    @Test("S2.22 the next rewarded ad is loaded when one is dismissed: not earlier, not twice")
    func nextRewarded() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.format = "rewarded"
            plan.unit["reward"] = ["item": "coins", "amount": "5"]
            plan.line("r", base, "/rewarded", adapter: "rewarded")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let (session, _) = try await open(gateway, #", "settings": {"preload_next": true}"#)
            let shown = try await send(
                gateway,
                session,
                #"{"type": "present", "opt_in": true}, {"type": "will_present"}, {"type": "impression"}, {"type": "earned_reward"}"#
            )
            #expect(!types(shown).contains("next_session"))
            #expect(gateway.sandbox.hits(of: "/rewarded").count == 1)
            let dismissed = try await send(gateway, session, #"{"type": "will_dismiss"}, {"type": "dismissed"}"#)
            #expect(types(dismissed).suffix(2) == ["dismissed", "next_session"])
            let next = try #require(dismissed["outputs"]?.array?.last?["session"]?.string)
            #expect(next != session)
            try await gateway.eventually {
                try await gateway.open.get("/v1/sessions/\(next)").json["state"]?.string == "loaded"
            }
            #expect(gateway.sandbox.hits(of: "/rewarded").count == 2)
            let again = try await send(gateway, session, #"{"type": "dismissed"}"#)
            #expect(types(again) == ["refused"])
            #expect(gateway.sandbox.hits(of: "/rewarded").count == 2)
            // It goes on from one to the next.
            let second = try await send(
                gateway,
                next,
                #"{"type": "present", "opt_in": true}, {"type": "failed_to_present", "reason": "x"}"#
            )
            #expect(types(second).last == "next_session")
            // Nobody who did not ask for it gets one.
            let (plain, _) = try await open(gateway)
            let over = try await send(gateway, plain, #"{"type": "present", "opt_in": true}, {"type": "dismissed"}"#)
            #expect(types(over).last == "dismissed")
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
            // What just fits is taken input by input: each of them is refused here, and nothing else happens.
            let wordy = #"{"type": "ad_completed", "note": "\#(String(repeating: "x", count: 66))"}"#
            let full = #"{"inputs": [\#(Array(repeating: wordy, count: 10_000).joined(separator: ","))]}"#
            #expect(full.utf8.count > 1_000_000 && full.utf8.count < 1_048_576)
            let all = try await gateway.open.post("/v1/sessions/\(session)/inputs", json: full)
            #expect(all.status == 200)
            #expect(types(all.json).count == 10_000 && Set(types(all.json)) == ["refused"])
            let after = try await send(gateway, session, #"{"type": "start"}"#)
            #expect(types(after).contains("play_ad"))
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
