package import WeirTime

/// Inbox and ledger, each call one job of the store's thread, committed and synced before it returns.
extension SQLiteStore {
    /// Keeps the records of ads that were handed out; known ones are left as they are.
    package func keep(_ presentations: [PresentationRecord]) async throws(StoreError) {
        try await ledger { (ledger) throws(SQLiteFailure) in
            for presentation in presentations { try ledger.keep(presentation) }
        }
    }

    /// Changes user and custom data of a view that is not granted yet.
    package func amend(view: String, user: String?, customData: String?) async throws(StoreError) -> Bool {
        try await ledger { (ledger) throws(SQLiteFailure) in
            try ledger.amend(view, user: user, customData: customData)
        }
    }

    /// Notes that a view has begun.
    package func present(view: String, at now: WallTime) async throws(StoreError) {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.present(view, at: now) }
    }

    /// Takes a word that a view was completed.
    package func claim(_ claim: RewardClaim) async throws(StoreError) -> ClaimOutcome? {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.claim(claim) }
    }

    /// Keeps a callback that grants nothing.
    package func keep(_ callback: CallbackRecord) async throws(StoreError) {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.keep(callback) }
    }

    /// Takes an authentic callback.
    package func receive(_ callback: CallbackClaim, waiting: Int64?) async throws(StoreError) -> CallbackOutcome {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.receive(callback, waiting: waiting) }
    }

    /// Callbacks that wait to be verified.
    package func unverified(after: Int64, limit: Int) async throws(StoreError) -> [CallbackRecord] {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.unverified(after: after, limit: limit) }
    }

    /// A callback that waited was found bad.
    package func refuse(callback id: Int64, reason: String, detail: String) async throws(StoreError) {
        try await ledger { (ledger) throws(SQLiteFailure) in
            try ledger.refuse(callback: id, reason: reason, detail: detail)
        }
    }

    /// Takes grants whose delivery is due.
    package func takeDue(now: WallTime, lease: Duration, limit: Int) async throws(StoreError) -> [GrantRecord] {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.takeDue(now: now, lease: lease, limit: limit) }
    }

    /// Notes how a try went.
    package func note(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict) async throws(StoreError) {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.note(attempt, verdict) }
    }

    /// Makes a granted reward's delivery due again.
    package func redeliver(_ grant: String, now: WallTime) async throws(StoreError) -> Bool {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.redeliver(grant, now: now) }
    }

    /// The newest grants that pass `filter`.
    package func grants(_ filter: GrantFilter) async throws(StoreError) -> [GrantRecord] {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.grants(filter) }
    }

    /// One grant with all that happened to it.
    package func grant(_ id: String) async throws(StoreError) -> GrantHistory? {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.history(id) }
    }

    /// Views that were never called back, each reported once.
    package func takeOverdue(before: WallTime, limit: Int) async throws(StoreError) -> [PresentationRecord] {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.takeOverdue(before: before, limit: limit) }
    }

    /// Views that were reported as overdue and still wait.
    package func overdue(limit: Int) async throws(StoreError) -> [OverdueView] {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.overdue(limit: limit) }
    }

    /// Counts for metrics.
    package func rewardCounts() async throws(StoreError) -> RewardCounts {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.counts() }
    }

    /// Forgets what nobody needs any longer.
    package func prune(before: WallTime, refused: Int) async throws(StoreError) {
        try await ledger { (ledger) throws(SQLiteFailure) in try ledger.prune(before: before, refused: refused) }
    }

    private func ledger<Value: Sendable>(
        _ work: @escaping @Sendable (RewardLedger) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await job(in: \.ledgerJobs, work)
    }
}
