package import WeirTime

/// Inbox and ledger, each call one job of the store's thread.
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

    /// Hands a job to the store's thread and waits until it is committed and synced.
    private func ledger<Value: Sendable>(
        _ work: @escaping @Sendable (RewardLedger) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            let result = JobResult<Value>()
            let job = LedgerJob { (ledger) throws(SQLiteFailure) in
                let value = try work(ledger)
                result.value.withLock { $0 = value }
            } finish: { failure in
                let value = result.value.withLock { $0 }
                let unfinished = StoreError(.failed, "The store did not answer.")
                continuation.resume(
                    returning: failure.map { .failure($0) } ?? value.map { .success($0) } ?? .failure(unfinished)
                )
            }
            let (refusal, isFirst): (StoreError?, Bool) = state.withLock { state in
                if state.isClosed { return (StoreError(.closed, "The store is closed."), false) }
                guard state.jobs.count < configuration.waitingJobs else {
                    return (
                        StoreError(.busy, "More than \(configuration.waitingJobs) rewards wait for the disk."), false
                    )
                }
                state.jobs.append(job)
                return (nil, state.jobs.count == 1)
            }
            if let refusal { continuation.resume(returning: .failure(refusal)) } else if isFirst { bell.ring() }
        }
        return try answer.get()
    }
}

/// What a job found out, on its way from the store's thread to the caller.
private final class JobResult<Value: Sendable>: Sendable {
    let value = Lock<Value?>(nil)
}
