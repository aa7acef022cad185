package import WeirTime

/// The inbox of callbacks and the ledger of grants.
///
/// Whatever returns has been committed and synced to the disk; whatever throws has changed nothing, and may be sent
/// again. Two processes may share one database: unique indexes decide, never a read before a write.
package protocol RewardStore: Sendable {
    /// Keeps the records of ads that were handed out; known ones are left as they are.
    func keep(_ presentations: [PresentationRecord]) async throws(StoreError)

    /// Changes user and custom data of a view that is not granted yet; answers whether there is one (S2.11).
    func amend(view: String, user: String?, customData: String?) async throws(StoreError) -> Bool

    /// Notes that a view has begun.
    func present(view: String, at: WallTime) async throws(StoreError)

    /// Takes a word that a view was completed.
    ///
    /// - Returns: The grant; `nil` when nobody knows the view.
    func claim(_ claim: RewardClaim) async throws(StoreError) -> ClaimOutcome?

    /// Keeps a callback that grants nothing: not verified yet, refused, or a test.
    func keep(_ callback: CallbackRecord) async throws(StoreError)

    /// Takes an authentic callback; `waiting` is its number in the inbox when it was kept unverified before.
    func receive(_ callback: CallbackClaim, waiting: Int64?) async throws(StoreError) -> CallbackOutcome

    /// Callbacks that wait to be verified, the oldest first, behind the number `after`.
    func unverified(after: Int64, limit: Int) async throws(StoreError) -> [CallbackRecord]

    /// A callback that waited was found bad.
    func refuse(callback id: Int64, reason: String, detail: String) async throws(StoreError)

    /// Takes grants whose delivery is due; nobody else takes them before `lease` is over.
    func takeDue(now: WallTime, lease: Duration, limit: Int) async throws(StoreError) -> [GrantRecord]

    /// Notes how a try went.
    func note(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict) async throws(StoreError)

    /// Makes a granted reward's delivery due again; answers whether there is such a grant.
    func redeliver(_ grant: String, now: WallTime) async throws(StoreError) -> Bool

    /// The newest grants that pass `filter`, newest first.
    func grants(_ filter: GrantFilter) async throws(StoreError) -> [GrantRecord]

    /// One grant with all that happened to it.
    func grant(_ id: String) async throws(StoreError) -> GrantHistory?

    /// Views with a word or a beginning before `before` and no callback, each reported once.
    func takeOverdue(before: WallTime, limit: Int) async throws(StoreError) -> [PresentationRecord]

    /// Views that were reported as overdue and still wait, the newest first.
    func overdue(limit: Int) async throws(StoreError) -> [OverdueView]

    /// Counts for metrics.
    func rewardCounts() async throws(StoreError) -> RewardCounts

    /// Forgets views without a grant from before `before`, and all but the newest `refused` refused callbacks.
    func prune(before: WallTime, refused: Int) async throws(StoreError)
}
