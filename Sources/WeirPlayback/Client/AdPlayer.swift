internal import WeirTime
public import WeirVAST

/// The player that shows ads: the host's, and never the one that plays the content (S0.3).
///
/// Calls come one at a time and in order. The player answers through ``AdsManager/report(_:)``: loaded, started, progress,
/// completed or error.
public protocol AdPlayer: AnyObject, Sendable {
    /// Gets the media ready without showing it.
    func load(_ ad: AdInfo, _ file: MediaFile)
    /// Shows and plays an ad that was loaded.
    func play(_ ad: AdKey)
    /// Halts the ad.
    func pause(_ ad: AdKey)
    /// Goes on with the ad.
    func resume(_ ad: AdKey)
    /// Ends the ad, or forgets it when it was only loaded.
    func stop(_ ad: AdKey)
    /// Sets the volume, 0 to 1.
    func setVolume(_ volume: Double)
    /// Opens a landing page; macros are filled.
    func open(_ url: String)
}

/// What ads are rendered in: the surface over the content and the player in it (S0.5, S0.15).
public final class AdDisplayContainer: Sendable {
    /// The player that shows ads.
    public let player: any AdPlayer
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int

    private let state: ContainerState

    /// A container; it is not on screen until ``isOnScreen`` says so.
    public init(player: any AdPlayer, width: Int, height: Int, isOnScreen: Bool = true) {
        self.player = player
        self.width = width
        self.height = height
        state = ContainerState(isOnScreen)
    }

    /// Whether it is on screen; ads are requested only then (S0.25).
    public var isOnScreen: Bool {
        get { state.isOnScreen.withLock { $0 } }
        set { state.isOnScreen.withLock { $0 = newValue } }
    }
}

/// The one thing of a container that changes.
private final class ContainerState: Sendable {
    let isOnScreen: Lock<Bool>

    init(_ isOnScreen: Bool) { self.isOnScreen = Lock(isOnScreen) }
}

/// What shows the content, where ads can be put in too: the content player's picture (S3.9).
public protocol VideoDisplay: AnyObject, Sendable {
    /// Whether it can be shown in picture-in-picture.
    var supportsPictureInPicture: Bool { get }
    /// Whether it plays on in the background (S3.5).
    var supportsBackgroundPlayback: Bool { get }
}

/// Where the content is; the host implements it for its own player (S0.16, S0.17).
public protocol ContentPlayhead: AnyObject, Sendable {
    /// The content position.
    var currentTime: Duration { get }
}

/// A ready-made playhead for players that report their position by calling (S0.17).
public final class ReportedPlayhead: ContentPlayhead {
    private let position = Lock(Duration.zero)

    /// A playhead at the beginning.
    public init() {}

    /// The position that was last reported.
    public var currentTime: Duration { position.withLock { $0 } }

    /// Takes the position that the content player reports.
    public func report(_ position: Duration) { self.position.withLock { $0 = max(.zero, position) } }
}
