public import WeirVAST

/// How an in-stream audio ad behaves.
public struct AudioSettings: Hashable, Sendable {
    /// The shortest time that a load is given (S4.65).
    public static let leastLoadingTimeout: Duration = .seconds(5)
    /// The usual time that a load is given (S4.65).
    public static let usualLoadingTimeout: Duration = .seconds(10)

    /// How long a load may take before there is no ad; less than ``leastLoadingTimeout`` becomes that (S4.64, S4.65).
    public var loadingTimeout: Duration = Self.usualLoadingTimeout {
        didSet { loadingTimeout = min(max(loadingTimeout, Self.leastLoadingTimeout), PlaybackMessage.longest) }
    }
    /// How long the player may take from the command to the first sound.
    public var startTimeout: Duration = .seconds(10)
    /// How long an ad that is not paused may stand still before it is given up.
    public var stallTimeout: Duration = .seconds(15)
    /// How long the companions of an ad may still be shown and clicked after it.
    public var endCard: Duration = .seconds(10)
    /// Whether ads play on while the application is in the background.
    public var allowsBackgroundPlayback = false
    /// Where companions can be shown; `nil`: not known, empty: nowhere.
    public var companionSlots: [CompanionSelector.Slot]?
    /// Loads as soon as the machine is made; otherwise ``AudioInput/load`` begins, and mid-points are configured before it.
    public var autoload = true
    /// Given back with the load's result, unchanged.
    public var userContext: PlaybackValue = .null

    /// The usual settings.
    public init() {}
}
