public import WeirVAST

/// One URL that is due to be called, and the ad that it belongs to.
///
/// Its macros are not filled yet: the moment's own values travel with it, the rest (device, time, random number) is known
/// to whoever calls it. Each one is due exactly once.
public struct DueBeacon: Hashable, Sendable {
    /// The ad; `nil` for what belongs to a break or a section as a whole.
    public var ad: AdKey?
    /// The URL and the moment's macros.
    public var beacon: Beacon

    /// A URL that is due.
    public init(ad: AdKey?, beacon: Beacon) {
        self.ad = ad
        self.beacon = beacon
    }

    /// As an output shows it: `event` and `url`.
    public var details: [PlaybackDetail] {
        [PlaybackDetail("event", beacon.name), PlaybackDetail("url", beacon.url)]
    }
}
