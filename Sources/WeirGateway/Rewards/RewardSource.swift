package import WeirAdapterKit
package import WeirRewards
package import WeirStore

/// One sender of callbacks: a network, or a mediation that speaks for many.
package struct RewardSource: Sendable {
    /// What the address calls it: `/v1/ssv/{name}`.
    package var name: String
    /// How it signs, with its secret and the publisher's names of parameters.
    package var verifier: SchemeVerifier
    /// AdMob's keys; other schemes have a secret.
    package var keys: KeyDesk?
    /// Our ad unit by the network's own; callbacks for other units are refused, where the signature covers the unit.
    package var adUnits: [String: String]
    /// Whether a covered item and amount must be what was promised.
    package var checksReward: Bool

    /// A source.
    package init(
        name: String,
        verifier: SchemeVerifier,
        keys: KeyDesk?,
        adUnits: [String: String],
        checksReward: Bool
    ) {
        self.name = name
        self.verifier = verifier
        self.keys = keys
        self.adUnits = adUnits
        self.checksReward = checksReward
    }

    /// Our ad unit for the network's; AdMob sends the number behind the last slash of what its console shows.
    func adUnit(_ networkUnit: String) -> String? {
        if let unit = adUnits[networkUnit] { return unit }
        return adUnits.first { $0.key.split(separator: "/").last.map(String.init) == networkUnit }?.value
    }
}

/// What rewards are granted and delivered by; a reload makes a new one.
package struct RewardTerms: Sendable {
    /// Sources by name.
    package var sources: [String: RewardSource] = [:]
    /// The fraud limits.
    package var limits: [RewardLimit] = []
    /// Where the publisher is told of grants, without a query; `nil` tells nobody.
    package var publisherURL: String?
    /// The way there.
    package var publisherTransport: (any HTTPTransport)?
    /// How long one try may take.
    package var deliveryTimeout: Duration = .seconds(5)
    /// When the next try is made.
    package var retry = RetryPlan()
    /// AdMob's numbers of networks.
    package var networkNumbers: [String: UInt64] = [:]
    /// How long after an ad's expiry a client's word still counts.
    package var lateRewardGrace: Duration = .seconds(30)
    /// How long a view may wait for its callback before the alarm.
    package var alarmAfter: Duration = .seconds(600)
    /// What ad units promise, for callbacks of views that Weir did not serve.
    package var promises: [String: RewardPromise] = [:]

    /// No sources, no deliveries.
    package init() {}
}

/// What an ad unit promises.
package struct RewardPromise: Sendable, Hashable {
    /// The item.
    package var item: String
    /// The amount.
    package var amount: String

    /// A promise.
    package init(item: String, amount: String) {
        self.item = item
        self.amount = amount
    }
}
