internal import WeirModel
internal import WeirVAST

/// In-stream audio ads of one content item: a pure state machine (S4).
///
/// The host loads, then starts sections when their time has come; the machine commands the ad player, asks the content to
/// wait, and says when a section is over, whatever went wrong in it: a dead network or player never blocks the music.
public struct AudioMachine: PlaybackMachine {
    /// Where the session is.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Not loaded yet.
        case loading
        /// Loaded, and nothing was played yet.
        case loaded
        /// A section is played.
        case section
        /// The content has its turn.
        case content
        /// Nothing more can happen.
        case completed
        /// There is no ad.
        case failed
    }

    enum Loading: Hashable { case idle, underWay, loaded, failed }

    /// Why an ad stands still.
    enum Halt: Hashable { case host, listener, modal, background }

    /// An ad that is over and whose companions may still be shown.
    struct EndCard: Hashable {
        var key: AdKey
        var tracking: AdTracking
        var until: Duration
    }

    /// How it behaves.
    public let settings: AudioSettings
    /// What was loaded.
    public internal(set) var program: AudioProgram?
    /// Where mid-rolls were asked for, rising; `nil` leaves them to the network (S4.44).
    public internal(set) var askedMidpoints: [Duration]?
    /// How long the content is, when it was said.
    public internal(set) var contentDuration: Duration?
    /// Content positions that have mid-rolls, rising; those asked for where any were (S4.43, S4.45, S4.46).
    public internal(set) var midpoints: [Duration] = []
    /// How loud, 0 to 1.
    public internal(set) var volume = 1.0
    /// Where the content is.
    public internal(set) var contentTime: Duration = .zero
    /// How much of ads was heard; content and ads together are the stream.
    public internal(set) var adTime: Duration = .zero

    var loading: Loading
    var run: AudioSectionRun?
    var begun: Set<AudioPlace> = []
    var used: Set<AdKey> = []
    var reached: Duration = .milliseconds(-1)
    var halts: Set<Halt> = []
    var hasPlayer: Bool
    var contentEnded = false
    var isDestroyed = false
    var loadDeadline: Duration?
    var endCard: EndCard?

    /// A session for one content item.
    ///
    /// - Parameters:
    ///   - settings: How it behaves.
    ///   - hasPlayer: Whether there is an ad player from the start.
    ///   - midpoints: Where mid-rolls are wanted, when that is known already; `nil` leaves them to the network.
    ///   - contentDuration: How long the content is, when that is known already.
    public init(
        settings: AudioSettings = AudioSettings(),
        hasPlayer: Bool = true,
        midpoints: [Duration]? = nil,
        contentDuration: Duration? = nil
    ) {
        self.settings = settings
        askedMidpoints = midpoints
        self.contentDuration = contentDuration
        self.hasPlayer = hasPlayer
        loading = settings.autoload ? .underWay : .idle
        loadDeadline = settings.autoload ? settings.loadingTimeout : nil
    }

    // MARK: What can be seen

    /// Where the session is.
    public var state: State {
        if loading == .failed { return .failed }
        if isFinished { return .completed }
        if run != nil { return .section }
        guard loading == .loaded else { return .loading }
        return begun.isEmpty && contentTime == .zero ? .loaded : .content
    }

    /// The state's name in the API.
    public var stateName: String { state.rawValue }

    /// Whether nothing more can happen.
    public var isFinished: Bool {
        isDestroyed || loading == .failed
            || (contentEnded && run == nil && begun.contains(AudioPlace(.postroll)))
    }

    /// The banner that is heard; `nil` when none is (S4.49).
    public var currentBanner: AudioBanner? {
        guard let current = run?.current, current.hasStarted else { return nil }
        return current.banner
    }

    /// The section that is played.
    public var currentPlace: AudioPlace? { run?.place }

    /// Whether the ads are to be fetched.
    public var wantsAds: Bool { loading == .underWay }

    /// Section, ad, mid-points left, and content time apart from stream time.
    public var snapshot: [PlaybackDetail] {
        let left = midpoints.filter { !begun.contains(AudioPlace(.midroll, point: $0)) }
        return [
            PlaybackDetail("current_ad", run?.current.map { .ad($0.key) } ?? .null),
            PlaybackDetail("section", run?.place.section.rawValue),
            PlaybackDetail("banner", currentBanner.map { .object($0.details) } ?? .null),
            PlaybackDetail("cue_points_ms", .list(left.map { .integer($0.playbackMilliseconds) })),
            PlaybackDetail("volume", .number(volume)),
            PlaybackDetail("content_time_ms", milliseconds: contentTime),
            PlaybackDetail("stream_time_ms", milliseconds: contentTime + adTime),
        ]
    }

    /// When loading, an ad that does not get on, or an end card runs out.
    public var nextDeadline: Duration? {
        [loadDeadline, run?.current?.deadline, endCard?.until].compactMap(\.self).min()
    }

    /// The output that tells a refusal.
    public static func refused(_ refusal: PlaybackRefusal) -> AudioOutput { .refused(refusal) }

    // MARK: What happens

    /// Reads a message and takes it.
    ///
    /// A report of the ad player may name its ad by `ad_key`, as `play_ad` did: what is said of an ad that is over, as a
    /// slow player does, is refused and changes nothing.
    public mutating func receive(_ message: PlaybackMessage, at elapsed: Duration) -> [AudioOutput] {
        do throws(PlaybackRefusal) {
            let input = try AudioInput(message)
            if message.type.hasPrefix("ad_"), let key = try message.adKey() {
                // Time first: it may have ended the very ad.
                let due = timePassed(at: elapsed)
                guard key == run?.current?.key else {
                    return due + [.refused(input.refusal(.notPlaying, "Ad \(key.index) is not the current one."))]
                }
                return due + handle(input, at: elapsed)
            }
            return handle(input, at: elapsed)
        } catch {
            return [.refused(error)]
        }
    }

    /// Takes one input.
    public mutating func handle(_ input: AudioInput, at elapsed: Duration) -> [AudioOutput] {
        let due = timePassed(at: elapsed)
        do throws(PlaybackRefusal) {
            return due + (try take(input, elapsed))
        } catch {
            return due + [.refused(error)]
        }
    }

    /// Takes notice that time has passed.
    public mutating func timePassed(at elapsed: Duration) -> [AudioOutput] {
        if let loadDeadline, elapsed >= loadDeadline {
            return failLoad(
                "timeout",
                "No ad came within \(settings.loadingTimeout.playbackMilliseconds) ms."
            )
        }
        if let endCard, elapsed >= endCard.until { self.endCard = nil }
        guard let current = run?.current, let deadline = current.deadline, elapsed >= deadline else { return [] }
        return current.hasStarted
            ? fail("The ad stood still for too long.", .mediaDisplay, elapsed)
            : fail("The player did not begin in time.", .mediaTimeout, elapsed)
    }

    private mutating func take(_ input: AudioInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        switch input {
        case .loaded(let program): return loaded(program)
        case .loadFailed(let code, let message):
            return loading == .underWay || loading == .idle ? failLoad(code, message) : []
        case .destroy: return destroy()
        default: break
        }
        guard !isFinished else { throw input.refusal(.finished, "This session is over.") }
        switch input {
        case .configureMidpoints(let wanted, let duration): return try configure(wanted, duration)
        case .load: return try load(elapsed)
        case .playerAttached(let isThere): return attach(isThere, elapsed)
        case .setVolume(let value): return try setVolume(value)
        case .start(let place): return try start(place, elapsed)
        case .playhead(let position): return moveContent(to: position)
        case .contentReady(let duration):
            contentDuration = contentDuration ?? duration
            return []
        case .contentComplete:
            contentEnded = true
            return isFinished ? discardUnused() : []
        case .companionShown(let id): return try companion(id, isClick: false, input)
        case .companionClicked(let id): return try companion(id, isClick: true, input)
        case .adLoaded, .adStarted, .adProgress, .adBuffering, .adPaused, .adResumed, .adStopped, .adCompleted,
            .adError, .muted, .unmuted:
            return try report(input, elapsed)
        default: return try control(input, elapsed)
        }
    }

    /// The content stands still while an ad is heard, so what is said of it then does not count.
    private mutating func moveContent(to position: Duration) -> [AudioOutput] {
        guard run == nil || run?.place.section == .pauseroll else { return [] }
        contentTime = position
        // Of several points that were jumped over the last one counts, as in television.
        guard
            let point = midpoints.last(where: {
                $0 <= position && $0 > reached && !begun.contains(AudioPlace(.midroll, point: $0))
            })
        else { return [] }
        reached = point
        return [.midpointReached(point)]
    }
}

extension AudioInput {
    /// A refusal of this input.
    func refusal(_ reason: RefusalReason, _ message: String) -> PlaybackRefusal {
        PlaybackRefusal(input: type, reason: reason, message: message)
    }
}
