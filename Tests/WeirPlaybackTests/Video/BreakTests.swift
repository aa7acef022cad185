import Testing
import WeirPlayback
import WeirVAST

@Suite("Breaks in content")
struct BreakTests {
    @Test("S0.18 a post-roll waits for the content's end and plays exactly once after it")
    func postroll() {
        var stage = Stage(SampleAds.breaks(.end))
        #expect(stage.machine.stateName == "content")
        stage.send(.playhead(.seconds(500)))
        #expect(stage.all.count(.adBreakReady) == 0)
        #expect(stage.send(.contentComplete(item: nil)).events == [.adBreakReady, .loaded])
        stage.send(.start)
        stage.playAd()
        #expect(stage.send(.contentComplete(item: nil)).refusals == [.alreadyUsed])
        #expect(stage.all.count(.started) == 1)
        #expect(stage.all.events.suffix(2) == [.allAdsCompleted, .refused])
        #expect(stage.machine.stateName == "completed")
    }

    @Test("S0.19 the end of another content item is ignored")
    func otherItem() {
        var stage = Stage(SampleAds.breaks(.end))
        stage.send(.contentReady(duration: .seconds(60), item: "episode-1"))
        #expect(stage.send(.contentComplete(item: "trailer")).refusals == [.otherItem])
        #expect(stage.machine.stateName == "content")
        #expect(stage.send(.contentComplete(item: "episode-1")).events.contains(.loaded))
    }

    @Test("S0.20 after the session has ended, a late end of the content has no effect")
    func lateEnd() {
        var stage = Stage(SampleAds.breaks(.end))
        stage.send(.destroy)
        #expect(stage.send(.contentComplete(item: nil)).refusals == [.finished])
        #expect(stage.machine.stateName == "destroyed")
    }

    @Test(
        "S0.16 playing over a cue point makes the mid-roll ready; without a playhead only pre-rolls and post-rolls play"
    )
    func playhead() {
        let schedule = SampleAds.breaks(.start, .time(.seconds(60)), .end)
        var stage = Stage(schedule)
        stage.send(.start)
        stage.playAd()
        #expect(!stage.send(.playhead(.seconds(59))).events.contains(.adBreakReady))
        #expect(stage.send(.playhead(.seconds(60))).events == [.adBreakReady, .loaded])

        var blind = Stage(schedule) { $0.capabilities.contentPlayhead = false }
        #expect(blind.all.remarks.contains("no_playhead"))
        #expect(blind.machine.cuePoints == [-1])
        blind.send(.start)
        blind.playAd()
        #expect(blind.send(.playhead(.seconds(100))).list.isEmpty)
        #expect(blind.send(.contentComplete(item: nil)).events == [.adBreakReady, .loaded])
    }

    @Test("S0.23 S0.24 a VMAP schedule and a single VAST answer are the same break model")
    func oneModel() async throws {
        let ad = """
            <Ad id="a"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression>
            <Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>
            <MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://m.test/a.mp4</MediaFile>
            </MediaFiles></Linear></Creative></Creatives></InLine></Ad>
            """
        let vast = #"<VAST version="3.0">\#(ad)</VAST>"#
        let vmap = """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
            <vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre"><vmap:AdSource><vmap:VASTAdData>\(vast)
            </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
            <vmap:AdBreak timeOffset="00:01:00" breakType="linear" breakId="mid"><vmap:AdSource><vmap:VASTAdData>\(vast)
            </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
            <vmap:AdBreak timeOffset="end" breakType="linear" breakId="post"><vmap:AdSource><vmap:VASTAdData>\(vast)
            </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
            """
        let plain = await resolved(vast)
        #expect(plain.breaks.map(\.timeOffset) == [.start])
        #expect(plain.ads.map(\.id) == ["a"])
        let scheduled = await resolved(vmap)
        #expect(scheduled.breaks.map(\.timeOffset) == [.start, .time(.seconds(60)), .end])
        #expect(scheduled.breaks.map(\.id) == ["pre", "mid", "post"])
        #expect(scheduled.ads.count == 3)
        var stage = Stage(scheduled)
        #expect(
            stage.all.list.compactMap(\.event).first?.payload
                == .cuePoints([.preroll, .midroll(.seconds(60)), .postroll])
        )
        stage.send(.start)
        stage.playAd()
        stage.send(.playhead(.seconds(61)), .start)
        stage.playAd()
        stage.send(.contentComplete(item: nil), .start)
        stage.playAd()
        #expect(stage.all.playedKeys == [0, 1, 2])
    }

    private func resolved(_ text: String) async -> AdSchedule {
        let resolution = await VASTResolver().resolve(VASTReader.read(Array(text.utf8)), clock: StillClock()) { _ in
            .empty
        }
        return AdSchedule(resolution)
    }

    @Test("S0.44 resume means for now: mid-roll and post-roll follow a pre-roll, each with its own pause and resume")
    func forNow() {
        var stage = Stage(SampleAds.breaks(.start, .time(.seconds(30)), .end))
        stage.send(.start)
        stage.playAd()
        stage.send(.playhead(.seconds(31)), .start)
        stage.playAd()
        stage.send(.contentComplete(item: nil), .start)
        stage.playAd()
        let screen = stage.all.events.filter { $0 == .contentPauseRequested || $0 == .contentResumeRequested }
        #expect(
            screen == [
                .contentPauseRequested, .contentResumeRequested, .contentPauseRequested, .contentResumeRequested,
                .contentPauseRequested, .contentResumeRequested,
            ]
        )
        #expect(stage.all.events.last == .allAdsCompleted)
        #expect(
            stage.all.beacons.filter { $0.hasPrefix("break") } == [
                "break-0/breakStart", "break-0/breakEnd", "break-1/breakStart", "break-1/breakEnd",
                "break-2/breakStart",
                "break-2/breakEnd",
            ]
        )
    }

    @Test(
        "a jump over several breaks plays what the policy says, and the others can still be played over",
        arguments: [
            (SeekPolicy.last, [2], [10_000, 20_000] as [Int64]), (.all, [0], []),
            (.none, [], [10_000, 20_000, 30_000]),
        ] as [(SeekPolicy, [Int], [Int64])]
    )
    func seekPolicy(policy: SeekPolicy, ready: [Int], left: [Int64]) {
        var stage = Stage(SampleAds.breaks(.time(.seconds(10)), .time(.seconds(20)), .time(.seconds(30)))) {
            $0.settings.seekPolicy = policy
        }
        let outputs = stage.send(.seeked(from: .zero, to: .seconds(35)))
        #expect(outputs.list.compactMap { $0.event?.type == .loaded ? $0.event?.ad?.key.index : nil } == ready)
        #expect(stage.machine.cuePoints == left)
        if policy == .all {
            for expected in 0..<3 {
                stage.send(.start)
                #expect(stage.machine.currentAd?.key.index == expected)
                stage.playAd()
            }
        }
        if policy == .last {
            stage.send(.start)
            stage.playAd()
            // Back to the beginning: what was passed over is met by playing; what was played is not.
            stage.send(.seeked(from: .seconds(35), to: .zero))
            stage.send(.playhead(.seconds(9)), .playhead(.seconds(11)))
            #expect(stage.machine.currentAd?.key.index == 0)
        }
    }

    @Test("landing exactly on a cue point from behind still finds it")
    func backwards() {
        var stage = Stage(SampleAds.breaks(.time(.seconds(10)), .time(.seconds(50)))) { $0.settings.seekPolicy = .last }
        stage.send(.seeked(from: .zero, to: .seconds(60)), .start)
        stage.playAd()
        stage.send(.seeked(from: .seconds(60), to: .seconds(10)))
        #expect(stage.machine.currentAd == nil)
        stage.send(.playhead(.milliseconds(10_200)))
        #expect(stage.machine.currentAd?.key.index == 0)
    }

    @Test("percentages wait for the content's length")
    func percent() {
        var stage = Stage(SampleAds.breaks(.percent(0), .percent(50), .percent(100)))
        #expect(stage.all.remarks.contains("break_unplaced"))
        let outputs = stage.send(.contentReady(duration: .seconds(100), item: nil))
        #expect(outputs.events.contains(.cuePointsChanged))
        #expect(stage.machine.cuePoints == [50_000, -1])
        stage.send(.playhead(.seconds(49)), .playhead(.seconds(50)))
        #expect(stage.machine.currentAd?.key.index == 1)

        var known = Stage(SampleAds.breaks(.percent(0), .percent(50), .percent(100))) {
            $0.contentDuration = .seconds(200)
        }
        #expect(known.machine.currentAd?.key.index == 0)
        #expect(known.machine.cuePoints == [100_000, -1])
        known.send(.start)
        known.playAd()
        #expect(known.send(.contentComplete(item: nil)).events.contains(.adBreakReady))
    }

    @Test(
        "a break with repeatAfter comes again, each time with ads that were asked for anew; no beacon comes twice",
        arguments: [Duration?.none, .seconds(40)]
    )
    func repeats(duration: Duration?) {
        var stage = Stage(SampleAds.breaks(.time(.seconds(10)), repeatAfter: .seconds(10))) {
            $0.contentDuration = duration
        }
        var asked = 0
        for second in 1...35 {
            stage.send(.playhead(.seconds(second)))
            if stage.machine.wantsAds {
                asked += 1
                stage.send(.adsLoaded(Self.answer(asked)))
            }
            if stage.machine.currentAd != nil {
                stage.send(.start)
                stage.playAd(seconds: 3)
            }
        }
        // Without a length the next one, at 40 s, is on its way too.
        #expect(asked == (duration == nil ? 3 : 2))
        #expect(stage.all.playedKeys == [0, 1, 2])
        let beacons = stage.all.beacons
        #expect(Set(beacons).count == beacons.count && beacons.contains("again-2/impression"))
        #expect(beacons.contains("break-0/breakStart") && beacons.contains("again-1/breakStart"))
        #expect(stage.all.count(.allAdsCompleted) == (duration == nil ? 0 : 1))
    }

    /// What the ad server says when it is asked again: two breaks, of which the one of the same id counts.
    private static func answer(_ number: Int) -> AdSchedule {
        AdSchedule(
            ads: [SampleAds.ad("other-\(number)"), SampleAds.ad("again-\(number)")],
            breaks: [
                AdSchedule.Break(id: "x", timeOffset: .time(.seconds(10)), ads: [AdKey(0)]),
                AdSchedule.Break(
                    id: "break-0",
                    timeOffset: .time(.seconds(99)),
                    ads: [AdKey(1)],
                    trackingEvents: [
                        TrackingEvent(
                            event: EventName(rawValue: "breakStart"),
                            url: "https://t.test/again-\(number)/breakStart"
                        )
                    ]
                ),
            ]
        )
    }

    @Test("the ads of a repetition are asked for shortly before it is due, and the content never waits for them")
    func repeatsAhead() {
        var stage = Stage(SampleAds.breaks(.time(.seconds(10)), repeatAfter: .seconds(30))) {
            $0.contentDuration = .seconds(60)
        }
        stage.send(.playhead(.seconds(10)), .start)
        stage.playAd()
        stage.send(.playhead(.seconds(31)))
        #expect(!stage.machine.wantsAds)
        stage.send(.playhead(.seconds(33)))
        #expect(stage.machine.wantsAds)
        // Due, and not there yet: the content plays on.
        #expect(stage.send(.playhead(.seconds(41))).types.isEmpty)
        #expect(stage.machine.stateName == "content")
        let plain = AdSchedule(
            ads: [SampleAds.ad("late")],
            breaks: [AdSchedule.Break(timeOffset: .start, ads: [AdKey(0)])]
        )
        // A plain answer, no schedule, is all for this break.
        #expect(stage.send(.adsLoaded(plain)).events == [.adBreakReady, .loaded])
        #expect(stage.send(.adsLoaded(plain)).refusals == [.alreadyLoaded])
    }

    @Test("a repetition without ads is told, and neither the content nor the other repetitions are touched")
    func repeatsWithoutAds() {
        var stage = Stage(SampleAds.breaks(.time(.seconds(10)), repeatAfter: .seconds(10))) {
            $0.contentDuration = .seconds(35)
        }
        stage.send(.playhead(.seconds(10)), .start)
        stage.playAd()
        stage.send(.playhead(.seconds(20)))
        let failure = AdFailure(stage: .load, code: 1009, message: "No ad.")
        #expect(stage.send(.loadFailed(failure)).events == [.adBreakFetchError])
        #expect(stage.machine.stateName == "content")
        stage.send(.playhead(.seconds(30)), .adsLoaded(Self.answer(2)), .start)
        stage.playAd()
        #expect(stage.all.playedKeys == [0, 1])
        #expect(stage.all.events.last == .allAdsCompleted)
    }

    @Test("breaks at one offset play one after the other, each started by the host")
    func oneOffset() {
        var stage = Stage(SampleAds.breaks(.time(.seconds(10)), .time(.seconds(10))))
        stage.send(.playhead(.seconds(5)), .playhead(.seconds(10)), .start)
        #expect(stage.machine.currentAd?.key.index == 0)
        stage.playAd()
        #expect(stage.machine.stateName == "between_breaks")
        #expect(stage.machine.currentAd?.key.index == 1)
        stage.send(.start)
        stage.playAd()
        #expect(stage.all.playedKeys == [0, 1])
        #expect(stage.all.events.last == .allAdsCompleted)
    }

    @Test("a break that turns out empty is told and never touches the content")
    func empty() {
        let failure = AdFailure(stage: .load, code: 303, message: "No ad.")
        let trackers = ["breakStart", "breakEnd"].map {
            TrackingEvent(event: EventName(rawValue: $0), url: "https://t.test/empty/\($0)")
        }
        let schedule = AdSchedule(
            ads: [SampleAds.ad("a")],
            breaks: [
                AdSchedule.Break(timeOffset: .start, ads: [], failure: failure),
                AdSchedule.Break(timeOffset: .time(.seconds(10)), ads: [], failure: failure),
                AdSchedule.Break(timeOffset: .time(.seconds(20)), ads: [], trackingEvents: trackers),
                AdSchedule.Break(timeOffset: .end, ads: [AdKey(0), AdKey(99)]),
            ]
        )
        var stage = Stage(schedule)
        #expect(stage.all.events.suffix(2) == [.adBreakFetchError, .contentResumeRequested])
        #expect(stage.send(.playhead(.seconds(11))).events == [.adBreakFetchError])
        #expect(stage.send(.playhead(.seconds(21))).beacons == ["empty/breakStart", "empty/breakEnd"])
        #expect(stage.machine.stateName == "content")
        stage.send(.contentComplete(item: nil), .start)
        stage.playAd()
        #expect(stage.all.playedKeys == [0])
    }

    @Test("only breaks strictly after play_ads_after_ms are played")
    func playAdsAfter() {
        var stage = Stage(
            SampleAds.breaks(.start, .time(.seconds(10)), .time(.seconds(20))),
            rendering: { $0.playAdsAfter = .seconds(10) }
        )
        #expect(stage.machine.cuePoints == [20_000])
        #expect(stage.machine.stateName == "content")
        stage.send(.playhead(.seconds(15)), .playhead(.seconds(20)))
        #expect(stage.machine.currentAd?.key.index == 2)
    }

    @Test("discarding gives up the break that is ready or running, and the content goes on")
    func discard() {
        var stage = Stage(SampleAds.breaks(.start, .time(.seconds(10))))
        let outputs = stage.send(.discardAdBreak)
        #expect(outputs.beacons == ["b0/notUsed"])
        #expect(outputs.events == [.contentResumeRequested])
        #expect(stage.send(.discardAdBreak).refusals == [.noAdReady])
        stage.send(.playhead(.seconds(10)), .start, .adStarted(nil))
        let running = stage.send(.discardAdBreak)
        #expect(running.types == ["stop_ad", "ad_break_ended", "content_resume_requested", "all_ads_completed"])
        #expect(running.beacons == ["b1/closeLinear", "break-1/breakEnd"])
    }

    @Test(
        "the first ad of a mid-roll is handed to the player ahead of time, once, and given up when the viewer jumps over it"
    )
    func preloading() {
        var stage = Stage(SampleAds.breaks(.time(.seconds(60)), .time(.seconds(90)), .end))
        #expect(stage.send(.playhead(.seconds(51))).types.isEmpty)
        #expect(stage.send(.playhead(.seconds(53))).types == ["load_ad"])
        #expect(stage.send(.playhead(.seconds(54)), .adLoaded(AdKey(0), duration: nil)).types.isEmpty)
        #expect(stage.send(.playhead(.seconds(60))).types == ["ad_break_ready", "loaded"])
        stage.send(.start)
        stage.playAd()
        #expect(stage.send(.playhead(.seconds(85))).types == ["load_ad"])
        #expect(stage.send(.contentComplete(item: nil)).types == ["stop_ad", "ad_break_ready", "load_ad", "loaded"])
        #expect(stage.all.beacons.contains("b1/notUsed"))
    }
}
