public import WeirVAST

/// What a session of video ads says.
public enum VideoOutput: PlaybackOutput {
    /// Something happened.
    case event(AdEvent)
    /// The ad player is to do something. The content player is never commanded (S0.2).
    case command(AdPlayerCommand)
    /// A URL is due.
    case tracking(DueBeacon)

    /// What it is for.
    public var kind: OutputKind {
        switch self {
        case .event: .event
        case .command: .command
        case .tracking: .tracking
        }
    }

    /// Its stable name.
    public var type: String {
        switch self {
        case .event(let event): event.type.rawValue
        case .command(let command): command.type
        case .tracking: "beacon"
        }
    }

    /// What it says besides.
    public var details: [PlaybackDetail] {
        switch self {
        case .event(let event): event.details
        case .command(let command): command.details
        case .tracking(let due): due.details
        }
    }

    /// The URL that is due, when it is one.
    public var beacon: DueBeacon? {
        if case .tracking(let due) = self { return due }
        return nil
    }
}

/// What the ad player is to do.
public enum AdPlayerCommand: Hashable, Sendable {
    /// Get this media ready, and do not show it yet.
    case loadAd(AdInfo, MediaFile)
    /// Show and play the ad.
    case playAd(AdKey)
    /// Halt the ad.
    case pauseAd(AdKey)
    /// Go on with the ad.
    case resumeAd(AdKey)
    /// End the ad, or forget it when it was only loaded.
    case stopAd(AdKey)
    /// Set the volume, 0 to 1.
    case setVolume(Double)
    /// Open the landing page; its macros are not filled.
    case openURL(String, ad: AdKey)

    var type: String {
        switch self {
        case .loadAd: "load_ad"
        case .playAd: "play_ad"
        case .pauseAd: "pause_ad"
        case .resumeAd: "resume_ad"
        case .stopAd: "stop_ad"
        case .setVolume: "set_volume"
        case .openURL: "open_url"
        }
    }

    var details: [PlaybackDetail] {
        switch self {
        case .loadAd(let info, let file):
            [
                PlaybackDetail("ad_key", info.key.index), PlaybackDetail("ad", .ad(info.key)),
                PlaybackDetail("ui_disabled", info.isUIDisabled), PlaybackDetail("pod", .object(info.pod.details)),
                PlaybackDetail("media_file", .object(Self.details(of: file))),
            ]
        case .playAd(let key), .pauseAd(let key), .resumeAd(let key), .stopAd(let key):
            [PlaybackDetail("ad_key", key.index)]
        case .setVolume(let value): [PlaybackDetail("value", .number(value))]
        case .openURL(let url, let key): [PlaybackDetail("url", url), PlaybackDetail("ad_key", key.index)]
        }
    }

    private static func details(of file: MediaFile) -> [PlaybackDetail] {
        [
            PlaybackDetail("url", file.url), PlaybackDetail("mime", file.type),
            PlaybackDetail("width", file.width), PlaybackDetail("height", file.height),
            PlaybackDetail("bitrate_kbps", file.bitrate ?? file.maxBitrate ?? file.minBitrate),
            PlaybackDetail("delivery", (file.delivery ?? .progressive).rawValue), PlaybackDetail("codec", file.codec),
        ]
    }
}
