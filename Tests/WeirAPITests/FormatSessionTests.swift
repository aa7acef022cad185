import Testing
import WeirAdapterKit
import WeirGateway
import WeirHTTP
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirAPI

@Suite("Sessions of rewarded and audio ads over HTTP")
struct FormatSessionTests {
    private let json = [(name: "Content-Type", value: "application/json")]

    private static let schedule: String = {
        func spot(_ id: String) -> String {
            """
            <VAST version="4.2"><Ad id="\(id)" adType="audio"><InLine><AdSystem>s</AdSystem><AdTitle>\(id)</AdTitle>
            <Impression>https://n.test/i?\(id)</Impression><Creatives><Creative id="\(id)"><Linear skipoffset="00:00:02">
            <Duration>00:00:10</Duration><TrackingEvents><Tracking event="complete">https://n.test/c?\(id)</Tracking>
            </TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="audio/mpeg">https://n.test/\(id).mp3
            </MediaFile></MediaFiles></Linear></Creative><Creative><CompanionAds><Companion id="k" width="300" height="250">
            <StaticResource creativeType="image/png">https://n.test/k.png</StaticResource><TrackingEvents>
            <Tracking event="creativeView">https://n.test/view?\(id)</Tracking></TrackingEvents>
            <CompanionClickThrough>https://brand.test/</CompanionClickThrough></Companion></CompanionAds></Creative>
            </Creatives></InLine></Ad></VAST>
            """
        }
        func adBreak(_ offset: String, _ id: String) -> String {
            "<vmap:AdBreak timeOffset=\"\(offset)\" breakType=\"linear\"><vmap:AdSource><vmap:VASTAdData>\(spot(id))"
                + "</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>"
        }
        return "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">"
            + adBreak("start", "pre") + adBreak("00:01:00", "m60") + adBreak("00:05:00", "m300")
            + adBreak("end", "post")
            + "</vmap:VMAP>"
    }()

    private func audio(_ document: String = schedule) async -> House {
        await House(document) { $0.format = .audio }
    }

    private func open(_ house: House, _ more: String = "") async throws -> (String, JSONValue) {
        let response = await house.ask("POST", "/v1/sessions", headers: json, body: "{\"placement\":\"p\"\(more)}")
        #expect(response.status == 201, "\(String(decoding: response.bytes, as: UTF8.self))")
        let answer = try response.json()
        return (try #require(answer["session"]?.string), answer)
    }

    @discardableResult
    private func send(_ house: House, _ session: String, _ inputs: String...) async throws -> JSONValue {
        let body = "{\"inputs\":[\(inputs.joined(separator: ","))]}"
        let response = await house.ask("POST", "/v1/sessions/\(session)/inputs", headers: json, body: body)
        #expect(response.status == 200, "\(String(decoding: response.bytes, as: UTF8.self))")
        return try response.json()
    }

    private func types(_ answer: JSONValue) -> [String] {
        (answer["outputs"]?.array ?? []).compactMap { output in
            guard let reason = output["reason"]?.string, output["type"]?.string == "refused" else {
                return output["type"]?.string
            }
            return "refused(\(reason))"
        }
    }

    /// What has been sent once there are `count`, sorted: beacons go out side by side.
    private func sent(_ house: House, _ count: Int) async -> [String] {
        await waitUntil { house.transport.requests.count >= count }
        return house.transport.requests.map(\.url).sorted()
    }

    @Test("S4.1 S4.43 an audio session loads a programme, plays a pre-roll, a mid-roll by its point, and a post-roll")
    func programme() async throws {
        let house = await audio()
        let (session, opened) = try await open(house)
        #expect(opened["format"]?.string == "audio" && opened["state"]?.string == "loaded")
        #expect(opened["cue_points_ms"]?.array?.compactMap(\.int) == [60_000, 300_000])
        #expect(types(opened) == ["ads_loaded", "load"])
        let start = try await send(house, session, #"{"type":"start_preroll"}"#)
        #expect(types(start) == ["content_pause_requested", "load_ad", "play_ad"])
        #expect(start["outputs"]?[2]?["media_file"]?.string == "https://n.test/pre.mp3")
        #expect(start["outputs"]?[2]?["ad"]?["id"]?.string == "pre")
        let heard = try await send(
            house,
            session,
            #"{"type":"ad_started"}"#,
            #"{"type":"ad_progress","position_ms":4000}"#,
            #"{"type":"companion_shown","id":"k"}"#,
            #"{"type":"companion_clicked","id":"k"}"#,
            #"{"type":"ad_completed"}"#
        )
        #expect(
            types(heard) == [
                "banner_start", "banner_time_left", "open_url", "leave_application", "banner_time_left",
                "banner_complete", "section_complete", "content_resume_requested",
            ]
        )
        #expect(
            heard["outputs"]?[0]?["banner"]?["companions"]?[0]?["static_resource"]?.string == "https://n.test/k.png"
        )
        #expect(heard["outputs"]?[1]?["time_left_ms"]?.int == 6000)
        let urls = await sent(house, 3)
        #expect(urls == ["https://n.test/c?pre", "https://n.test/i?pre", "https://n.test/view?pre"])
        let wrong = try await send(house, session, #"{"type":"start_midroll","point_ms":1000}"#)
        #expect(types(wrong) == ["refused(unknown_point)"])
        let due = try await send(house, session, #"{"type":"playhead","position_ms":60500}"#)
        #expect(types(due) == ["midpoint_reached"] && due["outputs"]?[0]?["point_ms"]?.int == 60_000)
        let midroll = try await send(house, session, #"{"type":"start_midroll","point_ms":60000}"#)
        #expect(midroll["state"]?.string == "section")
        let read = try await house.ask("GET", "/v1/sessions/\(session)").json()
        #expect(read["cue_points_ms"]?.array?.compactMap(\.int) == [300_000])
        #expect(read["content_time_ms"]?.int == 60_500 && read["stream_time_ms"]?.int == 70_500)
        #expect(read["current_ad"]?["id"]?.string == "m60")
    }

    @Test("S4.40 mid-points configured by an input before the load reach the waterfall")
    func configured() async throws {
        let house = await audio()
        let (session, opened) = try await open(house, #","autoload":false"#)
        #expect(opened["state"]?.string == "loading" && types(opened).isEmpty)
        let loaded = try await send(
            house,
            session,
            #"{"type":"configure_midpoints","percent":[10,50,150],"duration_ms":600000}"#,
            #"{"type":"load"}"#
        )
        #expect(types(loaded) == ["log", "ads_loaded", "load"])
        #expect(loaded["outputs"]?[1]?["cue_points_ms"]?.array?.compactMap(\.int) == [60_000, 300_000])
        let late = try await send(house, session, #"{"type":"configure_midpoints","seconds":[1]}"#)
        #expect(types(late) == ["refused(already_loaded)"])
        let (_, asked) = try await open(house, #","request":{"midpoints":{"seconds":[300,301]}}"#)
        #expect(asked["cue_points_ms"]?.array?.compactMap(\.int) == [300_000])
    }

    @Test("S4.26 no ad: the session says so once, and the music may play")
    func noAd() async throws {
        let (_, opened) = try await open(await audio(""))
        #expect(types(opened) == ["load_failed", "no_ad"] && opened["state"]?.string == "failed")
    }

    @Test("SX.1 a client that leaves in mid-ad: the section ends, the content may go on")
    func leaving() async throws {
        let house = await audio()
        let (session, _) = try await open(house)
        try await send(house, session, #"{"type":"start_preroll"}"#, #"{"type":"ad_started"}"#)
        let end = try await house.ask("DELETE", "/v1/sessions/\(session)").json()
        #expect(types(end) == ["stop_ad", "section_complete", "content_resume_requested"])
        #expect(await house.ask("GET", "/v1/sessions/\(session)").status == 410)
    }

    @Test("wrong settings of an audio session are refused by name")
    func badSettings() async throws {
        let house = await audio()
        for (settings, path) in [
            (#""settings":{"loading_timeout_ms":-1}"#, "settings.loading_timeout_ms"),
            (#""settings":{"end_card_ms":"long"}"#, "settings.end_card_ms"),
            (#""capabilities":{"companions":[{"width":0,"height":1}]}"#, "capabilities.companions[0].width"),
            (#""capabilities":{"companions":[{"width":1}]}"#, "capabilities.companions[0].height"),
            (#""capabilities":{"companions":7}"#, "capabilities.companions"),
        ] {
            let body = #"{"placement":"p",\#(settings)}"#
            let response = await house.ask("POST", "/v1/sessions", headers: json, body: body)
            #expect(response.status == 400, "\(settings)")
            #expect(try response.json()["errors"]?[0]?["path"]?.string == path)
        }
    }

    private func coins() async -> House {
        await House {
            $0.format = .rewarded
            $0.reward = Reward(item: "coins", amount: ExactDecimal(10))
        }
    }

    @Test("S2.30 S2.37 a rewarded session: the reward before, the events in order, the reward in the end")
    func rewarded() async throws {
        let house = await coins()
        let (session, opened) = try await open(house, #","user_context":"row""#)
        #expect(types(opened) == ["ads_loaded", "loaded"] && opened["state"]?.string == "loaded")
        #expect(opened["outputs"]?[0]?["user_context"]?.string == "row")
        #expect(opened["outputs"]?[1]?["reward"]?["amount"]?.string == "10")
        #expect(opened["outputs"]?[1]?["ad"]?["presentation_token"]?.string?.isEmpty == false)
        let asked = try await send(
            house,
            session,
            #"{"type":"set_ssv_options","user_id":"u","custom_data":"a&b=%"}"#,
            #"{"type":"present"}"#,
            #"{"type":"present","opt_in":true}"#
        )
        #expect(types(asked) == ["refused(opt_in_required)", "log", "load_ad", "play_ad"])
        let watched = try await send(
            house,
            session,
            #"{"type":"impression"}"#,
            #"{"type":"dismissed","earned_reward":true}"#
        )
        #expect(types(watched) == ["will_present", "impression", "earned_reward", "will_dismiss", "dismissed"])
        #expect(watched["outputs"]?[4]?["reward_earned"]?.bool == true)
        #expect(watched["state"]?.string == "dismissed")
        #expect(await sent(house, 2) == ["https://n.test/i", "https://n.test/s"])
        let read = try await house.ask("GET", "/v1/sessions/\(session)").json()
        #expect(read["ssv_custom_data"]?.string == "a&b=%" && read["reward_earned"]?.bool == true)
    }

    @Test("S2.22 the next rewarded session opens at the end of the ad: a second tap while it shows is none")
    func next() async throws {
        let house = await coins()
        let (session, _) = try await open(house, #","settings":{"preload_next":true}"#)
        let present = #"{"type":"present","opt_in":true}"#
        try await send(house, session, present, #"{"type":"will_present"}"#, #"{"type":"impression"}"#)
        let tapped = try await send(house, session, present)
        #expect(types(tapped) == ["failed_to_present", "refused(already_used)"])
        #expect(house.services.gateway.sessions.count == 1)
        let gone = try await send(house, session, #"{"type":"dismissed"}"#)
        #expect(types(gone) == ["will_dismiss", "dismissed", "next_session"])
        #expect(types(try await send(house, session, present)) == ["failed_to_present", "refused(already_used)"])
        let (waiting, _) = try await open(house, #","settings":{"preload_next":true}"#)
        house.clock.advance(by: .seconds(1700))
        _ = await house.ask("GET", "/v1/sessions/\(waiting)")
        house.clock.advance(by: .seconds(1700))
        _ = await house.ask("GET", "/v1/sessions/\(waiting)")
        house.clock.advance(by: .seconds(1700))
        #expect(types(try await send(house, waiting, present)).last == "next_session")
    }

    @Test("S2.40 without server-side verification the client's word rewards; the ad says which it is")
    func modes() async throws {
        for (mode, isVerified) in [(RewardMode.client, false), (.ssv, true), (.both, true)] {
            let house = await House {
                $0.format = .rewarded
                $0.rewardMode = mode
                $0.reward = Reward(item: "coins", amount: ExactDecimal(10))
            }
            let (_, opened) = try await open(house)
            #expect(opened["outputs"]?[1]?["ad"]?["ssv"]?["enabled"]?.bool == isVerified)
        }
    }

    @Test("an audio answer lists what had no place, and its spares")
    func leftOut() async throws {
        let house = await House(Self.schedule) {
            $0.format = .audio
            $0.sections = SectionLimits([.preroll: SectionLimit(), .midroll: SectionLimit(minGap: .seconds(600))])
        }
        let answer = try await house.ask("POST", "/v1/ads", headers: json, body: #"{"placement":"p"}"#).json()
        let leftOut = answer["attempts"]?[0]?["left_out"]?.array ?? []
        #expect(leftOut.compactMap { $0["reason"]?.string } == ["gap", "gap", "section"])
        #expect(leftOut.compactMap { $0["point_ms"]?.int } == [60_000, 300_000])
        #expect(leftOut.allSatisfy { $0["message"]?.string?.isEmpty == false && $0["id"]?.string != nil })
        #expect(answer["spares"] == nil)
        let buffet = House.inLine
            .replacing("</Ad></VAST>", with: "</Ad>\(Self.standAlone)</VAST>").replacing(
                "video/mp4",
                with: "audio/mpeg"
            )
        let spare = await House(buffet) { $0.format = .audio }
        let other = try await spare.ask("POST", "/v1/ads", headers: json, body: #"{"placement":"p"}"#).json()
        #expect(other["spares"]?.array?.compactMap { $0["id"]?.string } == ["spare"])
        let vmap = await spare.ask("GET", "/v1/vmap", query: "placement=p")
        let text = String(decoding: vmap.bytes, as: UTF8.self)
        #expect(text.contains("allowMultipleAds=\"true\"") && text.contains("sequence=\"1\""))
        #expect(text.split(separator: "<Ad ").count == 3)
    }

    private static let standAlone = """
        <Ad id="spare"><InLine><AdSystem>sys</AdSystem><AdTitle>Spare</AdTitle><Impression>https://n.test/i</Impression>
        <Creatives><Creative id="cr-2"><Linear><Duration>00:00:10</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="audio/mpeg">https://n.test/s.mp3</MediaFile></MediaFiles></Linear>
        </Creative></Creatives></InLine></Ad>
        """

    @Test("S2.13 a rewarded session expires with its ad")
    func expiry() async throws {
        let house = await coins()
        let (session, _) = try await open(house)
        for _ in 0..<4 {
            house.clock.advance(by: .seconds(900))
            _ = await house.ask("GET", "/v1/sessions/\(session)")
        }
        let late = try await send(house, session, #"{"type":"present","opt_in":true}"#)
        #expect(types(late) == ["expired", "failed_to_present", "refused(expired)"])
    }

    @Test("/v1/vmap writes breaks, pods and the pause-roll")
    func vmap() async throws {
        let house = await audio()
        let reply = await house.ask("GET", "/v1/vmap", query: "placement=p&midpoints=300&duration_ms=600000")
        let text = String(decoding: reply.bytes, as: UTF8.self)
        #expect(reply.status == 200)
        let offsets = text.split(separator: "timeOffset=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
        #expect(offsets == ["start", "00:05:00", "end"])
        let none = await audio("").ask("GET", "/v1/vmap", query: "placement=p")
        #expect(none.status == 200 && none.header("X-Weir-Result") == "no_fill")
        #expect(!String(decoding: none.bytes, as: UTF8.self).contains("AdBreak"))
    }
}
