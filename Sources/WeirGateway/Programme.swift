internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// The ads of one answer in play order, within the ad unit's limits.
///
/// Video and rewarded: at most `max_ads` an interruption. Audio: section by section, each within its limit. Mid-rolls
/// stand only where the caller asked for them (S4.43, S4.44). A creative stands once in an interruption.
struct Programme: Sendable {
    /// In play order.
    private(set) var ads: [ServedAd] = []
    /// Content positions that have mid-rolls, rising.
    private(set) var midpoints: [Duration] = []
    /// Why the last ad that was left out was; of interest when none is left.
    private(set) var refusal: AttemptOutcome?

    init(ads: [ServedAd], adUnit: AdUnit, request: AdRequest) {
        let candidates = withoutRepeats(ads).filter { isWanted($0, request) }
        if adUnit.format == .audio {
            arrange(candidates, adUnit.sections)
        } else {
            limit(candidates, to: adUnit.maxAds)
        }
        numberPods()
    }

    /// The same creative of the same system stands once in an interruption; two interruptions may share it, as a network
    /// that schedules it twice has meant it so.
    private mutating func withoutRepeats(_ ads: [ServedAd]) -> [ServedAd] {
        var seen: [PodKey: Set<[String]>] = [:]
        return ads.filter { served in
            guard let identity = served.identity else { return true }
            if seen[served.podKey, default: []].insert(identity).inserted { return true }
            refusal = AttemptOutcome(
                .rejected,
                .duplicate,
                "The creative \(identity[1]) stands in this interruption already."
            )
            return false
        }
    }

    /// Whether the caller wants an ad at its place: a mid-roll only within the content (S4.42), and only at a mid-point
    /// that was asked for, when any was.
    private mutating func isWanted(_ served: ServedAd, _ request: AdRequest) -> Bool {
        guard let point = served.contentPosition?.milliseconds else { return true }
        if let duration = request.content.duration, point > duration.milliseconds {
            refusal = AttemptOutcome(
                .rejected,
                .noMarkup,
                "A mid-roll at \(point) ms lies behind the end of the content."
            )
            return false
        }
        guard let asked = Self.positions(request), !asked.contains(point) else { return true }
        refusal = AttemptOutcome(.rejected, .noMarkup, "A mid-roll at \(point) ms stands where none was asked for.")
        return false
    }

    private mutating func limit(_ candidates: [ServedAd], to maxAds: Int) {
        var counts: [BreakOffset?: Int] = [:]
        ads = candidates.filter { served in
            counts[served.breakOffset, default: 0] += 1
            return counts[served.breakOffset, default: 0] <= maxAds
        }
    }

    private mutating func arrange(_ candidates: [ServedAd], _ limits: SectionLimits?) {
        for section in AudioSection.allCases {
            let offered = candidates.filter { ($0.slot?.section ?? .preroll) == section }
            guard let limit = limits == nil ? SectionLimit() : limits?.limits[section] else {
                guard !offered.isEmpty else { continue }
                let message = "The ad unit does not serve the section \(section.rawValue)."
                refusal = AttemptOutcome(.rejected, .noMarkup, message)
                continue
            }
            if section == .midroll {
                for point in Set(offered.map { $0.slot?.point ?? .zero }).sorted() {
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
        let totals = Dictionary(grouping: ads, by: \.podKey).mapValues(\.count)
        var positions: [PodKey: Int] = [:]
        for index in ads.indices {
            let key = ads[index].podKey
            positions[key, default: 0] += 1
            ads[index].pod = (positions[key, default: 1], totals[key] ?? 1)
        }
    }

    /// The mid-points asked for as content positions in milliseconds; `nil` when the caller leaves them to the network.
    private static func positions(_ request: AdRequest) -> [Int64]? {
        switch request.midpoints {
        case nil: nil
        case .positions(let positions): positions.map(\.milliseconds)
        case .percent(let percents):
            // Percents of an unknown duration are nowhere.
            percents.compactMap { percent in
                guard let duration = request.content.duration, let micros = percent.micros else { return nil }
                // Rounded as the percentages of a VMAP are, so that both meet.
                return Int64((Double(duration.milliseconds) * Double(micros) / 100_000_000).rounded())
            }
        }
    }
}

/// One interruption.
private struct PodKey: Hashable {
    var offset: BreakOffset?
    var slot: AudioSlot?
}

extension ServedAd {
    fileprivate var podKey: PodKey { PodKey(offset: breakOffset, slot: slot) }

    /// Where it interrupts the content; `nil` for what stands before or after it, or when nobody says.
    fileprivate var contentPosition: Duration? {
        if case .position(let position) = breakOffset { return position }
        return slot?.section == .midroll ? slot?.point ?? .zero : nil
    }

    /// What makes two ads the same creative; `nil` when the document does not say.
    ///
    /// Ads of one pod are told apart by their own ids too: an ad server that sells a pod may write one creative id on all
    /// of its ads, as IAB's pod samples do. Ads without an id are told apart by their media.
    fileprivate var identity: [String]? {
        creativeIdentity.map { creative in
            guard let id = ad.id, !id.isEmpty else { return creative + ["media"] + ad.mediaFiles.map(\.url) }
            return creative + (ad.sequence == nil ? [] : ["id", id])
        }
    }

    private var creativeIdentity: [String]? {
        if let universal = ad.universalAdIDs.first(where: { $0.value != "unknown" && !$0.value.isEmpty }) {
            return [universal.registry ?? "", universal.value]
        }
        guard let creative = ad.creativeID, !creative.isEmpty else { return nil }
        return [ad.system?.name ?? "", creative]
    }
}
