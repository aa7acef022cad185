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

    /// Tells the publisher once more; answers whether there is such a grant.
    package func redeliver(_ id: String) async throws(StoreError) -> Bool {
        let isThere = try await store.redeliver(id, now: clock.wallNow)
        if isThere { bell.ring() }
        return isThere
    }
}
