internal import WeirModel

/// What can happen around in-stream audio ads, as the host and its players report it.
public enum AudioInput: Hashable, Sendable {
    /// Where mid-rolls are wanted; taken before the load, once (S4.40–S4.42).
    case configureMidpoints(AudioMidpoints, duration: Duration?)
    /// Loading begins; for machines that were made without loading at once.
    case load
    /// The load ended with a programme.
    case loaded(AudioProgram)
    /// The load ended without one.
    case loadFailed(code: String, message: String)
    /// There is a player now, or there is none any more (S4.7).
    case playerAttached(Bool)

    /// A section begins (S4.38, S4.39, S4.47).
    case start(AudioPlace)
    /// The host halts the ad or lets it go on (S4.58, S4.59).
    case pause, resume
    /// The section ends (S4.60).
    case stop
    /// The section ends because the listener wants it to (S4.61).
    case skip
    /// The ad ends because the listener wants it to; the next one plays (S4.62).
    case skipBanner
    /// How loud, 0 to 1; what is outside is brought in (S4.12, S4.63).
    case setVolume(Double)

    /// What the listener asks of the content while an ad may be playing: passed or refused as the ad says (S4.55).
    case play, pauseContent, seek(Duration), nextTrack

    /// Where the content is.
    case playhead(Duration)
    /// How long the content is.
    case contentReady(duration: Duration?)
    /// The content has ended.
    case contentComplete

    /// What the ad player reports (S4.17–S4.23).
    case adLoaded(duration: Duration?), adStarted, adProgress(position: Duration, duration: Duration?), adBuffering
    /// The ad player halted, goes on, stopped, came to the end.
    case adPaused, adResumed, adStopped, adCompleted
    /// The ad player failed.
    case adError(reason: String, code: Int?)
    /// The sound went off or came back.
    case muted, unmuted

    /// A companion was shown or clicked; by its id, else by its place in the banner's list (S4.56, S4.57).
    case companionShown(String), companionClicked(String)
    /// The listener clicked on the ad itself.
    case clicked
    /// A page lies over the application, or is gone (S4.32).
    case modalShown, modalDismissed
    /// The application went into the background, or came back.
    case appBackground, appForeground
    /// The session ends.
    case destroy

    /// The type, as messages and refusals spell it.
    public var type: String {
        switch self {
        case .configureMidpoints: "configure_midpoints"
        case .load, .loaded, .loadFailed: "load"
        case .playerAttached: "player"
        case .start(let place): "start_" + place.section.rawValue
        case .pause: "pause"
        case .resume: "resume"
        case .stop: "stop"
        case .skip: "skip"
        case .skipBanner: "skip_banner"
        case .setVolume: "set_volume"
        case .play: "play"
        case .pauseContent: "pause_content"
        case .seek: "seek"
        case .nextTrack: "next_track"
        case .playhead: "playhead"
        case .contentReady: "content_ready"
        case .contentComplete: "content_complete"
        case .adLoaded: "ad_loaded"
        case .adStarted: "ad_started"
        case .adProgress: "ad_progress"
        case .adBuffering: "ad_buffering"
        case .adPaused: "ad_paused"
        case .adResumed: "ad_resumed"
        case .adStopped: "ad_stopped"
        case .adCompleted: "ad_completed"
        case .adError: "ad_error"
        case .muted: "muted"
        case .unmuted: "unmuted"
        case .companionShown: "companion_shown"
        case .companionClicked: "companion_clicked"
        case .clicked: "clicked"
        case .modalShown: "modal_shown"
        case .modalDismissed: "modal_dismissed"
        case .appBackground: "app_background"
        case .appForeground: "app_foreground"
        case .destroy: "destroy"
        }
    }
}
