public import WeirModel

/// Hears what becomes of in-stream audio ads (S4.24–S4.33); what a delegate does not care about may be left out.
///
/// Calls come one after another, in order, on the thread that caused them.
public protocol InstreamAudioAdDelegate: AnyObject, Sendable {
    /// The ads are there; ``InstreamAudioAd/midpoints`` says where mid-rolls are (S4.25).
    func onLoad(_ ad: InstreamAudioAd)
    /// There are no ads (S4.26). Exactly one of this and ``onLoad(_:)`` comes for each load.
    func onNoAd(_ reason: String, _ ad: InstreamAudioAd)
    /// An ad could not be played (S4.27); ``onComplete(_:_:)`` comes all the same.
    func onError(_ reason: String, _ ad: InstreamAudioAd)
    /// An ad began to be heard (S4.28).
    func onBannerStart(_ banner: AudioBanner, _ ad: InstreamAudioAd)
    /// An ad was heard to its end (S4.29).
    func onBannerComplete(_ banner: AudioBanner, _ ad: InstreamAudioAd)
    /// So many seconds of the ad are left (S4.30).
    func onBannerTimeLeftChange(_ timeLeft: Double, duration: Double, _ ad: InstreamAudioAd)
    /// All ads of a section are done; go on with the content (S4.31, S4.36).
    func onComplete(_ section: AudioSection, _ ad: InstreamAudioAd)
    /// A page lies over the application (S4.32).
    func onShowModal(_ ad: InstreamAudioAd)
    /// It is gone (S4.32).
    func onDismissModal(_ ad: InstreamAudioAd)
    /// The advertiser's page is to be opened (S4.33, S4.57).
    func onLeaveApplication(_ url: String, _ ad: InstreamAudioAd)
    /// The content is to wait (SX.1).
    func onContentPauseRequested(_ ad: InstreamAudioAd)
    /// The content may go on (SX.1).
    func onContentResumeRequested(_ ad: InstreamAudioAd)
}

extension InstreamAudioAdDelegate {
    /// Does nothing.
    public func onLoad(_ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onNoAd(_ reason: String, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onError(_ reason: String, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onBannerStart(_ banner: AudioBanner, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onBannerComplete(_ banner: AudioBanner, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onBannerTimeLeftChange(_ timeLeft: Double, duration: Double, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onComplete(_ section: AudioSection, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onShowModal(_ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onDismissModal(_ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onLeaveApplication(_ url: String, _ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onContentPauseRequested(_ ad: InstreamAudioAd) {}
    /// Does nothing.
    public func onContentResumeRequested(_ ad: InstreamAudioAd) {}
}
