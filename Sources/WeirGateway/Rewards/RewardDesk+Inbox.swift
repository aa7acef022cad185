internal import WeirModel
internal import WeirRewards
internal import WeirStore
internal import WeirTime

/// Networks' callbacks.
extension RewardDesk {
    /// What a callback is answered with.
    package struct Reply: Sendable, Hashable {
        /// The status.
        package var status: Int
        /// The body, for the network and nobody else: it tells no reasons.
        package var body: String

        /// A reply.
        package init(status: Int, body: String) {
            self.status = status
            self.body = body
        }
    }

    /// A callback as it came.
    package struct Inbound: Sendable {
        /// The source's name in the address.
        package var source: String
        /// `GET` or `POST`.
        package var method: String
        /// The query, or the form of a POST, as it came.
        package var raw: [UInt8]

        /// A callback.
        package init(source: String, method: String, raw: [UInt8]) {
            self.source = source
            self.method = method
            self.raw = raw
        }
    }

    /// The most callbacks that wait to be verified; more are answered 503.
    static let unverifiedLimit = 20_000
    /// How far a timestamp may lie in the future: clocks differ.
    static let clockSkew: Duration = .seconds(600)
    /// How old a timestamp may be: networks repeat callbacks for days.
    static let longestDelay: Duration = .seconds(8 * 24 * 3600)

    /// Judges a callback, writes it down, and says what to answer.
    ///
    /// - Returns: The reply; `nil` when there is no such source.
    package func receive(_ inbound: Inbound) async -> Reply? {
        guard let source = terms.sources[inbound.source] else { return nil }
        let verified: VerifiedCallback
        do throws(CallbackFault) {
            verified = try await verify(inbound.raw, by: source)
        } catch {
            return await turnAway(inbound, error, source)
        }
        do throws(StoreError) {
            return try await settle(verified, inbound, source, waiting: nil)
        } catch {
            return unwritten(source, error)
        }
    }

    func verify(_ raw: [UInt8], by source: RewardSource) async throws(CallbackFault) -> VerifiedCallback {
        guard source.verifier.scheme.signing == .admob else { return try source.verifier.verify(raw) }
        let parts = try SignedQuery(String(decoding: raw, as: UTF8.self))
        guard let keys = source.keys else { throw CallbackFault(.keysUnavailable, "no keys are configured") }
        try AdMobVerification.check(parts, with: try await keys.key(parts.keyID))
        return try source.verifier.callback(parts.fields)
    }

    /// An authentic callback: into inbox and ledger, in one commit.
    func settle(
        _ verified: VerifiedCallback,
        _ inbound: Inbound,
        _ source: RewardSource,
        waiting: Int64?
    ) async throws(StoreError) -> Reply {
        if verified.isTest {
            try await keepTest(inbound, waiting: waiting)
            return accept(source, verified)
        }
        let record = CallbackRecord(
            network: source.name,
            transaction: verified.transaction,
            at: clock.wallNow,
            method: inbound.method,
            raw: inbound.raw,
            state: .verified,
            digest: verified.contentDigest
        )
        let claim = CallbackClaim(
            record: record,
            claim: claim(verified, source),
            refusal: refusal(verified, source)
        ) { Self.refusal(verified, source, $0) }
        let outcome = try await store.receive(claim, waiting: waiting)
        observer.callback(
            source.name,
            state: outcome.state.rawValue,
            reason: outcome.reason,
            detail: outcome.detail ?? verified.transaction
        )
        if outcome.isNew, let grant = outcome.grant { granted(grant) }
        switch outcome.state {
        case .refused: return reply(source, source.verifier.scheme.refused, verified)
        case .duplicate: return reply(source, source.verifier.scheme.duplicate, verified)
        case .received, .verified, .unattributable, .granted: return accept(source, verified)
        }
    }

    // MARK: Whose it is

    private func claim(_ verified: VerifiedCallback, _ source: RewardSource) -> RewardClaim? {
        for text in [verified.customData, verified.user].compactMap({ $0 }) {
            if let request = tokens.request(ofNonce: text) {
                return claim(.network, request.text, bringing: nil)
            }
            // The token itself may have travelled; it knows everything, but not the mode: the ledger's record wins.
            if let token = tokens.token(text), let record = record(token, .ssv) {
                return claim(.network, record.view, bringing: record)
            }
        }
        return foreignView(verified, source).map { claim(.network, $0.view, bringing: $0) }
    }

    /// A view that Weir did not serve: the app uses the network's own SDK, and the signature covers user and ad unit.
    private func foreignView(_ verified: VerifiedCallback, _ source: RewardSource) -> PresentationRecord? {
        guard let user = verified.user, !user.isEmpty,
            let unit = verified.adUnit.flatMap(source.adUnit), let promise = terms.promises[unit]
        else { return nil }
        return PresentationRecord(
            view: source.name + "/" + verified.transaction,
            at: clock.wallNow,
            adUnit: unit,
            network: source.name,
            user: user,
            customData: verified.coversCustomData ? verified.customData : nil,
            item: promise.item,
            amount: promise.amount,
            mode: RewardMode.ssv.rawValue
        )
    }

    // MARK: What it deserves

    /// What is wrong with an authentic callback, whatever view it is for.
    private func refusal(_ verified: VerifiedCallback, _ source: RewardSource) -> CallbackRefusal? {
        if let unit = verified.adUnit, source.verifier.scheme.signing == .admob || !source.adUnits.isEmpty,
            source.adUnit(unit) == nil
        {
            return CallbackRefusal(
                CallbackFault.Reason.foreignAdUnit.rawValue,
                "the ad unit \(unit.prefix(128)) is not one of ours"
            )
        }
        if source.verifier.scheme.hasEpochTimestamp {
            let now = clock.wallNow
            guard let timestamp = verified.timestamp, timestamp <= now.advanced(by: Self.clockSkew),
                timestamp >= now.advanced(by: .zero - Self.longestDelay)
            else {
                let text = verified.timestamp?.rfc3339 ?? "none"
                return CallbackRefusal(CallbackFault.Reason.badTimestamp.rawValue, "its timestamp is \(text)")
            }
        }
        return nil
    }

    /// What is wrong with an authentic callback for this view.
    private static func refusal(
        _ verified: VerifiedCallback,
        _ source: RewardSource,
        _ view: PresentationRecord
    ) -> CallbackRefusal? {
        if let unit = verified.adUnit.flatMap(source.adUnit), unit != view.adUnit {
            return CallbackRefusal(
                CallbackFault.Reason.foreignAdUnit.rawValue,
                "it is for the ad unit \(unit), the view for \(view.adUnit)"
            )
        }
        if let amount = verified.amount {
            guard let number = ExactDecimal(amount), number.digits >= 0 else {
                return CallbackRefusal(
                    CallbackFault.Reason.badAmount.rawValue,
                    "the amount \(amount.prefix(64)) is none"
                )
            }
            if source.checksReward, number != ExactDecimal(view.amount) {
                return CallbackRefusal(
                    CallbackFault.Reason.rewardMismatch.rawValue,
                    "it says \(amount), promised is \(view.amount)"
                )
            }
        }
        if source.checksReward, let item = verified.item, item != view.item {
            return CallbackRefusal(
                CallbackFault.Reason.rewardMismatch.rawValue,
                "it says \(item.prefix(64)), promised is \(view.item)"
            )
        }
        return nil
    }

    // MARK: What is not believed

    private func turnAway(_ inbound: Inbound, _ fault: CallbackFault, _ source: RewardSource) async -> Reply {
        let isWaiting = fault.reason == .keysUnavailable
        observer.callback(
            source.name,
            state: isWaiting ? "received" : "refused",
            reason: fault.reason.rawValue,
            detail: fault.detail
        )
        let record = CallbackRecord(
            network: source.name,
            at: clock.wallNow,
            method: inbound.method,
            raw: Array(inbound.raw.prefix(SignedQuery.limit)),
            state: isWaiting ? .received : .refused,
            reason: fault.reason.rawValue,
            detail: fault.detail
        )
        do throws(StoreError) {
            if isWaiting {
                let counts = try await store.rewardCounts()
                guard counts.unverified < Self.unverifiedLimit else {
                    return unwritten(
                        source,
                        StoreError(.busy, "Too many callbacks wait for the keys of \(source.name).")
                    )
                }
                try await store.keep(record)
                return accept(source, nil)
            }
            guard mayKeepRefusal() else { return Reply(status: 429, body: "") }
            try await store.keep(record)
        } catch {
            return unwritten(source, error)
        }
        switch fault.reason {
        case .tooLarge: return Reply(status: inbound.method == "POST" ? 413 : 414, body: "")
        case .badForm, .badEscape, .badParameter, .doubledParameter, .badOrder, .badKeyID, .badSignatureForm:
            return Reply(status: 400, body: "")
        default: return reply(source, source.verifier.scheme.refused, nil)
        }
    }

    private func keepTest(_ inbound: Inbound, waiting: Int64?) async throws(StoreError) {
        observer.callback(inbound.source, state: "verified", reason: "test", detail: "a test of the network's console")
        if let waiting {
            try await store.refuse(callback: waiting, reason: "test", detail: "a test of the network's console")
            return
        }
        guard mayKeepRefusal() else { return }
        try await store.keep(
            CallbackRecord(
                network: inbound.source,
                at: clock.wallNow,
                method: inbound.method,
                raw: inbound.raw,
                state: .verified,
                reason: "test"
            )
        )
    }

    // MARK: Replies

    private func accept(_ source: RewardSource, _ verified: VerifiedCallback?) -> Reply {
        reply(source, source.verifier.scheme.accepted, verified)
    }

    private func reply(_ source: RewardSource, _ reply: RewardScheme.Reply, _ verified: VerifiedCallback?) -> Reply {
        Reply(status: reply.status, body: reply.body { $0 == "transaction" ? verified?.transaction : nil })
    }

    private func unwritten(_ source: RewardSource, _ error: StoreError) -> Reply {
        observer.trouble(error.reason)
        return Reply(status: 503, body: "")
    }
}
