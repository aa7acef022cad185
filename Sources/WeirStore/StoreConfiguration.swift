/// The bounds of a store.
package struct StoreConfiguration: Hashable, Sendable {
    /// Decisions that may wait to be written.
    package var queuedRecords = 10_000

    /// Bytes that may wait to be written.
    package var queuedBytes = 64 << 20

    /// The largest decision kept.
    package var recordBytes = 4 << 20

    /// Decisions kept; the oldest go first.
    package var retainedRecords = 100_000

    /// The most pages (of 4 KiB) the database may have, a quota for small disks; `nil` is SQLite's own limit.
    package var pages: Int?

    /// How long the first decision of a batch waits for company.
    package var linger = Duration.milliseconds(10)

    /// How long SQLite waits for another process' lock.
    package var lockWait = Duration.seconds(2)

    /// How long it waits in the last try before the store closes.
    package var lastLockWait = Duration.milliseconds(250)

    /// The pause after a failed write; it doubles up to ``retryMaximum``.
    package var retryInitial = Duration.milliseconds(100)

    /// The longest pause between tries to write.
    package var retryMaximum = Duration.seconds(5)

    /// How often lost decisions are reported at most.
    package var reportInterval = Duration.seconds(10)

    /// How often at most the database's file is looked for.
    package var lookInterval = Duration.seconds(5)

    /// Changes of inbox and ledger, and of beacons, that may wait for their commit.
    package var waitingJobs = 20_000

    /// The most of them in one transaction, so that nobody waits long for the lock.
    package var jobsAtOnce = 512

    /// Questions that may wait for an answer.
    package var waitingReads = 64

    /// The bounds a server wants.
    package init() {}
}
