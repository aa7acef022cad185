/// Hears what becomes of a full-screen ad (S2.12–S2.18); what a delegate does not care about may be left out.
///
/// Calls come one after another, in the order of SX.4, on the thread that caused them.
public protocol FullScreenContentDelegate: AnyObject, Sendable {
    /// The ad could not be shown; no other call follows for it (S2.13).
    func ad(_ ad: RewardedAd, didFailToPresentWith error: RewardedAdError)
    /// The ad is about to cover the screen (S2.14).
    func adWillPresent(_ ad: RewardedAd)
    /// The ad is about to go away (S2.15).
    func adWillDismiss(_ ad: RewardedAd)
    /// The ad is gone; drop it and load the next (S2.16, S2.19, S2.22).
    func adDidDismiss(_ ad: RewardedAd)
    /// The ad began to render (S2.17).
    func adDidRecordImpression(_ ad: RewardedAd)
    /// The viewer clicked (S2.18).
    func adDidRecordClick(_ ad: RewardedAd)
}

extension FullScreenContentDelegate {
    /// Does nothing.
    public func ad(_ ad: RewardedAd, didFailToPresentWith error: RewardedAdError) {}
    /// Does nothing.
    public func adWillPresent(_ ad: RewardedAd) {}
    /// Does nothing.
    public func adWillDismiss(_ ad: RewardedAd) {}
    /// Does nothing.
    public func adDidDismiss(_ ad: RewardedAd) {}
    /// Does nothing.
    public func adDidRecordImpression(_ ad: RewardedAd) {}
    /// Does nothing.
    public func adDidRecordClick(_ ad: RewardedAd) {}
}
