package import WeirTime

/// A callback to the publisher in AdMob's shape: the same parameters in the same order, the same signature.
package struct PublisherCallback: Sendable, Hashable {
    /// The number that stands for the network; AdMob's verifiers may read it as one.
    package var adNetwork: UInt64
    /// The ad unit.
    package var adUnit: String
    /// The publisher's own custom data; `nil` leaves the parameter out (S2.10).
    package var customData: String?
    /// The amount, an exact decimal.
    package var amount: String
    /// The item.
    package var item: String
    /// When the reward was granted.
    package var timestamp: WallTime
    /// The grant's id.
    package var transaction: String
    /// The user; `nil` leaves the parameter out.
    package var user: String?

    /// A callback.
    package init(
        adNetwork: UInt64,
        adUnit: String,
        customData: String?,
        amount: String,
        item: String,
        timestamp: WallTime,
        transaction: String,
        user: String?
    ) {
        self.adNetwork = adNetwork
        self.adUnit = adUnit
        self.customData = customData
        self.amount = amount
        self.item = item
        self.timestamp = timestamp
        self.transaction = transaction
        self.user = user
    }

    /// The whole query, signed: `ad_network=…&…&signature=…&key_id=…`; `nil` when libcrypto fails.
    package func query(signedBy signer: SigningKeyring.Entry) -> String? {
        let pairs: [(String, String?)] = [
            ("ad_network", String(adNetwork)), ("ad_unit", adUnit), ("custom_data", customData),
            ("reward_amount", amount), ("reward_item", item), ("timestamp", String(timestamp.milliseconds)),
            ("transaction_id", transaction), ("user_id", user),
        ]
        let present = pairs.compactMap { name, value in value.map { (name, $0) } }
        // What is signed is the text as the receiver has it after decoding.
        let text = present.map { "\($0)=\($1)" }.joined(separator: "&")
        guard let signature = signer.key.sign(Array(text.utf8)) else { return nil }
        let query = present.map { "\($0)=\(PercentText.encode($1))" }.joined(separator: "&")
        return "\(query)&signature=\(Base64URL.encode(signature))&key_id=\(signer.id)"
    }

    /// A number for a network that has none of its own: the first 63 bits of the SHA-256 of its id.
    package static func number(ofNetwork id: String) -> UInt64 {
        Digest.sha256(Array(id.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }
}

/// When a callback that the publisher did not take is tried again.
package struct RetryPlan: Sendable, Hashable {
    /// The gap after the first try; each is twice the last.
    package var initial: Duration = .seconds(1)
    /// The longest gap.
    package var longest: Duration = .seconds(3600)
    /// How long after the grant the last try may be.
    package var giveUp: Duration = .seconds(24 * 3600)

    /// 1 s, doubling up to 1 h, for 24 h.
    package init() {}

    /// When the next try is due; `nil` when it is time to give up.
    ///
    /// - Parameters:
    ///   - tries: How many were made, at least 1.
    ///   - granted: When the reward was granted.
    ///   - now: The present.
    ///   - jitter: From 0 to 1: a gap is spread by a quarter either way, so that gaps still grow.
    /// - Returns: The instant.
    package func next(after tries: Int, granted: WallTime, now: WallTime, jitter: Double) -> WallTime? {
        let doublings = min(max(0, tries - 1), 40)
        let gap = min(initial * Double(1 << doublings), longest)
        let next = now.advanced(by: gap * (0.75 + 0.5 * jitter))
        return next <= granted.advanced(by: giveUp) ? next : nil
    }
}
