/// How a session of video ads behaves, whatever is loaded.
public struct PlaybackSettings: Hashable, Sendable {
    /// Whether ads go on while the application is in the background (S3.6); read when the session is made, and never again.
    public var enableBackgroundPlayback = false
    /// What becomes of a break that is due in picture-in-picture (S3.14).
    public var onPIP: PIPPolicy = .wait
    /// Which breaks are due when the viewer jumps over several.
    public var seekPolicy: SeekPolicy = .last
    /// Whether a click on the ad pauses it (S1.20).
    public var pausesOnClick = true

    /// The default settings.
    public init() {}
}

/// What becomes of a break that is due in picture-in-picture.
public enum PIPPolicy: String, Hashable, Sendable, CaseIterable {
    /// It waits and starts when picture-in-picture ends.
    case wait
    /// It is dropped.
    case drop
}

/// Which breaks are due when the viewer jumps over several of them.
public enum SeekPolicy: String, Hashable, Sendable, CaseIterable {
    /// The last one, as IMA does.
    case last
    /// All, in content order.
    case all
    /// None.
    case none
}

/// What the client's player and screen can do.
public struct PlaybackCapabilities: Hashable, Sendable {
    /// Whether it has picture-in-picture; without it those inputs are refused (S3.3).
    public var pictureInPicture = false
    /// Whether its player can play in the background (S3.4, S3.5).
    public var backgroundPlayback = false
    /// Whether it reports the content position; without it mid-rolls cannot play (S0.16).
    public var contentPlayhead = true
    /// Whether there is something to render ads in; without it loading is refused (S0.5).
    public var displayContainer = true

    /// An ordinary player.
    public init() {}
}

/// How ads are to be rendered; given when the manager is initialized, fixed from then on (S1.6).
public struct AdsRenderingSettings: Hashable, Sendable {
    /// Whether the ad's own controls are to be hidden, so that the host can draw its own; a wish (S1.33).
    public var disableUI = false
    /// Whether the countdown of a single ad has the two blanks of IMA's sample code (S1.23).
    public var usesExactIMAText = false
    /// Whether media is handed to the player before its turn.
    public var enablePreloading = true
    /// How long before a mid-roll its first ad is handed to the player.
    public var preloadWindow: Duration = .seconds(8)
    /// How long an ad may take to start before it has failed, 8 s as in IMA; `nil`: for ever.
    public var loadVideoTimeout: Duration? = .seconds(8)
    /// MIME types that the player plays; empty: all that were accepted when the ads were loaded.
    public var mimeTypes: [String] = []
    /// The most kbit/s; the closest file is taken where all have more.
    public var bitrate: Int?
    /// Only breaks strictly after this content position are played.
    public var playAdsAfter: Duration?

    /// The default settings; the same as passing none (S0.31).
    public init() {}
}

/// What a session is made with.
public struct VideoConfiguration: Hashable, Sendable {
    /// How it behaves.
    public var settings = PlaybackSettings()
    /// What the client can do.
    public var capabilities = PlaybackCapabilities()
    /// How ads are rendered when initializing says nothing else.
    public var rendering = AdsRenderingSettings()
    /// Whether the placement may hide the ad's own controls (S1.2).
    public var isCustomUIEntitled = true
    /// The content's length, when it is known beforehand.
    public var contentDuration: Duration?
    /// What the host wants back with the answer, unchanged (S0.26).
    public var userContext: PlaybackValue = .null

    /// The default configuration.
    public init() {}
}
