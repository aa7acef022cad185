package import WeirModel
package import WeirRewards

/// How rewards are earned, and how they reach the publisher.
package struct RewardSettings: Sendable, Hashable {
    /// Where grants are sent; `nil` sends none.
    package var publisherCallbackURL: String?
    /// Addresses inside private ranges that the publisher's server may have.
    package var allowPrivate: [String] = []
    /// How long after the end of a session a network's verification still counts.
    package var lateRewardGrace: Duration = .milliseconds(30_000)
    /// How long one try to tell the publisher may take.
    package var deliveryTimeout: Duration = .milliseconds(5000)
    /// When the next try is made.
    package var retry = RetryPlan()
    /// Where Weir's own keys are kept; `nil` is beside the database.
    package var keysFile: String?
    /// How old a signing key may be before another takes its place.
    package var keyRotation: Duration = .milliseconds(7_776_000_000)
    /// How long a view may wait for its callback before the alarm.
    package var alarm: Duration = .milliseconds(600_000)
    /// The fraud limits: by `user`, `device`, `placement`.
    package var limits: [String: FrequencyCap] = [:]
    /// AdMob's numbers of networks.
    package var networkNumbers: [String: UInt64] = [:]
    /// The senders of callbacks.
    package var callbacks: [RewardCallbackSettings] = []

    /// The defaults of docs/configuration.md.
    package init() {}
}

/// One sender of callbacks.
package struct RewardCallbackSettings: Sendable, Hashable {
    /// What the address calls it.
    package var network: String
    /// How it signs, with its secret.
    package var verifier: SchemeVerifier
    /// Where its keys are published; AdMob's only.
    package var keysURL: String?
    /// The file of its keys, in place of an address.
    package var keysFile: String?
    /// Our ad unit by the network's own.
    package var adUnits: [String: String]
    /// Whether item and amount must be what was promised.
    package var checksReward: Bool
    /// Addresses inside private ranges that the server of its keys may have.
    package var allowPrivate: [String]

    /// Where Google publishes the keys of AdMob.
    package static let admobKeysURL = "https://www.gstatic.com/admob/reward/verifier-keys.json"
}
