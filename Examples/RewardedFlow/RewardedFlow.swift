// The flow of a rewarded ad: load, know the reward, ask the viewer, show, reward, load the next.
// Run it: swift run RewardedFlow        (n as an argument: the viewer says no)
import Synchronization
import WeirModel
import WeirPlayback

/// The screen of a game.
final class Screen: FullScreenContentDelegate {
    func adWillPresent(_ ad: RewardedAd) { print("  game: sound off") }
    func adDidRecordImpression(_ ad: RewardedAd) { print("  impression") }
    func adDidRecordClick(_ ad: RewardedAd) { print("  click") }
    func adWillDismiss(_ ad: RewardedAd) { print("  game: sound on") }
    func adDidDismiss(_ ad: RewardedAd) { print("  gone; reward earned: \(ad.hasEarnedReward)") }
    func ad(_ ad: RewardedAd, didFailToPresentWith error: RewardedAdError) { print("  not shown: \(error.reason)") }
}

/// Where ads come from in this example; a game asks its gateway, `POST /v1/ads` for a rewarded placement.
struct ExampleSource: RewardedAdSource {
    func load(_ adUnitID: String, _ request: RewardedAdRequest) async throws(RewardedAdError) -> RewardedContent {
        print("load \(adUnitID)\(request.isTest ? " (test ad)" : "")")
        return RewardedContent(ad: nil, reward: Reward(item: "coins", amount: ExactDecimal(10)))
    }
}

/// What shows ads in this example: it reports what a full-screen player reports, reward included.
struct ExamplePresenter: RewardedAdPresenter {
    func present(_ content: RewardedContent, report: @escaping @Sendable (RewardedInput) -> Void) {
        for input: RewardedInput in [.willPresent, .impression, .earnedReward, .willDismiss] { report(input) }
        report(.dismissed(earnedReward: false))
    }
}

@main
enum RewardedFlow {
    static func main() async {
        let saysYes = !CommandLine.arguments.dropFirst().contains("n")
        let environment = RewardedAdEnvironment(
            source: ExampleSource(),
            presenter: ExamplePresenter(),
            log: { print("  note: \($0)") }
        )
        let preloader = RewardedAdPreloader("level_end", in: environment)
        await preloader.load()
        guard let ad = preloader.ad, let reward = ad.reward else {
            print("no ad: \(preloader.error?.reason ?? "")")
            return
        }
        let screen = Screen()
        ad.fullScreenContentDelegate = screen
        ad.serverSideVerificationOptions = ServerSideVerificationOptions(userID: "u-1", customData: "level=7")
        print("Watch an ad for \(reward.amount) \(reward.item)? \(saysYes ? "yes" : "no")")
        let wallet = Mutex(ExactDecimal(0))
        for attempt in ["first", "second"] {
            do throws(RewardedAdError) {
                print("present, \(attempt) time")
                try ad.present(optIn: saysYes) { wallet.withLock { $0 = reward.amount } }
            } catch {
                print("  refused (\(error.code.rawValue)): \(error.reason)")
            }
        }
        // The next ad is loaded as soon as the first is gone.
        while saysYes, preloader.ad == nil { await Task.yield() }
        print("wallet: \(wallet.withLock { $0 }); the next ad is ready: \(preloader.ad?.isReady ?? false)")
        withExtendedLifetime(screen) {}
    }
}
