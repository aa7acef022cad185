import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Audio companions")
struct AudioCompanionTests {
    private func playing(
        _ required: String? = nil,
        slots: [CompanionSelector.Slot]? = nil,
        starting: Bool = true
    ) -> (Radio, [AudioOutput]) {
        let ad = AudioAd(Jingle.ad("a", companions: Jingle.companions(required)), at: AudioPlace(.preroll))
        var radio = Radio.loaded([ad, Radio.spot("b", .preroll)]) { $0.companionSlots = slots }
        let outputs = radio.go(.start(AudioPlace(.preroll)))
        if starting { radio.go(.adStarted) }
        return (radio, outputs)
    }

    @Test("S4.56 nothing is tracked by itself: a companion is seen when the host says so, once")
    func shown() {
        var (radio, _) = playing()
        #expect(radio.go(.companionShown("k1")).beacons == ["k1/view"])
        #expect(radio.go(.companionShown("k1")).isEmpty)
        #expect(radio.go(.companionShown("1")).isEmpty, "the second one, by its place, has no trackers")
        #expect(
            radio.go(.companionShown("k9"), .companionShown("-1")).names == [
                "refused(unknown_part)", "refused(unknown_part)",
            ]
        )
    }

    @Test("S4.57 a click is tracked once for each companion of a play, and opens the advertiser's page each time")
    func clicked() {
        var (radio, _) = playing()
        let outputs = radio.go(.companionClicked("k1"))
        #expect(outputs.beacons == ["k1/click"])
        #expect(
            outputs.names == ["open_url", "leave_application"] && outputs.contains(.openURL("https://brand.test/k1"))
        )
        let again = radio.go(.companionClicked("k1"))
        #expect(again.beacons.isEmpty && again.names == ["open_url", "leave_application"])
        #expect(radio.go(.companionClicked("1")).names == ["refused(unknown_part)"])
    }

    @Test("before the first sound there is no companion")
    func early() {
        var (radio, _) = playing(starting: false)
        #expect(radio.go(.companionShown("k1")).names == ["refused(not_playing)"])
    }

    @Test("companions may be shown and clicked for 10 s after the ad, until the next one begins")
    func endCard() {
        var (radio, _) = playing()
        radio.go(.adCompleted)
        #expect(radio.go(.companionShown("k1")).beacons == ["k1/view"])
        _ = radio.wait(.seconds(9))
        #expect(radio.go(.companionClicked("k1")).beacons == ["k1/click"])
        radio.go(.adStarted)
        #expect(radio.go(.companionShown("k1")).names == ["refused(unknown_part)"])
        var (late, _) = playing()
        late.go(.adCompleted, .stop)
        _ = late.wait(.seconds(10))
        #expect(late.go(.companionShown("k1")).names == ["refused(not_playing)"])
    }

    @Test(
        "required companions are honoured, also where nothing can be shown",
        arguments: [
            ("all", [CompanionSelector.Slot](), false), ("any", [], false), ("none", [], true), (nil, [], true),
            ("all", [.init(width: 300, height: 250)], false), ("any", [.init(width: 300, height: 250)], true),
            ("all", [.init(width: 300, height: 250), .init(width: 728, height: 90)], true), ("any", nil, true),
        ] as [(String?, [CompanionSelector.Slot]?, Bool)]
    )
    func required(_ required: String?, _ slots: [CompanionSelector.Slot]?, _ plays: Bool) {
        let (_, outputs) = playing(required, slots: slots, starting: false)
        #expect(outputs.names.contains("play_ad 0") == plays)
        #expect(outputs.names.contains("play_ad 1") != plays)
        #expect(outputs.beacons == (plays ? [] : ["a/error/[ERRORCODE]"]))
        let code = outputs.compactMap { $0.beacon?.beacon.macros["ERRORCODE"] }
        #expect(code == (plays ? [] : [.number(602)]))
    }
}
