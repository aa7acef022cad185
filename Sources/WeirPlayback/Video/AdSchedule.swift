public import WeirVAST

/// The ads of one request and the breaks they stand in: VMAP and plain VAST in one model (S0.23, S0.24).
///
/// A plain VAST answer is one break before the content.
public struct AdSchedule: Hashable, Sendable {
    /// One break as it was scheduled, with its ads.
    public struct Break: Hashable, Sendable {
        /// The sender's id.
        public var id: String?
        /// When it is due.
        public var timeOffset: TimeOffset
        /// How much content time later it comes again.
        public var repeatAfter: Duration?
        /// Its ads in play order.
        public var ads: [AdKey]
        /// Stand-alone ads that may take the place of one that fails (VAST 4.3 §3.3.1).
        public var buffet: [AdKey]
        /// `breakStart`, `breakEnd` and `error` of VMAP.
        public var trackingEvents: [TrackingEvent]
        /// Why it has no ads, when ads were asked for.
        public var failure: AdFailure?

        /// A break.
        public init(
            id: String? = nil,
            timeOffset: TimeOffset,
            repeatAfter: Duration? = nil,
            ads: [AdKey],
            buffet: [AdKey] = [],
            trackingEvents: [TrackingEvent] = [],
            failure: AdFailure? = nil
        ) {
            self.id = id
            self.timeOffset = timeOffset
            self.repeatAfter = repeatAfter
            self.ads = ads
            self.buffet = buffet
            self.trackingEvents = trackingEvents
            self.failure = failure
        }
    }

    /// The most breaks of one schedule; what comes on top is left out.
    public static let breakLimit = 1000

    /// The most ads of one schedule, those of repetitions included.
    public static let adLimit = 2000

    private var held: [HeldAd]
    /// The breaks in document order.
    public let breaks: [Break]

    /// A schedule; breaks name ads by their place in `ads`, and keys outside of it are dropped.
    public init(ads: [ResolvedAd] = [], breaks: [Break] = []) {
        self.init(holding: ads.map { HeldAd($0) }, breaks: breaks)
    }

    /// The same, of ads as somebody else holds them; packed ones stay packed.
    package init(holding held: [HeldAd], breaks: [Break]) {
        self.held = held
        self.breaks = breaks.prefix(Self.breakLimit).map { scheduled in
            var scheduled = scheduled
            scheduled.ads.removeAll { !held.indices.contains($0.index) }
            scheduled.buffet.removeAll { !held.indices.contains($0.index) }
            return scheduled
        }
    }

    /// The schedule of what a document resolved to.
    public init(_ resolution: Resolution) {
        var ads: [ResolvedAd] = []
        func keys(_ more: [ResolvedAd]) -> [AdKey] {
            let first = ads.count
            ads += more
            return (first..<ads.count).map { AdKey($0) }
        }
        var breaks: [Break] = []
        if resolution.breaks.isEmpty {
            let refusal = resolution.ads.isEmpty ? resolution.refusal.map(AdFailure.init) : nil
            breaks = [
                Break(
                    timeOffset: .start,
                    ads: keys(resolution.ads),
                    buffet: keys(resolution.buffet),
                    failure: refusal
                )
            ]
        } else {
            breaks = resolution.breaks.map { resolved in
                Break(
                    id: resolved.adBreak.id,
                    timeOffset: resolved.adBreak.timeOffset,
                    repeatAfter: resolved.adBreak.repeatAfter,
                    ads: keys(resolved.ads),
                    buffet: keys(resolved.buffet),
                    trackingEvents: resolved.adBreak.trackingEvents,
                    failure: resolved.refusal.map(AdFailure.init)
                )
            }
        }
        self.init(ads: ads, breaks: breaks)
    }

    /// Whether there is any ad to play.
    public var hasAds: Bool { breaks.contains { !$0.ads.isEmpty || !$0.buffet.isEmpty } }

    /// All ads; an ``AdKey`` is a place in this list.
    public var ads: [ResolvedAd] { held.map(\.ad) }

    /// The ad of a key; `nil` for a key of another schedule.
    public func ad(_ key: AdKey) -> ResolvedAd? {
        held.indices.contains(key.index) ? held[key.index].ad : nil
    }

    // MARK: Repetitions

    /// Whether a break comes again, with ads of its own each time.
    package var hasRepetitions: Bool { breaks.contains { $0.repeatAfter != nil } }

    /// Which of `candidates` takes the place of a break in an answer that was asked for because the break comes again: the
    /// one of the same id, else of the same offset; what is no schedule is all for this break.
    package static func place(of wanted: Break, among candidates: [(id: String?, timeOffset: TimeOffset)]) -> Int? {
        if let id = wanted.id, let place = candidates.firstIndex(where: { $0.id == id }) { return place }
        if let place = candidates.firstIndex(where: { $0.timeOffset == wanted.timeOffset }) { return place }
        return candidates.count == 1 && candidates[0].id == nil && candidates[0].timeOffset == .start ? 0 : nil
    }

    /// Takes the ads for a repetition of a break out of a fresh answer.
    ///
    /// - Returns: The break as it plays this time; without ads when the answer has none for it, or when there are
    ///   ``adLimit`` ads already.
    mutating func renew(_ index: Int, from fresh: AdSchedule) -> Break {
        let wanted = breaks[index]
        var renewed = Break(id: wanted.id, timeOffset: wanted.timeOffset, ads: [])
        let candidates = fresh.breaks.map { (id: $0.id, timeOffset: $0.timeOffset) }
        guard let place = Self.place(of: wanted, among: candidates) else {
            let message = "The answer for a repetition does not have this break any more."
            renewed.failure = AdFailure(stage: .load, code: AdFailure.emptyResponse, message: message)
            return renewed
        }
        let found = fresh.breaks[place]
        guard held.count + found.ads.count + found.buffet.count <= Self.adLimit else {
            let message = "The session has had \(Self.adLimit) ads; no repetition gets any more."
            renewed.failure = AdFailure(stage: .load, code: AdFailure.emptyResponse, message: message)
            return renewed
        }
        func taken(_ keys: [AdKey]) -> [AdKey] {
            keys.map { key in
                held.append(fresh.held[key.index])
                return AdKey(held.count - 1)
            }
        }
        renewed.ads = taken(found.ads)
        renewed.buffet = taken(found.buffet)
        renewed.trackingEvents = found.trackingEvents
        renewed.failure = found.failure
        return renewed
    }

    /// The breaks as WeirVAST's placement wants them: without their ads.
    var outline: VMAPDocument {
        VMAPDocument(
            adBreaks: breaks.map { AdBreak(id: $0.id, timeOffset: $0.timeOffset, repeatAfter: $0.repeatAfter) }
        )
    }
}

extension AdFailure {
    /// Why a document gave no ad, in a player's words.
    public init(_ refusal: Refusal) {
        self.init(stage: .load, code: refusal.code.rawValue, message: refusal.message)
    }
}
