internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime
internal import WeirVAST

extension AudioProgramme {
    /// Whether nothing more is wanted: every section that is served has its ads.
    ///
    /// Without limits the first network's programme is the programme.
    var isComplete: Bool {
        guard let limits else { return !breaks.isEmpty }
        return limits.limits.keys.allSatisfy { section in
            guard section == .midroll else { return isSatisfied(AudioSlot(section)) }
            guard let asked = midrolls.asked else {
                return !midpoints.isEmpty && midpoints.allSatisfy { isSatisfied(AudioSlot(.midroll, point: $0)) }
            }
            return asked.allSatisfy { point in
                let slot = AudioSlot(.midroll, point: .milliseconds(point))
                // A point too near to another break stays empty, whoever is asked.
                return isSatisfied(slot) || reason(againstSlot: slot) != nil
            }
        }
    }

    /// Why an ad has no place; `nil` when it has one.
    ///
    /// - Parameters:
    ///   - served: The ad.
    ///   - slot: Where it would stand.
    ///   - own: The creatives let in of the same offer, which may be a pod.
    /// - Returns: The reason, and one sentence.
    func reason(against served: ServedAd, at slot: AudioSlot, own: Set<[String]>) -> (LeftOutAd.Why, String)? {
        if let reason = reason(againstSlot: slot) { return reason }
        if let creative = served.creative,
            creatives.contains(creative) || own.contains(served.creativeInPod ?? creative)
        {
            return (.duplicate, "The creative \(creative.last ?? "") stands in this programme already.")
        }
        if let rival = rival(of: served, at: slot) {
            return (.separated, "\(rival.network) has an ad of the same category in this break.")
        }
        return reason(againstLength: served, at: slot)
    }

    /// Why nothing may stand at a place.
    func reason(againstSlot slot: AudioSlot) -> (LeftOutAd.Why, String)? {
        if let limits, limits.limits[slot.section] == nil {
            return (.section, "The ad unit serves no \(slot.section.rawValue).")
        }
        guard slot.section == .midroll, breaks[slot] == nil else { return nil }
        let point = slot.point ?? .zero
        if let why = midrolls.refusal(at: point) { return (.point, why) }
        guard let gap = limits?.limits[.midroll]?.minGap,
            let other = neighbours.first(where: { point < $0 + gap && $0 < point + gap })
        else { return nil }
        return (
            .gap,
            "A break at \(point.milliseconds) ms is less than \(gap.milliseconds) ms from that at \(other.milliseconds) ms."
        )
    }

    /// Where breaks stand or may stand: the mid-rolls so far, and both ends of the content where they have sections.
    private var neighbours: [Duration] {
        var points = midpoints
        if limits?.limits[.preroll] != nil { points.insert(.zero, at: 0) }
        if let contentEnd, limits?.limits[.postroll] != nil { points.append(contentEnd) }
        return points
    }

    /// Another network's ad in the same break that shares a category.
    private func rival(of served: ServedAd, at slot: AudioSlot) -> ServedAd? {
        guard separatesCategories else { return nil }
        let codes = served.categories
        guard !codes.isEmpty else { return nil }
        return breaks[slot]?.first { other in
            other.network != served.network
                && other.categories.contains { code in codes.contains { $0.matches(code) } }
        }
    }

    private func reason(againstLength served: ServedAd, at slot: AudioSlot) -> (LeftOutAd.Why, String)? {
        if let longest = limit(slot).maxDuration {
            guard let duration = served.ad.duration else {
                return (.duration, "The ad does not say how long it is; the section may be \(longest.milliseconds) ms.")
            }
            if duration > longest {
                return (
                    .duration,
                    "An ad of \(duration.milliseconds) ms does not fit into a section of \(longest.milliseconds) ms."
                )
            }
        }
        if hasRoom(for: served, at: slot) { return nil }
        guard (spareAds[slot]?.count ?? 0) < Self.spareLimit else { return (.full, "The section has all its ads.") }
        return (.spare, "The section has no room for it; it may stand in for an ad that fails.")
    }

    private func hasRoom(for served: ServedAd, at slot: AudioSlot) -> Bool {
        let ads = breaks[slot] ?? []
        let limit = limit(slot)
        if limit.maxAds == nil, limit.maxDuration == nil {
            // A section without limits takes what one network has for it.
            return ads.allSatisfy { $0.lineItem == served.lineItem }
        }
        if let most = limit.maxAds, ads.count >= most { return false }
        guard let longest = limit.maxDuration else { return true }
        return length(of: ads) + (served.ad.duration ?? .zero) <= longest
    }

    private func isSatisfied(_ slot: AudioSlot) -> Bool {
        guard let ads = breaks[slot], !ads.isEmpty else { return false }
        let limit = limit(slot)
        if let most = limit.maxAds, ads.count >= most { return true }
        guard let longest = limit.maxDuration else { return limit.maxAds == nil }
        return longest - length(of: ads) < Self.leastRoom
    }

    private func limit(_ slot: AudioSlot) -> SectionLimit { limits?.limits[slot.section] ?? SectionLimit() }

    private func length(of ads: [ServedAd]) -> Duration {
        ads.reduce(.zero) { $0 + ($1.ad.duration ?? .zero) }
    }
}

extension AudioProgramme.Verdict {
    /// What becomes of an attempt of which nothing was let in.
    var outcome: AttemptOutcome {
        guard let first = leftOut.first else {
            return AttemptOutcome(.rejected, .noMarkup, "The network's offer holds nothing to play.")
        }
        let reason: Reason =
            switch first.why {
            case .duplicate: .duplicate
            case .separated: .blockedCategory
            case .duration, .spare, .full, .gap: .duration
            case .point, .section: .noMarkup
            }
        return AttemptOutcome(.rejected, reason, first.message)
    }
}
