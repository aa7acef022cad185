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
        // The nearest first: it goes before those farther out.
        for wrapper in wrappers.reversed() {
            result.pricing = result.pricing ?? wrapper.pricing
            if !wrapper.extensions.isEmpty { addExtensions(of: wrapper, to: &result) }
        }
        let creatives = wrappers.reversed().flatMap { $0.creatives }
        add(creatives.compactMap { $0.linear }, to: &result)
        add(creatives.compactMap { $0.nonLinearAds }, to: &result)
        for creative in creatives {
            if let companions = creative.companionAds { add(companions, of: creative, to: &result) }
        }
        return result
    }

    private static func addExtensions(of wrapper: Wrapper, to inLine: inout InLine) {
        let hasSettings = inLine.extensions.contains { $0.type == InLine.uiSettings }
        inLine.extensions += wrapper.extensions.filter { !(hasSettings && $0.type == InLine.uiSettings) }
    }

    private static func add(_ linears: [Linear], to inLine: inout InLine) {
        guard !linears.isEmpty else { return }
        for index in inLine.creatives.indices { inLine.creatives[index].linear?.add(linears) }
    }

    private static func add(_ ads: [NonLinearAds], to inLine: inout InLine) {
        guard !ads.isEmpty else { return }
        for index in inLine.creatives.indices { inLine.creatives[index].nonLinearAds?.add(ads) }
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

extension Linear {
    /// Adds what the linears of wrappers bring, the nearest first; the outermost one's trackers end up in front.
    fileprivate mutating func add(_ linears: [Linear]) {
        trackingEvents = linears.reversed().flatMap { $0.trackingEvents } + trackingEvents
        clicks.clickThrough = clicks.clickThrough ?? linears.lazy.compactMap { $0.clicks.clickThrough }.first
        clicks.clickTracking = linears.reversed().flatMap { $0.clicks.clickTracking } + clicks.clickTracking
        clicks.customClicks = linears.reversed().flatMap { $0.clicks.customClicks } + clicks.customClicks
        for linear in linears where !linear.icons.isEmpty {
            let programs = Set(icons.compactMap { $0.program })
            icons += linear.icons.filter { !programs.contains($0.program ?? "") || $0.program == nil }
        }
    }
}

extension NonLinearAds {
    /// Adds what those of wrappers bring, the nearest first; the outermost one's trackers end up in front.
    fileprivate mutating func add(_ ads: [NonLinearAds]) {
        trackingEvents = ads.reversed().flatMap { $0.trackingEvents } + trackingEvents
        let clicks = ads.reversed().flatMap { $0.nonLinears.flatMap { $0.clickTracking } }
        for position in nonLinears.indices {
            nonLinears[position].clickTracking = clicks + nonLinears[position].clickTracking
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
