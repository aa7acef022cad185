import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Audio invariants")
struct AudioPropertyTests {
    private static let ads: [AudioAd] = {
        var free = AudioAd(Jingle.ad("p1", skip: 2, companions: Jingle.companions()), at: AudioPlace(.preroll))
        free.allowsSeek = true
        free.allowsTrackChange = true
        // Trackers cost time here, so that only some ads have all of them.
        func plain(_ ad: AudioAd) -> AudioAd {
            var ad = ad
            ad.ad.linear?.trackingEvents.removeAll { ![EventName.start, .complete].contains($0.event) }
            return ad
        }
        return [
            free, plain(Radio.spot("p2", .preroll, skip: 0)), plain(Radio.spare("ps")),
            plain(AudioAd(Jingle.ad("p0", media: false), at: AudioPlace(.preroll))),
            plain(Radio.spot("m1", .midroll, at: 1)), Radio.spot("m5a", .midroll, at: 5),
            plain(Radio.spot("m5b", .midroll, at: 5)), plain(Radio.spot("pa", .pauseroll)),
            plain(Radio.spot("po", .postroll, skip: 0)),
        ]
    }()

    /// `WEIR_SEQUENCES` sets how many there are (100,000), `WEIR_SEED` the first seed; a failure prints its own.
    @Test("SX.1 SX.2 SX.4 hold over 100,000 random sequences of inputs", arguments: 0..<4)
    func invariants(_ part: Int) {
        let share = (Dice.number("WEIR_SEQUENCES") ?? 100_000) / 4
        let first = Dice.number("WEIR_SEED") ?? UInt64.random(in: 0 ... .max / 2)
        print("audio invariants: \(share) sequences from seed \(first), part \(part)")
        for number in 0..<share {
            let seed = first &+ UInt64(part) &* share &+ number
            var random = Dice(seed: seed)
            if let complaint = Self.run(&random) {
                Issue.record("\(complaint); WEIR_SEED=\(seed) WEIR_SEQUENCES=4 plays it again")
                return
            }
        }
    }

    private static func run(_ random: inout Dice) -> String? {
        var settings = AudioSettings()
        settings.autoload = random.below(4) != 0
        settings.allowsBackgroundPlayback = random.below(2) == 0
        if random.below(4) == 0 { settings.companionSlots = [] }
        var machine = AudioMachine(settings: settings, hasPlayer: random.below(8) != 0)
        var log = OutputLog<AudioOutput>(limit: 100_000)
        var elapsed = Duration.zero
        let checksRefusals = random.below(16) == 0
        // Most sequences should get as far as playing something.
        if random.below(3) != 0 { log.append(machine.handle(.loaded(AudioProgram(ads)), at: elapsed)) }
        for _ in 0..<(6 + random.below(20)) {
            elapsed += .milliseconds(random.below(16) == 0 ? random.below(20_000) : random.below(900))
            let before = checksRefusals ? machine : nil
            let input = input(&random)
            let outputs = random.below(10) == 0 ? machine.timePassed(at: elapsed) : machine.handle(input, at: elapsed)
            log.append(outputs)
            if var waited = before, outputs.contains(where: { if case .refused = $0 { true } else { false } }) {
                _ = waited.timePassed(at: elapsed)
                if waited.snapshot != machine.snapshot { return "\(input) was refused and changed something" }
            }
        }
        log.append(machine.handle(.destroy, at: elapsed))
        return complaint(log)
    }

    private static func complaint(_ log: OutputLog<AudioOutput>) -> String? {
        let outputs = log.outputs.map(\.output)
        if log.outputs.map(\.seq) != Array(1..<(log.lastSeq + 1)) { return "numbers have gaps" }
        if outputs.count(where: { $0.type == "ads_loaded" || $0.type == "load_failed" }) != 1 {
            return "a load did not end once"
        }
        if outputs.count(where: { $0.type == "load" || $0.type == "no_ad" }) != 1 {
            return "a load did not end once (audio)"
        }
        var waiting: AudioPlace?
        var playing: AdKey?
        var begun: Set<AdKey> = []
        var sections: Set<AudioPlace> = []
        var left: Duration?
        for output in outputs {
            switch output {
            case .contentPauseRequested(let place):
                if waiting != nil { return "a section within a section" }
                waiting = place
            case .contentResumeRequested(let place):
                if waiting != place { return "a resume without its pause" }
                waiting = nil
            case .sectionComplete(let place, _):
                if !sections.insert(place).inserted { return "\(place) was over twice" }
                playing = nil
            case .playAd(let key, _):
                if playing != nil { return "two ads at once" }
                if !begun.insert(key).inserted { return "an ad was played twice" }
                playing = key
                left = nil
            case .bannerStart(let key, _), .paused(let key), .resumed(let key), .clicked(let key):
                if playing != key { return "\(output.type) of an ad that is not playing" }
            case .bannerTimeLeft(let key, let time, _):
                if playing != key || time > left ?? .seconds(20) { return "time left of another ad, or rising" }
                left = time
            case .bannerComplete(let key, _):
                if playing != key || left != .zero { return "complete without time left 0" }
                playing = nil
            case .error(let key, _): if playing == key { playing = nil }
            case .stopAd(let key): if playing == key { playing = nil }
            case .skipped(let key): if playing != key { return "skipped what does not play" }
            case .setVolume(let value): if !(0...1).contains(value) { return "volume \(value)" }
            default: break
            }
        }
        if waiting != nil { return "the content never goes on" }
        return complaint(ofTrackers: outputs)
    }

    private static func complaint(ofTrackers outputs: [AudioOutput]) -> String? {
        let again: Set<String> = ["click", "pause", "resume", "mute", "unmute", "rewind"]
        let beacons = outputs.compactMap(\.beacon).filter { !again.contains($0.beacon.name) }
        if Set(beacons.map(\.beacon.url)).count != beacons.count { return "a tracker twice" }
        for key in Set(beacons.compactMap(\.ad)) {
            let names = beacons.filter { $0.ad == key }.map(\.beacon.name)
            let order = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
                .compactMap { names.firstIndex(of: $0) }
            if order != order.sorted() { return "quartiles out of order: \(names)" }
            if names.contains("complete"), names.contains("skip") || names.contains("error") {
                return "two ends: \(names)"
            }
            if names.contains("notUsed"), names.contains("impression") { return "heard and not used: \(names)" }
        }
        return nil
    }

    private static func input(_ random: inout Dice) -> AudioInput {
        switch random.below(60) {
        case 0: .load
        case 1: .loaded(AudioProgram(ads))
        case 2: .loadFailed(code: "x", message: "y")
        case 3: .configureMidpoints(.seconds([1, 5, Double(random.below(300)) - 9]), duration: .seconds(200))
        case 4...7: .start(AudioPlace(.preroll))
        case 8...11: .start(AudioPlace(.midroll, point: .seconds([1, 5, 7][random.below(3)])))
        case 12: .start(AudioPlace(.pauseroll))
        case 13: .start(AudioPlace(.postroll))
        case 14...23: .adStarted
        case 24...31: .adProgress(position: .milliseconds(random.below(24_000)), duration: .seconds(20))
        case 32...35: .adCompleted
        case 36: .adError(reason: "z", code: random.below(2000))
        case 37: random.below(4) == 0 ? .adStopped : .adBuffering
        case 38: .pause
        case 39, 40: .resume
        case 41: .adPaused
        case 42, 43: .adResumed
        case 44: random.below(3) == 0 ? .stop : .adLoaded(duration: .seconds(20))
        case 45: .skip
        case 46: .skipBanner
        case 47: .setVolume(Double(random.below(5)) / 2 - 0.5)
        case 48: [.play, .pauseContent, .nextTrack][random.below(3)]
        case 49: .seek(.milliseconds(random.below(24_000)))
        case 50: .companionShown(["k1", "0", "1", "x"][random.below(4)])
        case 51: .companionClicked(["k1", "0", "1", "x"][random.below(4)])
        case 52: .clicked
        case 53: .modalShown
        case 54, 55: .modalDismissed
        case 56: random.below(2) == 0 ? .appBackground : .appForeground
        case 57: .playhead(.milliseconds(random.below(9000)))
        case 58: random.below(6) == 0 ? .contentComplete : [.muted, .unmuted][random.below(2)]
        default: random.below(8) == 0 ? .destroy : .playerAttached(random.below(4) != 0)
        }
    }
}
