public import WeirModel
internal import WeirTime

/// An ad that is watched for a reward, from load to dismissal; a one-time object (S2.21).
///
/// ```swift
/// let ad = try await RewardedAd.load("coins", in: environment)
/// ad.fullScreenContentDelegate = screen
/// print("Watch for \(ad.reward?.amount.description ?? "some") coins?")     // readable before it is shown
/// try ad.present(optIn: viewerSaidYes) { player.coins += 10 }
/// ```
/// Safe from any thread: of two presentations at once exactly one wins.
public final class RewardedAd: Sendable {
    /// The ad unit that was asked.
    public let adUnitID: String

    private let environment: RewardedAdEnvironment
    private let start: ContinuousClock.Instant
    private let state: Lock<State>

    private struct State {
        var machine: RewardedMachine
        var delivery = OutputDelivery<RewardedOutput>()
        var onReward: (@Sendable () -> Void)?
        var onEnd: (@Sendable () -> Void)?
        weak var delegate: (any FullScreenContentDelegate)?
    }

    /// Loads one ad (S2.6).
    ///
    /// - Parameters:
    ///   - adUnitID: The placement, as the gateway's configuration calls it.
    ///   - request: What else to tell the networks.
    ///   - environment: What the ad stands on.
    /// - Returns: An ad that is ready.
    /// - Throws: `noFill`, `badRequest`, `unreachable`, `testUnitInProduction`; `cancelled` when the task was.
    public static func load(
        _ adUnitID: String,
        request: RewardedAdRequest = RewardedAdRequest(),
        in environment: RewardedAdEnvironment
    ) async throws(RewardedAdError) -> RewardedAd {
        guard !adUnitID.isEmpty else { throw RewardedAdError(.badRequest, "The ad unit id is empty.") }
        let isTestUnit = environment.testUnits.contains(adUnitID)
        if environment.stage == .production, isTestUnit {
            throw RewardedAdError(.testUnitInProduction, "\(adUnitID) is a test unit; production wants your own.")
        }
        var request = request
        if environment.stage == .development {
            if !isTestUnit { environment.log("\(adUnitID) is a live unit: test ads are asked for in development.") }
            request.isTest = true
        }
        let content = try await environment.source.load(adUnitID, request)
        return RewardedAd(adUnitID, content, environment)
    }

    /// Loads one ad and tells `completion` either the ad or the error, once (S2.8).
    ///
    /// - Returns: The load under way; cancelling it ends the load with `cancelled`.
    @discardableResult
    public static func load(
        _ adUnitID: String,
        request: RewardedAdRequest = RewardedAdRequest(),
        in environment: RewardedAdEnvironment,
        completion: @escaping @Sendable (Result<RewardedAd, RewardedAdError>) -> Void
    ) -> Task<Void, Never> {
        // The caller has no task of its own to wait in: that is what this form is for.
        Task {
            do throws(RewardedAdError) {
                completion(.success(try await load(adUnitID, request: request, in: environment)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private init(_ adUnitID: String, _ content: RewardedContent, _ environment: RewardedAdEnvironment) {
        self.adUnitID = adUnitID
        self.environment = environment
        start = environment.clock.now
        var machine = RewardedMachine(settings: environment.settings)
        let outputs = machine.handle(.loaded(content), at: .zero)
        state = Lock(State(machine: machine))
        for case .track(let beacon) in outputs { environment.beacons(beacon) }
    }

    // MARK: What is known

    /// What the viewer is promised (S2.27, S2.30).
    public var reward: Reward? { state.withLock { $0.machine.content?.reward } }

    /// Whether it can be presented now.
    public var isReady: Bool {
        let elapsed = elapsed
        return state.withLock { state in
            _ = state.machine.timePassed(at: elapsed)
            return state.machine.state == .loaded
        }
    }

    /// Whether the reward has been earned.
    public var hasEarnedReward: Bool { state.withLock { $0.machine.hasEarned } }

    /// Hears what becomes of the ad; held weakly.
    public var fullScreenContentDelegate: (any FullScreenContentDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// What travels to the reward callback; setting it once the ad is presented is ignored with a remark (S2.11).
    public var serverSideVerificationOptions: ServerSideVerificationOptions {
        get { state.withLock { $0.machine.ssvOptions } }
        set { take(.setSSVOptions(newValue)) }
    }

    // MARK: Presenting

    /// Shows the ad (S2.23–S2.29).
    ///
    /// - Parameters:
    ///   - optIn: Whether the viewer has explicitly agreed to watch; the choice is logged.
    ///   - onReward: Called once when the reward is earned, before the delegate hears of the dismissal unless the
    ///     network reports it late. Called again never.
    /// - Throws: `alreadyUsed`, `expired` (the delegate hears of both), `consentToWatchRequired`.
    public func present(optIn: Bool, onReward: @escaping @Sendable () -> Void) throws(RewardedAdError) {
        let elapsed = elapsed
        let (refusal, content) = state.withLock { state -> (PlaybackRefusal?, RewardedContent?) in
            let outputs = state.machine.handle(.present(optIn: optIn), at: elapsed)
            state.delivery.add(outputs)
            for case .refused(let refusal) in outputs { return (refusal, nil) }
            state.onReward = onReward
            return (nil, state.machine.content)
        }
        deliver()
        if let refusal { throw RewardedAdError(refusal) }
        guard let content else { return }
        environment.presenter.present(content) { [weak self] in self?.take($0) }
    }

    func whenOver(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

    // MARK: Carrying out

    private var elapsed: Duration { start.duration(to: environment.clock.now) }

    private func take(_ input: RewardedInput) {
        let elapsed = elapsed
        state.withLock { $0.delivery.add($0.machine.handle(input, at: elapsed)) }
        deliver()
    }

    /// Carries out what waits, in order, one at a time, outside the lock: a delegate may call back.
    private func deliver() {
        guard state.withLock({ $0.delivery.begin() }) else { return }
        while let output = state.withLock({ $0.delivery.next() }) { carryOut(output) }
    }

    private func carryOut(_ output: RewardedOutput) {
        let delegate = fullScreenContentDelegate
        switch output {
        case .willPresent: delegate?.adWillPresent(self)
        case .impression: delegate?.adDidRecordImpression(self)
        case .click: delegate?.adDidRecordClick(self)
        case .earnedReward: state.withLock { $0.onReward.take() }?()
        case .willDismiss: delegate?.adWillDismiss(self)
        case .dismissed:
            delegate?.adDidDismiss(self)
            end()
        case .failedToPresent(let reason, let message, let isEnd):
            delegate?.ad(self, didFailToPresentWith: Self.error(reason, message))
            if isEnd { end() }
        case .track(let beacon): environment.beacons(beacon)
        case .openURL(let url): environment.openURL(url)
        case .log(let message): environment.log(message)
        case .refused(let refusal): environment.log("\(refusal.input): \(refusal.message)")
        case .adsLoaded, .loadFailed, .loaded, .loadAd, .playAd, .expired: break
        }
    }

    private func end() { state.withLock { $0.onEnd.take() }?() }

    private static func error(_ reason: String, _ message: String) -> RewardedAdError {
        switch RefusalReason(rawValue: reason) {
        case .alreadyUsed: RewardedAdError(.alreadyUsed, message)
        case .expired: RewardedAdError(.expired, message)
        default: RewardedAdError(.presentation, message)
        }
    }
}
