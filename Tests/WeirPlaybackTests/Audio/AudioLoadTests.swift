import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Audio loading and mid-points")
struct AudioLoadTests {
    @Test("S4.25 S4.26 a load ends in exactly one of two ways")
    func ends() {
        var radio = Radio(machine: AudioMachine())
        #expect(radio.go(.loaded(AudioProgram(Radio.usual))).names == ["ads_loaded", "load"])
        #expect(radio.go(.loaded(AudioProgram([])), .loadFailed(code: "x", message: "y")).isEmpty)
        var dry = Radio(machine: AudioMachine())
        let outputs = dry.go(.loadFailed(code: "no_fill", message: "No network has an ad."))
        #expect(outputs.names == ["load_failed", "no_ad"] && outputs.last == .noAd("No network has an ad."))
        #expect(dry.machine.stateName == "failed" && dry.machine.isFinished)
        var empty = Radio(machine: AudioMachine())
        #expect(empty.go(.loaded(AudioProgram([Radio.spare("s")]))).names == ["load_failed", "no_ad"])
    }

    @Test("S4.5 a session is for one content item: loaded once, configured once")
    func once() {
        var radio = Radio.loaded(nil, asking: .seconds([1]))
        #expect(radio.go(.load).names == ["refused(already_loaded)"])
        #expect(radio.go(.configureMidpoints(.seconds([9]), duration: nil)).names == ["refused(already_loaded)"])
        var settings = AudioSettings()
        settings.autoload = false
        var twice = Radio(machine: AudioMachine(settings: settings))
        #expect(twice.go(.configureMidpoints(.seconds([1]), duration: nil)).isEmpty)
        #expect(twice.go(.configureMidpoints(.seconds([2]), duration: nil)).names == ["refused(already_used)"])
        #expect(twice.machine.askedMidpoints == [.seconds(1)])
    }

    @Test("S4.40 mid-points are set before the load")
    func beforeLoad() {
        var radio = Radio(machine: AudioMachine())
        #expect(radio.go(.configureMidpoints(.seconds([1]), duration: nil)).names == ["refused(already_loaded)"])
    }

    @Test("S4.41 S4.46 seconds, or percent of the duration; what comes of the load is seconds")
    func units() {
        #expect(Radio.loaded(nil, asking: .seconds([1, 5])).machine.askedMidpoints == [.seconds(1), .seconds(5)])
        let ads = [Radio.spot("a", .midroll, at: 20), Radio.spot("b", .midroll, at: 100)]
        let radio = Radio.loaded(ads, asking: .percent([10, 50]))
        #expect(radio.machine.askedMidpoints == [.seconds(20), .seconds(100)])
        #expect(radio.machine.midpoints == [.seconds(20), .seconds(100)])
    }

    @Test("S4.42 points beyond the duration and percentages outside 0 to 100 are dropped with a remark")
    func dropped() throws {
        var settings = AudioSettings()
        settings.autoload = false
        var radio = Radio(machine: AudioMachine(settings: settings))
        let seconds = radio.go(.configureMidpoints(.seconds([-1, 5, 5, 201, 1e300]), duration: .seconds(200)))
        #expect(seconds.logs.count == 3 && seconds.count == 3)
        #expect(radio.machine.askedMidpoints == [.seconds(5)])
        var percent = Radio(machine: AudioMachine(settings: settings))
        #expect(
            percent.go(.configureMidpoints(.percent([-0.5, 0, 100, 100.5]), duration: .seconds(200))).logs.count == 2
        )
        #expect(percent.machine.askedMidpoints == [.zero, .seconds(200)])
    }

    @Test(
        "what cannot be mid-points is refused by name",
        arguments: [
            (AudioMidpoints.seconds([.nan]), Duration?.none), (.seconds([.infinity]), nil),
            (.percent([10]), nil), (.seconds(Array(repeating: 1, count: 1000)), .seconds(200)),
        ]
    )
    func refused(_ midpoints: AudioMidpoints, _ duration: Duration?) {
        var settings = AudioSettings()
        settings.autoload = false
        var radio = Radio(machine: AudioMachine(settings: settings))
        #expect(radio.go(.configureMidpoints(midpoints, duration: duration)).names == ["refused(bad_input)"])
        #expect(radio.machine.askedMidpoints == nil)
    }

    @Test("S4.43 asked for 1 and 5, ads at 1 only: 1")
    func available() {
        let radio = Radio.loaded(
            [Radio.spot("a", .midroll, at: 1), Radio.spot("b", .midroll, at: 7)],
            asking: .seconds([1, 5])
        )
        #expect(radio.machine.midpoints == [.seconds(1)])
    }

    @Test("S4.44 the server's points when none were asked for, never when some were")
    func server() {
        #expect(Radio.loaded().machine.midpoints == [.seconds(1), .seconds(5)])
        #expect(Radio.loaded(nil, asking: .seconds([30])).machine.midpoints == [])
        #expect(Radio.loaded(nil, asking: .seconds([])).machine.midpoints == [])
    }

    @Test("S4.45 no points after the load: no mid-roll can begin")
    func none() {
        var radio = Radio.loaded([Radio.spot("p", .preroll)])
        #expect(radio.machine.midpoints.isEmpty)
        #expect(radio.go(.start(AudioPlace(.midroll, point: .seconds(1)))).names == ["refused(unknown_point)"])
    }

    @Test("S4.64 S4.65 10 s without an answer are no ad, once; what comes later is dropped")
    func timeout() {
        var radio = Radio(machine: AudioMachine())
        #expect(radio.machine.nextDeadline == .seconds(10))
        #expect(radio.wait(.milliseconds(9999)).isEmpty)
        #expect(radio.wait(.milliseconds(1)).names == ["load_failed", "no_ad"])
        #expect(radio.wait(.seconds(1)).isEmpty)
        #expect(radio.go(.loaded(AudioProgram(Radio.usual))).isEmpty)
        #expect(radio.machine.stateName == "failed")
    }

    @Test("S4.65 the time is at least 5 s", arguments: [(3, 5), (5, 5), (-1, 5), (7, 7), (10, 10)])
    func leastTimeout(_ asked: Int, _ given: Int) {
        var settings = AudioSettings()
        #expect(settings.loadingTimeout == .seconds(10))
        settings.loadingTimeout = .seconds(asked)
        #expect(settings.loadingTimeout == .seconds(given))
    }

    @Test("the load's time counts from the load, not from the session's beginning")
    func timeoutFromLoad() {
        var settings = AudioSettings()
        settings.autoload = false
        var radio = Radio(machine: AudioMachine(settings: settings))
        _ = radio.wait(.seconds(100))
        #expect(radio.machine.nextDeadline == nil)
        radio.go(.load)
        #expect(radio.machine.nextDeadline == .seconds(110))
    }

    @Test(
        "messages that cannot be read are refused and change nothing",
        arguments: [
            PlaybackMessage("configure_midpoints"),
            PlaybackMessage("configure_midpoints", [PlaybackDetail("seconds", "1,5")]),
            PlaybackMessage(
                "configure_midpoints",
                [PlaybackDetail("seconds", .list([.integer(1)])), PlaybackDetail("percent", .list([.integer(1)]))]
            ),
            PlaybackMessage("configure_midpoints", [PlaybackDetail("seconds", .list([.number(.nan)]))]),
            PlaybackMessage("configure_midpoints", [PlaybackDetail("seconds", .list([.text("1")]))]),
            PlaybackMessage(
                "configure_midpoints",
                [PlaybackDetail("seconds", .list(Array(repeating: .integer(1), count: 1000)))]
            ),
            PlaybackMessage("start_midroll"), PlaybackMessage("set_volume"),
            PlaybackMessage("set_volume", [PlaybackDetail("value", "loud")]),
            PlaybackMessage("playhead", [PlaybackDetail("position_ms", -5)]),
            PlaybackMessage("companion_shown"),
            PlaybackMessage("ad_error", [PlaybackDetail("code", .number(-1))]),
        ]
    )
    func unreadable(_ message: PlaybackMessage) {
        var settings = AudioSettings()
        settings.autoload = false
        var machine = AudioMachine(settings: settings)
        #expect(machine.receive(message, at: .zero).names == ["refused(bad_input)"])
        #expect(machine.askedMidpoints == nil && machine.volume == 1 && machine.stateName == "loading")
    }

    @Test("inputs by their names mean what they say")
    func names() throws {
        let plain = [
            "load", "start_preroll", "start_postroll", "start_pauseroll", "pause", "resume", "stop", "skip",
            "skip_banner", "play", "pause_content", "next_track", "content_ready", "content_complete", "ad_loaded",
            "ad_started", "ad_buffering", "ad_paused", "ad_resumed", "ad_stopped", "ad_completed", "ad_error", "muted",
            "unmuted", "clicked", "modal_shown", "modal_dismissed", "app_background", "app_foreground", "destroy",
        ]
        for type in plain { #expect(try AudioInput(PlaybackMessage(type)).type == type) }
        let point = PlaybackMessage("start_midroll", [PlaybackDetail("point_ms", 60_000)])
        #expect(try AudioInput(point) == .start(AudioPlace(.midroll, point: .seconds(60))))
        let companion = PlaybackMessage("companion_shown", [PlaybackDetail("id", 0)])
        #expect(try AudioInput(companion) == .companionShown("0"))
        let percent = PlaybackMessage(
            "configure_midpoints",
            [PlaybackDetail("percent", .list([.number(12.5)])), PlaybackDetail("duration_ms", 200_000)]
        )
        #expect(try AudioInput(percent) == .configureMidpoints(.percent([12.5]), duration: .seconds(200)))
    }
}
