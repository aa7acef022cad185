public import WeirVAST

/// Something that happened, after IMA's `IMAAdEvent`.
public struct AdEvent: Hashable, Sendable {
    /// What happened.
    public var type: AdEventType
    /// The ad that it happened to.
    public var ad: AdInfo?
    /// The break that it happened to.
    public var adBreak: BreakInfo?
    /// What belongs to this type of event.
    public var payload: Payload

    /// What belongs to a type of event.
    public enum Payload: Hashable, Sendable {
        /// Nothing.
        case none
        /// Where the ad is and how long it is.
        case progress(position: Duration, duration: Duration?)
        /// What went wrong.
        case failure(AdFailure)
        /// What was refused and why.
        case refusal(PlaybackRefusal)
        /// The breaks that are left.
        case cuePoints([BreakSchedule.CuePoint])
        /// A remark: a stable word and one sentence.
        case remark(code: String, message: String)
        /// Whether the viewer can skip now.
        case canSkip(Bool)
        /// The icon's place in the ad, from 0.
        case icon(Int)
    }

    /// What the host gave with its request; with `ads_loaded` and `load_failed` (S0.26).
    public var userContext: PlaybackValue?

    /// An event.
    public init(_ type: AdEventType, ad: AdInfo? = nil, adBreak: BreakInfo? = nil, payload: Payload = .none) {
        self.type = type
        self.ad = ad
        self.adBreak = adBreak
        self.payload = payload
    }

    var details: [PlaybackDetail] {
        var details: [PlaybackDetail] = []
        if let ad { details.append(PlaybackDetail("ad", .object(ad.details))) }
        if let adBreak { details.append(PlaybackDetail("ad_break", .object(adBreak.details))) }
        details += payload.details
        if let userContext { details.append(PlaybackDetail("user_context", userContext)) }
        return details
    }
}

extension AdEvent.Payload {
    fileprivate var details: [PlaybackDetail] {
        switch self {
        case .none: []
        case .progress(let position, let duration):
            [
                PlaybackDetail("position_ms", milliseconds: position),
                PlaybackDetail("duration_ms", milliseconds: duration),
            ]
        case .failure(let failure):
            [
                PlaybackDetail("stage", failure.stage.rawValue), PlaybackDetail("code", failure.code),
                PlaybackDetail("message", failure.message),
            ]
        case .refusal(let refusal): refusal.details
        case .cuePoints(let points):
            [PlaybackDetail("cue_points_ms", .list(points.map { .integer($0.sentinel) }))]
        case .remark(let code, let message): [PlaybackDetail("code", code), PlaybackDetail("message", message)]
        case .canSkip(let flag): [PlaybackDetail("can_skip", flag)]
        case .icon(let place): [PlaybackDetail("id", place)]
        }
    }
}

/// The events of a session of video ads; raw values are their printable names (S3.20).
public enum AdEventType: String, Hashable, Sendable, CaseIterable {
    /// The ads have come; exactly one of this and ``loadFailed`` for each load.
    case adsLoaded = "ads_loaded"
    /// They have not, and the content goes on without.
    case loadFailed = "load_failed"
    /// More breaks could be placed, or fewer, now that the content's length is known.
    case cuePointsChanged = "cue_points_changed"
    /// A break is due and can be started.
    case adBreakReady = "ad_break_ready"
    /// A break has begun.
    case adBreakStarted = "ad_break_started"
    /// A break has ended.
    case adBreakEnded = "ad_break_ended"
    /// A break that is due has no ads; the content goes on.
    case adBreakFetchError = "ad_break_fetch_error"
    /// The host is asked to pause the content and to hide it (S0.42).
    case contentPauseRequested = "content_pause_requested"
    /// The host is asked to show the content and to play it (S0.43).
    case contentResumeRequested = "content_resume_requested"
    /// An ad is loaded; the host starts it (S0.35).
    case loaded
    /// The first frame was rendered.
    case started
    /// The ad has been counted.
    case impression
    /// Where the ad is.
    case adProgress = "ad_progress"
    /// The media stalls.
    case adBuffering = "ad_buffering"
    /// A quarter has been played.
    case firstQuartile = "first_quartile"
    /// Half has been played.
    case midpoint
    /// Three quarters have been played.
    case thirdQuartile = "third_quartile"
    /// All has been played.
    case complete
    /// The viewer skipped.
    case skipped
    /// The viewer pressed "Learn more".
    case clicked
    /// The viewer touched the ad.
    case tapped
    /// The ad halted.
    case paused
    /// The ad goes on.
    case resumed
    /// Whether the viewer can skip has changed.
    case skippableStateChanged = "skippable_state_changed"
    /// The viewer touched an icon.
    case iconTapped = "icon_tapped"
    /// No more ads will come.
    case allAdsCompleted = "all_ads_completed"
    /// An ad could not be played.
    case adError = "ad_error"
    /// A remark that needs no action.
    case log
    /// An input was not allowed; nothing changed.
    case refused
}
