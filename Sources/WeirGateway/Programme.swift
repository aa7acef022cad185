internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// The ads of one answer in play order, within the ad unit's limits.
///
/// Video and rewarded: at most `max_ads` an interruption. Audio: section by section, each within its limit, mid-rolls
/// only where the caller asked for them (S4.43, S4.44). A creative stands once.
struct Programme: Sendable {
    /// In play order.
    private(set) var ads: [ServedAd] = []
    /// Content positions that have mid-rolls, rising.
    private(set) var midpoints: [Duration] = []
    /// Why the last ad that was left out was; of interest when none is left.
    private(set) var refusal: AttemptOutcome?

    init(ads: [ServedAd], adUnit: AdUnit, request: AdRequest) {
        let unique = withoutRepeats(ads)
        if adUnit.format == .audio {
            arrange(unique, adUnit.sections, asked: Self.positions(request))
        } else {
            limit(unique, to: adUnit.maxAds)
        }
        numberPods()
    }

    /// The same creative of the same system stands once (S4: no repeat within a content item).
    private mutating func withoutRepeats(_ ads: [ServedAd]) -> [ServedAd] {
        var seen: Set<[String]> = []
        return ads.filter { served in
            guard let identity = served.identity else { return true }
            if seen.insert(identity).inserted { return true }
            refusal = AttemptOutcome(
                .rejected,
                .duplicate,
                "The creative \(identity[1]) stands in this answer already."
            )
            return false
        }
    }

    private mutating func limit(_ candidates: [ServedAd], to maxAds: Int) {
        var counts: [BreakOffset?: Int] = [:]
        ads = candidates.filter { served in
            counts[served.breakOffset, default: 0] += 1
            return counts[served.breakOffset, default: 0] <= maxAds
        }
    }

    private mutating func arrange(_ candidates: [ServedAd], _ limits: SectionLimits?, asked: [Duration]?) {
        for section in AudioSection.allCases {
            guard let limit = limits == nil ? SectionLimit() : limits?.limits[section] else { continue }
            let offered = candidates.filter { ($0.slot?.section ?? .preroll) == section }
            if section == .midroll {
                for point in Set(offered.map { $0.slot?.point ?? .zero }).sorted() {
                    guard asked?.contains(point) ?? true else { continue }
                    let kept = fit(offered.filter { ($0.slot?.point ?? .zero) == point }, limit)
                    if !kept.isEmpty { midpoints.append(point) }
                    ads += kept
                }
            } else {
                ads += fit(offered, limit)
            }
        }
    }

    /// Takes ads in order until the section is full.
    private mutating func fit(_ candidates: [ServedAd], _ limit: SectionLimit) -> [ServedAd] {
        var kept: [ServedAd] = []
        var total = Duration.zero
        for var served in candidates where kept.count < limit.maxAds ?? .max {
            let duration = served.ad.duration ?? .zero
            if let longest = limit.maxDuration, total + duration > longest {
                refusal = AttemptOutcome(
                    .rejected,
                    .duration,
                    "An ad of \(duration.milliseconds) ms does not fit into a section of \(longest.milliseconds) ms."
                )
                continue
            }
            served.slot = served.slot ?? AudioSlot(.preroll)
            kept.append(served)
            total += duration
        }
        return kept
    }

    /// Positions and totals as they are served, break by break.
    private mutating func numberPods() {
        func key(_ served: ServedAd) -> PodKey { PodKey(offset: served.breakOffset, slot: served.slot) }
        let totals = Dictionary(grouping: ads, by: key).mapValues(\.count)
        var positions: [PodKey: Int] = [:]
        for index in ads.indices {
            let key = key(ads[index])
            positions[key, default: 0] += 1
            ads[index].pod = (positions[key, default: 1], totals[key] ?? 1)
        }
    }

    /// The mid-points asked for as content positions; `nil` when the caller leaves them to the network.
    private static func positions(_ request: AdRequest) -> [Duration]? {
        switch request.midpoints {
        case nil: nil
        case .positions(let positions): positions
        case .percent(let percents):
            // Percents of an unknown duration are nowhere.
            percents.compactMap { percent in
                guard let duration = request.content.duration, let micros = percent.micros else { return nil }
                return .milliseconds(Int64(Double(duration.milliseconds) * Double(micros) / 100_000_000))
            }
        }
    }
}

private struct PodKey: Hashable {
    var offset: BreakOffset?
    var slot: AudioSlot?
}

extension ServedAd {
    /// What makes two ads the same creative; `nil` when the document does not say.
    ///
    /// Ads of one pod are told apart by their own ids too: an ad server that sells a pod may write one creative id on all
    /// of its ads, as IAB's pod samples do.
    fileprivate var identity: [String]? {
        creativeIdentity.map { $0 + (ad.sequence == nil ? [] : [ad.id ?? ""]) }
    }

    private var creativeIdentity: [String]? {
        if let universal = ad.universalAdIDs.first(where: { $0.value != "unknown" && !$0.value.isEmpty }) {
            return [universal.registry ?? "", universal.value]
        }
        guard let creative = ad.creativeID, !creative.isEmpty else { return nil }
        return [ad.system?.name ?? "", creative]
    }
}
