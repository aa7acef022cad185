internal import WeirModel
internal import WeirStore

/// The billing notices that this gateway has promised and that are not in the store's hands: a pure value.
///
/// Without a store all of them are here; with one, those that are being written or could not be.
struct NoticeBook {
    /// What somebody who wants to bill an ad is told.
    enum Answer: Hashable {
        /// It is owed now, for the first time.
        case owed(PromisedNotice)
        /// It was billed before.
        case billed
        /// The store may know it.
        case unknown
    }

    private struct Entry {
        var notice: PromisedNotice
        var isBeingKept = false
        var isBilled = false
    }

    private let limit: Int
    private var entries: [RequestID: Entry] = [:]
    /// In the order in which they were promised; those that are gone stand there until they are passed.
    private var order: [RequestID] = []
    private var head = 0

    /// An empty book that holds `limit` notices.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many wait to be billed.
    var count: Int { entries.values.count { !$0.isBilled } }

    /// Promises a notice; answers the oldest one where there was no more room.
    mutating func promise(_ name: RequestID, _ notice: PromisedNotice) -> PromisedNotice? {
        entries[name] = Entry(notice: notice)
        order.append(name)
        guard order.count - head > limit else { return nil }
        let oldest = order[head]
        head += 1
        if head > 4096 {
            order.removeFirst(head)
            head = 0
        }
        guard let entry = entries.removeValue(forKey: oldest), !entry.isBilled else { return nil }
        return entry.notice
    }

    /// The notices that are to be written now.
    mutating func beginKeeping(_ names: [RequestID]) -> [PromisedNotice] {
        names.compactMap { name in
            guard entries[name]?.isBilled == false else { return nil }
            entries[name]?.isBeingKept = true
            return entries[name]?.notice
        }
    }

    /// They are written, and leave the book; answers those that were billed meanwhile and have to leave the store, too.
    ///
    /// These stay in the book until ``forget(_:)``, so that nobody bills them from the store.
    mutating func kept(_ names: [RequestID]) -> [RequestID] {
        for name in names where entries[name]?.isBilled == false { entries[name] = nil }
        return names.filter { entries[$0]?.isBilled == true }
    }

    /// They could not be written, and wait here.
    mutating func notKept(_ names: [RequestID]) {
        for name in names {
            entries[name]?.isBeingKept = false
            if entries[name]?.isBilled == true { entries[name] = nil }
        }
    }

    /// Nobody has to know of it any longer.
    mutating func forget(_ name: RequestID) { entries[name] = nil }

    /// An ad is shown.
    mutating func bill(_ name: RequestID) -> Answer {
        guard let entry = entries[name] else { return .unknown }
        if entry.isBilled { return .billed }
        if entry.isBeingKept { entries[name]?.isBilled = true } else { entries[name] = nil }
        return .owed(entry.notice)
    }
}
