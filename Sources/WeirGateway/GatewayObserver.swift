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
}

/// What became of a beacon.
package enum BeaconFate: String, CaseIterable, Sendable {
    case sent
    /// It did not arrive, or was too old.
    case failed
    /// Too many were waiting.
    case dropped
}
