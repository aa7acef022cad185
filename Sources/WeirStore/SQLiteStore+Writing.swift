internal import WeirTime

/// The writer's thread.
extension SQLiteStore {
    /// What a turn of the thread found to do.
    private struct Turn {
        var records: [DecisionRecord]
        var ledgerJobs: [StoreJob<RewardLedger>]
        var beaconJobs: [StoreJob<BeaconTable>]
        var reads: [Read]
        var isLast: Bool
    }

    /// Works until the store is closed.
    func work() {
        serve()
        // The file is closed now: the table and its connection lived in there.
        end()
    }

    private func serve() {
        guard let database = opened.withLock({ $0.take() }) else { return }
        let table = Self.prepare(database, configuration)
        let ledger = JobWriter<RewardLedger>(database, of: "Rewards", syncs: true)
        let beacons = JobWriter<BeaconTable>(database, of: "Beacons", syncs: false)
        var pause = configuration.retryInitial
        var (lastReport, lastLook): (ContinuousClock.Instant?, ContinuousClock.Instant?)
        while true {
            let turn = takeTurn()
            // Who leaves does not wait long for whoever holds the database; if this is not heard, he waits as before.
            if turn.isLast { try? database.run("PRAGMA busy_timeout = \(configuration.lastLockWait.milliseconds)") }
            ledger.run(turn.ledgerJobs)
            beacons.run(turn.beaconJobs)
            let isFine = turn.records.isEmpty || write(turn.records, to: table)
            for read in turn.reads { read(table) }
            // Somebody who waits for a commit is not kept waiting by it.
            if turn.ledgerJobs.isEmpty, turn.beaconJobs.isEmpty, let table = try? table.get() { table.settle() }
            if turn.isLast { return }
            resumeSettled()
            look(for: database, since: &lastLook)
            let untilReport = report(since: &lastReport)
            wait(atMost: min(untilReport, isFine ? .seconds(60) : pause), isFine: isFine)
            pause = isFine ? configuration.retryInitial : min(pause * 2, configuration.retryMaximum)
        }
    }

    private static func prepare(
        _ database: SQLiteConnection,
        _ configuration: StoreConfiguration
    ) -> Result<DecisionTable, StoreError> {
        do {
            return .success(try DecisionTable(database, retained: configuration.retainedRecords))
        } catch {
            return .failure(StoreError(.failed, "The statements of the store were refused: \(error.reason)."))
        }
    }

    private func takeTurn() -> Turn {
        state.withLock { state in
            func taken<Table>(_ line: inout [StoreJob<Table>]) -> [StoreJob<Table>] {
                let jobs = Array(line.prefix(configuration.jobsAtOnce))
                line.removeFirst(jobs.count)
                return jobs
            }
            let (ledgerJobs, beaconJobs) = (taken(&state.ledgerJobs), taken(&state.beaconJobs))
            defer { state.reads = [] }
            return Turn(
                records: state.queue.take(),
                ledgerJobs: ledgerJobs,
                beaconJobs: beaconJobs,
                reads: state.reads,
                isLast: state.isClosed && !state.hasJobs
            )
        }
    }

    /// Whether the records were written.
    private func write(_ records: [DecisionRecord], to table: Result<DecisionTable, StoreError>) -> Bool {
        let failure: String
        do {
            let refused = try table.get().write(records)
            let hadFailed = state.withLock { state in
                defer { state.queue.succeed(refused: refused) }
                return !state.queue.status.isHealthy
            }
            if hadFailed { notice(.recovered) }
            return true
        } catch let error as SQLiteFailure {
            failure = "Decisions cannot be written: \(error.reason)."
        } catch {
            failure = "\(error)"
        }
        let wasHealthy = state.withLock { state in
            defer { state.queue.fail(failure, at: clock.wallNow) }
            return state.queue.status.isHealthy
        }
        if wasHealthy { notice(.failing(reason: failure)) }
        return false
    }

    private func resumeSettled() {
        let settled = state.withLock { state in
            let settled = state.flushes.filter { $0.target <= state.queue.settled }
            state.flushes.removeAll { $0.target <= state.queue.settled }
            return settled
        }
        for flush in settled { flush.continuation.resume() }
    }

    /// Looks whether the file is still there: SQLite writes to one that nobody can find any more without a word.
    private func look(for database: SQLiteConnection, since last: inout ContinuousClock.Instant?) {
        let now = clock.now
        if let last, now < last.advanced(by: configuration.lookInterval) { return }
        last = now
        guard database.hasMoved else { return }
        if state.withLock({ $0.queue.misplace(at: clock.wallNow) }) { notice(.misplaced) }
    }

    /// Reports losses when there are any and the interval is over; answers how long to wait for the next chance.
    private func report(since last: inout ContinuousClock.Instant?) -> Duration {
        let now = clock.now
        if let last, now < last.advanced(by: configuration.reportInterval) {
            let hasLosses = state.withLock { $0.queue.unreported > 0 }
            return hasLosses ? now.duration(to: last.advanced(by: configuration.reportInterval)) : .seconds(60)
        }
        let count = state.withLock { $0.queue.takeReport() }
        if count > 0 {
            last = now
            notice(.lost(count: count))
        }
        return .seconds(60)
    }

    /// Waits for work; the first record of a batch then waits a little for company.
    private func wait(atMost limit: Duration, isFine: Bool) {
        let isIdle = state.withLock { state in
            !state.queue.hasWaiting && state.reads.isEmpty && !state.hasJobs && !state.isClosed
        }
        // Decisions that could not be written wait for their next try; a reward does not wait with them.
        let hasJobs = state.withLock { $0.hasJobs }
        if isIdle || (!isFine && !hasJobs) { bell.wait(atMost: limit) }
        let mayLinger = state.withLock { state in
            state.queue.hasWaiting && state.reads.isEmpty && !state.hasJobs && state.flushes.isEmpty
                && !state.isClosed
        }
        if mayLinger, isFine { bell.wait(atMost: configuration.linger) }
    }

    /// The last turn is over: what was not written is lost, and nobody waits any longer.
    private func end() {
        let (left, lost) = state.withLock { state in
            state.queue.abandon()
            state.hasEnded = true
            let left = state
            state.flushes = []
            state.reads = []
            state.ledgerJobs = []
            state.beaconJobs = []
            return (left, state.queue.takeReport())
        }
        if lost > 0 { notice(.lost(count: lost)) }
        let closed = StoreError(.closed, "The store is closed.")
        for read in left.reads { read(.failure(closed)) }
        for job in left.ledgerJobs { job.finish(closed) }
        for job in left.beaconJobs { job.finish(closed) }
        for flush in left.flushes { flush.continuation.resume() }
    }
}
