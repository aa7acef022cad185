/// When the breaks of a schedule are due in content of a certain length, or of an unknown one (VMAP 1.0.1, `AdBreak`).
public struct BreakSchedule: Hashable, Sendable {
    /// Where in the content a break is due.
    public enum CuePoint: Hashable, Comparable, Sendable {
        /// Before the content.
        case preroll
        /// At this content position.
        case midroll(Duration)
        /// After the content.
        case postroll
    }

    /// One time that a break is due.
    public struct Entry: Hashable, Sendable {
        /// Where in the content.
        public var cuePoint: CuePoint
        /// The break.
        public var adBreak: AdBreak
        /// Its place in the document, from 0.
        public var index: Int
        /// 0 for the first time, more for repetitions.
        public var repetition: Int
    }

    /// A break that is never due, and why.
    public struct Unplaced: Hashable, Sendable {
        /// The break.
        public var adBreak: AdBreak
        /// One sentence.
        public var reason: String
    }

    /// What is due, in content order; breaks at one point keep document order.
    public private(set) var entries: [Entry] = []
    /// What is never due.
    public private(set) var unplaced: [Unplaced] = []

    /// Repetitions of one break that are placed at most.
    public static let maxRepetitions = 100

    /// The schedule of a document for content of `duration`; without one, percentages cannot be placed.
    public init(_ document: VMAPDocument, contentDuration duration: Duration?) {
        let hasTimes = document.adBreaks.contains { !$0.timeOffset.isPosition && $0.isSchedulable }
        for (index, adBreak) in document.adBreaks.enumerated() {
            switch Self.cuePoint(of: adBreak.timeOffset, in: duration, hasTimes: hasTimes) {
            case .success(let cuePoint): place(adBreak, index, at: cuePoint, in: duration)
            case .failure(let failure): unplaced.append(Unplaced(adBreak: adBreak, reason: failure.reason))
            }
        }
        let order = entries.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.cuePoint != second.cuePoint { return first.cuePoint < second.cuePoint }
            // A break that is due for the first time goes before one that comes again.
            if first.repetition != second.repetition { return first.repetition < second.repetition }
            return first.index < second.index
        }
        entries = order.map(\.element)
    }

    /// The content positions at which something is due, each once, rising.
    public var cuePoints: [CuePoint] {
        var points: [CuePoint] = []
        for entry in entries where points.last != entry.cuePoint { points.append(entry.cuePoint) }
        return points
    }

    private struct Failure: Error {
        var reason: String
    }

    private static func cuePoint(
        of offset: TimeOffset,
        in duration: Duration?,
        hasTimes: Bool
    ) -> Result<CuePoint, Failure> {
        switch offset {
        case .start: return .success(.preroll)
        case .end: return .success(.postroll)
        case .time(let time):
            if let duration, time > duration {
                return .failure(Failure(reason: "\(ClockText.text(time)) lies behind the end of the content."))
            }
            return .success(time == .zero ? .preroll : .midroll(time))
        case .percent(let percent):
            guard let duration, let time = PlayOffset.percent(percent).position(in: duration) else {
                let text = ClockText.text(percent: percent)
                return .failure(Failure(reason: "\(text) of content of unknown length is nowhere."))
            }
            return .success(percent == 0 ? .preroll : percent == 100 ? .postroll : .midroll(time))
        case .position(let position):
            let reason =
                hasTimes
                ? "#\(position) counts only where no break has a time."
                : "#\(position) has no content position; take it at the opportunity of that number."
            return .failure(Failure(reason: reason))
        case .unreadable(let text):
            return .failure(Failure(reason: "The offset \"\(text.prefix(40))\" cannot be read."))
        }
    }

    private mutating func place(_ adBreak: AdBreak, _ index: Int, at cuePoint: CuePoint, in duration: Duration?) {
        entries.append(Entry(cuePoint: cuePoint, adBreak: adBreak, index: index, repetition: 0))
        guard case .midroll(let first) = cuePoint, let step = adBreak.repeatAfter, step > .zero, let duration else {
            return
        }
        var position = first + step
        for repetition in 1...Self.maxRepetitions where position < duration {
            entries.append(
                Entry(cuePoint: .midroll(position), adBreak: adBreak, index: index, repetition: repetition)
            )
            position += step
        }
    }
}

extension TimeOffset {
    fileprivate var isPosition: Bool {
        if case .position = self { return true }
        return false
    }

    /// The offset that says where a cue point is.
    public init(_ cuePoint: BreakSchedule.CuePoint) {
        switch cuePoint {
        case .preroll: self = .start
        case .postroll: self = .end
        case .midroll(let position): self = .time(position)
        }
    }
}

extension AdBreak {
    /// A linear break at a cue point that carries resolved ads, ready to be written.
    public init(id: String? = nil, at cuePoint: BreakSchedule.CuePoint, ads: [ResolvedAd], version: VASTVersion = .v42)
    {
        self.init(
            id: id,
            timeOffset: TimeOffset(cuePoint),
            source: AdSource(
                id: id,
                allowsMultipleAds: true,
                followsRedirects: true,
                content: .vast(VASTDocument(ads: ads, version: version))
            )
        )
    }
}
