import Testing
import WeirModel
import WeirPlayback
import WeirTesting
import WeirTime
import WeirVAST

@Suite("Breaks that come again, in Swift")
struct AdsRepetitionTests {
    private let outside = Outside()
    private let player = ScriptedPlayer()
    private let playhead = ReportedPlayhead()

    /// A host in the middle of 45 s of content whose break at 10 s comes again 20 s later.
    private func manager(_ source: AdsRequest.Source, plays seconds: Int = 10) async throws -> (AdsManager, BasicHost) {
        let container = AdDisplayContainer(player: player, width: 640, height: 360)
        var request = AdsRequest(source, adDisplayContainer: container, contentPlayhead: playhead)
        request.contentDuration = .seconds(45)
        let loader = AdsLoader(transport: outside.transport, correlator: { 7 })
        let manager = try await loader.load(request).get().adsManager
        let host = BasicHost()
        manager.delegate = host
        manager.initialize()
        move(manager, to: seconds)
        manager.report(.adStarted(nil))
        manager.report(.adCompleted(nil))
        return (manager, host)
    }

    private func move(_ manager: AdsManager, to second: Int) {
        playhead.report(.seconds(second))
        manager.tick()
    }

    /// A schedule of a break that repeats and of one that does not; `source` is what the first one's `AdSource` holds.
    private func schedule(_ source: String, offset: String = "00:00:10") -> String {
        """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        <vmap:AdBreak timeOffset="\(offset)" breakType="linear" breakId="mid" repeatAfter="00:00:20">
        <vmap:AdSource>\(source)</vmap:AdSource><vmap:TrackingEvents>
        <vmap:Tracking event="breakStart">https://t.test/breakStart</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>
        <vmap:AdBreak timeOffset="end" breakType="linear" breakId="last"><vmap:AdSource>
        <vmap:AdTagURI templateType="vast3">https://other.test/last</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
        """
    }

    private func inside(_ id: String) -> String { "<vmap:VASTAdData>\(Documents.vast(id))</vmap:VASTAdData>" }

    @Test("a break with an ad tag of its own asks that tag anew, shortly before it comes again, and nobody else")
    func ownTag() async throws {
        outside.answer(
            "https://rules.test/",
            schedule("<vmap:AdTagURI>https://ads.test/mid?cb=[CACHEBUSTING]</vmap:AdTagURI>")
        )
        outside.answer("https://ads.test/mid", Documents.vast("first"))
        outside.answer("https://other.test/", Documents.vast("last"))
        let (manager, host) = try await manager(.adTag("https://rules.test/"))
        #expect(outside.asked.count == 3)
        outside.answer("https://ads.test/mid", Documents.vast("second"))
        move(manager, to: 21)
        #expect(outside.asked.count == 3)
        move(manager, to: 23)
        await waitUntil { player.commands.last == "load 2" }
        let asked = outside.asked.dropFirst(3)
        #expect(asked.count == 1 && asked.allSatisfy { $0.hasPrefix("https://ads.test/mid?cb=") })
        // It is a call of its own, with a number of its own.
        #expect(Set(outside.asked.filter { $0.hasPrefix("https://ads.test/") }).count == 2)
        move(manager, to: 30)
        #expect(host.calls.suffix(4) == ["ad_break_ready", "loaded", "pause content", "ad_break_started"])
        manager.report(.adStarted(nil))
        manager.report(.adCompleted(nil))
        #expect(player.commands.filter { $0.hasPrefix("play") } == ["play 0", "play 2"])
        let impressions = outside.called.filter { $0.hasSuffix("/impression") }
        #expect(impressions == ["https://t.test/first/impression", "https://t.test/second/impression"])
        #expect(outside.called.filter { $0 == "https://t.test/breakStart" }.count == 2)
    }

    @Test("ads that stood in the schedule come from where the schedule came from; of it only this break is followed")
    func insideTheSchedule() async throws {
        outside.answer("https://rules.test/", schedule(inside("first")))
        outside.answer("https://other.test/", Documents.vast("last"))
        let (manager, host) = try await manager(.adTag("https://rules.test/ad?correlator="))
        // The break is found by its id, wherever the fresh schedule has it.
        outside.answer("https://rules.test/", schedule(inside("second"), offset: "00:00:12"))
        move(manager, to: 30)
        await waitUntil { player.commands.last == "play 2" }
        // The manager knows its host weakly, and this one is who starts breaks.
        #expect(host.calls.last == "ad_break_started")
        manager.report(.adStarted(nil))
        #expect(
            outside.asked == [
                "https://rules.test/ad?correlator=7", "https://other.test/last", "https://rules.test/ad?correlator=7",
            ]
        )
        #expect(outside.called.contains("https://t.test/second/impression"))
    }

    @Test("a placement is asked for a repetition as for the first time: the gateway's whole waterfall")
    func placement() async throws {
        let address = "https://weir.test/v1/vast?placement=movie"
        outside.answer(address, schedule(inside("first")))
        outside.answer("https://other.test/", Documents.vast("last"))
        let (manager, host) = try await manager(.placement("movie"))
        // An answer that is no schedule is all for this break.
        outside.answer(address, Documents.vast("second"))
        move(manager, to: 30)
        await waitUntil { player.commands.last == "play 2" }
        // The manager knows its host weakly, and this one is who starts breaks.
        #expect(host.calls.last == "ad_break_started")
        manager.report(.adStarted(nil))
        #expect(outside.asked.filter { $0 == address }.count == 2)
        #expect(outside.called.contains("https://t.test/second/impression"))
    }

    @Test("a document that was at hand is all there is: its ads play again, and count again")
    func document() async throws {
        outside.answer("https://other.test/", Documents.vast("last"))
        let (manager, host) = try await manager(.document(schedule(inside("only"))))
        move(manager, to: 30)
        await waitUntil { player.commands.last == "play 2" }
        // The manager knows its host weakly, and this one is who starts breaks.
        #expect(host.calls.last == "ad_break_started")
        manager.report(.adStarted(nil))
        #expect(outside.asked == ["https://other.test/last"])
        #expect(outside.called.filter { $0 == "https://t.test/only/impression" }.count == 2)
    }

    @Test(
        "whatever comes instead of ads, the content plays on, the break is left out and the manager is told",
        arguments: [
            FetchResult.failed(.status(500), message: "The server answered 500."), .empty,
            .document(Array("<VAST version=\"3.0\"/>".utf8)), .document(Array("not XML".utf8)),
            .document(Array(#"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"/>"#.utf8)),
        ]
    )
    func nothing(answer: FetchResult) async throws {
        outside.answer("https://rules.test/", schedule(inside("first")))
        outside.answer("https://other.test/", Documents.vast("last"))
        let (manager, host) = try await manager(.adTag("https://rules.test/"))
        let pauses = host.calls.filter { $0 == "pause content" }.count
        outside.answer("https://rules.test/", answer)
        move(manager, to: 30)
        await waitUntil { host.calls.last == "ad_break_fetch_error" }
        #expect(manager.stateName == "content")
        #expect(host.calls.filter { $0 == "pause content" }.count == pauses)
    }

    @Test("an answer that comes after the end of the session is no news, and asking does not keep the manager alive")
    func tooLate() async throws {
        let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
        let isOpen = Lock(false)
        let inner = outside.transport
        outside.answer("https://rules.test/", schedule(inside("first")))
        outside.answer("https://other.test/", Documents.vast("last"))
        let transport = AdsTransport(
            fetch: { request in
                if isOpen.withLock({ $0 }) {
                    await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
                }
                return await inner.fetch(request)
            },
            call: inner.call
        )
        let container = AdDisplayContainer(player: player, width: 640, height: 360)
        var request = AdsRequest(
            .adTag("https://rules.test/"),
            adDisplayContainer: container,
            contentPlayhead: playhead
        )
        request.contentDuration = .seconds(45)
        let loader = AdsLoader(transport: transport)
        var manager: AdsManager? = try await loader.load(request).get().adsManager
        let host = BasicHost(starts: false)
        manager?.delegate = host
        manager?.initialize()
        manager?.send(.playhead(.seconds(10)))
        manager?.discardAdBreak()
        isOpen.withLock { $0 = true }
        manager?.send(.playhead(.seconds(25)))
        await waitUntil { gate.withLock { $0 != nil } }
        // While it is asked, nobody asks a second time.
        manager?.send(.playhead(.seconds(30)))
        #expect(outside.asked.count == 2)
        manager?.destroy()
        let calls = host.calls
        weak let remaining = manager
        manager = nil
        await waitUntil { remaining == nil }
        gate.withLock { $0 }?.resume()
        await waitUntil { outside.asked.count == 3 }
        #expect(host.calls == calls)
    }
}
