import Testing
import WeirModel
import WeirTesting
import WeirTime
import WeirVAST

@testable import WeirPlayback

@Suite("RewardedAd")
struct RewardedAdTests {
    @Test("S2.6 S2.8 both forms of loading give the same ad, or the same error")
    func bothForms() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        #expect(ad.reward == Coins.reward && ad.isReady)
        let answer = await completed { RewardedAd.load("coins", in: stage.environment, completion: $0) }
        #expect(try answer?.get().reward == ad.reward)
        stage.source.error.withLock { $0 = RewardedAdError(.noFill, "Nobody has an ad.") }
        await #expect(throws: RewardedAdError(.noFill, "Nobody has an ad.")) {
            try await RewardedAd.load("coins", in: stage.environment)
        }
        let failure = await completed { RewardedAd.load("coins", in: stage.environment, completion: $0) }
        guard case .failure(let error) = failure else {
            Issue.record("an ad came where there is none")
            return
        }
        #expect(error.code == .noFill && !error.reason.isEmpty)
    }

    @Test("S2.7 an error always says something")
    func descriptions() { #expect(RewardedAdError(.unreachable, "").reason.contains("103")) }

    @Test("S2.1 S2.12 S2.19 a viewer watches, the delegate hears everything, the reward comes before the end")
    func story() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        ad.fullScreenContentDelegate = stage.diary
        let diary = stage.diary
        try ad.present(optIn: true) { diary.note("reward") }
        stage.presenter.report(
            .willPresent,
            .impression,
            .click,
            .earnedReward,
            .willDismiss,
            .dismissed(earnedReward: false)
        )
        #expect(stage.diary.lines == ["willPresent", "impression", "click", "reward", "willDismiss", "didDismiss"])
        #expect(stage.beacons.lines == ["impression", "start", "click", "closeLinear"])
        #expect(stage.pages.lines == ["https://brand.test/"])
        #expect(ad.hasEarnedReward && !ad.isReady)
        #expect(stage.log.lines.contains { $0.contains("agreed") })
    }

    @Test("S2.13 S2.21 a used ad fails to present: the delegate hears it, no reward")
    func used() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        ad.fullScreenContentDelegate = stage.diary
        try ad.present(optIn: true) {}
        stage.presenter.report(.dismissed(earnedReward: false))
        #expect(throws: RewardedAdError.self) { try ad.present(optIn: true) { Issue.record("rewarded twice") } }
        #expect(stage.diary.lines == ["willPresent", "willDismiss", "didDismiss", "failed 202"])
        #expect(stage.presenter.count == 1)
    }

    @Test("S2.13 an expired ad fails to present")
    func expired() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        ad.fullScreenContentDelegate = stage.diary
        stage.clock.advance(by: .seconds(3600))
        #expect(!ad.isReady)
        let error = #expect(throws: RewardedAdError.self) { try ad.present(optIn: true) {} }
        #expect(error?.code == .expired)
        #expect(stage.presenter.count == 0)
    }

    @Test("S2.21 of many presentations at once exactly one wins")
    func race() async throws {
        for _ in 0..<50 {
            let stage = RewardedStage()
            let ad = try await RewardedAd.load("coins", in: stage.environment)
            let won = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do throws(RewardedAdError) {
                            try ad.present(optIn: true) {}
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(won == 1 && stage.presenter.count == 1)
        }
    }

    @Test("S2.23 S2.24 without the viewer's yes nothing is shown; with it the handler is always there")
    func optIn() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        let error = #expect(throws: RewardedAdError.self) { try ad.present(optIn: false) {} }
        #expect(error?.code == .consentToWatchRequired)
        #expect(ad.isReady && stage.presenter.count == 0)
    }

    @Test("S2.26 a presentation needs no context of the host's: what shows the ad is the environment's")
    func noContext() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        try ad.present(optIn: true) {}
        #expect(stage.presenter.count == 1)
    }

    @Test("S2.2 S2.3 S2.4 S2.20 development asks for test ads; production refuses test units, any of the list")
    func testUnits() async throws {
        let stage = RewardedStage()
        _ = try await RewardedAd.load("coins", in: stage.environment)
        #expect(stage.source.requests.withLock { $0.last?.isTest } == true)
        #expect(stage.log.lines.contains { $0.contains("live unit") })
        var production = stage.environment
        production.stage = .production
        for unit in RewardedAdEnvironment.usualTestUnits {
            _ = try await RewardedAd.load(unit, in: stage.environment)
            let error = await #expect(throws: RewardedAdError.self) { try await RewardedAd.load(unit, in: production) }
            #expect(error?.code == .testUnitInProduction)
        }
        #expect(RewardedAdEnvironment.usualTestUnits.count == 2)
        _ = try await RewardedAd.load("coins", in: production)
        #expect(stage.source.requests.withLock { $0.last?.isTest } == false)
        let empty = await #expect(throws: RewardedAdError.self) { try await RewardedAd.load("", in: production) }
        #expect(empty?.code == .badRequest)
    }

    @Test("S2.11 options set after the presentation began are ignored with a remark")
    func options() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        ad.serverSideVerificationOptions = ServerSideVerificationOptions(userID: "u-1", customData: "level=7")
        try ad.present(optIn: true) {}
        ad.serverSideVerificationOptions = ServerSideVerificationOptions()
        #expect(ad.serverSideVerificationOptions.customData == "level=7")
        #expect(stage.log.lines.contains { $0.contains("set_ssv_options") })
    }

    @Test("S2.38 a late reward reaches the handler once")
    func late() async throws {
        let stage = RewardedStage()
        let ad = try await RewardedAd.load("coins", in: stage.environment)
        let diary = stage.diary
        try ad.present(optIn: true) { diary.note("reward") }
        stage.presenter.report(.dismissed(earnedReward: false))
        stage.clock.advance(by: .seconds(29))
        stage.presenter.report(.earnedReward, .earnedReward)
        #expect(stage.diary.lines == ["reward"])
    }

    @Test("S2.19 S2.22 the next ad is loaded when one is gone: not earlier, not twice")
    func preload() async throws {
        let stage = RewardedStage()
        let preloader = RewardedAdPreloader("coins", in: stage.environment)
        await preloader.load()
        await preloader.load()
        #expect(stage.source.count == 1)
        let first = try #require(preloader.ad)
        try first.present(optIn: true) {}
        stage.presenter.report(.impression, .earnedReward)
        #expect(stage.source.count == 1)
        stage.presenter.report(.dismissed(earnedReward: false), .dismissed(earnedReward: false))
        await waitUntil { preloader.ad != nil }
        #expect(stage.source.count == 2)
        #expect(preloader.ad !== first && preloader.ad?.isReady == true)
    }

    @Test("S2.7 after a failed load there is no ad, and the reason can be read; the next load tries again")
    func preloadFails() async throws {
        let stage = RewardedStage()
        stage.source.error.withLock { $0 = RewardedAdError(.unreachable, "No way.") }
        let preloader = RewardedAdPreloader("coins", in: stage.environment)
        await preloader.load()
        #expect(preloader.ad == nil && preloader.error?.code == .unreachable)
        stage.source.error.withLock { $0 = nil }
        await preloader.load()
        #expect(preloader.ad != nil && preloader.error == nil)
    }

    @Test("S2.22 a failed presentation is an end as well: the next ad is loaded")
    func preloadAfterFailure() async throws {
        let stage = RewardedStage()
        let preloader = RewardedAdPreloader("coins", in: stage.environment)
        await preloader.load()
        try preloader.ad?.present(optIn: true) {}
        stage.presenter.report(.failedToPresent(reason: "no codec"))
        await waitUntil { preloader.ad != nil }
        #expect(stage.source.count == 2)
    }
}

/// What a rewarded ad stands on in a test.
struct RewardedStage: Sendable {
    let clock = ManualClock()
    let source = StubRewardedSource()
    let presenter = StubPresenter()
    let diary = RewardedDiary()
    let beacons = RewardedDiary()
    let pages = RewardedDiary()
    let log = RewardedDiary()

    var environment: RewardedAdEnvironment {
        RewardedAdEnvironment(
            source: source,
            presenter: presenter,
            clock: clock,
            beacons: { [beacons] in beacons.note($0.beacon.name) },
            openURL: { [pages] in pages.note($0) },
            log: { [log] in log.note($0) }
        )
    }
}

final class StubRewardedSource: RewardedAdSource {
    let error = Lock<RewardedAdError?>(nil)
    let requests = Lock<[RewardedAdRequest]>([])
    var count: Int { requests.withLock { $0.count } }

    func load(_ adUnitID: String, _ request: RewardedAdRequest) async throws(RewardedAdError) -> RewardedContent {
        requests.withLock { $0.append(request) }
        if let error = error.withLock({ $0 }) { throw error }
        return Coins.content()
    }
}

final class StubPresenter: RewardedAdPresenter {
    private let reports = Lock<[@Sendable (RewardedInput) -> Void]>([])
    var count: Int { reports.withLock { $0.count } }

    func present(_ content: RewardedContent, report: @escaping @Sendable (RewardedInput) -> Void) {
        reports.withLock { $0.append(report) }
    }

    /// What happens to the ad that was presented last.
    func report(_ inputs: RewardedInput...) {
        guard let report = reports.withLock({ $0.last }) else { return }
        for input in inputs { report(input) }
    }
}

final class RewardedDiary: FullScreenContentDelegate {
    private let entries = Lock<[String]>([])
    var lines: [String] { entries.withLock { $0 } }
    func note(_ line: String) { entries.withLock { $0.append(line) } }

    func ad(_ ad: RewardedAd, didFailToPresentWith error: RewardedAdError) { note("failed \(error.code.rawValue)") }
    func adWillPresent(_ ad: RewardedAd) { note("willPresent") }
    func adWillDismiss(_ ad: RewardedAd) { note("willDismiss") }
    func adDidDismiss(_ ad: RewardedAd) { note("didDismiss") }
    func adDidRecordImpression(_ ad: RewardedAd) { note("impression") }
    func adDidRecordClick(_ ad: RewardedAd) { note("click") }
}

/// What the completion form of a load brings.
private func completed(
    _ load: (@escaping @Sendable (Result<RewardedAd, RewardedAdError>) -> Void) -> Task<Void, Never>
) async -> Result<RewardedAd, RewardedAdError>? {
    let answer = Lock<Result<RewardedAd, RewardedAdError>?>(nil)
    await load { result in answer.withLock { $0 = result } }.value
    return answer.withLock { $0 }
}
