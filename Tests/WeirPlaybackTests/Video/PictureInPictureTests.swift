import Testing
import WeirPlayback
import WeirVAST

@Suite("Picture-in-picture and background")
struct PictureInPictureTests {
    private func stage(
        _ schedule: AdSchedule,
        policy: PIPPolicy = .wait,
        background: Bool = false,
        seeking: SeekPolicy = .last
    ) -> Stage {
        Stage(schedule) {
            $0.capabilities.pictureInPicture = true
            $0.capabilities.backgroundPlayback = true
            $0.settings.onPIP = policy
            $0.settings.enableBackgroundPlayback = background
            $0.settings.seekPolicy = seeking
        }
    }

    @Test("S3.1 S3.2 picture-in-picture is added to a working integration: the flow without it stays the same")
    func added() {
        var plain = Stage(SampleAds.breaks(.start))
        var capable = stage(SampleAds.breaks(.start))
        plain.send(.start)
        capable.send(.start)
        plain.playAd()
        capable.playAd()
        #expect(plain.all.types == capable.all.types)
    }

    @Test("S3.3 without the capability, picture-in-picture is refused")
    func capability() {
        var stage = Stage(SampleAds.breaks(.start))
        #expect(stage.send(.pipStarted, .pipStopped).refusals == [.pipUnsupported, .pipUnsupported])
        #expect(!stage.machine.isPIPActive)
    }

    @Test(
        "S3.4 S3.5 S3.6 an ad goes on in the background only if settings and player allow it",
        arguments: [(true, true, false), (true, false, true), (false, true, true), (false, false, true)]
    )
    func background(setting: Bool, capability: Bool, pauses: Bool) {
        var stage = Stage(SampleAds.breaks(.start, .time(.seconds(10)))) {
            $0.settings.enableBackgroundPlayback = setting
            $0.capabilities.backgroundPlayback = capability
        }
        stage.send(.start, .adStarted(nil))
        #expect(stage.send(.appBackground).types == (pauses ? ["pause_ad", "paused"] : []))
        #expect(stage.send(.resume).refusals == (pauses ? [.inBackground] : [.notPaused]))
        #expect(stage.send(.appForeground).types == (pauses ? ["resume_ad", "resumed"] : []))
        stage.send(.adCompleted(nil), .playhead(.seconds(10)), .appBackground)
        #expect(stage.send(.start).refusals == (pauses ? [.inBackground] : []))
    }

    @Test("S3.6 background playback is off by default")
    func backgroundDefault() {
        #expect(!PlaybackSettings().enableBackgroundPlayback)
        #expect(PlaybackSettings().onPIP == .wait)
    }

    @Test("S3.12 S3.17 ads cannot start in picture-in-picture: refused, and nothing is counted")
    func noStart() {
        var stage = stage(SampleAds.breaks(.start))
        stage.send(.pipStarted)
        #expect(stage.send(.start).refusals == [.pipActive])
        #expect(stage.all.playedKeys.isEmpty)
        #expect(stage.all.beacons.isEmpty)
    }

    @Test("S3.13 S3.14 a break that becomes due in picture-in-picture is loaded, waits, and starts when it ends")
    func waits() {
        var stage = stage(SampleAds.breaks(.time(.seconds(10))))
        let due = stage.send(.pipStarted, .playhead(.seconds(11)))
        #expect(due.events.suffix(3) == [.adBreakReady, .log, .loaded])
        #expect(due.remarks == ["pip_started", "pip_break_waits"])
        #expect(stage.machine.stateName == "between_breaks")
        #expect(stage.machine.diagnosticCodes.contains("pip_break_waits"))
        #expect(!stage.all.events.contains(.contentPauseRequested))
        let left = stage.send(.pipStopped)
        #expect(left.types.suffix(3) == ["content_pause_requested", "ad_break_started", "play_ad"])
        #expect(left.remarks.contains("pip_break_starts"))
        #expect(stage.send(.start).list.isEmpty)
    }

    @Test("S3.13 a break that was ready before picture-in-picture began still waits for the host's start")
    func readyBefore() {
        var stage = stage(SampleAds.breaks(.start))
        stage.send(.pipStarted)
        #expect(!stage.send(.pipStopped).types.contains("play_ad"))
        #expect(stage.send(.start).types.contains("play_ad"))
    }

    @Test("S3.14 with on_pip drop the break is dropped, and that is logged")
    func drops() {
        var stage = stage(SampleAds.breaks(.time(.seconds(10))), policy: .drop)
        #expect(stage.send(.pipStarted, .playhead(.seconds(11))).remarks.contains("pip_break_dropped"))
        #expect(stage.send(.pipStopped).types == ["log"])
        #expect(stage.machine.currentAd == nil)
        #expect(stage.all.count(.allAdsCompleted) == 1)
    }

    @Test("breaks that pile up in picture-in-picture follow the seek policy", arguments: [SeekPolicy.last, .all])
    func pileUp(policy: SeekPolicy) {
        let schedule = SampleAds.breaks(.time(.seconds(10)), .time(.seconds(20)), .time(.seconds(30)))
        var stage = stage(schedule, seeking: policy)
        stage.send(.pipStarted)
        for second in [9, 11, 19, 21, 29, 31] { stage.send(.playhead(.seconds(second))) }
        stage.send(.pipStopped)
        for _ in 0..<3 where stage.machine.currentAd != nil {
            stage.send(.start)
            stage.playAd()
        }
        #expect(stage.all.playedKeys == (policy == .last ? [2] : [0, 1, 2]))
        #expect(stage.all.events.last == .allAdsCompleted)
    }

    @Test("S3.15 an ad that runs goes on in picture-in-picture: progress and quartiles go on")
    func goesOn() {
        var stage = stage(SampleAds.pod(SampleAds.ad("a"), SampleAds.ad("b")))
        stage.send(.start, .adStarted(nil), .pipStarted)
        let on = stage.send(.adProgress(nil, position: .seconds(7), duration: .seconds(12)), .adCompleted(nil))
        #expect(on.beacons.prefix(4) == ["a/firstQuartile", "a/midpoint", "a/thirdQuartile", "a/complete"])
        // The break was started in normal mode, so its next ad plays too.
        #expect(on.types.contains("play_ad"))
    }

    @Test("S3.16 the host's own button toggles; the same state twice changes nothing")
    func toggle() {
        var stage = stage(SampleAds.breaks(.start))
        #expect(stage.send(.pipStarted).types == ["log"])
        #expect(stage.send(.pipStarted).list.isEmpty)
        #expect(stage.machine.isPIPActive)
        #expect(stage.send(.pipStopped).types == ["log"])
        #expect(stage.send(.pipStopped).list.isEmpty)
        #expect(!stage.machine.isPIPActive)
    }

    @Test("S3.20 every event and every input has a stable printable name")
    func names() throws {
        for type in AdEventType.allCases {
            #expect(type.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }, "\(type.rawValue)")
        }
        let names = Set(AdEventType.allCases.map(\.rawValue))
        let promised = [
            "ads_loaded", "load_failed", "loaded", "ad_break_ready", "ad_break_started", "ad_break_ended",
            "ad_break_fetch_error", "content_pause_requested", "content_resume_requested", "started", "impression",
            "ad_progress", "first_quartile", "midpoint", "third_quartile", "complete", "skipped", "clicked", "tapped",
            "paused", "resumed", "skippable_state_changed", "icon_tapped", "all_ads_completed", "ad_error", "log",
            "refused",
        ]
        #expect(names.isSuperset(of: promised))
        for type in ["load", "start", "pip_started", "seek", "playhead", "ad_progress", "icon_tapped"] {
            let message = PlaybackMessage(
                type,
                [
                    PlaybackDetail("position_ms", 1), PlaybackDetail("to_ms", 1), PlaybackDetail("id", "0"),
                ]
            )
            #expect(try VideoInput(message).type == type)
        }
    }

    @Test("something that covers the player pauses the ad until it is gone")
    func modal() {
        var stage = stage(SampleAds.breaks(.start))
        stage.send(.start, .adStarted(nil))
        #expect(stage.send(.modalShown).types == ["pause_ad", "paused"])
        #expect(stage.send(.modalDismissed).types == ["resume_ad", "resumed"])
    }
}
