import WeirPlayback
import WeirVAST

/// A random generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `limit`, not including it.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// True once in `count` times.
    mutating func once(in count: Int) -> Bool { below(count) == 0 }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}

/// Random schedules and random inputs, likely ones more often than unlikely ones.
struct RandomPlay {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Ads are made once: making them costs more than playing them.
    private static let ads: [ResolvedAd] = (0..<12).map { place in
        let skips: [PlayOffset?] = [nil, .time(.seconds(2)), .percent(50), .time(.zero), .unreadable("x")]
        return SampleAds.ad(
            "p\(place)",
            seconds: place % 5 == 4 ? nil : 4 + place % 3,
            skip: skips[place % skips.count],
            hideable: place % 2 == 0 ? "1" : nil
        )
    }

    mutating func configuration() -> VideoConfiguration {
        var configuration = VideoConfiguration()
        configuration.settings.enableBackgroundPlayback = random.once(in: 2)
        configuration.settings.onPIP = random.pick(PIPPolicy.allCases)
        configuration.settings.seekPolicy = random.pick(SeekPolicy.allCases)
        configuration.settings.pausesOnClick = random.once(in: 2)
        configuration.capabilities.pictureInPicture = !random.once(in: 4)
        configuration.capabilities.backgroundPlayback = random.once(in: 2)
        configuration.capabilities.contentPlayhead = !random.once(in: 8)
        configuration.isCustomUIEntitled = !random.once(in: 4)
        if random.once(in: 2) { configuration.contentDuration = .seconds(60) }
        return configuration
    }

    mutating func schedule() -> AdSchedule {
        // Each ad stands in one place, as documents have it.
        var deck = Array(Self.ads.indices).shuffled(using: &random)
        let breaks = (0..<random.below(5)).map { _ in
            var scheduled = AdSchedule.Break(timeOffset: offset(), ads: keys(upTo: 4, from: &deck))
            if random.once(in: 3) { scheduled.buffet = keys(upTo: 3, from: &deck) }
            if random.once(in: 4) { scheduled.repeatAfter = .seconds(5 + random.below(20)) }
            if scheduled.ads.isEmpty, random.once(in: 2) {
                scheduled.failure = AdFailure(stage: .load, code: 303, message: "None.")
            }
            return scheduled
        }
        return AdSchedule(ads: Self.ads, breaks: breaks)
    }

    private mutating func keys(upTo limit: Int, from deck: inout [Int]) -> [AdKey] {
        // Now and then a key that leads nowhere.
        (0..<random.below(limit)).map { _ in AdKey(random.once(in: 30) ? 99 : deck.popLast() ?? 99) }
    }

    private mutating func offset() -> TimeOffset {
        switch random.below(8) {
        case 0, 1: .start
        case 2: .end
        case 3: .percent(Double(random.below(12)) * 10)
        case 4: .position(1 + random.below(3))
        default: .time(.seconds(random.below(60)))
        }
    }

    mutating func rendering() -> AdsRenderingSettings {
        var settings = AdsRenderingSettings()
        settings.disableUI = random.once(in: 2)
        settings.enablePreloading = !random.once(in: 3)
        if random.once(in: 10) { settings.mimeTypes = ["video/webm"] }
        if random.once(in: 10) { settings.playAdsAfter = .seconds(random.below(30)) }
        if random.once(in: 3) { settings.loadVideoTimeout = nil }
        return settings
    }

    private mutating func key() -> AdKey? { random.once(in: 3) ? AdKey(random.below(13)) : nil }

    private mutating func position() -> Duration {
        random.once(in: 20) ? .seconds(Int64.max / 4) : .milliseconds(random.below(70_000) - 1000)
    }

    /// The next input; what a well-behaved host would do now comes most often.
    mutating func input(_ machine: VideoMachine) -> VideoInput {
        if random.below(10) < 6 { return sensible(machine) }
        switch random.below(42) {
        case 0: return .load
        case 1: return .adsLoaded(schedule())
        case 2: return .loadFailed(AdFailure(stage: .load, code: 301, message: "x"))
        case 3: return .contentReady(duration: random.once(in: 2) ? .seconds(60) : nil, item: random.pick([nil, "a"]))
        case 4, 5, 6: return .playhead(position())
        case 7, 8: return .seeked(from: random.once(in: 2) ? position() : nil, to: position())
        case 9: return .contentComplete(item: random.pick([nil, "a", "b"]))
        case 10: return .transport(random.pick([.play, .pause, .seek(.seconds(3)), .next]))
        case 11: return .initialize(rendering())
        case 12: return .start
        case 13: return .pause
        case 14: return .resume
        case 15, 16: return .skip
        case 17: return .clicked
        case 18: return .discardAdBreak
        case 19: return .setVolume(random.pick([0, 0.5, 1, .nan, -3, .infinity]))
        case 20: return random.once(in: 10) ? .destroy : .tapped
        case 21: return .adLoaded(key(), duration: random.once(in: 2) ? .seconds(random.below(9)) : nil)
        case 22: return .adStarted(key())
        case 23, 24:
            return .adProgress(key(), position: position(), duration: random.once(in: 2) ? position() : nil)
        case 25: return .adBuffering(key())
        case 26: return .adPaused(key())
        case 27: return .adResumed(key())
        case 28: return .adStopped(key())
        case 29: return .adCompleted(key())
        case 30:
            return .adError(key(), reason: random.pick(["timeout", "x", ""]), code: random.pick([nil, 405, 9999]))
        case 31: return .iconTapped("0")
        case 32: return .companionShown("0")
        case 33: return random.once(in: 2) ? .muted : .unmuted
        case 34: return random.once(in: 2) ? .playerExpanded : .playerCollapsed
        case 35, 36: return .pipStarted
        case 37, 38: return .pipStopped
        case 39: return random.once(in: 2) ? .appBackground : .appForeground
        case 40: return random.once(in: 2) ? .modalShown : .modalDismissed
        default: return random.once(in: 2) ? .visible : .hidden
        }
    }

    private mutating func sensible(_ machine: VideoMachine) -> VideoInput {
        switch machine.stateName {
        case "loading": return machine.wantsAds ? .adsLoaded(schedule()) : .load
        case "loaded": return .initialize(rendering())
        case "initialized", "between_breaks": return .start
        case "playing_ad":
            return random.pick([
                .adStarted(nil), .adProgress(nil, position: .milliseconds(random.below(7_000)), duration: nil),
                .adProgress(nil, position: .milliseconds(random.below(7_000)), duration: .seconds(6)),
                .adCompleted(nil),
            ])
        case "paused_ad": return .resume
        default: return .playhead(.milliseconds(random.below(60_000)))
        }
    }
}
