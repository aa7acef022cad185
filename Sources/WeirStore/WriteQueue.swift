internal import WeirTime

/// What waits to be written, and the arithmetic of what was: a pure value, so that it can be tested without a disk.
///
/// Records are *in hand* while a transaction tries to write them; after a failure they stay in hand and are tried again.
/// When the bounds are reached the newest record is lost, for the older ones may explain what is going on.
struct WriteQueue {
    private let configuration: StoreConfiguration
    private var waiting: [DecisionRecord] = []
    private(set) var inHand: [DecisionRecord] = []
    private var bytes = 0
    private var bytesInHand = 0

    /// Records taken in since the beginning.
    private(set) var accepted = 0

    /// Of those, how many are written or lost.
    private(set) var settled = 0

    /// How many were lost since the last report.
    private(set) var unreported = 0

    private(set) var status = StoreStatus()

    init(_ configuration: StoreConfiguration) {
        self.configuration = configuration
    }

    /// Whether records came in that are not in hand yet.
    var hasWaiting: Bool { !waiting.isEmpty }

    /// What became of an offered record.
    enum Outcome: Hashable {
        /// It is the first to wait; somebody should be told.
        case first
        case queued
        /// The first loss since the last report; somebody should be told.
        case firstLoss
        case lost
    }

    /// Takes a record in, or loses it.
    mutating func offer(_ record: DecisionRecord) -> Outcome {
        let size = record.size
        guard waiting.count + inHand.count < configuration.queuedRecords, size <= configuration.recordBytes,
            bytes + size <= configuration.queuedBytes
        else { return lose() }
        waiting.append(record)
        bytes += size
        accepted += 1
        status.queued += 1
        return waiting.count == 1 ? .first : .queued
    }

    /// Loses a record that was never taken in.
    mutating func lose() -> Outcome {
        status.lost += 1
        unreported += 1
        return unreported == 1 ? .firstLoss : .lost
    }

    /// The records to write now: those in hand from a failed try, else all that wait.
    mutating func take() -> [DecisionRecord] {
        if inHand.isEmpty {
            swap(&inHand, &waiting)
            bytesInHand = bytes
        }
        return inHand
    }

    /// The records in hand are written, but for `refused` ones that the database will never take.
    mutating func succeed(refused: Int) {
        status.written += inHand.count - refused
        status.lost += refused
        unreported += refused
        status.failingSince = nil
        settle()
    }

    /// The records in hand could not be written and stay in hand.
    mutating func fail(_ reason: String, at now: WallTime) {
        status.lastError = reason
        if status.isHealthy { status.failingSince = now }
    }

    /// The database's file is gone, or another one; answers whether that is news.
    mutating func misplace(at now: WallTime) -> Bool {
        guard status.misplacedSince == nil else { return false }
        status.misplacedSince = now
        return true
    }

    /// Gives up on everything that waits.
    mutating func abandon() {
        inHand += waiting
        waiting = []
        bytesInHand = bytes
        status.lost += inHand.count
        unreported += inHand.count
        settle()
    }

    /// How many were lost since the last call.
    mutating func takeReport() -> Int {
        defer { unreported = 0 }
        return unreported
    }

    private mutating func settle() {
        settled += inHand.count
        status.queued -= inHand.count
        bytes -= bytesInHand
        bytesInHand = 0
        inHand = []
    }
}
