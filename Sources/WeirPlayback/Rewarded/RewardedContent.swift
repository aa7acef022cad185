public import WeirModel
public import WeirVAST

/// A rewarded ad as it was loaded.
public struct RewardedContent: Hashable, Sendable {
    /// The ad; `nil` where the network shows it with means of its own.
    public var ad: ResolvedAd?
    /// What the viewer is promised; readable before the ad is shown (S2.30).
    public var reward: Reward?
    /// How long it may wait to be presented; `nil` takes the settings'.
    public var expires: Duration?

    /// A loaded ad.
    public init(ad: ResolvedAd?, reward: Reward?, expires: Duration? = nil) {
        self.ad = ad
        self.reward = reward
        self.expires = expires
    }
}

/// How a rewarded ad behaves.
public struct RewardedSettings: Hashable, Sendable {
    /// How long a loaded ad may wait to be presented, unless the network says less or more.
    public var expires: Duration = .seconds(3600)
    /// How long after the ad is gone a reward still counts; some networks report it late (S2.38).
    public var lateRewardGrace: Duration = .seconds(30)
    /// Loads as soon as the machine is made; otherwise ``RewardedInput/load`` begins.
    public var autoload = true
    /// Given back with the load's result, unchanged.
    public var userContext: PlaybackValue = .null

    /// The usual settings.
    public init() {}
}
