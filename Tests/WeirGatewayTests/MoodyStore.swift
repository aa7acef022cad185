import WeirStore
import WeirTesting
import WeirTime

/// A store that fails, or answers late, when a test wants it to.
final class MoodyStore: BeaconStore {
    private struct Mood {
        var failing: Set<Act> = []
        var holding: Set<Act> = []
        var held = 0
    }

    /// What may fail.
    enum Act: Hashable {
        case keep, begin, postpone, forget, promise, redeem
    }

    private let inner: SQLiteStore
    private let mood = Lock(Mood())

    init(_ inner: SQLiteStore) {
        self.inner = inner
    }

    /// What fails now.
    var failing: Set<Act> {
        get { mood.withLock { $0.failing } }
        set { mood.withLock { $0.failing = newValue } }
    }

    /// What is done now, but said to be done later.
    var holding: Set<Act> {
        get { mood.withLock { $0.holding } }
        set { mood.withLock { $0.holding = newValue } }
    }

    /// How many have been done and have not been told so.
    var held: Int { mood.withLock { $0.held } }

    private func check(_ act: Act) throws(StoreError) {
        if failing.contains(act) { throw StoreError(.failed, "The disk is full.") }
    }

    private func linger(_ act: Act) async {
        guard holding.contains(act) else { return }
        mood.withLock { $0.held += 1 }
        // In a task of its own: whoever asked may be cancelled, and a cancelled sleep would spin.
        await Task { await waitUntil { !self.holding.contains(act) } }.value
        mood.withLock { $0.held -= 1 }
    }

    func keep(_ beacons: [OwedBeacon], of owner: String, lease: WallTime) async throws(StoreError) -> [Int64] {
        try check(.keep)
        return try await inner.keep(beacons, of: owner, lease: lease)
    }

    func begin(_ beacon: Int64, of owner: String) async throws(StoreError) -> Bool {
        try check(.begin)
        return try await inner.begin(beacon, of: owner)
    }

    func postpone(_ beacon: Int64, tries: Int, of owner: String) async throws(StoreError) {
        try check(.postpone)
        try await inner.postpone(beacon, tries: tries, of: owner)
    }

    func forget(_ beacons: [Int64]) async throws(StoreError) {
        try check(.forget)
        try await inner.forget(beacons)
    }

    func takeOver(
        by owner: String,
        lease: WallTime,
        now: WallTime,
        limit: Int
    ) async throws(StoreError) -> LeftBeacons {
        try await inner.takeOver(by: owner, lease: lease, now: now, limit: limit)
    }

    func release(_ owner: String) async throws(StoreError) { try await inner.release(owner) }

    func promise(_ notices: [PromisedNotice], limit: Int) async throws(StoreError) -> [String] {
        try check(.promise)
        let dropped = try await inner.promise(notices, limit: limit)
        await linger(.promise)
        return dropped
    }

    func redeem(
        _ name: String,
        of owner: String,
        lease: WallTime,
        as beacons: @escaping @Sendable (PromisedNotice) -> [OwedBeacon]
    ) async throws(StoreError) -> [KeptBeacon]? {
        try check(.redeem)
        let kept = try await inner.redeem(name, of: owner, lease: lease, as: beacons)
        await linger(.redeem)
        return kept
    }
}
