package import WeirTime

/// A URL that is owed a call, as it waits for it.
package struct OwedBeacon: Hashable, Sendable {
    /// A header field that goes with the call.
    package struct Field: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String

        /// A field.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// When it became due.
    package var at: WallTime
    /// Whose it is: its addresses and limits are those of that network.
    package var network: String
    /// The URL with its macros filled.
    package var url: String
    /// The header fields, such as the viewer's device.
    package var headers: [Field]
    /// How often it was tried, each time without reaching the server.
    package var tries: Int
    /// Whether it is sent as soon as it is kept; then its fate is unknown to who finds it later.
    package var isUnderWay: Bool

    /// A beacon that was never tried.
    package init(at: WallTime, network: String, url: String, headers: [Field] = [], isUnderWay: Bool = false) {
        self.at = at
        self.network = network
        self.url = url
        self.headers = headers
        self.isUnderWay = isUnderWay
        tries = 0
    }
}

/// An owed beacon with the number under which it is kept.
package struct KeptBeacon: Hashable, Sendable {
    /// Its number.
    package var id: Int64
    /// What is owed.
    package var beacon: OwedBeacon

    /// A beacon that is kept.
    package init(id: Int64, beacon: OwedBeacon) {
        (self.id, self.beacon) = (id, beacon)
    }
}

/// Calls that are owed once an ad is shown.
package struct PromisedNotice: Hashable, Sendable {
    /// The ad's name for them, the same in every gateway.
    package var name: String
    /// Whose they are.
    package var network: String
    /// The URLs, with the macros that are known when the ad is shown still in them.
    package var urls: [String]

    /// A promise.
    package init(name: String, network: String, urls: [String]) {
        self.name = name
        self.network = network
        self.urls = urls
    }
}

/// What was left behind by a gateway that is gone.
package struct LeftBeacons: Hashable, Sendable {
    /// Those that surely have not reached their servers; they belong to the asker now.
    package var waiting: [KeptBeacon] = []
    /// How many were on their way when their gateway went: nobody knows whether they arrived, and they are forgotten.
    package var cutOff = 0

    /// Nothing.
    package init() {}
}

/// Keeps the beacons that a gateway owes until they are sent, so that a restart loses none that waits, and what it will
/// owe for ads once they are shown.
///
/// Whatever returns has been committed: it survives the death of the process, not surely that of the machine. Several
/// gateways may share one database; each sends its own.
package protocol BeaconStore: Sendable {
    /// Keeps beacons of `owner`, whose lease is renewed until `lease`; answers their numbers, in order.
    func keep(_ beacons: [OwedBeacon], of owner: String, lease: WallTime) async throws(StoreError) -> [Int64]

    /// Notes that a beacon is sent now; answers `false` when it is not `owner`'s any longer, and must not be sent.
    func begin(_ beacon: Int64, of owner: String) async throws(StoreError) -> Bool

    /// Notes that a beacon has not reached its server, and waits again after `tries` tries; nothing when it is not `owner`'s
    /// any longer.
    func postpone(_ beacon: Int64, tries: Int, of owner: String) async throws(StoreError)

    /// Forgets beacons that are sent or given up.
    func forget(_ beacons: [Int64]) async throws(StoreError)

    /// Renews `owner`'s lease until `lease`, and takes over at most `limit` beacons whose owner's lease ended before `now`.
    func takeOver(
        by owner: String,
        lease: WallTime,
        now: WallTime,
        limit: Int
    ) async throws(StoreError) -> LeftBeacons

    /// Ends `owner`'s lease: what it still owes may be taken over at once.
    func release(_ owner: String) async throws(StoreError)

    /// Keeps promises, the newest `limit` of all gateways' together; answers the networks of those that had to go.
    ///
    /// A name that is known already keeps what it stands for.
    func promise(_ notices: [PromisedNotice], limit: Int) async throws(StoreError) -> [String]

    /// Takes a promise out, whoever gave it, and keeps the beacons that `beacons` makes of it, in one commit: a promise is
    /// either still there or owed, whatever happens to the gateway. `beacons` runs on the store's thread.
    ///
    /// - Returns: What `owner` owes now; `nil` for a name that is not known, as for all but the first who ask.
    func redeem(
        _ name: String,
        of owner: String,
        lease: WallTime,
        as beacons: @escaping @Sendable (PromisedNotice) -> [OwedBeacon]
    ) async throws(StoreError) -> [KeptBeacon]?
}
