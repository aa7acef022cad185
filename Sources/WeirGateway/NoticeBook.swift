internal import WeirModel
internal import WeirStore
internal import WeirTime

/// The billing notices that this gateway has promised and that are not in the store's hands: a pure value.
///
/// Without a store all of them are here; with one, those that are being written or could not be. As soon as the store may
/// hold one, the store alone says who bills it, because other gateways ask it as well.
struct NoticeBook {
    /// What somebody who wants to bill an ad is told.
    enum Answer: Hashable {
        /// It is owed now, for the first time.
        case owed(PromisedNotice)
        /// It is being written down; whoever takes it out of the store then has to pay.
        case waiting
        /// The store may know it.
        case unknown
    }

    private struct Entry {
        var notice: PromisedNotice
        var isBeingKept = false
        /// Who wants it billed as soon as it is written; the first has the time that counts.
        var shown: ShownAd?
    }

    private let limit: Int
    private var entries: [RequestID: Entry] = [:]
    /// In the order in which they were promised; those that are gone stand there until they are the most.
    private var order: [RequestID] = []
    private var head = 0
    private static let slack = 64

    /// An empty book that holds `limit` notices.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many wait to be billed.
    var count: Int { entries.count }

    /// Promises a notice; answers the oldest one where there was no more room.
    mutating func promise(_ name: RequestID, _ notice: PromisedNotice) -> PromisedNotice? {
        entries[name] = Entry(notice: notice)
        order.append(name)
        tidy()
        guard entries.count > limit else { return nil }
        while head < order.count {
            head += 1
            if let oldest = entries.removeValue(forKey: order[head - 1]) { return oldest.notice }
        }
        return nil
    }

    /// Leaves those out that are gone, once they are the most: with a store nearly all of them go at once.
    private mutating func tidy() {
        guard order.count > 2 * entries.count + Self.slack else { return }
        order = order[head...].filter { entries[$0] != nil }
        head = 0
    }

    /// The notices that are to be written now.
    mutating func beginKeeping(_ names: [RequestID]) -> [PromisedNotice] {
        names.compactMap { name in
            guard entries[name]?.isBeingKept == false else { return nil }
            entries[name]?.isBeingKept = true
            return entries[name]?.notice
        }
    }

    /// They are written, and leave the book; answers the ads that were shown meanwhile and are to be billed from the store.
    mutating func kept(_ names: [RequestID]) -> [ShownAd] {
        names.compactMap { entries.removeValue(forKey: $0)?.shown }
    }

    /// They could not be written, and wait here; answers those that were shown meanwhile and are owed now.
    mutating func notKept(_ names: [RequestID]) -> [(notice: PromisedNotice, ad: ShownAd)] {
        names.compactMap { name in
            entries[name]?.isBeingKept = false
            guard let ad = entries[name]?.shown, let entry = entries.removeValue(forKey: name) else { return nil }
            return (entry.notice, ad)
        }
    }

    /// An ad is shown.
    mutating func bill(_ ad: ShownAd) -> Answer {
        guard let entry = entries[ad.name] else { return .unknown }
        guard entry.isBeingKept else {
            entries[ad.name] = nil
            return .owed(entry.notice)
        }
        entries[ad.name]?.shown = entry.shown?.joined(by: ad) ?? ad
        return .waiting
    }
}
