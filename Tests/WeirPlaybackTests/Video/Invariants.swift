import WeirPlayback
import WeirVAST

/// Watches the outputs of one session and says which promise was broken.
struct Invariants {
    /// The first broken promise; `nil` while all are kept.
    private(set) var violation: String?

    private var contentHasScreen: Bool?
    private var answers = 0
    private var allCompleted = false
    /// The ad that is being played and what was said about it.
    private var play: Play?
    private var breakIsOpen = false
    private var lastSeq = 0

    private struct Play {
        var key: AdKey
        var said: Set<AdEventType> = []
        var called: Set<String> = []
    }

    /// Events that belong to an ad that has started and has not ended.
    private static let during: Set<AdEventType> = [
        .impression, .adProgress, .adBuffering, .firstQuartile, .midpoint, .thirdQuartile, .complete, .skipped,
        .clicked, .tapped, .paused, .resumed, .skippableStateChanged, .iconTapped,
    ]
    private static let once: Set<AdEventType> = [
        .started, .impression, .firstQuartile, .midpoint, .thirdQuartile, .complete, .skipped, .skippableStateChanged,
    ]
    /// Trackers that may come again: the viewer can pause, mute and click as often as she likes.
    private static let repeatable: Set<String> = [
        "pause", "resume", "mute", "unmute", "click", "playerExpand", "playerCollapse", "iconClick",
    ]

    mutating func watch(_ outputs: [NumberedOutput<VideoOutput>]) {
        for numbered in outputs where violation == nil {
            if numbered.seq != lastSeq + 1 { violation = "output \(numbered.seq) follows \(lastSeq)" }
            lastSeq = numbered.seq
            switch numbered.output {
            case .event(let event): watch(event)
            case .command(let command): watch(command)
            case .tracking(let due): watch(due)
            }
        }
    }

    /// What must hold when the session is over.
    mutating func finish(_ machine: VideoMachine) {
        require(contentHasScreen != false, "the content never got the screen back")
        require(!breakIsOpen, "a break never ended")
        require(play == nil || machine.isFinished, "an ad never ended")
    }

    private mutating func require(_ holds: Bool, _ message: @autoclosure () -> String) {
        if !holds, violation == nil { violation = message() }
    }

    private mutating func watch(_ event: AdEvent) {
        switch event.type {
        case .contentPauseRequested:
            require(contentHasScreen != false, "paused twice")
            contentHasScreen = false
        case .contentResumeRequested:
            require(contentHasScreen != true, "resumed twice")
            require(!breakIsOpen, "resumed inside a break")
            contentHasScreen = true
        case .adsLoaded, .loadFailed:
            answers += 1
            require(answers == 1, "a load ended twice")
        case .adBreakStarted:
            require(!breakIsOpen && contentHasScreen == false, "a break began without the screen")
            breakIsOpen = true
        case .adBreakEnded:
            require(breakIsOpen, "a break ended that had not begun")
            breakIsOpen = false
            play = nil
        case .allAdsCompleted:
            require(!allCompleted && !breakIsOpen, "all ads completed twice, or too early")
            allCompleted = true
        case .loaded:
            if let key = event.ad?.key { play = Play(key: key) }
        default: watchAd(event)
        }
        require(answers == 1 || event.type != .loaded, "an ad before the ads")
    }

    private mutating func watchAd(_ event: AdEvent) {
        let type = event.type
        guard let key = event.ad?.key else { return }
        // An ad without media that fits fails before it is loaded.
        if type == .adError, play == nil || play?.said.isEmpty == true { play = Play(key: key) }
        guard let current = play, current.key == key else {
            return require(false, "\(type) of an ad that is not the current one")
        }
        if Self.during.contains(type) {
            require(current.said.contains(.started), "\(type) before started")
            require(breakIsOpen, "\(type) outside of a break")
        }
        if Self.once.contains(type) { require(!current.said.contains(type), "\(type) twice") }
        switch type {
        case .midpoint: require(current.said.contains(.firstQuartile), "midpoint before the first quartile")
        case .thirdQuartile: require(current.said.contains(.midpoint), "third quartile before the midpoint")
        default: break
        }
        play?.said.insert(type)
        if type == .complete || type == .skipped || type == .adError { play = ended(current) }
    }

    /// After its end an ad says nothing; the beacons of its end are still to come.
    private func ended(_ play: Play) -> Play {
        var play = play
        play.said = []
        return play
    }

    private mutating func watch(_ command: AdPlayerCommand) {
        switch command {
        case .playAd(let key):
            require(breakIsOpen && play?.key == key, "play_ad of an ad that is not the current one")
        case .pauseAd(let key), .resumeAd(let key):
            require(play?.key == key && breakIsOpen, "pause or resume of an ad that does not play")
        case .loadAd(let info, _):
            require(answers == 1, "media before the ads")
            // A break that comes again begins a new play of its ads.
            if play?.key == info.key { play = nil }
        case .setVolume(let value): require((0...1).contains(value), "a volume of \(value)")
        case .stopAd, .openURL: break
        }
    }

    private mutating func watch(_ due: DueBeacon) {
        guard let key = due.ad, let current = play, current.key == key else { return }
        let name = due.beacon.url
        if Self.repeatable.contains(due.beacon.name) { return }
        require(!current.called.contains(name), "\(name) is called twice in one play")
        play?.called.insert(name)
    }
}
