/// How a store is doing.
package struct StoreStatus: Hashable, Sendable {
    /// Decisions that wait to be written.
    package var queued = 0

    /// Decisions written since start.
    package var written = 0

    /// Decisions that will never be written: the queue was full, or the record too large.
    package var lost = 0

    /// What went wrong last, also when it works again; one sentence.
    package var lastError: String?

    /// Whether the last try to write succeeded.
    package var isHealthy = true

    /// The status of a store that has done nothing yet.
    package init() {}
}

/// What a store has to tell an operator; sent on the store's own thread.
package enum StoreNotice: Hashable, Sendable {
    /// Writing has begun to fail; the store keeps trying.
    case failing(reason: String)

    /// Writing works again.
    case recovered

    /// So many decisions were lost since the last such notice; at most one notice in each interval.
    case lost(count: Int)
}
