/// What can happen to a session of video ads.
public enum VideoInput: Hashable, Sendable {
    // Loading.
    /// The host asks for ads.
    case load
    /// The ads have come.
    case adsLoaded(AdSchedule)
    /// They have not.
    case loadFailed(AdFailure)

    // The content player reports.
    /// The content is ready; its length and an id of the item, if known.
    case contentReady(duration: Duration?, item: String?)
    /// Where the content is.
    case playhead(Duration)
    /// The viewer moved in the content.
    case seeked(from: Duration?, to: Duration)
    /// The content has ended: of the item named, or of the current one.
    case contentComplete(item: String?)

    // The viewer asks the content player for something.
    /// A wish of the viewer's for the content player (S0.15).
    case transport(Transport)

    // The host tells the manager.
    /// Prepares for playing; loads the first ad. `nil` takes the settings that the session was made with.
    case initialize(AdsRenderingSettings?)
    /// Starts the break that is ready.
    case start
    /// Pauses or resumes the ad.
    case pause, resume
    /// Skips the ad.
    case skip
    /// The viewer pressed "Learn more".
    case clicked
    /// Gives up the break that is ready or running.
    case discardAdBreak
    /// Sets the ad player's volume, 0 to 1.
    case setVolume(Double)
    /// Ends the session.
    case destroy

    // The ad player reports; the key says about which ad, `nil` means the current one.
    /// The media is loaded.
    case adLoaded(AdKey?, duration: Duration?)
    /// The first frame was rendered.
    case adStarted(AdKey?)
    /// Where the ad is.
    case adProgress(AdKey?, position: Duration, duration: Duration?)
    /// The media stalls.
    case adBuffering(AdKey?)
    /// The ad was paused or goes on.
    case adPaused(AdKey?), adResumed(AdKey?)
    /// The ad player stopped.
    case adStopped(AdKey?)
    /// The ad was played to its end.
    case adCompleted(AdKey?)
    /// The ad cannot be played.
    case adError(AdKey?, reason: String, code: Int?)
    /// The viewer touched the ad.
    case tapped
    /// The viewer touched an icon.
    case iconTapped(String)
    /// A companion was shown or clicked.
    case companionShown(String), companionClicked(String)
    /// The sound went off or came back.
    case muted, unmuted
    /// The player grew or shrank.
    case playerExpanded, playerCollapsed

    // The screen.
    /// Picture-in-picture began or ended.
    case pipStarted, pipStopped
    /// The application went to the background or came back.
    case appBackground, appForeground
    /// Something covers the player, or does no longer.
    case modalShown, modalDismissed
    /// The display container is on screen, or is not.
    case visible, hidden
}

/// A wish of the viewer's for the content player.
public enum Transport: Hashable, Sendable {
    /// Go on.
    case play
    /// Halt.
    case pause
    /// Go to a position.
    case seek(Duration)
    /// Go to the next item.
    case next
}
