/// What happens to an ad while it is played, as a player reports it.
public enum PlaybackInput: Hashable, Sendable {
    /// The media is loaded.
    case loaded
    /// The first frame or sample was rendered.
    case started
    /// Playback has reached a position by playing.
    case position(Duration)
    /// The viewer moved to a position.
    case seeked(Duration)
    /// The media was played to its end.
    case completed
    /// Playback halted or goes on.
    case paused, resumed
    /// The sound went off or came back.
    case muted, unmuted
    /// The player grew or shrank.
    case expanded, collapsed
    /// The viewer skipped the ad.
    case skipped
    /// The viewer closed the ad.
    case closed
    /// The ad was loaded and will not be played.
    case discarded
    /// The viewer clicked on the ad.
    case clicked
    /// The viewer clicked on something else of the ad.
    case customClicked
    /// The ad cannot be played.
    case failed(VASTErrorCode)
    /// Viewability has been decided.
    case viewable, notViewable, viewUndetermined
    /// A companion was shown or clicked; by its place in ``ResolvedAd/companions``.
    case companionShown(Int), companionClicked(Int)
    /// An icon was shown or clicked; by its place in ``ResolvedAd/icons``.
    case iconShown(Int), iconClicked(Int)
    /// Measurement code could not run; by its place in ``ResolvedAd/verifications``.
    case verificationNotExecuted(Int, VerificationFailure)
    /// Any other event by its name, such as `acceptInvitation`.
    case event(EventName)
}

/// Why measurement code could not run: the values of `[REASON]` (VAST 4.3 §3.17.3).
public enum VerificationFailure: Int, Hashable, Sendable {
    /// The publisher does not allow it.
    case rejected = 1
    /// The player cannot run such code.
    case notSupported = 2
    /// The code could not be loaded or threw.
    case loadError = 3
}
