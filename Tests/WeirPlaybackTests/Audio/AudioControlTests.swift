import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Audio controls")
struct AudioControlTests {
    private func playing(_ ads: [AudioAd]? = nil, settings: (inout AudioSettings) -> Void = { _ in }) -> Radio {
        var radio = Radio.loaded(ads, settings: settings)
        radio.go(.start(AudioPlace(.preroll)), .adStarted)
        return radio
    }

    private func flagged(_ change: (inout AudioAd) -> Void) -> [AudioAd] {
        var ad = Radio.spot("a", .preroll)
        change(&ad)
        return [ad, Radio.spot("b", .preroll)]
    }

    @Test("S4.9 S4.10 S4.30 progress drives quartiles and the time left, which only falls and ends at 0")
    func progress() {
        var radio = playing()
        let outputs = [0, 4, 4, 3, 9, 14, 19, 30].flatMap {
            radio.go(.adProgress(position: .seconds($0), duration: .seconds(99)))
        }
        #expect(outputs.beacons == ["p1/firstQuartile", "p1/midpoint", "p1/thirdQuartile"])
        #expect(outputs.timeLeft == [20, 16, 11, 6, 1, 0].map { .seconds($0) })
        let end = radio.go(.adCompleted)
        #expect(end.beacons.first == "p1/complete")
        #expect(end.timeLeft.isEmpty)
        for case .bannerTimeLeft(_, _, let duration) in outputs { #expect(duration == .seconds(20)) }
    }

    @Test("a report may name its ad by ad_key: what is said of an ad that is over is refused and changes nothing")
    func adKeys() {
        var radio = playing()
        func report(_ type: String, _ key: Int64, _ more: [PlaybackDetail] = []) -> [AudioOutput] {
            let details = [PlaybackDetail("ad_key", .integer(key))] + more
            return radio.machine.receive(PlaybackMessage(type, details), at: radio.elapsed)
        }
        let position = [PlaybackDetail("position_ms", .integer(5000))]
        #expect(report("ad_progress", 0, position).beacons == ["p1/firstQuartile"])
        let before = radio.machine.snapshot
        #expect(report("ad_completed", 1).names == ["refused(not_playing)"])
        #expect(report("ad_error", 99, [PlaybackDetail("reason", "late")]).names == ["refused(not_playing)"])
        #expect(radio.machine.snapshot == before)
        #expect(report("ad_completed", 0).beacons.contains("p1/complete"))
        #expect(report("ad_completed", 0).names == ["refused(not_playing)"])
        let bad = radio.machine.receive(
            PlaybackMessage("ad_paused", [PlaybackDetail("ad_key", "x")]),
            at: radio.elapsed
        )
        #expect(bad.names == ["refused(bad_input)"])
    }

    @Test("S4.30 an ad that completes early still ends at 0")
    func timeLeftEndsAtZero() {
        var radio = playing()
        radio.go(.adProgress(position: .seconds(3), duration: nil))
        #expect(radio.go(.adCompleted).timeLeft == [.zero])
    }

    @Test("S4.9 the player's duration counts when the document has none")
    func playersDuration() {
        var ad = Radio.spot("a", .preroll)
        ad.ad.linear?.duration = nil
        var radio = playing([ad])
        #expect(radio.go(.adProgress(position: .seconds(1), duration: .seconds(4))).timeLeft == [.seconds(3)])
        #expect(radio.machine.currentBanner?.duration == .seconds(4))
    }

    @Test(
        "S4.12 S4.63 the volume goes to the player, brought to 0 to 1",
        arguments: [(0.5, 0.5), (7, nil), (-3, 0), (.infinity, nil)]
    )
    func volume(_ wanted: Double, _ heard: Double?) {
        var radio = playing()
        let outputs = radio.go(.setVolume(wanted))
        #expect(
            outputs.compactMap { if case .setVolume(let value) = $0 { value } else { nil } }
                == (heard.map { [$0] } ?? [])
        )
        #expect(outputs.logs.isEmpty == (wanted == 0.5))
        #expect(radio.machine.volume == heard ?? 1)
    }

    @Test("silence by volume is mute, NaN is refused")
    func silence() {
        var radio = playing()
        #expect(radio.go(.setVolume(0)).beacons == ["p1/mute"])
        #expect(radio.go(.setVolume(0)).isEmpty)
        #expect(radio.go(.setVolume(0.3)).beacons == ["p1/unmute"])
        #expect(radio.go(.setVolume(.nan)).names == ["refused(bad_input)"])
        #expect(radio.machine.volume == 0.3)
    }

    @Test("S4.14 S4.15 S4.19 S4.20 S4.58 S4.59 pause and resume: command, then the player's word, then tracking")
    func pause() {
        var radio = playing()
        #expect(radio.go(.pause).names == ["pause_ad"])
        #expect(radio.go(.pause).names == ["refused(wrong_order)"])
        #expect(radio.go(.adPaused).beacons == ["p1/pause"])
        #expect(radio.go(.adPaused).names == ["refused(wrong_order)"])
        #expect(radio.go(.resume).names == ["resume_ad"])
        #expect(radio.go(.adResumed).beacons == ["p1/resume"])
        #expect(radio.go(.resume).names == ["refused(not_paused)"])
        var none = Radio.loaded()
        #expect(
            none.go(.pause, .resume, .stop, .skip, .skipBanner).names
                == Array(repeating: "refused(not_playing)", count: 5)
        )
    }

    @Test("S4.16 S4.60 stop ends the section without a word of skipping")
    func stop() {
        var radio = playing()
        let outputs = radio.go(.stop)
        #expect(outputs.names == ["stop_ad", "section_complete preroll 0", "content_resume_requested"])
        #expect(outputs.beacons == ["p2/notUsed", "p3/notUsed"])
        #expect(radio.go(.adStopped, .adCompleted).names == ["refused(not_playing)", "refused(not_playing)"])
    }

    @Test("S4.61 skip ends the section and tells that the ad was skipped")
    func skip() {
        var radio = playing()
        #expect(radio.go(.skip).names == ["refused(not_skippable_yet)"])
        radio.go(.adProgress(position: .seconds(5), duration: nil))
        let outputs = radio.go(.skip)
        #expect(outputs.names == ["skipped 0", "stop_ad", "section_complete preroll 0", "content_resume_requested"])
        #expect(outputs.beacons.first == "p1/skip")
    }

    @Test("S4.62 skip_banner ends the ad and goes on with the next")
    func skipBanner() {
        var radio = playing()
        radio.go(.adProgress(position: .seconds(5), duration: nil))
        let outputs = radio.go(.skipBanner)
        #expect(outputs.names == ["skipped 0", "stop_ad", "play_ad 1"])
        #expect(outputs.beacons == ["p1/skip"])
        #expect(radio.go(.adStarted, .skipBanner).names == ["banner_start 1", "skipped 1", "stop_ad", "play_ad 2"])
        #expect(
            radio.go(.adStarted, .skipBanner, .skip).names == [
                "banner_start 2", "refused(not_skippable)", "refused(not_skippable)",
            ]
        )
    }

    @Test("S4.21 S4.23 after the end a player's word changes nothing; complete counts once")
    func afterEnd() {
        var radio = playing()
        #expect(radio.go(.adCompleted).names == ["banner_complete 0", "play_ad 1"])
        #expect(
            radio.go(.adCompleted, .adProgress(position: .seconds(1), duration: nil)).names == [
                "refused(wrong_order)", "refused(wrong_order)",
            ]
        )
        // A player that stops by itself: the ad is over without being complete.
        #expect(radio.go(.adStarted, .adStopped).names == ["banner_start 1", "stop_ad", "play_ad 2"])
    }

    @Test("S4.49 S4.51 S4.52 S4.53 S4.54 S4.55 the banner says what the listener may do")
    func banner() throws {
        var ad = AudioAd(Jingle.ad("a", skip: 5, companions: Jingle.companions()), at: AudioPlace(.preroll))
        ad.adText = "Buy."
        var radio = playing([ad])
        let banner = try #require(radio.machine.currentBanner)
        #expect(banner.duration == .seconds(20) && banner.allowsSkip && banner.skipOffset == .seconds(5))
        #expect(banner.allowsPause && !banner.allowsSeek && !banner.allowsTrackChange && banner.adText == "Buy.")
        #expect(banner.companions.map(\.width) == [300, 728])
        #expect(banner.position == 1 && banner.total == 1 && banner.clickThrough == "https://brand.test/")
        radio.go(.adCompleted)
        #expect(radio.machine.currentBanner == nil)
    }

    @Test("S4.51 S4.55 seeking in an ad needs its permission")
    func seeking() {
        var forbidden = playing(flagged { _ in })
        #expect(forbidden.go(.seek(.seconds(9))).names == ["refused(not_allowed_by_ad)"])
        var allowed = playing(flagged { $0.allowsSeek = true })
        allowed.go(.adProgress(position: .seconds(12), duration: nil))
        #expect(allowed.go(.seek(.seconds(2))).beacons == ["a/rewind"])
        #expect(allowed.go(.seek(.seconds(999))).contains(.seekAd(AdKey(0), to: .seconds(20))))
    }

    @Test("S4.53 S4.55 another track needs the ad's permission, and ends the section")
    func nextTrack() {
        var forbidden = playing(flagged { _ in })
        #expect(forbidden.go(.nextTrack).names == ["refused(not_allowed_by_ad)"])
        var allowed = playing(flagged { $0.allowsTrackChange = true })
        #expect(allowed.go(.nextTrack).names == ["stop_ad", "section_complete preroll 0", "content_resume_requested"])
    }

    @Test("a listener's pause needs the ad's permission; play lets it go on")
    func listenerPause() {
        var forbidden = playing(flagged { $0.allowsPause = false })
        #expect(forbidden.go(.pauseContent).names == ["refused(not_allowed_by_ad)"])
        #expect(forbidden.go(.pause).names == ["pause_ad"], "the host itself may always pause")
        var allowed = playing(flagged { _ in })
        #expect(allowed.go(.play).names == ["refused(ad_playing)"])
        #expect(allowed.go(.pauseContent).names == ["pause_ad"])
        #expect(allowed.go(.play).names == ["resume_ad"])
    }

    @Test("S0.15 while no ad plays the listener's controls are the content's alone")
    func transport() {
        var radio = Radio.loaded()
        #expect(radio.go(.play, .pauseContent, .seek(.seconds(5)), .nextTrack).isEmpty)
    }

    @Test("S4.32 a page over the application pauses the ad and its going lets it go on")
    func modal() {
        var radio = playing()
        #expect(radio.go(.modalShown).names == ["show_modal", "pause_ad"])
        #expect(radio.go(.pause).names == [])
        #expect(radio.go(.modalDismissed).names == ["dismiss_modal"], "the host's own pause still holds")
        #expect(radio.go(.resume).names == ["resume_ad"])
        #expect(radio.go(.modalDismissed).names == ["refused(wrong_order)"])
    }

    @Test("in the background ads halt, and none begins, unless the client may play there")
    func background() {
        var radio = playing()
        #expect(radio.go(.appBackground, .appBackground).names == ["pause_ad"])
        #expect(radio.go(.appForeground).names == ["resume_ad"])
        radio.go(.appBackground, .stop)
        #expect(radio.go(.start(AudioPlace(.postroll))).names == ["refused(in_background)"])
        var free = playing { $0.allowsBackgroundPlayback = true }
        #expect(free.go(.appBackground, .appForeground).isEmpty)
    }

    @Test("S4.33 a click opens the page, tracks each time, and only while the ad is heard")
    func click() {
        var radio = Radio.loaded()
        radio.go(.start(AudioPlace(.preroll)))
        #expect(radio.go(.clicked).names == ["refused(wrong_order)"])
        radio.go(.adStarted)
        let outputs = radio.go(.clicked)
        #expect(outputs.names == ["clicked", "open_url", "leave_application"] && outputs.beacons == ["p1/click"])
        var nowhere = Radio.loaded([AudioAd(Jingle.ad("x", clickThrough: nil), at: AudioPlace(.preroll))])
        nowhere.go(.start(AudioPlace(.preroll)), .adStarted)
        #expect(nowhere.go(.clicked).names == ["refused(unknown_part)"])
    }

    @Test("S4.24 S4.8 what comes at the wrong time is refused and corrupts nothing")
    func wrongTime() {
        var radio = Radio.loaded()
        let before = radio.machine.snapshot
        #expect(
            radio.go(.adStarted, .adPaused, .adResumed, .adStopped, .adCompleted, .adError(reason: "x", code: nil))
                .names
                == Array(repeating: "refused(not_playing)", count: 6)
        )
        #expect(radio.machine.snapshot == before)
    }
}
