internal import WeirVAST

/// Which breaks are still to come, and which of them a move of the content position makes due.
///
/// Each entry is taken at most once. Entries that a seek passed over stay, so that playing over them again makes them due.
struct BreakPlan: Hashable, Sendable {
    /// One time that a break is due.
    struct Entry: Hashable, Sendable {
        /// Where in the content.
        var cuePoint: BreakSchedule.CuePoint
        /// Which break of the schedule, from 0.
        var index: Int
        /// 0 for the first time, more for repetitions.
        var repetition: Int

        /// Which break, and which time.
        var id: ID { ID(index: index, repetition: repetition) }

        /// A break and one of its times, wherever in the content that is.
        struct ID: Hashable, Sendable {
            var index: Int
            var repetition: Int
        }
    }

    /// What is still to come, in content order.
    private(set) var pending: [Entry] = []
    /// Why breaks cannot be placed, one sentence each; at most ``remarkLimit``.
    private(set) var unplaced: [String] = []
    private var taken: Set<Entry.ID> = []
    private var duration: Duration?

    /// The most remarks that are kept.
    static let remarkLimit = 20

    /// The breaks of `schedule` in content of `duration`; without one, percentages wait for it.
    init(_ schedule: AdSchedule, duration: Duration?) {
        place(schedule, duration: duration)
    }

    /// Places everything anew now that the duration is known; what was taken stays taken.
    mutating func place(_ schedule: AdSchedule, duration: Duration?) {
        self.duration = duration
        let placed = BreakSchedule(schedule.outline, contentDuration: duration)
        pending = placed.entries
            .map { Entry(cuePoint: $0.cuePoint, index: $0.index, repetition: $0.repetition) }
            .filter { !taken.contains($0.id) }
        unplaced = placed.unplaced.prefix(Self.remarkLimit).map(\.reason)
    }

    /// The content positions at which something is still to come, each once, rising.
    var cuePoints: [BreakSchedule.CuePoint] {
        var points: [BreakSchedule.CuePoint] = []
        for entry in pending where points.last != entry.cuePoint { points.append(entry.cuePoint) }
        return points
    }

    /// Takes what is due before the content.
    mutating func takePrerolls() -> [Entry] { take { $0.cuePoint == .preroll } }

    /// Takes what is due after the content, and forgets what is left of the rest.
    mutating func takePostrolls() -> [Entry] {
        let postrolls = take { $0.cuePoint == .postroll }
        pending = []
        return postrolls
    }

    /// Drops what is due at or before `position`, and prerolls: IMA's `playAdsAfterTime` is "strictly after".
    mutating func drop(until position: Duration) {
        _ = take { $0.cuePoint == .preroll || $0.cuePoint <= .midroll(position) }
    }

    /// Drops what comes in the middle of the content.
    mutating func dropMidrolls() {
        pending.removeAll { $0.isMidroll }
    }

    /// Takes the mid-rolls that a move from `before` to `after` makes due, in content order.
    ///
    /// Breaks at one offset belong together. When the move passes several offsets, `policy` decides which of them are due.
    mutating func takeMidrolls(from before: Duration, to after: Duration, policy: SeekPolicy) -> [Entry] {
        let passed = pending.filter { entry in
            guard case .midroll(let point) = entry.cuePoint else { return false }
            return point > before && point <= after
        }
        guard let last = passed.last?.cuePoint else { return [] }
        let wanted: [Entry] =
            switch policy {
            case .last: passed.filter { $0.cuePoint == last }
            case .all: passed
            case .none: passed.first?.cuePoint == last ? passed : []
            }
        let ids = Set(wanted.map(\.id))
        return take { ids.contains($0.id) }
    }

    /// The next mid-roll after `position`.
    func nextMidroll(after position: Duration) -> (entry: Entry, point: Duration)? {
        for entry in pending {
            if case .midroll(let point) = entry.cuePoint, point > position { return (entry, point) }
        }
        return nil
    }

    /// Places the next repetition of a break in content of unknown length, where not all can be placed at once.
    mutating func repeatAfter(_ entry: Entry, step: Duration?) {
        guard duration == nil, let step, step > .zero, case .midroll(let point) = entry.cuePoint,
            entry.repetition < BreakSchedule.maxRepetitions
        else { return }
        let next = Entry(cuePoint: .midroll(point + step), index: entry.index, repetition: entry.repetition + 1)
        guard !taken.contains(next.id), !pending.contains(next) else { return }
        let place = pending.firstIndex { $0.cuePoint > next.cuePoint } ?? pending.endIndex
        pending.insert(next, at: place)
    }

    private mutating func take(_ isTaken: (Entry) -> Bool) -> [Entry] {
        let due = pending.filter(isTaken)
        guard !due.isEmpty else { return [] }
        pending.removeAll(where: isTaken)
        taken.formUnion(due.map(\.id))
        return due
    }
}

extension BreakPlan.Entry {
    /// Whether it stands in the middle of the content.
    var isMidroll: Bool {
        if case .midroll = cuePoint { return true }
        return false
    }
}

extension BreakSchedule.CuePoint {
    /// IMA's spelling: 0 before the content, milliseconds within, -1 after it.
    var sentinel: Int64 {
        switch self {
        case .preroll: 0
        case .midroll(let position): position.playbackMilliseconds
        case .postroll: -1
        }
    }
}
