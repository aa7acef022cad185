package import WeirModel
internal import WeirRewards
package import WeirStore
package import WeirTime

/// Where rewards are earned: takes clients' words and networks' callbacks, and has the ledger decide.
///
/// One value a process. Nothing is answered before it is committed and synced to the disk.
package final class RewardDesk: Sendable {
    /// How long a view may last after its ad has expired for showing.
    static let longestView: Duration = .seconds(600)

    let store: any RewardStore
    let tokens: PresentationSigner
    let keyring: KeyringKeeper
    let clock: any GatewayClock
    let observer: any RewardObserver
    let bell = DeliveryBell()
    private let current = Lock(RewardTerms())
    private let refusals = Lock(RefusalBudget())

    /// A desk over `store`.
    package init(
        store: any RewardStore,
        tokens: PresentationSigner,
        keyring: KeyringKeeper,
        clock: any GatewayClock,
        observer: any RewardObserver
    ) {
        self.store = store
        self.tokens = tokens
        self.keyring = keyring
        self.clock = clock
        self.observer = observer
    }

    /// What is in force.
    package var terms: RewardTerms { current.withLock { $0 } }

    /// Takes new terms over.
    package func configure(_ terms: RewardTerms) {
        current.withLock { $0 = terms }
        bell.ring()
    }

    /// Whether another refused callback may be written down now: a flood must not fill the disk.
    func mayKeepRefusal() -> Bool {
        refusals.withLock { $0.take(at: clock.now) }
    }

    // MARK: Views

    /// Keeps the record of a rewarded ad before it is handed out; gives up at `deadline`, for the token holds the same.
    func handedOut(_ text: String, mode: RewardMode, until deadline: Deadline) async {
        guard let token = tokens.token(text), let record = record(token, mode) else { return }
        _ = await race(until: deadline, clock: clock) { [self] in
            do throws(StoreError) { try await store.keep([record]) } catch { observer.trouble(error.reason) }
        }
    }

    /// The view's record as its token tells it; `nil` when nothing is promised.
    func record(_ token: PresentationToken, _ mode: RewardMode) -> PresentationRecord? {
        guard let reward = token.reward else { return nil }
        return PresentationRecord(
            view: token.request.text,
            at: clock.wallNow,
            placement: token.placement,
            adUnit: token.adUnit.text,
            network: token.network,
            lineItem: token.lineItem,
            user: token.user.isEmpty ? nil : token.user,
            device: token.device,
            customData: token.customData,
            item: reward.item,
            amount: reward.amount.description,
            mode: mode.rawValue
        )
    }

    // MARK: Clients

    /// What a client's word came to.
    package struct Answer: Sendable, Hashable {
        /// The grant; `nil` when nothing was promised or it came too late.
        package var grant: String?
        /// `granted`, `pending`, `duplicate` or `refused`.
        package var state: String
        /// Why it was refused.
        package var reason: String?

        /// An answer.
        package init(grant: String? = nil, state: String, reason: String? = nil) {
            self.grant = grant
            self.state = state
            self.reason = reason
        }
    }

    /// A client says that a reward was earned.
    ///
    /// - Returns: What came of it; `nil` when the token is not one of ours.
    /// - Throws: `StoreError` when it could not be written: the client should say it again.
    package func earned(_ text: String, mode: RewardMode) async throws(StoreError) -> Answer? {
        guard let token = tokens.token(text), token.isView else { return nil }
        guard let record = record(token, mode) else { return Answer(state: "refused", reason: "no_reward") }
        let last = token.expires.advanced(by: Self.longestView).advanced(by: terms.lateRewardGrace)
        guard clock.wallNow <= last else { return Answer(state: "refused", reason: "expired") }
        guard let outcome = try await store.claim(claim(.client, record.view, bringing: record)) else {
            return Answer(state: "refused", reason: "unknown_view")
        }
        if outcome.isNew { granted(outcome.grant) }
        let state: String =
            switch outcome.grant.state {
            case .granted: outcome.isNew ? "granted" : "duplicate"
            case .pending: "pending"
            case .refused: "refused"
            }
        return Answer(grant: outcome.grant.id, state: state, reason: outcome.grant.reason)
    }

    /// A client says that a view has begun, and whom it is for (S2.11); answers whether the token is one of ours.
    package func presented(
        _ text: String,
        mode: RewardMode,
        user: String?,
        customData: String?
    ) async throws(StoreError) -> Bool {
        guard let token = tokens.token(text), token.isView else { return false }
        guard let record = record(token, mode) else { return true }
        try await store.keep([record])
        if user != nil || customData != nil {
            _ = try await store.amend(view: record.view, user: user, customData: customData)
        }
        try await store.present(view: record.view, at: clock.wallNow)
        return true
    }

    /// The ad unit of a token; `nil` when it is not one of ours.
    package func adUnit(of text: String) -> AdUnitID? {
        tokens.token(text).flatMap { $0.isView ? $0.adUnit : nil }
    }

    // MARK: Claims

    func claim(_ word: RewardClaim.Word, _ view: String, bringing record: PresentationRecord?) -> RewardClaim {
        let terms = terms
        var rules = RewardRules()
        rules.limits = terms.limits
        rules.delivers = terms.publisherURL != nil
        return RewardClaim(
            word: word,
            view: view,
            presentation: record,
            grantID: Self.grantID,
            now: clock.wallNow,
            rules: rules
        )
    }

    func granted(_ grant: GrantRecord) {
        observer.granted(grant)
        bell.ring()
    }

    /// 32 hexadecimal digits, as AdMob's transaction ids have.
    private static var grantID: String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension PresentationToken {
    /// Whether it stands for a view: beacons are signed in the same form.
    fileprivate var isView: Bool { adUnit.text != "beacon" }
}

extension AdRequest.Device {
    /// What tells this device apart from others in fraud limits, and nothing else: a digest, not the id itself.
    var rewardMark: String? {
        (advertisingID ?? ip).map { Digest.mark(of: $0) }
    }
}

/// How many refused callbacks may be written down: so many a second, the rest is only counted.
struct RefusalBudget {
    private static let perSecond = 100

    private var since: ContinuousClock.Instant?
    private var taken = 0

    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if since.map({ $0.duration(to: now) >= .seconds(1) }) ?? true {
            since = now
            taken = 0
        }
        taken += 1
        return taken <= Self.perSecond
    }
}
