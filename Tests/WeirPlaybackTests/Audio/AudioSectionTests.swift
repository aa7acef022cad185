import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Audio sections")
struct AudioSectionTests {
    @Test("S4.1 S4.2 S4.38 S4.39 ads before, within, in a pause of and after the content")
    func sections() {
        var radio = Radio.loaded([
            Radio.spot("p", .preroll), Radio.spot("m", .midroll, at: 60), Radio.spot("pa", .pauseroll),
            Radio.spot("po", .postroll),
        ])
        #expect(
            radio.go(.start(AudioPlace(.preroll))).names == ["content_pause_requested", "play_ad 0"]
        )
        #expect(
            radio.hear().names == [
                "banner_start 0", "banner_complete 0", "section_complete preroll 1", "content_resume_requested",
            ]
        )
        #expect(radio.machine.stateName == "content")
        radio.go(.start(AudioPlace(.midroll, point: .seconds(60))))
        #expect(radio.machine.stateName == "section")
        #expect(radio.hear().names.contains("section_complete midroll 1"))
        // A listener who paused keeps the content paused.
        #expect(radio.go(.start(AudioPlace(.pauseroll))).names == ["play_ad 2"])
        #expect(radio.hear().names == ["banner_start 2", "banner_complete 2", "section_complete pauseroll 1"])
        radio.go(.contentComplete, .start(AudioPlace(.postroll)))
        #expect(radio.hear().names.contains("section_complete postroll 1"))
        #expect(radio.machine.stateName == "completed" && radio.machine.isFinished)
    }

    @Test("S4.3 S4.13 S4.50 the machine hands over an address and commands; it decodes nothing")
    func commands() throws {
        var radio = Radio.loaded()
        let outputs = radio.go(.start(AudioPlace(.preroll)))
        let file = try #require(outputs.compactMap { if case .playAd(_, let file) = $0 { file } else { nil } }.first)
        #expect(file.url == "https://m.test/p1.mp3")
        #expect(outputs.map(\.type) == ["content_pause_requested", "load_ad", "play_ad"])
    }

    @Test("S4.7 without a player nothing begins; a player that goes away ends the section")
    func player() {
        var radio = Radio(machine: AudioMachine(hasPlayer: false))
        radio.go(.loaded(AudioProgram(Radio.usual)))
        #expect(radio.go(.start(AudioPlace(.preroll))).names == ["refused(no_player)"])
        radio.go(.playerAttached(true), .start(AudioPlace(.preroll)))
        #expect(
            radio.go(.playerAttached(false)).names == [
                "stop_ad", "section_complete preroll 0", "content_resume_requested",
            ]
        )
    }

    @Test("S4.18 the impression is due at the first sound, not at the command")
    func impression() {
        var radio = Radio.loaded()
        #expect(radio.go(.start(AudioPlace(.preroll)), .adLoaded(duration: nil)).beacons == ["p1/loaded"])
        #expect(radio.go(.adStarted).beacons == ["p1/impression", "p1/start"])
        #expect(radio.go(.adStarted).names == ["refused(wrong_order)"])
    }

    @Test("S4.28 S4.29 S4.31 S4.35 S4.36 three ads: start and complete for each, then the section, once")
    func threeAds() {
        var radio = Radio.loaded()
        var names = radio.go(.start(AudioPlace(.preroll))).names
        for _ in 0..<3 { names += radio.hear().names }
        #expect(
            names == [
                "content_pause_requested", "play_ad 0", "banner_start 0", "banner_complete 0", "play_ad 1",
                "banner_start 1", "banner_complete 1", "play_ad 2", "banner_start 2", "banner_complete 2",
                "section_complete preroll 3", "content_resume_requested",
            ]
        )
    }

    @Test("S4.34 a section cannot begin before the load")
    func beforeLoad() {
        var radio = Radio(machine: AudioMachine())
        #expect(radio.go(.start(AudioPlace(.preroll))).names == ["refused(not_loaded)"])
    }

    @Test("S4.22 S4.27 S4.37 an error in the second of three ads: told, then the third, then the section once")
    func errorInSecond() {
        var radio = Radio.loaded()
        radio.go(.start(AudioPlace(.preroll)))
        radio.hear()
        let outputs = radio.go(.adStarted, .adError(reason: "no codec", code: nil))
        #expect(outputs.names == ["banner_start 1", "error 1", "stop_ad", "play_ad 2"])
        #expect(outputs.beacons.contains("p2/error/[ERRORCODE]"))
        #expect(radio.hear().names.suffix(2) == ["section_complete preroll 2", "content_resume_requested"])
    }

    @Test("S4.37 when every ad fails the content goes on")
    func allFail() {
        var radio = Radio.loaded()
        radio.go(.start(AudioPlace(.preroll)))
        var names: [String] = []
        for _ in 0..<3 { names += radio.go(.adError(reason: "dead", code: 401)).names }
        #expect(
            names == [
                "error 0", "stop_ad", "play_ad 1", "error 1", "stop_ad", "play_ad 2", "error 2", "stop_ad",
                "section_complete preroll 0", "content_resume_requested",
            ]
        )
    }

    @Test("an ad that was never heard is replaced by a spare; one that broke off is not")
    func spares() {
        let ads = [Radio.spot("a", .preroll), Radio.spot("b", .preroll), Radio.spare("s1"), Radio.spare("s2")]
        var radio = Radio.loaded(ads)
        radio.go(.start(AudioPlace(.preroll)))
        #expect(radio.go(.adError(reason: "404", code: 401)).names == ["error 0", "stop_ad", "play_ad 2"])
        #expect(radio.go(.adStarted, .adError(reason: "broke off", code: nil)).names.last == "play_ad 1")
        let end = radio.hear()
        #expect(end.names.suffix(2) == ["section_complete preroll 1", "content_resume_requested"])
        #expect(end.beacons.contains("s2/notUsed"))
    }

    @Test("a player that says nothing for 10 s, or stands still for 15 s, does not block the music")
    func deadPlayer() {
        var radio = Radio.loaded([Radio.spot("a", .preroll), Radio.spot("b", .preroll)])
        radio.go(.start(AudioPlace(.preroll)))
        #expect(radio.machine.nextDeadline == .seconds(10))
        #expect(radio.wait(.milliseconds(9999)).isEmpty)
        let late = radio.wait(.milliseconds(1))
        #expect(late.names == ["error 0", "stop_ad", "play_ad 1"])
        radio.go(.adStarted, .adProgress(position: .seconds(3), duration: nil))
        _ = radio.wait(.seconds(14))
        radio.go(.adProgress(position: .seconds(3), duration: nil))
        #expect(
            radio.wait(.seconds(1)).names == [
                "error 1", "stop_ad", "section_complete preroll 0", "content_resume_requested",
            ]
        )
    }

    @Test("a pause stops the clock of a standing ad")
    func pausedIsNotDead() {
        var radio = Radio.loaded()
        radio.go(.start(AudioPlace(.preroll)), .adStarted, .pause, .adPaused)
        #expect(radio.machine.nextDeadline == nil)
        #expect(radio.wait(.seconds(3600)).isEmpty)
        radio.go(.resume, .adResumed)
        #expect(radio.machine.nextDeadline == radio.elapsed + .seconds(15))
    }

    @Test("S4.45 a section without ads is over at once, and the content is never paused")
    func emptySection() {
        var radio = Radio.loaded([Radio.spot("m", .midroll, at: 9)])
        #expect(radio.go(.start(AudioPlace(.preroll))).names == ["section_complete preroll 0"])
        #expect(radio.go(.start(AudioPlace(.preroll))).names == ["refused(already_used)"])
    }

    @Test("S4.47 S4.48 a mid-roll is named by its point; others are refused, and the same point twice")
    func midrolls() {
        var radio = Radio.loaded()
        #expect(radio.machine.midpoints == [.seconds(1), .seconds(5)])
        #expect(radio.go(.start(AudioPlace(.midroll, point: .seconds(2)))).names == ["refused(unknown_point)"])
        #expect(radio.go(.start(AudioPlace(.midroll, point: .seconds(5)))).names.last == "play_ad 4")
        #expect(radio.go(.start(AudioPlace(.midroll, point: .seconds(1)))).names == ["refused(ad_playing)"])
        radio.hear()
        #expect(radio.go(.start(AudioPlace(.midroll, point: .seconds(5)))).names == ["refused(point_already_played)"])
        #expect(radio.go(.start(AudioPlace(.midroll, point: .seconds(1)))).names.last == "play_ad 3")
    }

    @Test("the content's position says when a mid-roll is due, the last of several jumped over, each once")
    func playhead() {
        var radio = Radio.loaded()
        #expect(radio.go(.playhead(.milliseconds(900))).names == [])
        #expect(radio.go(.playhead(.seconds(1))) == [.midpointReached(.seconds(1))])
        #expect(radio.go(.playhead(.seconds(2))).isEmpty)
        #expect(radio.go(.playhead(.seconds(60))) == [.midpointReached(.seconds(5))])
        #expect(radio.go(.playhead(.seconds(3)), .playhead(.seconds(70))).isEmpty)
    }

    @Test("content time stands while an ad is heard, and stream time goes on")
    func times() {
        var radio = Radio.loaded()
        radio.go(.playhead(.seconds(30)), .start(AudioPlace(.midroll, point: .seconds(1))), .adStarted)
        radio.go(.playhead(.seconds(35)), .adProgress(position: .seconds(8), duration: nil))
        #expect(radio.machine.contentTime == .seconds(30) && radio.machine.adTime == .seconds(8))
        radio.go(.adCompleted, .playhead(.seconds(31)))
        #expect(radio.machine.contentTime == .seconds(31) && radio.machine.adTime == .seconds(20))
        #expect(radio.machine.snapshot.contains(PlaybackDetail("stream_time_ms", milliseconds: .seconds(51))))
    }

    @Test("ads that were loaded and never heard are told so at the end, once")
    func notUsed() {
        var radio = Radio.loaded()
        radio.go(.start(AudioPlace(.preroll)), .adStarted, .stop)
        let end = radio.go(.destroy, .destroy)
        #expect(end.beacons == ["m1/notUsed", "m5/notUsed", "pa/notUsed", "po/notUsed"])
        #expect(radio.go(.start(AudioPlace(.postroll))).names == ["refused(finished)"])
    }

    @Test("a session that ends during a section ends the section first")
    func destroyInSection() {
        var radio = Radio.loaded()
        radio.go(.start(AudioPlace(.preroll)), .adStarted)
        #expect(
            radio.go(.destroy).names == ["stop_ad", "section_complete preroll 0", "content_resume_requested"]
        )
    }
}
