import Testing
import WeirPlayback
import WeirVAST

@Suite("Ads manager")
struct ManagerTests {
    @Test("S0.2 the content player is never commanded, only asked: every command names an ad or the ad player")
    func neverCommanded() {
        var stage = Stage(SampleAds.breaks(.start, .time(.seconds(30)), .end))
        stage.send(.start)
        stage.playAd()
        stage.send(.playhead(.seconds(31)), .start)
        stage.playAd()
        stage.send(.contentComplete(item: nil), .start)
        stage.playAd()
        let commands = Set(stage.all.list.filter { $0.kind == .command }.map(\.type))
        #expect(commands == ["load_ad", "play_ad"])
    }

    @Test("S0.3 S0.41 the ad's position never moves the content: it goes on where it was paused")
    func contentPosition() {
        var stage = Stage(SampleAds.breaks(.time(.seconds(30)), .time(.seconds(40))))
        stage.send(.playhead(.seconds(30)), .start, .adStarted(nil))
        // A content player that reports late, or an ad player whose position leaks, must not move the content.
        stage.send(.adProgress(nil, position: .seconds(11), duration: .seconds(12)), .playhead(.seconds(45)))
        #expect(position(stage) == 30_000)
        stage.send(.adCompleted(nil))
        #expect(position(stage) == 30_000)
        #expect(stage.machine.cuePoints == [40_000])
    }

    private func position(_ stage: Stage) -> Int64? {
        for detail in stage.machine.snapshot where detail.name == "content_position_ms" {
            if case .integer(let position) = detail.value { return position }
        }
        return nil
    }

    @Test("S0.5 without a display container, or with one that is not on screen, loading is refused")
    func container() {
        var stage = Stage { $0.capabilities.displayContainer = false }
        #expect(stage.send(.load).refusals == [.noPlayer])
        #expect(!stage.machine.wantsAds)
        var hidden = Stage()
        #expect(hidden.send(.hidden, .load).refusals == [.noPlayer])
        #expect(hidden.send(.visible, .load).refusals.isEmpty)
        #expect(hidden.machine.wantsAds)
    }

    @Test("S0.13 content plays without ads: its reports are taken in every state and ask for nothing")
    func contentOnly() {
        var stage = Stage()
        #expect(stage.send(.contentReady(duration: .seconds(60), item: nil), .playhead(.seconds(5))).list.isEmpty)
        stage.send(.load, .loadFailed(AdFailure(stage: .load, code: 303, message: "None.")))
        let rest = stage.send(
            .playhead(.seconds(10)),
            .seeked(from: nil, to: .seconds(50)),
            .contentComplete(item: nil)
        )
        #expect(rest.list.isEmpty)
    }

    @Test(
        "S0.15 while an ad shows, no transport command reaches the content player",
        arguments: [.play, .pause, .seek(.seconds(3)), .next] as [Transport]
    )
    func transport(wish: Transport) {
        var stage = Stage(SampleAds.breaks(.start, .end))
        #expect(stage.send(.transport(wish)).list.isEmpty)
        stage.send(.start)
        #expect(stage.send(.transport(wish)).refusals == [.adPlaying])
        stage.send(.adStarted(nil))
        #expect(stage.send(.transport(wish)).refusals == [.adPlaying])
        stage.send(.adCompleted(nil))
        #expect(stage.send(.transport(wish)).list.isEmpty)
    }

    @Test("S0.26 the host's context comes back unchanged with the ads and with the failure")
    func userContext() {
        let context = PlaybackValue.object([PlaybackDetail("row", 7), PlaybackDetail("word", "שלום")])
        var stage = Stage { $0.userContext = context }
        let loaded = stage.send(.load, .adsLoaded(SampleAds.breaks(.start))).list.compactMap(\.event)
        #expect(loaded.map(\.userContext) == [context])
        var failing = Stage { $0.userContext = context }
        let failed = failing.send(.load, .loadFailed(AdFailure(stage: .load, code: 900, message: ""))).list
        #expect(failed.first?.event?.userContext == context)
    }

    @Test("S0.28 a load ends in exactly one of ads_loaded and load_failed")
    func exactlyOne() {
        let failure = AdFailure(stage: .load, code: 301, message: "The ad server is dead.")
        var stage = Stage()
        #expect(stage.send(.adsLoaded(SampleAds.breaks(.start))).refusals == [.alreadyLoaded])
        stage.send(.load)
        #expect(stage.send(.load).refusals == [.alreadyLoaded])
        stage.send(.adsLoaded(SampleAds.breaks(.start)), .adsLoaded(SampleAds.breaks(.end)), .loadFailed(failure))
        #expect(stage.all.count(.adsLoaded) == 1)
        #expect(stage.all.count(.loadFailed) == 0)
    }

    @Test("S0.29 no media is handed to the player before the manager is initialized")
    func noPrefetch() {
        var stage = Stage()
        stage.send(.load, .adsLoaded(SampleAds.breaks(.start)), .playhead(.seconds(1)))
        #expect(stage.all.commands.isEmpty)
        #expect(stage.send(.start).refusals == [.notInitialized])
        #expect(stage.send(.initialize(AdsRenderingSettings())).types == ["ad_break_ready", "load_ad", "loaded"])
    }

    @Test(
        "S0.30 S0.32 when loading fails the content is asked to play, with a code and a message",
        arguments: [(301, "The ad server answered 500."), (402, ""), (1009, "An empty answer."), (100, "Not XML.")]
    )
    func loadFailure(code: Int, message: String) throws {
        var stage = Stage()
        let outputs = stage.send(.load, .loadFailed(AdFailure(stage: .load, code: code, message: message)))
        #expect(outputs.events == [.loadFailed, .contentResumeRequested])
        guard case .failure(let failure)? = outputs.list.first?.event?.payload else {
            Issue.record("no failure in \(outputs.list)")
            return
        }
        #expect(failure.code == code)
        #expect(!failure.message.isEmpty)
        #expect(stage.machine.stateName == "failed")
        #expect(stage.send(.initialize(AdsRenderingSettings())).refusals == [.notLoaded])
    }

    @Test("an answer without any ad is a failure to load")
    func noAds() {
        var stage = Stage()
        let outputs = stage.send(.load, .adsLoaded(AdSchedule(ads: [], breaks: [])))
        #expect(outputs.events == [.loadFailed, .contentResumeRequested])
    }

    @Test("S0.31 initializing without settings is initializing with the defaults")
    func defaults() throws {
        let fromNothing = try VideoInput(PlaybackMessage("initialize"))
        #expect(fromNothing == .initialize(nil))
        #expect(Stage(SampleAds.breaks(.start)).machine.configuration.rendering == AdsRenderingSettings())
        let fromEmpty = try VideoInput(PlaybackMessage("initialize", [PlaybackDetail("rendering", .object([]))]))
        #expect(fromEmpty == .initialize(AdsRenderingSettings()))
    }

    @Test("S0.34 a host that acts on nothing but loaded plays a whole pod")
    func minimalHost() {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b")))
        for _ in 0..<2 {
            if stage.all.events.last == .loaded || stage.all.types.suffix(2) == ["loaded", "play_ad"] {
                #expect(stage.send(.start).refusals.isEmpty)
            }
            stage.playAd()
        }
        #expect(stage.all.events.last == .allAdsCompleted)
        #expect(stage.all.beacons.filter { $0.hasSuffix("impression") } == ["a/impression", "b/impression"])
    }

    @Test("S0.35 without start nothing plays and nothing is counted")
    func noStart() {
        var stage = Stage(SampleAds.breaks(.start))
        stage.send(.adLoaded(nil, duration: .seconds(12)))
        #expect(stage.send(.adStarted(nil)).refusals == [.wrongOrder])
        #expect(stage.send(.adProgress(nil, position: .seconds(1), duration: nil)).refusals == [.notPlaying])
        stage.wait(.seconds(3600))
        #expect(stage.all.playedKeys.isEmpty)
        #expect(stage.all.beacons == ["b0/loaded"])
        #expect(stage.machine.stateName == "initialized")
    }

    @Test("S0.36 loaded comes for each ad, and start in the middle of a pod is harmless")
    func loadedPerAd() {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b"), SampleAds.ad("c")))
        stage.send(.start)
        stage.playAd()
        #expect(stage.send(.start).list.isEmpty)
        stage.playAd()
        stage.playAd()
        #expect(stage.all.count(.loaded) == 3)
        #expect(stage.all.playedKeys == [0, 1, 2])
    }

    @Test("S0.38 S0.39 an ad that cannot be played is told with a message, and the content comes back")
    func mediaError() throws {
        var stage = Stage(SampleAds.breaks(.start))
        stage.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(2), duration: .seconds(12)))
        let outputs = stage.send(.adError(nil, reason: "not_found", code: nil))
        #expect(
            outputs.types == ["ad_error", "stop_ad", "ad_break_ended", "content_resume_requested", "all_ads_completed"]
        )
        let failure = try #require(outputs.list.first?.event?.payload)
        guard case .failure(let told) = failure else { return #expect(Bool(false)) }
        #expect(told.code == 401 && told.stage == .play && !told.message.isEmpty)
        let due = outputs.list.compactMap(\.beacon?.beacon).filter { $0.name == "error" }
        #expect(due.map(\.macros["ERRORCODE"]) == [.number(401), .number(401)])
    }

    @Test("S0.40 S0.42 S0.43 pause comes before the first frame of a break, resume after its last ad")
    func pauseAndResume() throws {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b")))
        stage.send(.start)
        stage.playAd()
        stage.playAd()
        let types = stage.all.types
        let pause = try #require(types.firstIndex(of: "content_pause_requested"))
        let play = try #require(types.firstIndex(of: "play_ad"))
        let resume = try #require(types.firstIndex(of: "content_resume_requested"))
        let complete = try #require(types.lastIndex(of: "complete"))
        #expect(pause < play && complete < resume)
        #expect(types.count { $0 == "content_pause_requested" } == 1)
        #expect(types.count { $0 == "content_resume_requested" } == 1)
    }

    @Test("SX.4 one ad from loading to its end: events and beacons in order, each once")
    func oneAd() {
        var stage = Stage(SampleAds.breaks(.start))
        stage.send(.start)
        stage.playAd()
        #expect(
            stage.all.events == [
                .adsLoaded, .adBreakReady, .loaded, .contentPauseRequested, .adBreakStarted, .started, .impression,
                .adProgress, .adProgress, .firstQuartile, .adProgress, .adProgress, .adProgress, .midpoint, .adProgress,
                .adProgress, .adProgress, .thirdQuartile, .adProgress, .adProgress, .adProgress, .complete,
                .adBreakEnded, .contentResumeRequested, .allAdsCompleted,
            ]
        )
        #expect(
            stage.all.beacons == [
                "break-0/breakStart", "b0/loaded", "b0/impression", "b0/creativeView", "b0/start", "b0/firstQuartile",
                "b0/midpoint", "b0/thirdQuartile", "b0/complete", "break-0/breakEnd",
            ]
        )
    }

    @Test("an ad that fails in the middle of a pod is replaced from the buffet, and the pod goes on")
    func buffet() {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b"), buffet: [SampleAds.ad("spare")]))
        stage.send(.start, .adStarted(nil), .adError(nil, reason: "decode", code: nil))
        #expect(stage.machine.currentAd?.id == "spare")
        #expect(stage.machine.currentAd?.pod.adPosition == 1)
        stage.playAd()
        #expect(stage.machine.currentAd?.id == "b")
        stage.send(.adStarted(nil), .adError(nil, reason: "decode", code: 405))
        #expect(stage.all.events.suffix(2) == [.contentResumeRequested, .allAdsCompleted])
        #expect(stage.all.count(.contentResumeRequested) == 1)
    }

    @Test("SX.3 an ad that does not start in time fails, one after the other, and the content is never stuck")
    func startTimeout() {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b")))
        stage.send(.start)
        #expect(stage.machine.nextDeadline == .seconds(8))
        #expect(stage.wait(.milliseconds(7_999)).list.isEmpty)
        #expect(stage.wait(.milliseconds(1)).events == [.adError, .loaded])
        #expect(stage.wait(.seconds(8)).events == [.adError, .adBreakEnded, .contentResumeRequested, .allAdsCompleted])
        #expect(stage.machine.nextDeadline == nil)
    }

    @Test("media that fits no rendering setting fails the ad with 403")
    func noMediaFits() {
        var stage = Stage(
            SampleAds.pod(SampleAds.ad("a")),
            rendering: { $0.mimeTypes = ["video/webm"] }
        )
        #expect(stage.all.events.suffix(3) == [.adError, .contentResumeRequested, .allAdsCompleted])
        #expect(stage.all.beacons == ["a/error?code=[ERRORCODE]"])
        #expect(stage.send(.start).refusals == [.noAdReady])
    }

    @Test(
        "the next ad of a pod is handed to the player while one plays, unless preloading is off",
        arguments: [true, false]
    )
    func podPreloading(isOn: Bool) {
        var stage = Stage(
            SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b")),
            rendering: { $0.enablePreloading = isOn }
        )
        stage.send(.start)
        #expect(stage.send(.adStarted(nil)).types.contains("load_ad") == isOn)
        stage.send(.adCompleted(nil))
        #expect(stage.all.types.count { $0 == "load_ad" } == 2)
        #expect(stage.all.playedKeys == [0, 1])
    }

    @Test("S0.33 events, errors, pause and resume requests are told apart by their types")
    func fourKinds() {
        var stage = Stage(SampleAds.breaks(.start))
        stage.send(.start, .adStarted(nil), .adError(nil, reason: "x", code: nil))
        let kinds: Set<AdEventType> = [.started, .adError, .contentPauseRequested, .contentResumeRequested]
        #expect(kinds.isSubset(of: stage.all.events))
    }

    @Test("volume goes to the ad player, and its edges are tracked once")
    func volume() {
        var stage = Stage(SampleAds.breaks(.start))
        stage.send(.start, .adStarted(nil))
        #expect(stage.send(.setVolume(0), .muted).beacons == ["b0/mute"])
        #expect(stage.send(.setVolume(.nan)).commands == [.setVolume(1)])
        #expect(stage.all.beacons.last == "b0/unmute")
        #expect(stage.send(.playerExpanded, .playerCollapsed).beacons == ["b0/playerExpand", "b0/playerCollapse"])
    }

    @Test("icons and companions are counted when seen and opened when touched; unknown ones are refused")
    func parts() {
        var icon = Icon()
        icon.program = "AdChoices"
        icon.clickThrough = TrackedURL(url: "https://choices.test/")
        icon.clickTracking = [TrackedURL(url: "https://t.test/icon/click")]
        icon.viewTracking = ["https://t.test/icon/view"]
        var companion = Companion()
        companion.id = "side"
        companion.clickThrough = TrackedURL(url: "https://side.test/")
        companion.clickTracking = [TrackedURL(url: "https://t.test/side/click")]
        companion.trackingEvents = [TrackingEvent(event: .creativeView, url: "https://t.test/side/view")]
        var stage = Stage(SampleAds.pod(SampleAds.ad("a", icons: [icon], companions: [companion])))
        stage.send(.start)
        #expect(stage.send(.adStarted(nil)).beacons.last == "icon/view")
        let tapped = stage.send(.iconTapped("AdChoices"))
        #expect(tapped.types == ["icon_tapped", "open_url"])
        #expect(tapped.beacons == ["icon/click"])
        #expect(stage.send(.companionShown("side"), .companionShown("0")).beacons == ["side/view"])
        #expect(stage.send(.companionClicked("side")).beacons == ["side/click"])
        #expect(stage.send(.iconTapped("7"), .companionShown("-1")).refusals == [.unknownPart, .unknownPart])
    }

    @Test("what an ad's player reports after the ad's end says nothing more about it")
    func afterTheEnd() {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b")))
        stage.send(.start)
        stage.playAd()
        let late = stage.send(
            .adProgress(AdKey(0), position: .seconds(12), duration: .seconds(12)),
            .adCompleted(AdKey(0)),
            .adError(AdKey(0), reason: "x", code: nil),
            .adPaused(AdKey(0))
        )
        #expect(late.events == [.refused, .refused, .refused, .refused])
        #expect(late.beacons.isEmpty)
    }

    @Test("a player's confirmation of stop_ad is no news; a stop by itself ends the ad")
    func stopping() {
        var stage = Stage(SampleAds.pod(SampleAds.ad("a", skip: .time(.zero)), SampleAds.ad("b")))
        stage.send(.start, .adStarted(nil), .skip)
        #expect(stage.send(.adStopped(nil)).list.isEmpty)
        #expect(stage.send(.adStopped(AdKey(0))).refusals == [.notPlaying])
        stage.send(.adStarted(nil))
        #expect(stage.send(.adStopped(AdKey(1))).beacons == ["b/closeLinear"])
        #expect(stage.all.events.last == .allAdsCompleted)
    }
}
