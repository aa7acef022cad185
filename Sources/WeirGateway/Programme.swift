internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// The ads of one video or rewarded answer in play order: at most `max_ads` an interruption.
///
/// Mid-rolls stand only where the caller asked for them. A creative stands once in an interruption. What audio answers
/// are made of is ``AudioProgramme``.
struct Programme: Sendable {
    /// In play order.
    private(set) var ads: [ServedAd] = []
    /// Why the last ad that was left out was; of interest when none is left.
    private(set) var refusal: AttemptOutcome?

    init(ads: [ServedAd], adUnit: AdUnit, request: AdRequest) {
        let midrolls = MidrollRule(request)
        if ads.count == 1 {
            // Nothing to repeat, to order or to count.
            guard isWanted(ads[0], midrolls), adUnit.maxAds > 0 else { return }
            self.ads = ads
            if ads[0].pod != (1, 1) { self.ads[0].pod = (1, 1) }
            return
        }
        let candidates = withoutRepeats(ads).filter { isWanted($0, midrolls) }
        limit(candidates, to: adUnit.maxAds)
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

    /// Whether a mid-roll may stand where it stands.
    private mutating func isWanted(_ served: ServedAd, _ rule: MidrollRule) -> Bool {
        guard let point = served.contentPosition, let why = rule.refusal(at: point) else { return true }
        refusal = AttemptOutcome(.rejected, .noMarkup, why)
        return false
    }

    private mutating func limit(_ candidates: [ServedAd], to maxAds: Int) {
        var counts: [BreakOffset?: Int] = [:]
        // A schedule may list its breaks in any order.
        let inPlayOrder = candidates.enumerated().sorted { left, right in
            let (first, second) = (left.element.breakRank, right.element.breakRank)
            return first == second ? left.offset < right.offset : first < second
        }
        ads = inPlayOrder.map(\.element).filter { served in
            counts[served.breakOffset, default: 0] += 1
            return counts[served.breakOffset, default: 0] <= maxAds
        }
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
}

/// One interruption.
private struct PodKey: Hashable {
    var offset: BreakOffset?
    var slot: AudioSlot?
}

extension ServedAd {
    /// Orders interruptions by when they come.
    fileprivate var breakRank: Duration {
        switch breakOffset {
        case nil, .start: .zero
        case .position(let position): position
        case .end: .seconds(Int64.max)
        }
    }

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

    /// The universal id, else creative id and ad system; `nil` when the document says neither.
    var creativeIdentity: [String]? {
        if let universal = ad.universalAdIDs.first(where: { $0.value != "unknown" && !$0.value.isEmpty }) {
            return [universal.registry ?? "", universal.value]
        }
        guard let creative = ad.creativeID, !creative.isEmpty else { return nil }
        return [ad.system?.name ?? "", creative]
    }
}
