internal import WeirModel
internal import WeirVAST

/// One rewarded ad from load to dismissal: a pure state machine (S2).
///
/// It is a one-time object: presented once, never again (S2.21). Whatever order a network's callbacks come in, what the
/// host hears keeps the order of SX.4: will present, impression, reward, will dismiss, dismissed.
public struct RewardedMachine: PlaybackMachine {
    /// Where the ad is in its life.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Not there yet.
        case loading
        /// Ready to be presented.
        case loaded
        /// On screen, or about to be.
        case presenting
        /// On screen, and the reward is earned.
        case rewarded
        /// It was shown and is gone.
        case dismissed
        /// It waited too long.
        case expired
        /// It could not be loaded or shown.
        case failed
    }

    /// How it behaves.
    public let settings: RewardedSettings
    /// Where it is.
    public private(set) var state = State.loading
    /// What was loaded.
    public private(set) var content: RewardedContent?
    /// What travels to the reward callback.
    public private(set) var ssvOptions = ServerSideVerificationOptions()
    /// Whether the reward has been earned.
    public private(set) var hasEarned = false

    private var isLoading: Bool
    private var isOver = false
    private var isDestroyed = false
    private var steps: Set<Step> = []
    private var tracking: AdTracking?
    private var expiry: Duration?
    private var graceEnd: Duration?

    /// What has been told of a presentation.
    private enum Step: Hashable {
        case willPresent, impression, willDismiss
    }

    /// An ad that is being loaded, or waits for ``RewardedInput/load``.
    public init(settings: RewardedSettings = RewardedSettings()) {
        self.settings = settings
        isLoading = settings.autoload
    }

    /// The state's name in the API.
    public var stateName: String { state.rawValue }

    /// Whether nothing more can happen; a reward may come late.
    public var isFinished: Bool { isOver }

    /// Whether the ad is to be fetched.
    public var wantsAds: Bool { state == .loading && isLoading }

    /// When the ad expires, or when a late reward counts no more.
    public var nextDeadline: Duration? { state == .loaded ? expiry : graceEnd }

    /// Reward, options and what became of the reward.
    public var snapshot: [PlaybackDetail] {
        [
            PlaybackDetail("current_ad", content?.ad == nil ? .null : .ad(AdKey(0))),
            PlaybackDetail("reward", content?.reward.playbackValue ?? .null),
            PlaybackDetail("reward_earned", hasEarned),
            PlaybackDetail("ssv_user_id", ssvOptions.userID),
            PlaybackDetail("ssv_custom_data", ssvOptions.customData),
        ]
    }

    /// The output that tells a refusal.
    public static func refused(_ refusal: PlaybackRefusal) -> RewardedOutput { .refused(refusal) }

    // MARK: Time

    /// Takes notice that time has passed.
    public mutating func timePassed(at elapsed: Duration) -> [RewardedOutput] {
        if state == .loaded, let expiry, elapsed >= expiry {
            state = .expired
            isOver = true
            return [.expired]
        }
        if let graceEnd, elapsed >= graceEnd {
            self.graceEnd = nil
            isOver = true
        }
        return []
    }

    // MARK: Inputs

    /// Takes one input.
    public mutating func handle(_ input: RewardedInput, at elapsed: Duration) -> [RewardedOutput] {
        let due = timePassed(at: elapsed)
        do throws(PlaybackRefusal) {
            return due + (try take(input, elapsed))
        } catch {
            return due + refusals(error)
        }
    }

    private mutating func take(_ input: RewardedInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [RewardedOutput]
    {
        switch input {
        case .load: return try load()
        case .loaded(let content): return loaded(content, elapsed)
        case .loadFailed(let code, let message): return loadFailed(code, message)
        case .setSSVOptions(let options): return try set(options)
        case .present(let optIn): return try present(optIn)
        case .destroy: return destroy()
        case .earnedReward: return try earn()
        default:
            guard state == .presenting || state == .rewarded else { throw notPresenting(input) }
            return try show(input, elapsed)
        }
    }

    private mutating func load() throws(PlaybackRefusal) -> [RewardedOutput] {
        guard state == .loading, !isLoading else {
            throw PlaybackRefusal(input: "load", reason: .alreadyLoaded, message: "An ad is loaded once.")
        }
        isLoading = true
        return []
    }

    /// A result that nobody waits for any more is dropped.
    private mutating func loaded(_ content: RewardedContent, _ elapsed: Duration) -> [RewardedOutput] {
        guard state == .loading else { return [] }
        isLoading = false
        state = .loaded
        self.content = content
        tracking = content.ad.map { AdTracking(ad: $0) }
        expiry = elapsed + max(.zero, min(content.expires ?? settings.expires, PlaybackMessage.longest))
        let key = content.ad.map { _ in AdKey(0) }
        return [.adsLoaded(userContext: settings.userContext), .loaded(key, content.reward)] + track(.loaded)
    }

    private mutating func loadFailed(_ code: String, _ message: String) -> [RewardedOutput] {
        guard state == .loading else { return [] }
        isLoading = false
        state = .failed
        isOver = true
        return [.loadFailed(code: code, message: message, userContext: settings.userContext)]
    }

    private mutating func set(_ options: ServerSideVerificationOptions) throws(PlaybackRefusal) -> [RewardedOutput] {
        guard state == .loading || state == .loaded else {
            throw PlaybackRefusal(
                input: "set_ssv_options",
                reason: .wrongOrder,
                message: "Options are taken until the ad is presented; these are ignored."
            )
        }
        ssvOptions = options
        return []
    }

    private mutating func present(_ optIn: Bool) throws(PlaybackRefusal) -> [RewardedOutput] {
        func refusal(_ reason: RefusalReason, _ message: String) -> PlaybackRefusal {
            PlaybackRefusal(input: "present", reason: reason, message: message)
        }
        switch state {
        case .loading: throw refusal(.notLoaded, "The ad is not ready.")
        case .expired: throw refusal(.expired, "The ad has waited too long to be presented.")
        case .failed where content == nil: throw refusal(.notLoaded, "There is no ad: the load failed.")
        case .presenting, .rewarded, .dismissed, .failed:
            throw refusal(.alreadyUsed, "The ad was presented before; load another one.")
        case .loaded: break
        }
        guard optIn else {
            throw refusal(.optInRequired, "The viewer must have agreed to watch: present with opt_in true.")
        }
        state = .presenting
        expiry = nil
        let log = RewardedOutput.log("The viewer agreed to watch an ad for a reward.")
        guard let ad = content?.ad else { return [log, .playAd(nil)] }
        return [log, .loadAd(AdKey(0), ad.mediaFiles.first), .playAd(AdKey(0))]
    }

    private mutating func destroy() -> [RewardedOutput] {
        guard !isOver || graceEnd != nil else { return [] }
        isDestroyed = true
        var outputs: [RewardedOutput] = []
        switch state {
        case .presenting, .rewarded: outputs = dismiss(earned: false, graceFrom: nil)
        case .loading:
            outputs = [
                .loadFailed(
                    code: "cancelled",
                    message: "The session ended before the ad was loaded.",
                    userContext: settings.userContext
                )
            ]
            state = .failed
        case .loaded:
            outputs = track(.discarded)
            state = .dismissed
        default: break
        }
        isOver = true
        graceEnd = nil
        return outputs
    }
}

// MARK: - Presentation

extension RewardedMachine {
    /// What happens while the ad is on screen.
    private mutating func show(_ input: RewardedInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [RewardedOutput]
    {
        let isLeaving = steps.contains(.willDismiss)
        switch input {
        case .willPresent:
            guard !steps.contains(.willPresent) else { throw repeated(input) }
            return stepIn()
        case .impression:
            guard !steps.contains(.impression), !isLeaving else { throw repeated(input) }
            let entry = stepIn()
            steps.insert(.impression)
            return entry + [.impression] + track(.started)
        case .click:
            guard !isLeaving else { throw repeated(input) }
            let page: [RewardedOutput] = content?.ad?.clickThrough.map { [.openURL($0)] } ?? []
            return stepIn() + [.click] + track(.clicked) + page
        case .willDismiss:
            guard !isLeaving else { throw repeated(input) }
            let entry = stepIn()
            steps.insert(.willDismiss)
            return entry + [.willDismiss]
        case .dismissed(let earned): return dismiss(earned: earned, graceFrom: elapsed)
        case .failedToPresent(let reason):
            state = .failed
            isOver = true
            return [.failedToPresent(reason: "player", message: reason, isEnd: true)] + track(.failed(.mediaDisplay))
        default: return watch(input)
        }
    }

    /// What is of interest to trackers only.
    private mutating func watch(_ input: RewardedInput) -> [RewardedOutput] {
        switch input {
        case .progress(let position, let duration):
            if tracking?.duration == nil { tracking?.duration = duration }
            return track(.position(position))
        case .completed: return track(.completed)
        case .paused: return track(.paused)
        case .resumed: return track(.resumed)
        case .muted: return track(.muted)
        case .unmuted: return track(.unmuted)
        default: return []
        }
    }

    /// Grants at most once; a network may report it before or, within the grace window, after the ad is gone.
    private mutating func earn() throws(PlaybackRefusal) -> [RewardedOutput] {
        guard !hasEarned else {
            throw PlaybackRefusal(
                input: "earned_reward",
                reason: .alreadyUsed,
                message: "The reward was given before."
            )
        }
        switch state {
        case .presenting:
            // Leaving already: the reward comes late, but the host has not heard of the end yet.
            let entry = stepIn()
            hasEarned = true
            state = .rewarded
            return entry + [.earnedReward(content?.reward, isLate: steps.contains(.willDismiss))]
        case .dismissed where graceEnd != nil:
            hasEarned = true
            graceEnd = nil
            isOver = true
            return [.earnedReward(content?.reward, isLate: true)]
        case .dismissed where !isDestroyed:
            throw PlaybackRefusal(
                input: "earned_reward",
                reason: .expired,
                message: "The reward came later than \(settings.lateRewardGrace.playbackMilliseconds) ms after the end."
            )
        default: throw notPresenting(.earnedReward)
        }
    }

    /// The end of a presentation; what the host has not heard yet comes first, in order.
    private mutating func dismiss(earned: Bool, graceFrom elapsed: Duration?) -> [RewardedOutput] {
        var outputs = stepIn()
        if earned, !hasEarned {
            hasEarned = true
            outputs.append(.earnedReward(content?.reward, isLate: steps.contains(.willDismiss)))
        }
        if steps.insert(.willDismiss).inserted { outputs.append(.willDismiss) }
        outputs.append(.dismissed(rewardEarned: hasEarned))
        outputs += track(.closed)
        state = .dismissed
        if let elapsed, !hasEarned {
            graceEnd = elapsed + max(.zero, settings.lateRewardGrace)
        } else {
            isOver = true
        }
        return outputs
    }

    private mutating func stepIn() -> [RewardedOutput] {
        steps.insert(.willPresent).inserted ? [.willPresent] : []
    }

    private mutating func track(_ input: PlaybackInput) -> [RewardedOutput] {
        let beacons = tracking?.take(input) ?? []
        return beacons.map { .track(DueBeacon(ad: AdKey(0), beacon: $0)) }
    }

    // MARK: Refusals

    /// A presentation that cannot begin is told as an event too (S2.13); one that has no ad is not (S2.25).
    private func refusals(_ refusal: PlaybackRefusal) -> [RewardedOutput] {
        guard refusal.input == "present", refusal.reason == .alreadyUsed || refusal.reason == .expired else {
            return [.refused(refusal)]
        }
        return [
            .failedToPresent(reason: refusal.reason.rawValue, message: refusal.message, isEnd: false),
            .refused(refusal),
        ]
    }

    private func notPresenting(_ input: RewardedInput) -> PlaybackRefusal {
        let reason: RefusalReason =
            isOver || state == .dismissed ? .finished : state == .loading ? .notLoaded : .notPlaying
        return PlaybackRefusal(input: input.type, reason: reason, message: "The ad is not being presented.")
    }

    private func repeated(_ input: RewardedInput) -> PlaybackRefusal {
        PlaybackRefusal(
            input: input.type,
            reason: .wrongOrder,
            message: "This was told before, or comes after the end."
        )
    }
}
