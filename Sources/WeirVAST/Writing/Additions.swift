/// What a gateway adds to an ad that it passes on: trackers of its own.
public struct Additions: Hashable, Sendable {
    /// Called when the ad begins to render.
    public var impressions: [TrackedURL]
    /// Called while it plays.
    public var trackingEvents: [TrackingEvent]
    /// Called on a click.
    public var clickTracking: [TrackedURL]
    /// Called when it fails.
    public var errors: [String]
    /// Companions beside the ad's own.
    public var companions: [Companion]

    /// Things to add.
    public init(
        impressions: [TrackedURL] = [],
        trackingEvents: [TrackingEvent] = [],
        clickTracking: [TrackedURL] = [],
        errors: [String] = [],
        companions: [Companion] = []
    ) {
        self.impressions = impressions
        self.trackingEvents = trackingEvents
        self.clickTracking = clickTracking
        self.errors = errors
        self.companions = companions
    }
}

extension ResolvedAd {
    /// The same ad with trackers added behind its own.
    public func adding(_ additions: Additions) -> ResolvedAd {
        var ad = self
        ad.inLine = inLine.adding(additions)
        ad.linear = ad.inLine.playableLinear
        return ad
    }
}

extension InLine {
    /// The same ad with trackers added behind its own.
    public func adding(_ additions: Additions) -> InLine {
        var inLine = self
        inLine.impressions += additions.impressions
        inLine.errors += additions.errors
        for index in inLine.creatives.indices {
            inLine.creatives[index].linear?.trackingEvents += additions.trackingEvents
            inLine.creatives[index].linear?.clicks.clickTracking += additions.clickTracking
            guard var ads = inLine.creatives[index].nonLinearAds else { continue }
            ads.trackingEvents += additions.trackingEvents
            for position in ads.nonLinears.indices {
                ads.nonLinears[position].clickTracking += additions.clickTracking
            }
            inLine.creatives[index].nonLinearAds = ads
        }
        if !additions.companions.isEmpty {
            var creative = Creative()
            creative.companionAds = CompanionAds(companions: additions.companions)
            inLine.creatives.append(creative)
        }
        return inLine
    }
}
