package import WeirModel

/// Who counts and logs what happens in the hall; must not block.
package protocol GatewayObserver: Sendable {
    /// An answer came after its attempt had ended and was dropped.
    func lateResponse(from network: NetworkID)

    /// A beacon was sent, or why not.
    func beacon(_ fate: BeaconFate, network: NetworkID)

    /// Beacons that another gateway left were taken over; how many, and how many were on their way when it went.
    func beaconsTakenOver(_ count: Int, cutOff: Int)

    /// Beacons cannot be kept; they are sent from memory. Told once, until it is over.
    func beaconTrouble(_ reason: String)

    /// A bidder was told what became of its bid, or why not.
    func notice(_ kind: NoticeKind, _ fate: BeaconFate, network: NetworkID)
}

extension GatewayObserver {
    /// Nobody counts notices.
    package func notice(_ kind: NoticeKind, _ fate: BeaconFate, network: NetworkID) {}
}

/// What a bidder is told.
package enum NoticeKind: String, CaseIterable, Sendable {
    /// Its ad goes to the caller.
    case win
    /// Its ad is shown.
    case billing
    /// Its bid is not used.
    case loss
}

/// What became of a beacon.
package enum BeaconFate: String, CaseIterable, Sendable {
    case sent
    /// It did not arrive, or was too old.
    case failed
    /// Too many were waiting.
    case dropped
}
