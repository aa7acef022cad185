/// One change of inbox or ledger, or one question to them: runs within a transaction, ends after its commit.
struct LedgerJob: Sendable {
    /// Does the work on the store's thread.
    let run: @Sendable (RewardLedger) throws(SQLiteFailure) -> Void
    /// Tells the caller: `nil` when the work is committed and synced.
    let finish: @Sendable (StoreError?) -> Void
}

/// Runs jobs in batches: one transaction, one sync, then all callers are told.
final class LedgerWriter {
    private let database: SQLiteConnection
    private let ledger: RewardLedger

    init(_ database: SQLiteConnection) {
        self.database = database
        ledger = RewardLedger(database)
    }

    func run(_ jobs: [LedgerJob]) {
        guard !jobs.isEmpty else { return }
        var outcomes: [StoreError?] = []
        do throws(SQLiteFailure) {
            // The same connection writes decisions, which need no sync of their own.
            try database.run("PRAGMA synchronous = FULL")
            outcomes = try database.transaction { () throws(SQLiteFailure) in
                var outcomes: [StoreError?] = []
                for job in jobs { outcomes.append(try attempt(job)) }
                return outcomes
            }
        } catch {
            let failure = StoreError(.failed, "Rewards cannot be written: \(error.reason).")
            outcomes = jobs.map { _ in failure }
        }
        // Decisions are written without; it fails only where the next write fails too.
        try? database.run("PRAGMA synchronous = NORMAL")
        for (job, outcome) in zip(jobs, outcomes) { job.finish(outcome) }
    }

    /// One job, undone alone when it alone fails.
    private func attempt(_ job: LedgerJob) throws(SQLiteFailure) -> StoreError? {
        try ledger.sql.run("SAVEPOINT job")
        do throws(SQLiteFailure) {
            try job.run(ledger)
            try ledger.sql.run("RELEASE job")
            return nil
        } catch {
            guard !error.isAboutTheDisk else { throw error }
            try database.run("ROLLBACK TO job; RELEASE job")
            return StoreError(.failed, "A reward cannot be written: \(error.reason).")
        }
    }
}
