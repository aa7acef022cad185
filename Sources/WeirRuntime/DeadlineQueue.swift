/// Who waits for which instant: a heap with removal by ticket.
///
/// A cancelled waiter leaves its entry behind; entries without a waiter are skipped, and swept out when they outnumber
/// the living, so the queue never grows past a small multiple of what waits.
struct DeadlineQueue<Waiter> {
    private struct Entry {
        var instant: ContinuousClock.Instant
        var ticket: UInt64

        func isBefore(_ other: Entry) -> Bool {
            instant == other.instant ? ticket < other.ticket : instant < other.instant
        }
    }

    private var heap: [Entry] = []
    private var waiters: [UInt64: Waiter] = [:]

    /// How many wait.
    var count: Int { waiters.count }

    /// Entries kept, the dead ones included.
    var storedCount: Int { heap.count }

    /// Adds a waiter under a ticket that was never used before.
    mutating func add(_ waiter: Waiter, ticket: UInt64, at instant: ContinuousClock.Instant) {
        waiters[ticket] = waiter
        heap.append(Entry(instant: instant, ticket: ticket))
        siftUp(heap.count - 1)
    }

    /// Takes a waiter out before its time; `nil` when it has gone already.
    mutating func remove(ticket: UInt64) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return nil }
        if heap.count > 64 && heap.count > 4 * waiters.count { sweep() }
        return waiter
    }

    /// The earliest instant that somebody waits for.
    mutating func earliest() -> ContinuousClock.Instant? {
        dropDead()
        return heap.first?.instant
    }

    /// The next waiter whose time has come, earliest first, equals in order of arrival.
    mutating func popDue(_ now: ContinuousClock.Instant) -> Waiter? {
        dropDead()
        guard let first = heap.first, first.instant <= now else { return nil }
        removeFirst()
        return waiters.removeValue(forKey: first.ticket)
    }

    /// Everybody, in no order.
    mutating func removeAll() -> [Waiter] {
        defer {
            heap = []
            waiters = [:]
        }
        return Array(waiters.values)
    }

    private mutating func dropDead() {
        while let first = heap.first, waiters[first.ticket] == nil { removeFirst() }
    }

    private mutating func sweep() {
        // A sorted array is a heap.
        heap = heap.filter { waiters[$0.ticket] != nil }.sorted { $0.isBefore($1) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            if !heap[child].isBefore(heap[parent]) { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
