/// Rows of the store that say what is no longer so, because it failed when they were to be changed: a pure value.
///
/// They are put right with the next heartbeat. Until then a row that is to be forgotten might be sent again after a
/// restart, and one that waits might be lost.
struct BeaconRepairs {
    /// What is to be done now.
    struct Work {
        /// Rows of beacons that are sent or given up.
        var gone: [Int64] = []
        /// Rows of beacons that wait, with their tries.
        var waiting: [Int64: Int] = [:]

        /// Whether there is nothing to do.
        var isEmpty: Bool { gone.isEmpty && waiting.isEmpty }
    }

    private let limit: Int
    private var due = Work()
    /// Rows that are being put right in this moment.
    private var busy: Set<Int64> = []

    /// None; at most `limit` of each kind are remembered.
    init(limit: Int) {
        self.limit = limit
    }

    /// Beacons are sent or given up, and their rows are still there.
    mutating func forget(_ ids: [Int64]) {
        for id in ids { due.waiting[id] = nil }
        due.gone += ids.prefix(max(0, limit - due.gone.count))
    }

    /// A beacon waits, and its row says that it is on its way.
    mutating func postpone(_ id: Int64, tries: Int) {
        guard due.waiting[id] != nil || due.waiting.count < limit else { return }
        due.waiting[id] = tries
    }

    /// Whether a row is to be put right because its beacon waits.
    func waits(_ id: Int64) -> Bool { due.waiting[id] != nil }

    /// A waiting beacon is to be sent: answers `false` while its row is being put right, which would undo what is noted now.
    mutating func begin(_ id: Int64) -> Bool {
        guard !busy.contains(id) else { return false }
        due.waiting[id] = nil
        return true
    }

    /// What is to be done now, until it is ``end(_:)``ed.
    mutating func take() -> Work {
        defer { due = Work() }
        busy = Set(due.waiting.keys)
        return due
    }

    /// It is done, or has failed and is to be done again.
    mutating func end(_ work: Work, isDone: Bool) {
        busy = []
        guard !isDone else { return }
        forget(work.gone)
        let gone = Set(due.gone)
        for (id, tries) in work.waiting where !gone.contains(id) && due.waiting[id] == nil {
            postpone(id, tries: tries)
        }
    }
}
