internal import WeirModel
internal import WeirStore
internal import WeirTime

/// One URL that is owed, from the moment it is due until it is sent or given up.
struct BeaconItem: Sendable {
    /// What is owed.
    var beacon: OwedBeacon
    /// Its network.
    var network: NetworkID
    /// Its number in the store; `nil` without a store.
    var id: Int64?
    /// Told of each try that failed, and once of the end.
    var told: (@Sendable (BeaconOutcome) -> Void)?
}

/// What came of a beacon, for whoever owed it.
struct BeaconOutcome: Sendable, Hashable {
    /// The end of its way; `queued` while it waits for another try.
    var state: BeaconRecord.State
    /// The server's status.
    var status: Int?
    /// How often it was tried.
    var attempts: Int
    /// One sentence when it was not sent.
    var reason: String?
}

/// Which beacons wait, which are next, and how many there are: a pure value.
///
/// What was never tried goes first; what failed so and so often waits in a lane of its own, where the first is always the
/// first that is due. A network whose server is down thus never holds up the others.
struct BeaconLine {
    private struct Lane {
        var items: [(due: ContinuousClock.Instant, item: BeaconItem)] = []
        var head = 0

        var first: (due: ContinuousClock.Instant, item: BeaconItem)? { head < items.count ? items[head] : nil }

        mutating func removeFirst() {
            head += 1
            // Moving everything down once in a while costs less than at every step.
            guard 2 * head >= items.count else { return }
            items.removeFirst(head)
            head = 0
        }
    }

    /// Lanes beyond which a further failure changes nothing: the wait is the longest.
    private static let laneLimit = 12

    private var lanes = Array(repeating: Lane(), count: laneLimit)
    private var countOfNetwork: [NetworkID: Int] = [:]
    /// How many there are, whether they wait or are under way.
    private(set) var count = 0
    /// How many are under way.
    private(set) var underWay = 0

    /// Gives one more beacon of `network` a place, unless all are taken or the network has its share.
    mutating func reserve(for network: NetworkID, _ limits: BeaconLimits) -> Bool {
        guard count < limits.count, countOfNetwork[network, default: 0] < max(1, limits.count / 2) else { return false }
        count += 1
        countOfNetwork[network, default: 0] += 1
        return true
    }

    /// Takes one of the ways out, if one is free and nothing that waits has a better right to it.
    mutating func begin(_ limits: BeaconLimits) -> Bool {
        guard underWay < limits.atOnce, lanes[0].first == nil else { return false }
        underWay += 1
        return true
    }

    /// Puts an item with a place in line, due at `due`.
    mutating func wait(_ item: BeaconItem, until due: ContinuousClock.Instant) {
        wait(item, until: due, lane: item.beacon.tries)
    }

    /// Takes the next item that is due, and a way out for it; `nil` when there is none.
    mutating func next(at now: ContinuousClock.Instant, _ limits: BeaconLimits) -> BeaconItem? {
        guard underWay < limits.atOnce else { return nil }
        for index in lanes.indices {
            guard let (due, item) = lanes[index].first, due <= now else { continue }
            lanes[index].removeFirst()
            underWay += 1
            return item
        }
        return nil
    }

    /// When the next item that waits is due.
    var nextDue: ContinuousClock.Instant? { lanes.compactMap(\.first?.due).min() }

    /// Whether something waits that was never tried.
    var hasFresh: Bool { lanes[0].first != nil }

    /// An item is on its way no longer, and waits again; those that were never tried do not wait for it.
    mutating func pause(_ item: BeaconItem, until due: ContinuousClock.Instant) {
        underWay -= 1
        wait(item, until: due, lane: max(1, item.beacon.tries))
    }

    private mutating func wait(_ item: BeaconItem, until due: ContinuousClock.Instant, lane: Int) {
        lanes[min(lane, Self.laneLimit - 1)].items.append((due, item))
    }

    /// An item is sent or given up, and its place is free.
    mutating func end(_ network: NetworkID) {
        underWay -= 1
        count -= 1
        let left = countOfNetwork[network, default: 1] - 1
        countOfNetwork[network] = left > 0 ? left : nil
    }
}
