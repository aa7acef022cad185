/// Which URLs are due while one ad is played: a pure state machine, inputs in, beacons out (VAST 4.3 §3.14).
///
/// Impressions, `start`, quartiles and a companion's view and click come once per play, whatever the player repeats. Quartiles and progress count only
/// what was played: a range jumped over by seeking gives none of its events, and no `complete`.
public struct AdTracking: Hashable, Sendable {
    /// The ad.
    public let ad: ResolvedAd
    /// Its duration: that of the document, or what the player found.
    public var duration: Duration?

    /// Where playback is.
    public private(set) var position: Duration = .zero
    /// Whether the first frame was rendered.
    public private(set) var hasStarted = false
    /// Whether nothing more can happen: completed, skipped, closed, failed or discarded.
    public private(set) var hasEnded = false

    private var hasSeekedAhead = false
    private var fired: Set<String> = []
    private var firedOffsets: Set<Int> = []
    private let trackers: [String: [String]]
    private let progress: [TrackingEvent]

    /// Tracking of one play of an ad.
    public init(ad: ResolvedAd, duration: Duration? = nil) {
        self.ad = ad
        self.duration = duration ?? ad.duration
        let events = ad.trackingEvents.filter { $0.event.isKnown }
        progress = events.filter { $0.event == .progress }
        trackers = Dictionary(grouping: events.filter { $0.event != .progress }, by: \.event.current.rawValue)
            .mapValues { $0.map(\.url) }
    }

    /// Takes what happened and returns what is due for it, in order.
    public mutating func take(_ input: PlaybackInput) -> [Beacon] {
        switch input {
        case .loaded: once(.loaded)
        case .discarded: hasStarted ? [] : end(with: once(.notUsed))
        case .failed(let code): fail(code)
        case .started: start()
        case .verificationNotExecuted(let index, let reason): notExecuted(index, reason)
        case .companionShown(let index): companion(index, isClick: false)
        case .companionClicked(let index): companion(index, isClick: true)
        case .iconShown(let index): icon(index, isClick: false)
        case .iconClicked(let index): icon(index, isClick: true)
        case .viewable: viewability("viewable", \.viewable)
        case .notViewable: viewability("notViewable", \.notViewable)
        case .viewUndetermined: viewability("viewUndetermined", \.undetermined)
        default: hasStarted && !hasEnded ? play(input) : []
        }
    }

    /// What happens only between start and end.
    private mutating func play(_ input: PlaybackInput) -> [Beacon] {
        switch input {
        case .position(let reached): return advance(to: reached)
        case .seeked(let target):
            if target > position { hasSeekedAhead = true }
            let due = target < position ? every(EventName.rewind) : []
            position = max(.zero, target)
            return due
        case .completed: return complete()
        case .paused: return every(.pause)
        case .resumed: return every(.resume)
        case .muted: return every(.mute)
        case .unmuted: return every(.unmute)
        case .expanded: return every(.playerExpand)
        case .collapsed: return every(.playerCollapse)
        case .skipped: return end(with: once(.skip))
        case .closed: return end(with: once(.closeLinear) + once(.close))
        case .clicked: return beacons("click", ad.clickTracking)
        case .customClicked: return beacons("customClick", ad.linear?.clicks.customClicks.map(\.url) ?? [])
        case .event(let name): return every(name)
        default: return []
        }
    }

    /// All impressions go out together with the first frame (VAST 4.3 §3.4.4).
    private mutating func start() -> [Beacon] {
        guard !hasStarted, !hasEnded else { return [] }
        hasStarted = true
        return beacons("impression", ad.impressions) + once(.creativeView) + once(.start) + due(from: .zero, to: .zero)
    }

    private mutating func advance(to reached: Duration) -> [Beacon] {
        guard reached > position else { return [] }
        let before = position
        position = reached
        return due(from: before, to: reached)
    }

    /// Players report positions a few times a second, so what lies between the last one and the end was played too.
    private mutating func complete() -> [Beacon] {
        if let duration, duration > position {
            let rest = advance(to: duration)
            return end(with: rest + (hasSeekedAhead ? [] : once(.complete)))
        }
        return end(with: hasSeekedAhead ? [] : once(.complete))
    }

    /// Quartiles and progress events whose point was passed by playing from one position to another.
    private mutating func due(from before: Duration, to reached: Duration) -> [Beacon] {
        var points: [(at: Duration, order: Int, make: (inout AdTracking) -> [Beacon])] = []
        if let duration, duration > .zero {
            let quartiles: [(Double, EventName)] = [(25, .firstQuartile), (50, .midpoint), (75, .thirdQuartile)]
            // Who jumped ahead and came back has told of a later quartile: an earlier one would come out of order.
            let told = quartiles.lastIndex { fired.contains($0.1.rawValue) } ?? -1
            for (index, quartile) in quartiles.enumerated() where index > told {
                guard let point = PlayOffset.percent(quartile.0).position(in: duration) else { continue }
                if point > before, point <= reached { points.append((point, index, { $0.once(quartile.1) })) }
            }
        }
        for (index, event) in progress.enumerated() {
            guard let point = event.offset?.position(in: duration), point <= reached else { continue }
            guard point > before || (point == .zero && before == .zero) else { continue }
            points.append((point, 10 + index, { $0.progressOnce(index, event) }))
        }
        points.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        return points.flatMap { $0.make(&self) }
    }

    private mutating func progressOnce(_ index: Int, _ event: TrackingEvent) -> [Beacon] {
        guard firedOffsets.insert(index).inserted else { return [] }
        return beacons(EventName.progress.rawValue, [event.url])
    }

    private mutating func fail(_ code: VASTErrorCode) -> [Beacon] {
        guard !hasEnded else { return [] }
        hasEnded = true
        return ad.errors.map {
            Beacon(name: "error", url: $0, use: .error, macros: moment.merging(Self.values(of: code)) { $1 })
        }
    }

    private static func values(of code: VASTErrorCode) -> [String: MacroContext.Value] {
        MacroContext().setting(error: code).values
    }

    private mutating func end(with due: [Beacon]) -> [Beacon] {
        hasEnded = true
        return due
    }

    private mutating func once(_ event: EventName) -> [Beacon] {
        guard fired.insert(event.rawValue).inserted else { return [] }
        return every(event)
    }

    private func every(_ event: EventName) -> [Beacon] {
        beacons(event.current.rawValue, trackers[event.current.rawValue] ?? [])
    }

    private mutating func viewability(_ name: String, _ urls: KeyPath<ViewableImpression, [String]>) -> [Beacon] {
        // The three verdicts exclude each other.
        guard fired.insert("viewability").inserted else { return [] }
        return beacons(name, ad.viewableImpressions.flatMap { $0[keyPath: urls] })
    }

    private mutating func companion(_ index: Int, isClick: Bool) -> [Beacon] {
        let companions = ad.companions
        guard companions.indices.contains(index) else { return [] }
        if isClick {
            // VAST 4.3 §3.13.4 says what a click calls, not that a second press is a second click. Who counts clicks counts
            // people who came, and the same person came once for this ad.
            guard fired.insert("companion click \(index)").inserted else { return [] }
            return beacons("companionClick", companions[index].clickTracking.map(\.url))
        }
        guard fired.insert("companion \(index)").inserted else { return [] }
        let views = companions[index].trackingEvents.filter { $0.event == .creativeView }
        return beacons(EventName.creativeView.rawValue, views.map(\.url))
    }

    private mutating func icon(_ index: Int, isClick: Bool) -> [Beacon] {
        guard ad.icons.indices.contains(index) else { return [] }
        if isClick { return beacons("iconClick", ad.icons[index].clickTracking.map(\.url)) }
        guard fired.insert("icon \(index)").inserted else { return [] }
        return beacons("iconView", ad.icons[index].viewTracking)
    }

    private mutating func notExecuted(_ index: Int, _ reason: VerificationFailure) -> [Beacon] {
        let verifications = ad.verifications
        guard verifications.indices.contains(index), fired.insert("verification \(index)").inserted else { return [] }
        let events = verifications[index].trackingEvents.filter { $0.event == .verificationNotExecuted }
        return events.map {
            Beacon(name: $0.event.rawValue, url: $0.url, macros: ["REASON": .number(reason.rawValue)])
        }
    }

    private func beacons(_ name: String, _ urls: [String]) -> [Beacon] {
        guard !urls.isEmpty else { return [] }
        let macros = moment
        return urls.map { Beacon(name: name, url: $0, macros: macros) }
    }

    /// What every URL may ask about this moment.
    private var moment: [String: MacroContext.Value] {
        var values: [String: MacroContext.Value] = ["ADPLAYHEAD": .text(ClockText.macroText(position))]
        if let file = ad.mediaFiles.first { values["ASSETURI"] = .text(file.url) }
        if let place = ad.pod?.position ?? ad.sequence { values["PODSEQUENCE"] = .number(place) }
        if let id = ad.inLine.adServingID { values["ADSERVINGID"] = .text(id) }
        let ids = ad.universalAdIDs
        if !ids.isEmpty { values["UNIVERSALADID"] = .list(ids.map { "\($0.registry ?? "unknown") \($0.value)" }) }
        values["ADTYPE"] = .text(ad.adType.rawValue)
        return values
    }
}
