internal import WeirModel
internal import WeirPlayback
internal import WeirTime

/// Sessions of rewarded ads (S2).
struct RewardedSession: SessionMachine {
    var machine: RewardedMachine

    static let make: SessionFormats.Maker = { opening, _, adUnit throws(PlaybackRefusal) in
        var settings = RewardedSettings()
        settings.autoload = false
        settings.expires = adUnit.expires
        settings.lateRewardGrace = opening.lateRewardGrace
        settings.userContext = opening.message["user_context"] ?? .null
        return RewardedSession(machine: RewardedMachine(settings: settings))
    }

    mutating func take(_ answer: Result<AdResponse, AdFailure>, at elapsed: Duration) -> [any PlaybackOutput] {
        switch answer {
        case .success(let response):
            guard let served = response.ads.first else { return machine.handle(.noAd, at: elapsed) }
            let longest = response.adUnit.expires
            return machine.handle(
                .loaded(
                    RewardedContent(
                        ad: served.ad,
                        reward: served.reward,
                        expires: min(served.expires ?? longest, longest)
                    )
                ),
                at: elapsed
            )
        case .failure(let failure):
            return machine.handle(.loadFailed(code: String(failure.code), message: failure.message), at: elapsed)
        }
    }

    /// A presentation that was refused while the ad shows, a second tap, ends nothing; one of an ad that has waited too
    /// long does, because nothing can be shown any more.
    func isLast(_ output: any PlaybackOutput) -> Bool {
        switch output as? RewardedOutput {
        case .dismissed: true
        case .failedToPresent(let reason, _, let isEnd): isEnd || reason == RefusalReason.expired.rawValue
        default: false
        }
    }
}

extension RewardedInput {
    fileprivate static let noAd = RewardedInput.loadFailed(
        code: String(AdFailure.emptyResponse),
        message: "The answer holds no ad."
    )
}
