internal import WeirRewards
package import WeirStore
internal import WeirTime

/// What operators and verifiers ask.
extension RewardDesk {
    /// The keys that verify Weir's own callbacks, as a document.
    package var publishedKeys: [UInt8] { keyring.current.published.json }

    /// The newest grants that pass `filter`.
    package func grants(_ filter: GrantFilter) async throws(StoreError) -> [GrantRecord] {
        try await store.grants(filter)
    }

    /// One grant with all that happened to it.
    package func grant(_ id: String) async throws(StoreError) -> GrantHistory? { try await store.grant(id) }

    /// What is wrong just now: counts of what waits, and the newest `limit` views that were never called back.
    package func troubles(limit: Int) async throws(StoreError) -> (counts: RewardCounts, overdue: [OverdueView]) {
        let counts = try await store.rewardCounts()
        return (counts, counts.overdue == 0 ? [] : try await store.overdue(limit: limit))
    }

    /// How long a view may wait for its callback before the alarm.
    package var alarmAfter: Duration { terms.alarmAfter }

    /// Whether there is an address at which the publisher is told.
    package var tellsPublisher: Bool { terms.publisherURL != nil }

    /// Tells the publisher once more; answers whether there is such a grant.
    package func redeliver(_ id: String) async throws(StoreError) -> Bool {
        let isThere = try await store.redeliver(id, now: clock.wallNow)
        if isThere { bell.ring() }
        return isThere
    }
}
