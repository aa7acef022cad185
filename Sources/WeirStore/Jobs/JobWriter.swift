/// Statements over some tables of the database; runs on the store's thread, within its transaction.
protocol JobTable: AnyObject {
    /// The statements on `database`.
    init(_ database: SQLiteConnection)

    /// The prepared statements.
    var sql: StatementCache { get }
}

/// One change of some tables, or one question to them: runs within a transaction, ends after its commit.
struct StoreJob<Table>: Sendable {
    /// Does the work on the store's thread.
    let run: @Sendable (Table) throws(SQLiteFailure) -> Void
    /// Tells the caller: `nil` when the work is committed.
    let finish: @Sendable (StoreError?) -> Void
}

/// Runs jobs in batches: one transaction, at most one sync, then all callers are told.
final class JobWriter<Table: JobTable> {
    private let database: SQLiteConnection
    private let table: Table
    private let syncs: Bool
    private let subject: String

    /// A writer of `subject`, a plural; one that `syncs` has its commits on the disk before anybody is told.
    init(_ database: SQLiteConnection, of subject: String, syncs: Bool) {
        self.database = database
        self.subject = subject
        self.syncs = syncs
        table = Table(database)
    }

    func run(_ jobs: [StoreJob<Table>]) {
        guard !jobs.isEmpty else { return }
        var outcomes: [StoreError?] = []
        do throws(SQLiteFailure) {
            // The same connection writes what needs no sync of its own.
            if syncs { try database.run("PRAGMA synchronous = FULL") }
            outcomes = try database.transaction { () throws(SQLiteFailure) in
                var outcomes: [StoreError?] = []
                for job in jobs { outcomes.append(try attempt(job)) }
                return outcomes
            }
        } catch {
            let failure = StoreError(.failed, "\(subject) cannot be written: \(error.reason).")
            outcomes = jobs.map { _ in failure }
        }
        // The rest is written without; it fails only where the next write fails too.
        if syncs { try? database.run("PRAGMA synchronous = NORMAL") }
        for (job, outcome) in zip(jobs, outcomes) { job.finish(outcome) }
    }

    /// One job, undone alone when it alone fails.
    private func attempt(_ job: StoreJob<Table>) throws(SQLiteFailure) -> StoreError? {
        try table.sql.run("SAVEPOINT job")
        do throws(SQLiteFailure) {
            try job.run(table)
            try table.sql.run("RELEASE job")
            return nil
        } catch {
            guard !error.isAboutTheDisk else { throw error }
            try database.run("ROLLBACK TO job; RELEASE job")
            return StoreError(.failed, "One of the \(subject.lowercased()) cannot be written: \(error.reason).")
        }
    }
}
