package import WeirStore

/// Who counts and logs what happens to rewards; must not block.
package protocol RewardObserver: Sendable {
    /// A callback came.
    func callback(_ source: String, state: String, reason: String?, detail: String?)

    /// A reward was granted.
    func granted(_ grant: GrantRecord)

    /// A try to tell the publisher has ended.
    func delivery(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict)

    /// A view with a reward was never called back.
    func overdue(_ view: PresentationRecord)

    /// How many rows wait.
    func counted(_ counts: RewardCounts)

    /// Inbox or ledger could not be written.
    func trouble(_ reason: String)
}
