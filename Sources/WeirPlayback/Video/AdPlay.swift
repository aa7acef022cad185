internal import WeirVAST

/// One play of one ad: its phase, its position, and what is said and called on the way.
struct AdPlay: Hashable, Sendable {
    /// How far it is.
    enum Phase: Hashable, Sendable {
        /// Handed to the player, not shown.
        case loaded
        /// The player was told to play and has not shown a frame yet.
        case starting
        /// It plays.
        case playing
        /// It is halted.
        case paused
    }

    /// Why it is halted; what halted it decides what lets it go on.
    enum PauseCause: Hashable, Sendable {
        /// The host or the viewer.
        case asked
        /// A click opened the landing page.
        case click
        /// The application is in the background.
        case background
        /// Something covers the player.
        case modal
    }

    private(set) var info: AdInfo
    private(set) var phase = Phase.loaded
    private(set) var pauseCause: PauseCause?
    private(set) var position = Duration.zero
    /// The total that the player last reported, for the countdown.
    private(set) var reportedDuration: Duration?
    /// Whether a position has been reported (S1.9, S1.19).
    private(set) var hasTicked = false
    /// Whether the ad's media is loaded, as the player said.
    private(set) var isMediaLoaded = false
    private var tracking: AdTracking
    private var quartilesPassed = 0
    private var canSkip = false
    private var shownIcons: Set<Int> = []

    init(ad: ResolvedAd, info: AdInfo) {
        self.info = info
        var ad = ad
        // Stand-ins and shortened pods move up, and so does [PODSEQUENCE].
        ad.pod = PodPlace(position: info.pod.adPosition, total: info.pod.totalAds)
        tracking = AdTracking(ad: ad)
    }

    /// Whether the first frame was rendered.
    var hasStarted: Bool { phase == .playing || phase == .paused }

    /// How long until the viewer may skip; `nil`: not before the first tick, or never (S1.9, S1.27).
    var timeTillSkip: Duration? {
        guard hasTicked, let offset = info.skipTimeOffset else { return nil }
        return offset - position
    }

    /// What remains, for the countdown; `nil` when the duration is not known.
    var remaining: Duration? {
        (reportedDuration ?? info.duration).map { max(.zero, $0 - position) }
    }

    /// Whether skipping is allowed now (S1.29); before the first frame only an offset of zero allows it.
    var isSkippableNow: Bool {
        guard let offset = info.skipTimeOffset else { return false }
        return position >= offset
    }

    // MARK: What the player reports

    mutating func mediaLoaded(duration: Duration?, _ out: inout [VideoOutput]) {
        fixDuration(duration)
        guard !isMediaLoaded else { return }
        isMediaLoaded = true
        track(.loaded, &out)
    }

    mutating func playCommanded() { phase = .starting }

    mutating func started(_ out: inout [VideoOutput]) {
        guard phase == .starting else { return }
        phase = .playing
        say(.started, &out)
        say(.impression, &out)
        track(.started, &out)
        showIcons(&out)
        announceSkip(&out)
    }

    mutating func progress(to reached: Duration, duration: Duration?, _ out: inout [VideoOutput]) {
        fixDuration(duration)
        if let duration, duration > .zero { reportedDuration = duration }
        hasTicked = true
        // A player that reports backwards, as at a loop's start, has still played what it played.
        guard reached >= position else { return }
        advance(to: reached, &out)
        say(.adProgress, .progress(position: position, duration: reportedDuration ?? info.duration), &out)
        showIcons(&out)
        announceSkip(&out)
    }

    mutating func completed(_ out: inout [VideoOutput]) {
        if let duration = info.duration, duration > position { advance(to: duration, &out) }
        say(.complete, &out)
        track(.completed, &out)
    }

    mutating func failed(_ failure: AdFailure, _ out: inout [VideoOutput]) {
        say(.adError, .failure(failure), &out)
        track(.failed(VASTErrorCode(rawValue: failure.code)), &out)
    }

    mutating func skipped(_ out: inout [VideoOutput]) {
        say(.skipped, &out)
        track(.skipped, &out)
    }

    /// Ended from outside: before its first frame nothing was used, after it the viewer closed it.
    mutating func stopped(_ out: inout [VideoOutput]) {
        track(hasStarted ? .closed : .discarded, &out)
    }

    mutating func pause(_ cause: PauseCause, _ out: inout [VideoOutput]) {
        guard phase == .playing else { return }
        phase = .paused
        pauseCause = cause
        say(.paused, &out)
        track(.paused, &out)
    }

    mutating func resume(_ out: inout [VideoOutput]) {
        guard phase == .paused else { return }
        phase = .playing
        pauseCause = nil
        say(.resumed, &out)
        track(.resumed, &out)
    }

    /// Takes what changes no phase, such as clicks and sound.
    mutating func note(_ input: PlaybackInput, _ out: inout [VideoOutput]) { track(input, &out) }

    // MARK: Parts

    /// The place of an icon, by its place or its programme.
    func icon(_ id: String) -> Int? {
        Self.place(id, tracking.ad.icons.map(\.program))
    }

    /// The place of a companion, by its id or its place.
    func companion(_ id: String) -> Int? {
        Self.place(id, tracking.ad.companions.map(\.id))
    }

    /// Where a click on an icon leads.
    func landingPage(ofIcon place: Int) -> String? { tracking.ad.icons[place].clickThrough?.url }

    /// Where a click on a companion leads.
    func landingPage(ofCompanion place: Int) -> String? { tracking.ad.companions[place].clickThrough?.url }

    private static func place(_ id: String, _ names: [String?]) -> Int? {
        if let place = names.firstIndex(of: id) { return place }
        guard let place = Int(id), names.indices.contains(place) else { return nil }
        return place
    }

    // MARK: Private parts

    /// The first duration that is known stays, so that quartiles stand still; the document's counts more.
    private mutating func fixDuration(_ duration: Duration?) {
        guard info.duration == nil, let duration, duration > .zero else { return }
        info.duration = duration
        tracking.duration = duration
        if info.skipTimeOffset == nil {
            info.skipTimeOffset = tracking.ad.linear?.skipOffset?.position(in: duration)
        }
    }

    /// Plays on to a position, quartile by quartile, so that events and beacons come in the order of time.
    private mutating func advance(to reached: Duration, _ out: inout [VideoOutput]) {
        if let duration = info.duration, duration > .zero {
            while quartilesPassed < Self.quartiles.count {
                let (percent, event) = Self.quartiles[quartilesPassed]
                guard let point = PlayOffset.percent(percent).position(in: duration), point <= reached else { break }
                quartilesPassed += 1
                say(event, &out)
                track(.position(point), &out)
            }
        }
        position = reached
        track(.position(reached), &out)
    }

    private static let quartiles: [(Double, AdEventType)] = [
        (25, .firstQuartile), (50, .midpoint), (75, .thirdQuartile),
    ]

    private mutating func announceSkip(_ out: inout [VideoOutput]) {
        guard !canSkip, isSkippableNow else { return }
        canSkip = true
        say(.skippableStateChanged, .canSkip(true), &out)
    }

    /// Icons come with the ad, or later when they say so (VAST 4.3 §3.11).
    private mutating func showIcons(_ out: inout [VideoOutput]) {
        let icons = tracking.ad.icons
        guard shownIcons.count < icons.count else { return }
        for (place, icon) in icons.enumerated() where !shownIcons.contains(place) {
            let due = icon.offset.map { $0.position(in: info.duration) } ?? .zero
            guard let due, due <= position else { continue }
            shownIcons.insert(place)
            track(.iconShown(place), &out)
        }
    }

    private func say(_ type: AdEventType, _ payload: AdEvent.Payload, _ out: inout [VideoOutput]) {
        out.append(.event(AdEvent(type, ad: info, payload: payload)))
    }

    private func say(_ type: AdEventType, _ out: inout [VideoOutput]) { say(type, .none, &out) }

    private mutating func track(_ input: PlaybackInput, _ out: inout [VideoOutput]) {
        for beacon in tracking.take(input) { out.append(.tracking(DueBeacon(ad: info.key, beacon: beacon))) }
    }
}
