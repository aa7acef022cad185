/// Adds what wrappers bring to a complete ad (VAST 4.3 §2.3.5.2).
///
/// URLs of all levels are called, the outermost first. Where two say different things about one matter, the one closest
/// to the complete ad wins; what does not conflict is kept.
enum WrapperMerge {
    /// The ad behind `wrappers`, which come outermost first.
    static func merge(_ inLine: InLine, behind wrappers: [Wrapper]) -> InLine {
        guard !wrappers.isEmpty else { return inLine }
        var result = inLine
        result.impressions = wrappers.flatMap { $0.impressions } + inLine.impressions
        result.errors = wrappers.flatMap { $0.errors } + inLine.errors
        result.viewableImpressions = wrappers.flatMap { $0.viewableImpressions } + inLine.viewableImpressions
        result.verifications = wrappers.flatMap { $0.verifications } + inLine.verifications
        for wrapper in wrappers.reversed() {
            result.pricing = result.pricing ?? wrapper.pricing
            addExtensions(of: wrapper, to: &result)
            for creative in wrapper.creatives {
                if let linear = creative.linear { add(linear, to: &result) }
                if let nonLinear = creative.nonLinearAds { add(nonLinear, to: &result) }
                if let companions = creative.companionAds { add(companions, of: creative, to: &result) }
            }
        }
        return result
    }

    private static func addExtensions(of wrapper: Wrapper, to inLine: inout InLine) {
        let hasSettings = inLine.extensions.contains { $0.type == InLine.uiSettings }
        inLine.extensions += wrapper.extensions.filter { !(hasSettings && $0.type == InLine.uiSettings) }
    }

    /// Called for the nearest wrapper first, so putting its trackers in front leaves the outermost first.
    private static func add(_ linear: Linear, to inLine: inout InLine) {
        for index in inLine.creatives.indices {
            guard var target = inLine.creatives[index].linear else { continue }
            target.trackingEvents = linear.trackingEvents + target.trackingEvents
            target.clicks.clickThrough = target.clicks.clickThrough ?? linear.clicks.clickThrough
            target.clicks.clickTracking = linear.clicks.clickTracking + target.clicks.clickTracking
            target.clicks.customClicks = linear.clicks.customClicks + target.clicks.customClicks
            let programs = Set(target.icons.compactMap { $0.program })
            target.icons += linear.icons.filter { !programs.contains($0.program ?? "") || $0.program == nil }
            inLine.creatives[index].linear = target
        }
    }

    private static func add(_ ads: NonLinearAds, to inLine: inout InLine) {
        let clicks = ads.nonLinears.flatMap { $0.clickTracking }
        for index in inLine.creatives.indices {
            guard var target = inLine.creatives[index].nonLinearAds else { continue }
            target.trackingEvents = ads.trackingEvents + target.trackingEvents
            for position in target.nonLinears.indices {
                target.nonLinears[position].clickTracking = clicks + target.nonLinears[position].clickTracking
            }
            inLine.creatives[index].nonLinearAds = target
        }
    }

    /// A companion of a wrapper is added unless one for the same slot is there; one without a resource only tracks.
    private static func add(_ ads: CompanionAds, of creative: Creative, to inLine: inout InLine) {
        for tracker in ads.companions where tracker.resources.isEmpty { addTrackers(of: tracker, to: &inLine) }
        let taken = inLine.creatives.flatMap { $0.companionAds?.companions ?? [] }
        let added = ads.companions.filter { candidate in
            !candidate.resources.isEmpty && !taken.contains { $0.standsInPlaceOf(candidate) }
        }
        guard !added.isEmpty else { return }
        var copy = creative
        copy.linear = nil
        copy.nonLinearAds = nil
        copy.companionAds = CompanionAds(required: ads.required, companions: added)
        inLine.creatives.append(copy)
    }

    private static func addTrackers(of tracker: Companion, to inLine: inout InLine) {
        for index in inLine.creatives.indices {
            guard var target = inLine.creatives[index].companionAds else { continue }
            for position in target.companions.indices {
                let companion = target.companions[position]
                target.companions[position].trackingEvents = tracker.trackingEvents + companion.trackingEvents
                target.companions[position].clickTracking = tracker.clickTracking + companion.clickTracking
            }
            inLine.creatives[index].companionAds = target
        }
    }
}

extension Companion {
    /// Whether both are meant for one slot: the same slot id, or the same size where neither names a slot.
    fileprivate func standsInPlaceOf(_ other: Companion) -> Bool {
        if adSlotID != nil || other.adSlotID != nil { return adSlotID == other.adSlotID }
        return width != nil && width == other.width && height == other.height
    }
}
