package import WeirModel

/// Who counts and logs what happens in the hall; must not block.
package protocol GatewayObserver: Sendable {
    /// An answer came after its attempt had ended and was dropped.
    func lateResponse(from network: NetworkID)

    /// A beacon was sent, or why not.
    func beacon(_ fate: BeaconFate, network: NetworkID)
}

/// What became of a beacon.
package enum BeaconFate: String, CaseIterable, Sendable {
    case sent
    case failed
    /// Too many were under way.
    case dropped
}
