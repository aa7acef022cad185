internal import WeirModel
internal import WeirTime

/// An ad that is shown and whose billing notice is not owed yet.
struct ShownAd: Sendable {
    /// The name of its notice.
    let name: RequestID
    /// When it was shown.
    let at: WallTime
    /// Told once whether the notice is on its way, else that it was given up.
    private var told: [@Sendable (BeaconRecord.State) -> Void] = []

    /// The most that are told of one ad: the ads of an offer share a notice.
    private static let toldLimit = 64

    /// An ad that is shown now.
    init(_ name: RequestID, at: WallTime, told: (@Sendable (BeaconRecord.State) -> Void)? = nil) {
        (self.name, self.at) = (name, at)
        if let told { self.told = [told] }
    }

    /// This ad, with those who ask for the same notice later.
    func joined(by other: ShownAd) -> ShownAd {
        var joined = self
        joined.told += other.told.prefix(max(0, Self.toldLimit - told.count))
        return joined
    }

    /// Tells what became of the notice.
    func tell(_ state: BeaconRecord.State) { for told in told { told(state) } }
}
