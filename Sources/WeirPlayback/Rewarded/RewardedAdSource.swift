/// Where rewarded ads come from: a gateway over HTTP, or a stub in a test.
public protocol RewardedAdSource: Sendable {
    /// Loads one ad.
    ///
    /// - Throws: `noFill`, `badRequest` or `unreachable`; `cancelled` when the task was.
    func load(_ adUnitID: String, _ request: RewardedAdRequest) async throws(RewardedAdError) -> RewardedContent
}

/// What is told to the networks beside the ad unit.
public struct RewardedAdRequest: Hashable, Sendable {
    /// The publisher's own keys and values.
    public var targeting: [String: [String]]
    /// Who will be rewarded, as the publisher knows that person; sent with consent only.
    public var userID: String?
    /// Asks for a test ad (S2.2).
    public var isTest: Bool

    /// A request; without arguments it says nothing.
    public init(targeting: [String: [String]] = [:], userID: String? = nil, isTest: Bool = false) {
        self.targeting = targeting
        self.userID = userID
        self.isTest = isTest
    }
}

/// Shows rewarded ads: the host's own full-screen player, or a network's.
public protocol RewardedAdPresenter: Sendable {
    /// Shows an ad and reports what happens to it until ``RewardedInput/dismissed(earnedReward:)`` or
    /// ``RewardedInput/failedToPresent(reason:)``; reports may come from any thread.
    func present(_ content: RewardedContent, report: @escaping @Sendable (RewardedInput) -> Void)
}
