package import WeirTime

/// Owed beacons, each call one job of the store's thread, committed before it returns.
extension SQLiteStore {
    /// Keeps beacons of an owner.
    package func keep(
        _ beacons: [OwedBeacon],
        of owner: String,
        lease: WallTime
    ) async throws(StoreError) -> [Int64] {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in
            try table.keep(beacons, of: owner, lease: lease)
        }
    }

    /// Notes that a beacon is sent now.
    package func begin(_ beacon: Int64, of owner: String) async throws(StoreError) -> Bool {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in try table.begin(beacon, of: owner) }
    }

    /// Notes that a beacon waits again.
    package func postpone(_ beacon: Int64, tries: Int, of owner: String) async throws(StoreError) {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in
            try table.postpone(beacon, tries: tries, of: owner)
        }
    }

    /// Forgets beacons that are sent or given up.
    package func forget(_ beacons: [Int64]) async throws(StoreError) {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in try table.forget(beacons) }
    }

    /// Renews an owner's lease, and takes over what others have left.
    package func takeOver(
        by owner: String,
        lease: WallTime,
        now: WallTime,
        limit: Int
    ) async throws(StoreError) -> LeftBeacons {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in
            try table.takeOver(by: owner, lease: lease, now: now, limit: limit)
        }
    }

    /// Ends an owner's lease.
    package func release(_ owner: String) async throws(StoreError) {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in try table.release(owner) }
    }

    /// Keeps promises.
    package func promise(_ notices: [PromisedNotice], limit: Int) async throws(StoreError) -> [String] {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in try table.promise(notices, limit: limit) }
    }

    /// Takes a promise out, and keeps what it stands for.
    package func redeem(
        _ name: String,
        of owner: String,
        lease: WallTime,
        as beacons: @escaping @Sendable (PromisedNotice) -> [OwedBeacon]
    ) async throws(StoreError) -> [KeptBeacon]? {
        try await job(in: \.beaconJobs) { (table) throws(SQLiteFailure) in
            try table.redeem(name, of: owner, lease: lease, as: beacons)
        }
    }
}
