/// Plays audio ads: the host's own player, apart from the one that plays the content (S4.7–S4.16).
///
/// The ad calls it; the host does not (S4.8). Calls may come from any thread. What became of a call is told to
/// ``adPlayerDelegate``, which an implementation holds weakly.
public protocol InstreamAudioAdPlayer: AnyObject, Sendable {
    /// Seconds that the ad lasts; 0 while unknown (S4.9).
    var adAudioDuration: Double { get }
    /// Seconds of the ad that were played; asked again and again while it plays (S4.10).
    var adAudioTimeElapsed: Double { get }
    /// Hears what became of a call; held weakly (S4.11).
    var adPlayerDelegate: (any InstreamAudioAdPlayerDelegate)? { get set }
    /// How loud, 0 to 1 (S4.12).
    var volume: Double { get set }
    /// Plays the file at a URL from its beginning (S4.13).
    func playAdAudio(url: String)
    /// Halts (S4.14).
    func pauseAdAudio()
    /// Goes on (S4.15).
    func resumeAdAudio()
    /// Ends playing (S4.16).
    func stopAdAudio()
    /// Goes to a position in seconds; a player that cannot does nothing.
    func seekAdAudio(to seconds: Double)
}

extension InstreamAudioAdPlayer {
    /// Does nothing.
    public func seekAdAudio(to seconds: Double) {}
}

/// Hears what an ad player does; the player calls it when it has happened (S4.17).
public protocol InstreamAudioAdPlayerDelegate: AnyObject, Sendable {
    /// The first sound was heard (S4.18).
    func onAdAudioStart()
    /// Playing halted (S4.19).
    func onAdAudioPause()
    /// Playing goes on (S4.20).
    func onAdAudioResume()
    /// Playing was ended (S4.21).
    func onAdAudioStop()
    /// Playing failed (S4.22).
    func onAdAudioError(reason: String)
    /// The end was reached (S4.23).
    func onAdAudioComplete()
}
