/// Who hears of a manager's events (S0.33); a minimal host acts on `loaded` alone (S0.34).
public protocol AdsManagerDelegate: AnyObject, Sendable {
    /// Something happened.
    func adsManager(_ manager: AdsManager, didReceive event: AdEvent)
    /// An ad could not be played; when nothing else is left of its break, the content's turn is asked for as well (S0.38).
    func adsManager(_ manager: AdsManager, didReceive error: AdFailure)
    /// The content is to be paused and hidden (S0.42).
    func adsManagerDidRequestContentPause(_ manager: AdsManager)
    /// The content is to be shown and played, at least for now (S0.43, S0.44).
    func adsManagerDidRequestContentResume(_ manager: AdsManager)
    /// Where the ad is (S1.21).
    func adsManager(_ manager: AdsManager, adDidProgressTo position: Duration, of duration: Duration?)
    /// How the user interface over the ad should look from now on.
    func adsManager(_ manager: AdsManager, show ui: CustomUI)
}

extension AdsManagerDelegate {
    /// Hosts without a countdown.
    public func adsManager(_ manager: AdsManager, adDidProgressTo position: Duration, of duration: Duration?) {}
    /// Hosts without an interface of their own.
    public func adsManager(_ manager: AdsManager, show ui: CustomUI) {}
}
