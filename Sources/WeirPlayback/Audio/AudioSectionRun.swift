internal import WeirVAST

/// A section that is being played.
struct AudioSectionRun: Hashable, Sendable {
    /// Which section.
    let place: AudioPlace
    /// How many ads it has, spare ones apart.
    let total: Int
    /// The ads still to come.
    var queue: [AdKey]
    /// Ads that play in the place of one that fails.
    var spares: [AdKey]
    /// The ad that the player has.
    var current: AudioAdRun?
    /// The position of the current ad, from 1.
    var position = 0
    /// How many were heard to the end.
    var played = 0

    init(_ place: AudioPlace, queue: [AdKey], spares: [AdKey]) {
        self.place = place
        self.queue = queue
        self.spares = spares
        total = queue.count
    }
}

/// One ad that the player has.
struct AudioAdRun: Hashable, Sendable {
    let key: AdKey
    let audio: AudioAd
    var banner: AudioBanner
    var tracking: AdTracking
    /// Whether it is loaded, was heard, stands still.
    var isLoaded = false, hasStarted = false, isPaused = false
    var position: Duration = .zero
    /// What was last told of the time left; it never grows.
    var timeLeft: Duration?
    /// When the player must have got on; `nil` while it is meant to stand still.
    var deadline: Duration?

    init(_ key: AdKey, _ audio: AudioAd, position: Int, total: Int, deadline: Duration) {
        self.key = key
        self.audio = audio
        self.deadline = deadline
        tracking = AdTracking(ad: audio.ad)
        banner = AudioBanner(audio, duration: nil, position: position, total: total)
    }

    /// Keeps the first duration that is known: that of the document, else the player's.
    mutating func learn(_ duration: Duration?) {
        guard let duration, duration > .zero else { return }
        if banner.duration == nil || banner.duration == .zero { banner.duration = duration }
        if tracking.duration == nil || tracking.duration == .zero { tracking.duration = duration }
    }

    /// The time left, when it is known and less than what was last told.
    mutating func newTimeLeft() -> Duration? {
        guard let duration = banner.duration else { return nil }
        let left = max(.zero, duration - position)
        guard left < timeLeft ?? duration + .milliseconds(1) else { return nil }
        timeLeft = left
        return left
    }

    /// Whether the listener may skip it now.
    var isSkippableNow: Bool { position >= banner.skipOffset }
}
