package import WeirTime

/// Keeps decisions, rewards and owed beacons in a SQLite file (WAL), written by one thread in batches.
///
/// Rewards are synced to the disk with each commit (`synchronous = FULL`) and nobody is answered before that. Decisions
/// and beacons that are committed (`synchronous = NORMAL`) survive the death of the process; the death of the machine may
/// take the last moments with it. While the disk fails, decisions wait in a bounded queue, the write is tried again with
/// growing pauses, and what does not fit is lost and counted; requests are never held up.
package final class SQLiteStore: DecisionStore, RewardStore, BeaconStore {
    typealias Read = @Sendable (Result<DecisionTable, StoreError>) -> Void

    struct State {
        var queue: WriteQueue
        var reads: [Read] = []
        var ledgerJobs: [StoreJob<RewardLedger>] = []
        var beaconJobs: [StoreJob<BeaconTable>] = []
        var flushes: [Flush] = []
        var isClosed = false
        var hasEnded = false

        /// Whether somebody waits for a commit.
        var hasJobs: Bool { !ledgerJobs.isEmpty || !beaconJobs.isEmpty }
    }

    /// Somebody who waits until the queue has settled `target` records.
    struct Flush {
        let target: Int
        let continuation: UnsafeContinuation<Void, Never>
    }

    let state: Lock<State>

    /// The open database, until the writer's thread takes it for itself.
    let opened: Lock<SQLiteConnection?>
    let bell = Doorbell()
    let configuration: StoreConfiguration
    let clock: any GatewayClock
    let notice: @Sendable (StoreNotice) -> Void

    /// Opens or creates the database at `path` (`:memory:` is one in memory), its directory included.
    ///
    /// - Throws: `StoreError` with one sentence when the file cannot be written, is no database of Weir's, or is newer.
    package init(
        path: String,
        configuration: StoreConfiguration = StoreConfiguration(),
        clock: any GatewayClock,
        notice: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws(StoreError) {
        self.configuration = configuration
        self.clock = clock
        self.notice = notice
        state = Lock(State(queue: WriteQueue(configuration)))
        opened = Lock(try Self.open(path, configuration))
        guard WorkerThread.start({ self.work() }) else {
            throw StoreError(.notWritable, "The system has no thread left for the writer of \(path).")
        }
    }

    /// Hands over a decision; returns at once.
    package func record(_ decision: DecisionRecord) {
        let outcome = state.withLock { state in
            state.isClosed ? state.queue.lose() : state.queue.offer(decision)
        }
        switch outcome {
        case .first, .firstLoss: bell.ring()
        case .queued, .lost: break
        }
    }

    /// How the store is doing.
    package var status: StoreStatus { state.withLock { $0.queue.status } }

    /// The newest decisions that pass `filter`, newest first, those recorded before this call included.
    package func recent(_ filter: DecisionFilter) async throws(StoreError) -> [DecisionRecord] {
        try await read { (table: DecisionTable) throws(SQLiteFailure) in try table.recent(filter) }
    }

    /// The decision on one request, when it is still kept.
    package func decision(requestID: String) async throws(StoreError) -> DecisionRecord? {
        try await read { (table: DecisionTable) throws(SQLiteFailure) in try table.decision(requestID) }
    }

    /// Waits until everything recorded before is written or lost; answers whether that happened by `deadline`.
    package func flush(until deadline: Deadline, clock: any GatewayClock) async -> Bool {
        await race(until: deadline, clock: clock) { await self.settle() } != nil
    }

    /// Writes what waits, in one last try, and lets go of the file; what is recorded later is lost.
    package func close() async {
        state.withLock { $0.isClosed = true }
        await settle(ended: true)
    }

    private func settle(ended: Bool = false) async {
        await withUnsafeContinuation { continuation in
            let isSettled = state.withLock { state in
                let target = ended ? Int.max : state.queue.accepted
                if state.hasEnded || state.queue.settled >= target { return true }
                state.flushes.append(Flush(target: target, continuation: continuation))
                return false
            }
            if isSettled { continuation.resume() } else { bell.ring() }
        }
    }

    private func read<Value: Sendable>(
        _ question: @escaping @Sendable (DecisionTable) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            let refusal: StoreError? = state.withLock { state in
                if state.isClosed { return StoreError(.closed, "The store is closed.") }
                guard state.reads.count < configuration.waitingReads else {
                    return StoreError(.busy, "More than \(configuration.waitingReads) questions wait for the store.")
                }
                // Nobody is woken here: the question is asked by the writer's thread, later.
                state.reads.append { table in
                    continuation.resume(returning: table.flatMap { table in Self.ask(table, question) })
                }
                return nil
            }
            if let refusal { continuation.resume(returning: .failure(refusal)) } else { bell.ring() }
        }
        return try answer.get()
    }

    private static func ask<Value>(
        _ table: DecisionTable,
        _ question: (DecisionTable) throws(SQLiteFailure) -> Value
    ) -> Result<Value, StoreError> {
        do {
            return .success(try question(table))
        } catch {
            return .failure(StoreError(.failed, "The store could not be read: \(error.reason)."))
        }
    }
}
