internal import WeirTime

extension SQLiteStore {
    /// Where the jobs of a table wait.
    typealias JobLine<Table> = WritableKeyPath<State, [StoreJob<Table>]> & Sendable

    /// Hands a job to the store's thread and waits until it is committed.
    func job<Table, Value: Sendable>(
        in line: any JobLine<Table>,
        _ work: @escaping @Sendable (Table) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            let result = JobResult<Value>()
            let job = StoreJob<Table> { (table) throws(SQLiteFailure) in
                let value = try work(table)
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
                guard state[keyPath: line].count < configuration.waitingJobs else {
                    return (
                        StoreError(.busy, "More than \(configuration.waitingJobs) changes wait for the disk."), false
                    )
                }
                state[keyPath: line].append(job)
                return (nil, state[keyPath: line].count == 1)
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
