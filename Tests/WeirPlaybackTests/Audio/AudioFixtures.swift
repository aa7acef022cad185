import WeirModel
import WeirVAST

@testable import WeirPlayback

/// An audio ad with all trackers, in a few words.
enum Jingle {
    static func ad(
        _ id: String,
        seconds: Int = 20,
        skip: Int? = nil,
        companions: String = "",
        clickThrough: String? = "https://brand.test/",
        media: Bool = true
    ) -> ResolvedAd {
        let events = [
            "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume", "mute",
            "unmute",
            "notUsed", "rewind", "loaded",
        ]
        .map { "<Tracking event=\"\($0)\">https://t.test/\(id)/\($0)</Tracking>" }.joined()
        let skip = skip.map { " skipoffset=\"00:00:\($0 < 10 ? "0" : "")\($0)\"" } ?? ""
        let file =
            media ? "<MediaFile delivery=\"progressive\" type=\"audio/mpeg\">https://m.test/\(id).mp3</MediaFile>" : ""
        let click = clickThrough.map { "<ClickThrough>\($0)</ClickThrough>" } ?? ""
        let document = """
            <VAST version="4.2"><Ad id="\(id)" adType="audio"><InLine><AdSystem>s</AdSystem><AdTitle>\(id)</AdTitle>
            <Error>https://t.test/\(id)/error/[ERRORCODE]</Error><Impression>https://t.test/\(id)/impression</Impression>
            <Creatives><Creative id="\(id)"><Linear\(skip)><Duration>00:00:\(seconds < 10 ? "0" : "")\(seconds)</Duration>
            <TrackingEvents>\(events)</TrackingEvents><VideoClicks>\(click)
            <ClickTracking>https://t.test/\(id)/click</ClickTracking></VideoClicks><MediaFiles>\(file)</MediaFiles></Linear>
            </Creative>\(companions)</Creatives></InLine></Ad></VAST>
            """
        return Spoken.ads(document).first ?? ResolvedAd(inLine: InLine())
    }

    static func companions(_ required: String? = nil, mode: String = "concurrent") -> String {
        """
        <Creative><CompanionAds\(required.map { " required=\"\($0)\"" } ?? "")>
        <Companion id="k1" width="300" height="250" renderingMode="\(mode)">
        <StaticResource creativeType="image/png">https://m.test/k1.png</StaticResource><TrackingEvents>
        <Tracking event="creativeView">https://t.test/k1/view</Tracking></TrackingEvents>
        <CompanionClickThrough>https://brand.test/k1</CompanionClickThrough>
        <CompanionClickTracking>https://t.test/k1/click</CompanionClickTracking></Companion>
        <Companion width="728" height="90">
        <StaticResource creativeType="image/png">https://m.test/k2.png</StaticResource></Companion></CompanionAds></Creative>
        """
    }
}

/// A machine and its clock.
struct Radio {
    var machine: AudioMachine
    var elapsed = Duration.zero

    /// A machine with a loaded programme: three pre-rolls, mid-rolls at 1 s and 5 s, a pause-roll and a post-roll.
    static func loaded(
        _ ads: [AudioAd]? = nil,
        asking midpoints: AudioMidpoints? = nil,
        settings change: (inout AudioSettings) -> Void = { _ in }
    ) -> Radio {
        var settings = AudioSettings()
        settings.autoload = false
        change(&settings)
        var radio = Radio(machine: AudioMachine(settings: settings))
        if let midpoints { radio.go(.configureMidpoints(midpoints, duration: .seconds(200))) }
        radio.go(.load, .loaded(AudioProgram(ads ?? usual)))
        return radio
    }

    static let usual: [AudioAd] = [
        spot("p1", .preroll, skip: 5), spot("p2", .preroll, skip: 0), spot("p3", .preroll),
        spot("m1", .midroll, at: 1), spot("m5", .midroll, at: 5), spot("pa", .pauseroll), spot("po", .postroll),
    ]

    static func spot(_ id: String, _ section: AudioSection, at second: Int? = nil, skip: Int? = nil) -> AudioAd {
        AudioAd(Jingle.ad(id, skip: skip), at: AudioPlace(section, point: second.map { .seconds($0) }))
    }

    static func spare(_ id: String, _ section: AudioSection = .preroll) -> AudioAd {
        var spare = spot(id, section)
        spare.isSpare = true
        return spare
    }

    @discardableResult
    mutating func go(_ inputs: AudioInput...) -> [AudioOutput] {
        inputs.flatMap { machine.handle($0, at: elapsed) }
    }

    /// Plays the ad that the player has to its end.
    @discardableResult
    mutating func hear() -> [AudioOutput] {
        go(.adStarted, .adProgress(position: .seconds(10), duration: nil), .adCompleted)
    }

    mutating func wait(_ duration: Duration) -> [AudioOutput] {
        elapsed += duration
        return machine.timePassed(at: elapsed)
    }
}

extension [AudioOutput] {
    /// Events and commands by name with the ad's number, refusals with their reason, without remarks and trackers.
    var names: [String] {
        compactMap {
            switch $0 {
            case .track, .log, .bannerTimeLeft, .loadAd: nil
            case .refused(let refusal): "refused(\(refusal.reason.rawValue))"
            case .bannerStart(let key, _), .bannerComplete(let key, _), .error(let key, _), .playAd(let key, _),
                .skipped(let key):
                "\($0.type) \(key.index)"
            case .sectionComplete(let place, let played): "section_complete \(place.section.rawValue) \(played)"
            default: $0.type
            }
        }
    }
    /// The paths of trackers.
    var beacons: [String] { compactMap { $0.beacon.map { String($0.beacon.url.dropFirst("https://t.test/".count)) } } }
    /// What is left of the ad, each time it was told.
    var timeLeft: [Duration] { compactMap { if case .bannerTimeLeft(_, let left, _) = $0 { left } else { nil } } }
    var logs: [String] { compactMap { if case .log(let text) = $0 { text } else { nil } } }
}
