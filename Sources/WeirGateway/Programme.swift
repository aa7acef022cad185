internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// The ads of one video or rewarded answer in play order: at most `max_ads` an interruption, a creative once.
struct Programme: Sendable {
    /// In play order.
    private(set) var ads: [ServedAd] = []
    /// Why the last ad that was left out was; of interest when none is left.
    private(set) var refusal: AttemptOutcome?

    init(ads: [ServedAd], adUnit: AdUnit) {
        limit(withoutRepeats(ads), to: adUnit.maxAds)
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

    /// The universal id, else creative id and ad system; `nil` when the document says neither.
    var creativeIdentity: [String]? {
        if let universal = ad.universalAdIDs.first(where: { $0.value != "unknown" && !$0.value.isEmpty }) {
            return [universal.registry ?? "", universal.value]
        }
        guard let creative = ad.creativeID, !creative.isEmpty else { return nil }
        return [ad.system?.name ?? "", creative]
    }
}
