public import WeirModel
public import WeirVAST

/// What a rewarded ad says.
public enum RewardedOutput: PlaybackOutput {
    /// The load ended with an ad; once per load.
    case adsLoaded(userContext: PlaybackValue)
    /// The load ended without one; once per load.
    case loadFailed(code: String, message: String, userContext: PlaybackValue)
    /// The ad and the reward that it promises.
    case loaded(AdKey?, Reward?)
    /// Command: have the ad ready to be shown.
    case loadAd(AdKey, MediaFile?)
    /// Command: show it.
    case playAd(AdKey?)
    /// The ad covers the screen now.
    case willPresent
    /// The ad began to render.
    case impression
    /// The viewer clicked.
    case click
    /// Command: show a page.
    case openURL(String)
    /// The viewer has earned the reward; `isLate` when the ad was gone already (S2.38).
    case earnedReward(Reward?, isLate: Bool)
    /// The ad is about to go away.
    case willDismiss
    /// The ad is gone.
    case dismissed(rewardEarned: Bool)
    /// The ad was not shown; `isEnd` when a presentation that had begun ends with it.
    case failedToPresent(reason: String, message: String, isEnd: Bool)
    /// The ad has waited too long.
    case expired
    /// A remark for whoever builds the app.
    case log(String)
    /// An input was refused.
    case refused(PlaybackRefusal)
    /// A URL is due.
    case track(DueBeacon)

    /// What it is for.
    public var kind: OutputKind {
        switch self {
        case .track: .tracking
        case .loadAd, .playAd, .openURL: .command
        default: .event
        }
    }

    /// Its stable name.
    public var type: String {
        switch self {
        case .adsLoaded: "ads_loaded"
        case .loadFailed: "load_failed"
        case .loaded: "loaded"
        case .loadAd: "load_ad"
        case .playAd: "play_ad"
        case .willPresent: "will_present"
        case .impression: "impression"
        case .click: "click"
        case .openURL: "open_url"
        case .earnedReward: "earned_reward"
        case .willDismiss: "will_dismiss"
        case .dismissed: "dismissed"
        case .failedToPresent: "failed_to_present"
        case .expired: "expired"
        case .log: "log"
        case .refused: "refused"
        case .track: "beacon"
        }
    }

    /// What it says besides.
    public var details: [PlaybackDetail] {
        switch self {
        case .adsLoaded(let context):
            [PlaybackDetail("cue_points_ms", .list([])), PlaybackDetail("user_context", context)]
        case .loadFailed(let code, let message, let context):
            [
                PlaybackDetail("code", code), PlaybackDetail("message", message),
                PlaybackDetail("user_context", context),
            ]
        case .loaded(let key, let reward):
            [PlaybackDetail("ad", key.map(PlaybackValue.ad) ?? .null), PlaybackDetail("reward", reward.playbackValue)]
        case .loadAd(let key, let file):
            [PlaybackDetail("ad", .ad(key)), PlaybackDetail("media_file", file?.url)]
        case .playAd(let key): [PlaybackDetail("ad", key.map(PlaybackValue.ad) ?? .null)]
        case .openURL(let url): [PlaybackDetail("url", url)]
        case .earnedReward(let reward, let isLate):
            [PlaybackDetail("reward", reward.playbackValue), PlaybackDetail("late", isLate)]
        case .dismissed(let earned): [PlaybackDetail("reward_earned", earned)]
        case .failedToPresent(let reason, let message, _):
            [PlaybackDetail("reason", reason), PlaybackDetail("message", message)]
        case .log(let message): [PlaybackDetail("message", message)]
        case .refused(let refusal): refusal.details
        case .track(let beacon): beacon.details
        case .willPresent, .impression, .click, .willDismiss, .expired: []
        }
    }

    /// The URL that is due.
    public var beacon: DueBeacon? {
        if case .track(let beacon) = self { beacon } else { nil }
    }
}

extension Reward? {
    /// `item` and `amount`, the amount as exact decimal text; null without a reward.
    var playbackValue: PlaybackValue {
        guard let self else { return .null }
        return .object([PlaybackDetail("item", self.item), PlaybackDetail("amount", self.amount.description)])
    }
}
