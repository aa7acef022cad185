public import WeirVAST

/// What in-stream audio ads say.
public enum AudioOutput: PlaybackOutput {
    /// The load ended with a programme; once per load.
    case adsLoaded(midpoints: [Duration], userContext: PlaybackValue)
    /// The load ended without one; once per load.
    case loadFailed(code: String, message: String, userContext: PlaybackValue)
    /// The same in this format's own words (S4.25, S4.26).
    case load
    /// There is no ad, and why.
    case noAd(String)
    /// The player has the ad ready.
    case loaded(AdKey)
    /// The content is to wait while a section plays, and to go on afterwards (SX.1).
    case contentPauseRequested(AudioPlace), contentResumeRequested(AudioPlace)
    /// An ad began to be heard, and was heard to its end (S4.28, S4.29).
    case bannerStart(AdKey, AudioBanner), bannerComplete(AdKey, AudioBanner)
    /// How much of the ad is left (S4.30).
    case bannerTimeLeft(AdKey, left: Duration, duration: Duration)
    /// The listener skipped the ad.
    case skipped(AdKey)
    /// The section is over, with how many of its ads were heard to the end; once per section begun (S4.31, S4.37).
    case sectionComplete(AudioPlace, played: Int)
    /// An ad could not be played (S4.27).
    case error(AdKey, String)
    /// The ad halted or goes on.
    case paused(AdKey), resumed(AdKey)
    /// The listener clicked.
    case clicked(AdKey)
    /// A page lies over the application, or is gone (S4.32).
    case showModal, dismissModal
    /// A page opens outside the application (S4.33).
    case leaveApplication
    /// The content has reached a mid-point that has ads and has not been played.
    case midpointReached(Duration)
    /// A remark for whoever builds the app.
    case log(String)
    /// An input was refused.
    case refused(PlaybackRefusal)
    /// Command: have an ad ready.
    case loadAd(AdKey, MediaFile)
    /// Command: play it (S4.13).
    case playAd(AdKey, MediaFile)
    /// Commands to the ad player (S4.14–S4.16).
    case pauseAd(AdKey), resumeAd(AdKey), stopAd(AdKey)
    /// Command: go to a position in the ad.
    case seekAd(AdKey, to: Duration)
    /// Command: how loud, 0 to 1.
    case setVolume(Double)
    /// Command: show a page.
    case openURL(String)
    /// A URL is due.
    case track(DueBeacon)

    /// What it is for.
    public var kind: OutputKind {
        switch self {
        case .loadAd, .playAd, .pauseAd, .resumeAd, .stopAd, .seekAd, .setVolume, .openURL: .command
        case .track: .tracking
        default: .event
        }
    }

    /// Its stable name.
    public var type: String {
        switch self {
        case .adsLoaded: "ads_loaded"
        case .loadFailed: "load_failed"
        case .load: "load"
        case .noAd: "no_ad"
        case .loaded: "loaded"
        case .contentPauseRequested: "content_pause_requested"
        case .contentResumeRequested: "content_resume_requested"
        case .bannerStart: "banner_start"
        case .bannerComplete: "banner_complete"
        case .bannerTimeLeft: "banner_time_left"
        case .skipped: "skipped"
        case .sectionComplete: "section_complete"
        case .error: "error"
        case .paused: "paused"
        case .resumed: "resumed"
        case .clicked: "clicked"
        case .showModal: "show_modal"
        case .dismissModal: "dismiss_modal"
        case .leaveApplication: "leave_application"
        case .midpointReached: "midpoint_reached"
        case .log: "log"
        case .refused: "refused"
        case .loadAd: "load_ad"
        case .playAd: "play_ad"
        case .pauseAd: "pause_ad"
        case .resumeAd: "resume_ad"
        case .stopAd: "stop_ad"
        case .seekAd: "seek_ad"
        case .setVolume: "set_volume"
        case .openURL: "open_url"
        case .track: "beacon"
        }
    }

    /// The URL that is due.
    public var beacon: DueBeacon? {
        if case .track(let beacon) = self { beacon } else { nil }
    }
}
