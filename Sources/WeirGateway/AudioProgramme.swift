internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// An audio answer while it is put together: what one network after another offers is let in, section by section.
///
/// Each section keeps within its limits; mid-rolls stand only where the caller asked for them (S4.43, S4.44), and far
/// enough apart; a creative stands once in the whole programme; networks that compete do not meet in one break. What is
/// left out is remembered with its reason, and some of it may stand in for ads that fail.
struct AudioProgramme: Sendable {
    /// The most spare ads of one break.
    static let spareLimit = 2

    /// A break with less time left than this wants no more: no ad that is sold is shorter.
    static let leastRoom: Duration = .seconds(5)

    /// What was let in and what was not, of one network's offers.
    struct Verdict: Sendable {
        /// How many ads were let in.
        var taken = 0
        /// What was left out, at most ``WeirModel/Attempt/leftOutLimit``.
        var leftOut: [LeftOutAd] = []

        mutating func leaveOut(_ served: ServedAd, _ slot: AudioSlot, _ why: LeftOutAd.Why, _ message: String) {
            guard leftOut.count < Attempt.leftOutLimit else { return }
            let id = served.ad.id ?? served.offerID
            leftOut.append(
                LeftOutAd(ad: id, section: slot.section, point: slot.point, why: why, message: message)
            )
        }
    }

    let limits: SectionLimits?
    let separatesCategories: Bool
    let midrolls: MidrollRule
    let contentEnd: Duration?

    private(set) var breaks: [AudioSlot: [ServedAd]] = [:]
    private(set) var spareAds: [AudioSlot: [ServedAd]] = [:]
    private(set) var creatives: Set<[String]> = []

    /// An empty programme for one request.
    init(adUnit: AdUnit, request: AdRequest) {
        limits = adUnit.sections
        separatesCategories = adUnit.separatesCategories
        midrolls = MidrollRule(request)
        contentEnd = request.content.duration
    }

    /// Lets in what has a place.
    ///
    /// - Parameters:
    ///   - offers: The ads of each offer of one network, in the order in which it wants them.
    ///   - substitutes: Ads that the network itself means to stand in for others.
    /// - Returns: What came of it.
    mutating func add(_ offers: [[ServedAd]], substitutes: [ServedAd] = []) -> Verdict {
        var verdict = Verdict()
        for offer in offers { add(offer, &verdict) }
        for served in substitutes {
            let slot = served.audioSlot
            let (why, message) =
                reason(against: served, at: slot, own: [])
                ?? (.spare, "The network offers it as a substitute.")
            leaveOut(served, slot, why, message, &verdict)
        }
        return verdict
    }

    private mutating func add(_ offer: [ServedAd], _ verdict: inout Verdict) {
        // An ad server that sells a pod may write one creative id on all of its ads: within it, files tell them apart.
        var own: Set<[String]> = []
        for served in Self.inOrder(offer) {
            let slot = served.audioSlot
            if let (why, message) = reason(against: served, at: slot, own: own) {
                leaveOut(served, slot, why, message, &verdict)
            } else {
                if let creative = served.creative { own.formUnion([creative, served.creativeInPod ?? creative]) }
                breaks[slot, default: []].append(served)
                verdict.taken += 1
            }
        }
        creatives.formUnion(own)
    }

    private mutating func leaveOut(
        _ served: ServedAd,
        _ slot: AudioSlot,
        _ why: LeftOutAd.Why,
        _ message: String,
        _ verdict: inout Verdict
    ) {
        verdict.leaveOut(served, slot, why, message)
        guard why == .spare else { return }
        spareAds[slot, default: []].append(served)
        if let creative = served.creative { creatives.insert(creative) }
    }

    // MARK: What came of it

    /// The ads in play order, each with its place in its break.
    var ads: [ServedAd] {
        Self.slots(breaks).flatMap { slot in
            let ads = breaks[slot] ?? []
            return ads.enumerated().map { index, served in
                var placed = served
                placed.slot = slot
                placed.pod = (index + 1, ads.count)
                return placed
            }
        }
    }

    /// Ads that may stand in for others of their break, in the order of the breaks.
    var spares: [ServedAd] {
        Self.slots(breaks).flatMap { slot in
            (spareAds[slot] ?? []).map { served in
                var placed = served
                placed.slot = slot
                return placed
            }
        }
    }

    /// Content positions that have mid-rolls, rising.
    var midpoints: [Duration] { breaks.keys.filter { $0.section == .midroll }.compactMap(\.point).sorted() }

    private static func slots(_ breaks: [AudioSlot: [ServedAd]]) -> [AudioSlot] { breaks.keys.sorted(by: isEarlier) }

    private static func inOrder(_ ads: [ServedAd]) -> [ServedAd] {
        ads.enumerated().sorted { left, right in
            let slots = (left.element.audioSlot, right.element.audioSlot)
            return slots.0 == slots.1 ? left.offset < right.offset : isEarlier(slots.0, slots.1)
        }
        .map(\.element)
    }

    private static func isEarlier(_ left: AudioSlot, _ right: AudioSlot) -> Bool {
        func key(_ slot: AudioSlot) -> (Int, Duration) {
            (AudioSection.allCases.firstIndex(of: slot.section) ?? 0, slot.point ?? .zero)
        }
        return key(left) < key(right)
    }
}

extension ServedAd {
    /// Its place in a programme: a pre-roll unless something else is said, to the millisecond.
    var audioSlot: AudioSlot {
        guard let slot else { return AudioSlot(.preroll) }
        guard slot.section == .midroll else { return AudioSlot(slot.section) }
        return AudioSlot(.midroll, point: .milliseconds((slot.point ?? .zero).milliseconds))
    }

    /// What makes two ads of an audio programme the same creative: the universal id, else creative id and ad system, else
    /// the file itself.
    var creative: [String]? { creativeIdentity ?? mediaFiles.first.map { ["", $0.url] } }

    /// The same among the ads of one pod; `nil` for an ad that stands alone.
    var creativeInPod: [String]? {
        guard ad.sequence != nil, let creative, let file = mediaFiles.first else { return nil }
        return creative + [file.url]
    }
}
