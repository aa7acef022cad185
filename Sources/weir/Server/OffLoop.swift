internal import WeirTime

/// Runs blocking work, such as reading files, on a thread of its own, never on a loop.
func offLoop<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withUnsafeContinuation { continuation in
        let isStarted = WorkerThread.start { continuation.resume(returning: work()) }
        // Without a thread to spare it is better to block for a moment than not to answer.
        if !isStarted { continuation.resume(returning: work()) }
    }
}
