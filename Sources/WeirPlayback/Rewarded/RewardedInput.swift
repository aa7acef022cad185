/// What can happen to a rewarded ad, as its host and the player that shows it report it.
public enum RewardedInput: Hashable, Sendable {
    /// Loading begins; for sessions that were made without loading at once.
    case load
    /// The load ended with an ad.
    case loaded(RewardedContent)
    /// The load ended without one.
    case loadFailed(code: String, message: String)
    /// What travels to the reward callback; taken until the ad is presented (S2.9–S2.11).
    case setSSVOptions(ServerSideVerificationOptions)
    /// The viewer said yes or no to watching for a reward (S2.23).
    case present(optIn: Bool)
    /// The ad is about to cover the screen.
    case willPresent
    /// The ad began to render.
    case impression
    /// The viewer clicked.
    case click
    /// The viewer has earned the reward.
    case earnedReward
    /// The ad is about to go away.
    case willDismiss
    /// The ad is gone. A network whose only callback this is says here whether the reward was earned (S2.39).
    case dismissed(earnedReward: Bool)
    /// The ad could not be shown.
    case failedToPresent(reason: String)
    /// The ad plays on; for trackers only.
    case progress(position: Duration, duration: Duration?)
    /// The ad was played to its end; for trackers only.
    case completed
    /// The ad halted or goes on; for trackers only.
    case paused, resumed
    /// The sound went off or came back; for trackers only.
    case muted, unmuted
    /// The session ends.
    case destroy

    /// The type, as messages and refusals spell it.
    public var type: String {
        switch self {
        case .load, .loaded, .loadFailed: "load"
        case .setSSVOptions: "set_ssv_options"
        case .present: "present"
        case .willPresent: "will_present"
        case .impression: "impression"
        case .click: "click"
        case .earnedReward: "earned_reward"
        case .willDismiss: "will_dismiss"
        case .dismissed: "dismissed"
        case .failedToPresent: "failed_to_present"
        case .progress: "ad_progress"
        case .completed: "ad_completed"
        case .paused: "ad_paused"
        case .resumed: "ad_resumed"
        case .muted: "muted"
        case .unmuted: "unmuted"
        case .destroy: "destroy"
        }
    }
}

extension RewardedInput: PlaybackInputReading {
    /// Reads a message; what a load ended with cannot come from outside.
    ///
    /// - Throws: `unknown_input`, or `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        switch message.type {
        case "load": self = .load
        case "set_ssv_options": self = .setSSVOptions(try ServerSideVerificationOptions(message))
        case "present": self = .present(optIn: try message.flag("opt_in", or: false))
        case "will_present": self = .willPresent
        case "impression": self = .impression
        case "click", "clicked": self = .click
        case "earned_reward": self = .earnedReward
        case "will_dismiss": self = .willDismiss
        case "dismissed": self = .dismissed(earnedReward: try message.flag("earned_reward", or: false))
        case "failed_to_present":
            self = .failedToPresent(reason: try message.optionalText("reason") ?? "The player gave no reason.")
        case "ad_progress":
            self = .progress(
                position: try message.milliseconds("position_ms"),
                duration: try message.optionalMilliseconds("duration_ms")
            )
        case "ad_completed": self = .completed
        case "ad_paused": self = .paused
        case "ad_resumed": self = .resumed
        case "muted": self = .muted
        case "unmuted": self = .unmuted
        case "destroy": self = .destroy
        default: throw message.unknown
        }
    }
}
