package import WeirModel
package import WeirPlayback

/// Follows one session; hears of its last outputs even when it has been ended meanwhile.
package struct SessionFollower: Sendable {
    /// Rings when there is something new; ends with the session.
    package let rings: AsyncStream<Void>
    private let session: PlaybackSession

    init(_ session: PlaybackSession, _ rings: AsyncStream<Void>) {
        self.session = session
        self.rings = rings
    }

    /// The outputs after number `seq`, with the user interface as it is now.
    package func news(after seq: Int) -> SessionAnswer { session.outputs(after: seq) }
}

/// One input of a client.
package struct SessionInput: Sendable {
    /// The client's own number, rising: an input whose number was seen does nothing; `nil`: always taken.
    package var seq: Int?
    /// What happened.
    package var message: PlaybackMessage

    /// An input.
    package init(seq: Int?, message: PlaybackMessage) {
        self.seq = seq
        self.message = message
    }
}

/// Everything that can be read of a session.
package struct SessionView: Sendable {
    /// State, outputs, user interface.
    package var answer: SessionAnswer
    /// Its placement.
    package var placement: PlacementID
    /// Its format.
    package var format: AdFormat
    /// What the machine shows of itself.
    package var snapshot: [PlaybackDetail]
    /// What became of its beacons, oldest first.
    package var beacons: [BeaconRecord]
}
