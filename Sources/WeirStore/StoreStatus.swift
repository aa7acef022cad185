package import WeirTime

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
    package var isHealthy: Bool { failingSince == nil }

    /// Since when writing has failed; `nil` while it works.
    package var failingSince: WallTime?

    /// Since when the database's file is known to be gone, or another one; what is written since is lost at the end.
    package var misplacedSince: WallTime?

    /// The status of a store that has done nothing yet.
    package init() {}
}

/// What a store has to tell an operator; sent on the store's own thread.
package enum StoreNotice: Hashable, Sendable {
    /// Writing has begun to fail; the store keeps trying.
    case failing(reason: String)

    /// Writing works again.
    case recovered

    /// The database's file has been deleted, renamed or replaced behind the store's back.
    case misplaced

    /// So many decisions were lost since the last such notice; at most one notice in each interval.
    case lost(count: Int)
}
