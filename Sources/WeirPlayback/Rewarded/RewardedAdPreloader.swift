internal import WeirTime

/// Keeps one rewarded ad ready: as soon as one is gone, the next is loaded (S2.22).
///
/// The ad that was shown is dropped at once (S2.19). A load that fails is not repeated by itself: ``load()`` tries again.
public final class RewardedAdPreloader: Sendable {
    private let adUnitID: String
    private let request: RewardedAdRequest
    private let environment: RewardedAdEnvironment
    private let state = Lock(State())

    private struct State {
        var ad: RewardedAd?
        var error: RewardedAdError?
        var isLoading = false
    }

    /// A preloader that has nothing yet.
    public init(_ adUnitID: String, request: RewardedAdRequest = .init(), in environment: RewardedAdEnvironment) {
        self.adUnitID = adUnitID
        self.request = request
        self.environment = environment
    }

    /// The ad that is ready, if there is one (S2.7).
    public var ad: RewardedAd? { state.withLock { $0.ad } }

    /// Why there is none, when the last load failed.
    public var error: RewardedAdError? { state.withLock { $0.error } }

    /// Loads an ad unless one is there or under way.
    ///
    /// When the task is cancelled, the load ends with `cancelled`.
    public func load() async {
        let begins = state.withLock { state in
            guard state.ad == nil, !state.isLoading else { return false }
            state.isLoading = true
            state.error = nil
            return true
        }
        guard begins else { return }
        do throws(RewardedAdError) {
            let ad = try await RewardedAd.load(adUnitID, request: request, in: environment)
            ad.whenOver { [weak self] in self?.replace() }
            state.withLock { $0.ad = ad }
        } catch {
            state.withLock { $0.error = error }
        }
        state.withLock { $0.isLoading = false }
    }

    /// Drops the ad that is gone and loads the next.
    private func replace() {
        state.withLock { $0.ad = nil }
        // The delegate call that says "gone" must not wait for the network.
        Task { await load() }
    }
}
