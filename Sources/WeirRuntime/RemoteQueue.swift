/// What other threads have asked of a loop since it last looked.
struct RemoteQueue {
    /// Where the loop stands in its life.
    enum Phase {
        case waiting
        case running
        case finished
    }

    /// Work taken out in one piece.
    struct Batch {
        var jobs: [UnownedJob] = []
        var closures: [@Sendable () -> Void] = []

        var isEmpty: Bool { jobs.isEmpty && closures.isEmpty }
    }

    var phase = Phase.waiting
    private var batch = Batch()

    /// Adds a job; whether the loop must be woken for it.
    mutating func append(_ job: UnownedJob) -> Bool {
        defer { batch.jobs.append(job) }
        return batch.isEmpty
    }

    /// Adds a closure; whether the loop must be woken for it.
    mutating func append(_ closure: @escaping @Sendable () -> Void) -> Bool {
        defer { batch.closures.append(closure) }
        return batch.isEmpty
    }

    /// Everything so far, in order of arrival.
    mutating func takeAll() -> Batch {
        defer { batch = Batch() }
        return batch
    }
}
