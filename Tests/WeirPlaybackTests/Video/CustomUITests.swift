import Testing
import WeirPlayback
import WeirVAST

@Suite("Custom user interface")
struct CustomUITests {
    private let skippable = SampleAds.ad("a", skip: .time(.seconds(5)), hideable: "1")

    private func stage(
        _ ads: ResolvedAd...,
        entitled: Bool = true,
        disableUI: Bool = true,
        exact: Bool = false
    ) -> Stage {
        let keys = ads.indices.map { AdKey($0) }
        let schedule = AdSchedule(ads: ads, breaks: [AdSchedule.Break(timeOffset: .start, ads: keys)])
        return Stage(
            schedule,
            { $0.isCustomUIEntitled = entitled },
            rendering: {
                $0.disableUI = disableUI
                $0.usesExactIMAText = exact
            }
        )
    }

    @Test("S1.1 S1.3 S1.36 disable the ad's interface, show three elements, fill them from the ad")
    func threeSteps() {
        var stage = stage(skippable, SampleAds.ad("b", hideable: "1"))
        stage.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(2), duration: .seconds(12)))
        let ui = stage.machine.customUI
        #expect(ui.isCustomUIVisible && ui.isLearnMoreVisible && ui.isSkipVisible && !ui.isAdUIVisible)
        #expect(ui.skipText == "Skip this ad in 3...")
        #expect(ui.countdownText == "Ad 1 of 2 (10s)")
    }

    @Test("S1.2 without the entitlement the wish has no effect, and the reason is told")
    func entitlement() {
        var stage = stage(skippable, entitled: false)
        #expect(stage.all.remarks.contains("custom_ui_not_entitled"))
        #expect(stage.send(.start, .adStarted(nil)).remarks == ["ui_not_disabled"])
        #expect(!stage.machine.customUI.isCustomUIVisible)
        #expect(stage.machine.customUI.isAdUIVisible)
    }

    @Test("S1.4 S1.30 texts change as one picture, only on change, and never to an empty text between ticks")
    func noFlicker() {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil))
        var pictures = [stage.machine.customUI]
        for tenth in 1...110 {
            stage.send(.adProgress(nil, position: .milliseconds(tenth * 100), duration: .seconds(12)))
            let picture = stage.machine.customUI
            #expect(!picture.skipText.isEmpty && !picture.countdownText.isEmpty)
            if picture.skipText != pictures.last?.skipText || picture.countdownText != pictures.last?.countdownText {
                pictures.append(picture)
            }
        }
        let texts = pictures.map { $0.skipText + "|" + $0.countdownText }
        // No text comes back once another has taken its place, and there is one for each second.
        #expect(Set(texts).count == texts.count)
        #expect(texts.first == "|")
        #expect(texts.count < 20)
    }

    @Test("S1.5 S1.9 the current ad and the time until skip can be read; before the first tick it is infinite")
    func timeTillSkip() {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil))
        #expect(stage.machine.currentAd?.id == "a")
        #expect(stage.machine.customUI.timeTillSkip == nil)
        stage.send(.adProgress(nil, position: .seconds(1), duration: .seconds(12)))
        #expect(stage.machine.customUI.timeTillSkip == .seconds(4))
    }

    @Test("S1.6 the wish counts only at initialization; later it is refused and changes nothing")
    func onlyAtInitialization() {
        var stage = stage(skippable, disableUI: false)
        var late = AdsRenderingSettings()
        late.disableUI = true
        #expect(stage.send(.initialize(late)).refusals == [.alreadyInitialized])
        stage.send(.start, .adStarted(nil))
        #expect(!stage.machine.customUI.isCustomUIVisible)
    }

    @Test("S1.7 S1.12 an ad of a pod that forbids it shows its own interface, and the custom one is hidden during it")
    func mixedPod() {
        var stage = stage(skippable, SampleAds.ad("adsense"))
        stage.send(.start, .adStarted(nil))
        #expect(stage.machine.customUI.isCustomUIVisible)
        stage.send(.adCompleted(nil))
        #expect(stage.machine.customUI == .hidden)
        stage.send(.adStarted(nil))
        #expect(!stage.machine.customUI.isCustomUIVisible)
        #expect(stage.machine.customUI.isAdUIVisible)
        #expect(stage.machine.customUI.skipText.isEmpty)
    }

    @Test("S1.8 S1.11 the custom interface is hidden until an ad plays that hides its own")
    func hiddenByDefault() {
        var stage = stage(skippable)
        #expect(stage.machine.customUI == .hidden)
        stage.send(.start)
        #expect(stage.machine.customUI == .hidden)
        stage.send(.adStarted(nil))
        #expect(stage.machine.customUI.isCustomUIVisible)
    }

    @Test("S1.10 the custom interface lies above everything")
    func onTop() {
        #expect(stage(skippable).machine.ui?.contains(PlaybackDetail("z_order", "top")) == true)
    }

    @Test("S1.13 S1.14 after loaded the host starts; started carries the ad and whether its interface is hidden")
    func startedCarriesAd() {
        var stage = stage(skippable)
        #expect(stage.all.events.last == .loaded)
        let started = stage.send(.start, .adStarted(nil)).list.compactMap(\.event).first { $0.type == .started }
        #expect(started?.ad?.id == "a")
        #expect(started?.ad?.isUIDisabled == true)
    }

    @Test("S1.15 the custom interface goes when the ad is skipped and when it is complete", arguments: [true, false])
    func hideAtEnd(skips: Bool) {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(6), duration: .seconds(12)))
        let end = skips ? stage.send(.skip) : stage.send(.adCompleted(nil))
        #expect(end.events.contains(skips ? .skipped : .complete))
        #expect(stage.machine.customUI == .hidden)
    }

    @Test("S1.16 a tap on a paused ad resumes it; on a playing one it is harmless")
    func tap() {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil))
        #expect(stage.send(.tapped).types == ["tapped"])
        #expect(stage.send(.pause).types == ["pause_ad", "paused"])
        #expect(stage.machine.stateName == "paused_ad")
        #expect(stage.send(.tapped).types == ["tapped", "resume_ad", "resumed"])
        #expect(stage.send(.adResumed(nil)).list.isEmpty)
        #expect(stage.machine.stateName == "playing_ad")
    }

    @Test("S1.17 Learn more and the countdown are shown with the custom interface")
    func learnMore() {
        var stage = stage(SampleAds.ad("a", hideable: "1"))
        stage.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(1), duration: .seconds(12)))
        #expect(stage.machine.customUI.isLearnMoreVisible)
        #expect(stage.machine.customUI.countdownText == "Ad (11s)")
    }

    @Test("S1.18 the skip button is shown only for ads that can be skipped")
    func skipButton() {
        var plain = stage(SampleAds.ad("a", hideable: "1"))
        plain.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(1), duration: .seconds(12)))
        #expect(!plain.machine.customUI.isSkipVisible)
        #expect(plain.machine.customUI.skipText.isEmpty)
        var other = stage(skippable)
        other.send(.start, .adStarted(nil))
        #expect(other.machine.customUI.isSkipVisible)
    }

    @Test("S1.19 both texts are empty until the first tick")
    func emptyTexts() {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil))
        #expect(stage.machine.customUI.isCustomUIVisible)
        #expect(stage.machine.customUI.skipText.isEmpty)
        #expect(stage.machine.customUI.countdownText.isEmpty)
    }

    @Test("S1.20 each press of Learn more is told, counted and opened once, and pauses the ad")
    func clicked() {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil))
        let press = stage.send(.clicked)
        #expect(press.types == ["clicked", "open_url", "pause_ad", "paused"])
        #expect(press.beacons == ["a/click", "a/pause"])
        #expect(stage.send(.appForeground).types == ["resume_ad", "resumed"])
        #expect(stage.send(.clicked).beacons == ["a/click", "a/pause"])
        stage.send(.adCompleted(nil))
        #expect(stage.send(.clicked).refusals == [.notPlaying])

        var calm = Stage(SampleAds.pod(skippable)) { $0.settings.pausesOnClick = false }
        calm.send(.start, .adStarted(nil))
        #expect(calm.send(.clicked).types == ["clicked", "open_url"])
    }

    @Test("S1.21 the countdown is driven by the ad's own progress, its position and its length, and by nothing else")
    func drivenByProgress() {
        var stage = stage(skippable)
        stage.send(.start, .adStarted(nil))
        #expect(stage.machine.customUI.countdownText.isEmpty)
        stage.send(.adProgress(nil, position: .seconds(2), duration: .seconds(12)))
        #expect(stage.machine.customUI.countdownText == "Ad (10s)")
        // Neither time nor the content moves it.
        stage.wait(.seconds(5))
        stage.send(.playhead(.seconds(40)), .adBuffering(nil))
        #expect(stage.machine.customUI.countdownText == "Ad (10s)")
        // The player knows better than the document how long the ad is.
        stage.send(.adProgress(nil, position: .seconds(3), duration: .seconds(20)))
        #expect(stage.machine.customUI.countdownText == "Ad (17s)")
    }

    @Test(
        "S1.22 S1.25 the countdown shows the place in the pod and what remains",
        arguments: [
            (12_000, 2, 3, "Ad 2 of 3 (12s)"), (12_000, 1, 1, "Ad (12s)"), (0, 3, 3, "Ad 3 of 3 (0s)"),
            (100_000, 1, 2, "Ad 1 of 2 (100s)"),
        ]
    )
    func countdown(milliseconds: Int, position: Int, total: Int, text: String) {
        let made = CustomUI.countdownText(remaining: .milliseconds(milliseconds), position: position, total: total)
        #expect(made == text)
    }

    @Test("S1.23 SX.5 a single ad has two blanks in IMA's exact spelling, one in Weir's own")
    func twoBlanks() {
        var exact = stage(SampleAds.ad("a", hideable: "1"), exact: true)
        exact.send(.start, .adStarted(nil), .adProgress(nil, position: .zero, duration: .seconds(12)))
        #expect(exact.machine.customUI.countdownText == "Ad  (12s)")
        var own = stage(SampleAds.ad("a", hideable: "1"))
        own.send(.start, .adStarted(nil), .adProgress(nil, position: .zero, duration: .seconds(12)))
        #expect(own.machine.customUI.countdownText == "Ad (12s)")
    }

    @Test(
        "S1.24 halves round to the even number, and what remains is never negative",
        arguments: [(2500, "2"), (3500, "4"), (500, "0"), (1500, "2"), (2501, "3"), (-3000, "0"), (400, "0")]
    )
    func rounding(milliseconds: Int, seconds: String) {
        let text = CustomUI.countdownText(remaining: .milliseconds(milliseconds), position: 1, total: 1)
        #expect(text == "Ad (\(seconds)s)")
    }

    @Test("S1.26 S1.29 a press before its time is refused and does not skip; from zero on it does")
    func tooEarly() {
        var stage = stage(skippable)
        #expect(stage.send(.skip).refusals == [.notPlaying])
        stage.send(.start, .adStarted(nil))
        #expect(stage.send(.skip).refusals == [.notSkippableYet])
        stage.send(.adProgress(nil, position: .milliseconds(4_999), duration: .seconds(12)))
        #expect(stage.send(.skip).refusals == [.notSkippableYet])
        #expect(!stage.machine.customUI.isSkipEnabled)
        let tick = stage.send(.adProgress(nil, position: .seconds(5), duration: .seconds(12)))
        #expect(tick.events.contains(.skippableStateChanged))
        #expect(stage.machine.customUI.isSkipEnabled)
        let skip = stage.send(.skip)
        #expect(skip.types.prefix(2) == ["skipped", "stop_ad"])
        #expect(skip.beacons == ["a/skip"])
        #expect(!stage.all.beacons.contains("a/complete"))

        var never = self.stage(SampleAds.ad("n"))
        never.send(.start, .adStarted(nil))
        #expect(never.send(.skip).refusals == [.notSkippable])
    }

    @Test("S1.27 the time until skip is the offset less the position, for skippable ads only")
    func offsets() {
        var percent = stage(SampleAds.ad("a", seconds: nil, skip: .percent(50), hideable: "1"))
        percent.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(2), duration: .seconds(20)))
        #expect(percent.machine.customUI.timeTillSkip == .seconds(8))
        var broken = stage(SampleAds.ad("a", skip: .unreadable("soon"), hideable: "1"))
        broken.send(.start, .adStarted(nil), .adProgress(nil, position: .seconds(2), duration: .seconds(20)))
        #expect(!broken.machine.customUI.isSkipVisible)
    }

    @Test(
        "S1.28 the skip text counts down and then says Skip ad",
        arguments: [
            (5000, "Skip this ad in 5..."), (4600, "Skip this ad in 5..."), (400, "Skip this ad in 0..."),
            (1, "Skip this ad in 0..."), (0, "Skip ad"), (-1000, "Skip ad"),
        ]
    )
    func skipText(milliseconds: Int, text: String) {
        #expect(CustomUI.skipText(timeTillSkip: .milliseconds(milliseconds)) == text)
    }

    @Test(
        "S1.31 S1.32 the diagnostics name each condition that failed",
        arguments: [
            (true, true, "1", []), (false, true, "1", ["disable_ui_not_requested"]),
            (true, false, "1", ["custom_ui_not_entitled"]), (true, true, "0", ["ad_not_hideable"]),
            (false, false, "0", ["disable_ui_not_requested", "custom_ui_not_entitled", "ad_not_hideable"]),
        ] as [(Bool, Bool, String, [String])]
    )
    func diagnostics(asked: Bool, entitled: Bool, hideable: String, codes: [String]) {
        var stage = stage(SampleAds.ad("a", hideable: hideable), entitled: entitled, disableUI: asked)
        stage.send(.start, .adStarted(nil))
        #expect(stage.machine.diagnosticCodes == codes)
        #expect(stage.machine.currentAd?.isUIDisabled == codes.isEmpty)
    }

    @Test(
        "S1.33 S1.34 only UiHideable 1 of an extension of type uiSettings hides the ad's interface",
        arguments: [
            (#"<Extension type="uiSettings"><UiHideable>1</UiHideable></Extension>"#, true),
            (#"<Extension type="uiSettings"><UiHideable> <![CDATA[ 1 ]]> </UiHideable></Extension>"#, true),
            (#"<Extension type="uiSettings"><UiHideable>0</UiHideable></Extension>"#, false),
            (#"<Extension type="uiSettings"><UiHideable></UiHideable></Extension>"#, false),
            (#"<Extension type="uiSettings"><UiHideable>true</UiHideable></Extension>"#, false),
            (#"<Extension type="uiSettings"><UiHideable>2</UiHideable></Extension>"#, false),
            (#"<Extension type="uisettings"><UiHideable>1</UiHideable></Extension>"#, false),
            (#"<Extension type="other"><UiHideable>1</UiHideable></Extension>"#, false), ("", false),
        ]
    )
    func hideable(extension text: String, isHideable: Bool) async throws {
        let document = """
            <VAST version="3.0"><Ad id="a"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle>
            <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration>
            <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://m.test/a.mp4
            </MediaFile></MediaFiles></Linear></Creative></Creatives><Extensions>\(text)</Extensions></InLine></Ad></VAST>
            """
        let resolution = await VASTResolver().resolve(VASTReader.read(Array(document.utf8)), clock: StillClock()) { _ in
            .empty
        }
        var stage = stage(try #require(resolution.ads.first))
        stage.send(.start, .adStarted(nil))
        #expect(stage.machine.customUI.isCustomUIVisible == isHideable)
        #expect(stage.machine.customUI.isAdUIVisible != isHideable)
    }
}

extension VideoMachine {
    /// The words of the diagnostics.
    var diagnosticCodes: [String] {
        for detail in snapshot where detail.name == "diagnostics" {
            guard case .list(let remarks) = detail.value else { return [] }
            return remarks.compactMap { remark in
                guard case .object(let members) = remark, case .text(let code)? = members.first?.value else {
                    return nil
                }
                return code
            }
        }
        return []
    }
}
