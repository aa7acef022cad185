import Testing
import WeirAdapterKit
import WeirGateway
import WeirHTTP
import WeirJSON
import WeirModel
import WeirTesting

@testable import WeirAPI

@Suite("Sessions over HTTP")
struct SessionTests {
    private let json = [("Content-Type", "application/json")]

    private func open(_ house: House, _ body: String = #"{"placement":"p"}"#) async throws -> (String, JSONValue) {
        let response = await house.ask("POST", "/v1/sessions", headers: json, body: body)
        #expect(response.status == 201)
        let answer = try response.json()
        return (try #require(answer["session"]?.string), answer)
    }

    @discardableResult
    private func send(_ house: House, _ session: String, _ inputs: String) async throws -> JSONValue {
        let response = await house.ask("POST", "/v1/sessions/\(session)/inputs", headers: json, body: inputs)
        #expect(response.status == 200, "\(String(decoding: response.bytes, as: UTF8.self))")
        return try response.json()
    }

    private func types(_ answer: JSONValue) -> [String] {
        (answer["outputs"]?.array ?? []).compactMap { $0["type"]?.string }
    }

    @Test("a session is opened with its ads, and answers state, format, cue points and outputs")
    func opening() async throws {
        let house = await House()
        let (_, answer) = try await open(house, #"{"placement":"p","user_context":{"row":7}}"#)
        #expect(answer["state"]?.string == "loaded")
        #expect(answer["format"]?.string == "video")
        #expect(answer["cue_points_ms"] == [0])
        #expect(types(answer) == ["ads_loaded"])
        #expect(answer["outputs"]?[0]?["user_context"]?["row"] == 7)
    }

    @Test("an ad is played from start to end by inputs; outputs are numbered without gaps over all calls")
    func playing() async throws {
        let house = await House()
        let (session, opened) = try await open(house)
        var answers = [opened]
        for inputs in [
            #"{"inputs":[{"type":"initialize"}]}"#, #"{"inputs":[{"type":"start"},{"type":"ad_started"}]}"#,
            #"{"inputs":[{"type":"ad_progress","position_ms":5000,"duration_ms":10000}]}"#,
            #"{"inputs":[{"type":"ad_completed"}]}"#,
        ] {
            answers.append(try await send(house, session, inputs))
        }
        let seqs = answers.flatMap { $0["outputs"]?.array ?? [] }.compactMap { $0["seq"]?.int }
        #expect(seqs == Array(1...seqs.count))
        #expect(types(answers[1]) == ["ad_break_ready", "load_ad", "loaded"])
        #expect(answers[1]["outputs"]?[1]?["media_file"]?["url"]?.string == "https://n.test/v.mp4")
        #expect(answers[1]["outputs"]?[1]?["ad"]?["id"]?.string == "ad-1")
        #expect(answers[3]["state"]?.string == "playing_ad")
        #expect(types(answers[4]).suffix(2) == ["content_resume_requested", "all_ads_completed"])
        #expect(answers[4]["state"]?.string == "content")
    }

    @Test("the gateway calls each beacon once, with the viewer's address and agent, and says what became of it")
    func beacons() async throws {
        let house = await House()
        let (session, _) = try await open(
            house,
            #"{"placement":"p","request":{"device":{"ip":"203.0.113.7","ua":"Player/1"}}}"#
        )
        try await send(house, session, #"{"inputs":[{"type":"initialize"},{"type":"start"},{"type":"ad_started"}]}"#)
        try await send(house, session, #"{"inputs":[{"type":"ad_started"}]}"#)
        var beacons: [JSONValue] = []
        try await waitUntil {
            beacons = try await house.ask("GET", "/v1/sessions/\(session)").json()["beacons"]?.array ?? []
            return beacons.allSatisfy { $0["state"]?.string == "sent" }
        }
        #expect(beacons.compactMap { $0["event"]?.string } == ["impression", "start"])
        #expect(beacons.allSatisfy { $0["attempts"] == 1 && $0["status"] == 404 })
        let sent = house.transport.requests.filter { $0.url.hasPrefix("https://n.test/") }
        #expect(sent.map(\.url).sorted() == ["https://n.test/i", "https://n.test/s"])
        #expect(
            sent.allSatisfy { request in
                request.headers.contains { $0.name == "X-Device-IP" && $0.value == "203.0.113.7" }
            }
        )
        #expect(
            sent.allSatisfy { request in
                request.headers.contains { $0.name == "X-Device-User-Agent" && $0.value == "Player/1" }
            }
        )
    }

    @Test("with client-side tracking the client gets the URLs and the gateway calls none")
    func clientSide() async throws {
        let house = await House()
        let (session, _) = try await open(house, #"{"placement":"p","settings":{"client_side_tracking":true}}"#)
        let answer = try await send(
            house,
            session,
            #"{"inputs":[{"type":"initialize"},{"type":"start"},{"type":"ad_started"}]}"#
        )
        let tracking = (answer["outputs"]?.array ?? []).filter { $0["kind"]?.string == "tracking" }
        #expect(tracking.compactMap { $0["url"]?.string } == ["https://n.test/i", "https://n.test/s"])
        #expect(tracking.allSatisfy { $0["type"]?.string == "beacon" })
        #expect(house.transport.requests.isEmpty)
    }

    @Test("S0.28 S0.30 a session without ads says so once and asks for the content")
    func noFill() async throws {
        let house = await House("")
        let (session, answer) = try await open(house, #"{"placement":"p","user_context":"c"}"#)
        #expect(answer["state"]?.string == "failed")
        #expect(types(answer) == ["load_failed", "content_resume_requested"])
        #expect(answer["outputs"]?[0]?["user_context"]?.string == "c")
        #expect(answer["outputs"]?[0]?["message"]?.string?.isEmpty == false)
        let later = try await send(house, session, #"{"inputs":[{"type":"start"}]}"#)
        #expect(types(later) == ["refused"])
    }

    @Test("a session whose load failed names the decision that says why")
    func fruitlessLoad() async throws {
        let house = await House("")
        let (session, answer) = try await open(house)
        let id = try #require(answer["request_id"]?.string)
        #expect(try await house.ask("GET", "/v1/sessions/\(session)").json()["request_id"]?.string == id)
        let kept = try await house.ask("GET", "/v1/requests/\(id)", on: .admin).json()
        #expect(kept["result"]?.string == "no_fill")
        let (_, waiting) = try await open(house, #"{"placement":"p","autoload":false}"#)
        #expect(waiting["request_id"]?.isNull == true)
    }

    @Test("with autoload false ads are asked for by the load input, once")
    func autoload() async throws {
        let house = await House()
        let (session, answer) = try await open(house, #"{"placement":"p","autoload":false}"#)
        #expect(answer["state"]?.string == "loading")
        #expect(types(answer).isEmpty)
        let loaded = try await send(house, session, #"{"inputs":[{"type":"load"},{"type":"load"}]}"#)
        #expect(types(loaded) == ["ads_loaded", "refused"])
    }

    @Test("inputs with a number are taken once; a lost answer is made good by asking after the last output")
    func idempotence() async throws {
        let house = await House()
        let (session, _) = try await open(house)
        let batch = #"{"inputs":[{"seq":1,"type":"initialize"},{"seq":2,"type":"start"}]}"#
        let first = try await send(house, session, batch)
        #expect(first["client_seq"] == 2)
        let repeated = try await send(house, session, batch)
        #expect(types(repeated).isEmpty)
        let healed = try await send(house, session, #"{"after":1,"inputs":[{"seq":2,"type":"start"}]}"#)
        #expect(types(healed) == types(first))
        let duplicates =
            #"{"inputs":[\#(Array(repeating: #"{"seq":3,"type":"ad_started"}"#, count: 10_000).joined(separator: ","))]}"#
        let once = try await send(house, session, duplicates)
        #expect(types(once).filter { $0 == "started" }.count == 1)
        let unnumbered =
            #"{"inputs":[\#(Array(repeating: #"{"type":"pip_stopped"}"#, count: 10_000).joined(separator: ","))]}"#
        let refused = try await send(house, session, unnumbered)
        #expect(types(refused).count == 10_000)
        #expect(refused["state"]?.string == "playing_ad")
    }

    @Test(
        "wrong inputs are refused one by one and harm nothing",
        arguments: [
            (#"{"type":"nonsense"}"#, "unknown_input"), (#"{"type":"playhead"}"#, "bad_input"),
            (#"{"type":"playhead","position_ms":-1}"#, "bad_input"),
            (#"{"type":"playhead","position_ms":1e300}"#, "bad_input"),
            (#"{"type":"playhead","position_ms":9223372036854775807}"#, "bad_input"),
            (#"{"type":"playhead","position_ms":"soon"}"#, "bad_input"),
            (#"{"type":"set_volume","value":7}"#, "bad_input"), (#"{"type":"start"}"#, "not_initialized"),
            (#"{"type":"skip"}"#, "not_playing"), (#"{"type":"load"}"#, "already_loaded"),
            (#"{"type":"ads_loaded"}"#, "unknown_input"),
        ]
    )
    func badInputs(input: String, reason: String) async throws {
        let house = await House()
        let (session, _) = try await open(house)
        let answer = try await send(house, session, #"{"inputs":[\#(input)]}"#)
        #expect(types(answer) == ["refused"])
        #expect(answer["outputs"]?[0]?["reason"]?.string == reason)
        #expect(answer["state"]?.string == "loaded")
        #expect(types(try await send(house, session, #"{"type":"initialize"}"#)).contains("loaded"))
    }

    @Test(
        "bodies that are no inputs are problems, and nothing of them is taken",
        arguments: [
            "", "{", "[]", "{}", #"{"inputs":{}}"#, #"{"inputs":[7]}"#, #"{"inputs":[{"type":"initialize"},{}]}"#,
            #"{"inputs":[{"type":"playhead","position_ms":NaN}]}"#, #"{"after":-1,"inputs":[]}"#,
            #"{"inputs":[{"type":"start","seq":0}]}"#,
        ]
    )
    func badBodies(body: String) async throws {
        let house = await House()
        let (session, _) = try await open(house)
        let response = await house.ask("POST", "/v1/sessions/\(session)/inputs", headers: json, body: body)
        #expect(response.status == 400)
        #expect(response.header("Content-Type") == "application/problem+json")
        let state = try await house.ask("GET", "/v1/sessions/\(session)").json()
        #expect(state["state"]?.string == "loaded")
        #expect(state["last_seq"] == 1)
    }

    @Test("more inputs than a call may bring are a problem")
    func tooMany() async throws {
        let house = await House()
        let (session, _) = try await open(house)
        let many = Array(repeating: #"{"type":"tapped"}"#, count: 10_001).joined(separator: ",")
        let response = await house.ask(
            "POST",
            "/v1/sessions/\(session)/inputs",
            headers: json,
            body: #"{"inputs":[\#(many)]}"#
        )
        #expect(response.status == 400)
    }

    @Test("an id that no gateway made is 404; one that was made, here or by an earlier run, is 410 with what to do")
    func missing() async throws {
        let house = await House()
        #expect(await house.ask("GET", "/v1/sessions/nope").status == 404)
        #expect(await house.ask("GET", "/v1/sessions/ses_XYZ").status == 404)
        let earlier = await house.ask("GET", "/v1/sessions/ses_0123456789abcdef0123456789abcdef")
        #expect(earlier.status == 410)
        #expect(try earlier.json()["detail"]?.string?.contains("POST /v1/sessions") == true)
        let (session, _) = try await open(house)
        let ended = await house.ask("DELETE", "/v1/sessions/\(session)")
        #expect(ended.status == 200)
        #expect(types(try ended.json()) == ["content_resume_requested"])
        #expect(await house.ask("GET", "/v1/sessions/\(session)").status == 410)
        #expect(await house.ask("DELETE", "/v1/sessions/\(session)").status == 410)
    }

    @Test("a silent session is forgotten; calls keep it")
    func expiry() async throws {
        let house = await House()
        let (silent, _) = try await open(house)
        let (busy, _) = try await open(house)
        house.clock.advance(by: .seconds(1200))
        try await send(house, busy, #"{"type":"playhead","position_ms":1000}"#)
        house.clock.advance(by: .seconds(1200))
        #expect(await house.ask("GET", "/v1/sessions/\(silent)").status == 410)
        #expect(await house.ask("GET", "/v1/sessions/\(busy)").status == 200)
        house.clock.advance(by: .seconds(3600))
        house.services.gateway.sessions.sweep()
        #expect(house.services.gateway.sessions.count == 0)
    }

    @Test("beyond the greatest number of sessions there is 429 with Retry-After, until one is silent for too long")
    func full() async throws {
        let house = await House()
        house.services.gateway.sessions.limits = SessionHost.Limits(count: 2, idle: .seconds(60))
        _ = try await open(house)
        let (second, _) = try await open(house)
        let refused = await house.ask("POST", "/v1/sessions", headers: json, body: #"{"placement":"p"}"#)
        #expect(refused.status == 429)
        #expect(refused.header("Retry-After") == "60")
        _ = await house.ask("DELETE", "/v1/sessions/\(second)")
        _ = try await open(house)
        house.clock.advance(by: .seconds(61))
        _ = try await open(house)
        #expect(house.services.gateway.sessions.count == 1)
    }

    @Test("an opening cannot be used to fill the memory: its body, its context and all of them together are bounded")
    func heavyOpenings() async throws {
        let house = await House()
        func open(_ members: String) async -> (Int, String) {
            let body = "{\"placement\":\"p\",\"autoload\":false\(members)}"
            let reply = await house.ask("POST", "/v1/sessions", headers: json, body: body)
            return (reply.status, String(decoding: reply.bytes, as: UTF8.self))
        }
        func zeros(_ count: Int) -> String { "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]" }
        let context = await open(",\"user_context\":\(zeros(3000))")
        #expect(context.0 == 400 && context.1.contains("user_context"), "\(context)")
        let body = await open(",\"x\":\(zeros(40_000))")
        #expect(body.0 == 400 && body.1.contains("65536"), "\(body)")
        #expect(await open(",\"user_context\":\(zeros(1000))").0 == 201)
        let heavy = ",\"x\":\"\(String(repeating: "x", count: 65_000))\""
        house.services.gateway.sessions.limits = SessionHost.Limits(bytes: 140_000)
        #expect(await open(heavy).0 == 201)
        let second = try #require(try JSONReader.read(await open(heavy).1)["session"]?.string)
        #expect(await open(heavy).0 == 429)
        #expect(await open("").0 == 201)
        // Whoever ends a session makes room.
        _ = await house.ask("DELETE", "/v1/sessions/\(second)")
        #expect(await open(heavy).0 == 201)
    }

    @Test(
        "an opening that is wrong names its member",
        arguments: [
            (#"{}"#, 400), (#"{"placement":"nowhere"}"#, 404),
            (#"{"placement":"p","settings":{"on_pip":"later"}}"#, 400),
            (#"{"placement":"p","settings":{"seek_policy":7}}"#, 400), (#"{"placement":"p","settings":7}"#, 400),
            (#"{"placement":"p","rendering":{"disable_ui":"yes"}}"#, 400),
            (#"{"placement":"p","capabilities":[]}"#, 400),
            (#"{"placement":"p","request":{"device":{"ip":"x"}}}"#, 400),
            (#"{"placement":"p","autoload":"no"}"#, 400),
        ]
    )
    func badOpenings(body: String, status: Int) async {
        let house = await House()
        let response = await house.ask("POST", "/v1/sessions", headers: json, body: body)
        #expect(response.status == status, "\(String(decoding: response.bytes, as: UTF8.self))")
        #expect(house.services.gateway.sessions.count == 0)
    }

    @Test(
        "each problem of an opening has the path of the member that is wrong, once",
        arguments: [
            (#""rendering":{"disable_ui":1}"#, ["rendering.disable_ui"]), (#""rendering":7"#, ["rendering"]),
            (#""settings":{"on_pip":"later"}"#, ["settings.on_pip"]), (#""settings":5"#, ["settings"]),
            (#""capabilities":{"content_playhead":1}"#, ["capabilities.content_playhead"]),
            (#""request":{"player":{"width":-1}}"#, ["request.player.width"]), (#""request":5"#, ["request"]),
            (#""request":"x""#, ["request"]), (#""midpoints":{"seconds":[-1]}"#, ["midpoints.seconds[0]"]),
            (#""request":{"midpoints":{"seconds":[-1]}}"#, ["request.midpoints.seconds[0]"]),
            (
                #""autoload":7,"settings":{"preload_next":1},"request":{"user":{"age":-1}}"#,
                ["autoload", "settings.preload_next", "request.user.age"]
            ),
        ]
    )
    func openingPaths(members: String, paths: [String]) async throws {
        let house = await House()
        let body = "{\"placement\":\"p\",\(members)}"
        let response = await house.ask("POST", "/v1/sessions", headers: json, body: body)
        #expect(response.status == 400)
        let errors = try response.json()["errors"]?.array ?? []
        #expect(errors.compactMap { $0["path"]?.string } == paths)
        #expect(errors.allSatisfy { $0["message"]?.string?.hasPrefix("must") == true })
    }

    @Test("SX.3 an ad that never starts is given up by the clock alone")
    func clock() async throws {
        let house = await House()
        let (session, _) = try await open(house, #"{"placement":"p","rendering":{"load_video_timeout_ms":8000}}"#)
        try await send(house, session, #"{"inputs":[{"type":"initialize"},{"type":"start"}]}"#)
        house.clock.advance(by: .seconds(8))
        let answer = try await send(house, session, #"{"inputs":[]}"#)
        #expect(types(answer).isEmpty)
        let late = try await send(house, session, #"{"type":"playhead","position_ms":0}"#)
        #expect(types(late).prefix(3) == ["ad_error", "stop_ad", "ad_break_ended"])
    }

    @Test("outputs are polled after a number by who accepts JSON only")
    func polling() async throws {
        let house = await House()
        let (session, _) = try await open(house)
        try await send(house, session, #"{"type":"initialize"}"#)
        let path = "/v1/sessions/\(session)/outputs"
        let accept = [("Accept", "application/json")]
        let answer = try await house.ask("GET", path, query: "after=1", headers: accept).json()
        #expect(types(answer) == ["ad_break_ready", "load_ad", "loaded"])
        #expect(try types(await house.ask("GET", path, query: "after=4", headers: accept).json()).isEmpty)
        #expect(await house.ask("GET", path, query: "after=x", headers: accept).status == 400)
        #expect(await house.ask("GET", "/v1/sessions/nope/outputs").status == 404)
    }

    @Test("pages of other origins may open, drive and end sessions")
    func origins() async throws {
        let house = await House()
        let origin = [("Origin", "https://film.test"), ("Content-Type", "application/json")]
        let opened = await house.ask("POST", "/v1/sessions", headers: origin, body: #"{"placement":"p"}"#)
        #expect(opened.header("Access-Control-Allow-Origin") == "https://film.test")
        let session = try #require(try opened.json()["session"]?.string)
        for path in ["/v1/sessions", "/v1/sessions/\(session)", "/v1/sessions/\(session)/inputs"] {
            let preflight = await house.ask("OPTIONS", path, headers: origin)
            #expect(preflight.status == 204)
            #expect(preflight.header("Access-Control-Allow-Methods")?.contains("DELETE") == true)
        }
    }
}
