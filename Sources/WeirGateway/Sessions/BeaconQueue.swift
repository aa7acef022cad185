internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// Sends the beacons of sessions: each URL once, again only when the network failed, never in a request's way.
///
/// Bounded twice: at most ``atOnce`` are under way and ``waitingLimit`` wait; what comes on top is dropped and told so.
final class BeaconQueue: Sendable {
    /// The most beacons under way at once.
    static let atOnce = 128
    /// The most that wait.
    static let waitingLimit = 20_000
    /// How long one try may take.
    static let patience: Duration = .seconds(5)
    /// How long to wait before each try again, after the network failed; an answer of any status is an answer.
    static let pauses: [Duration] = [.seconds(1), .seconds(4)]

    /// One URL that is owed.
    struct Item: Sendable {
        var url: String
        var headers: [HTTPHeader]
        var network: NetworkID
        var transport: any HTTPTransport
        /// Told once, when there is nothing more to do.
        var done: @Sendable (Fate) -> Void
    }

    /// What came of an item.
    struct Fate: Sendable {
        var state: BeaconRecord.State
        var status: Int?
        var attempts: Int
        var reason: String?
    }

    private struct State {
        var waiting: [Item] = []
        var head = 0
        var underWay = 0
    }

    private let state = Lock(State())
    private let clock: any GatewayClock
    private let observer: any GatewayObserver

    init(clock: any GatewayClock, observer: any GatewayObserver) {
        self.clock = clock
        self.observer = observer
    }

    /// Takes an item; drops it when too many wait.
    func add(_ item: Item) {
        let isTaken = state.withLock { state in
            guard state.waiting.count - state.head < Self.waitingLimit else { return false }
            state.waiting.append(item)
            return true
        }
        guard isTaken else {
            observer.beacon(.dropped, network: item.network)
            // Later, because whoever owes it may hold a lock that `done` takes.
            Task { item.done(Fate(state: .dropped, attempts: 0, reason: "Too many beacons were waiting.")) }
            return
        }
        startWorkers()
    }

    /// How many wait or are under way.
    var count: Int { state.withLock { $0.waiting.count - $0.head + $0.underWay } }

    /// Tasks are unstructured because nobody waits for a beacon; each ends when nothing is left to send.
    private func startWorkers() {
        while beginWork() {
            Task(executorPreference: clock.taskExecutor) { [self] in
                while let item = next() { await send(item) }
            }
        }
    }

    private func beginWork() -> Bool {
        state.withLock { state in
            guard state.underWay < Self.atOnce, state.underWay < state.waiting.count - state.head else { return false }
            state.underWay += 1
            return true
        }
    }

    /// The next item, or `nil` and one worker less.
    private func next() -> Item? {
        state.withLock { state in
            guard state.head < state.waiting.count else {
                state.waiting.removeAll()
                state.head = 0
                state.underWay -= 1
                return nil
            }
            defer {
                state.head += 1
                // Moving everything down once in a while costs less than at every step.
                if state.head > 1024 {
                    state.waiting.removeFirst(state.head)
                    state.head = 0
                }
            }
            return state.waiting[state.head]
        }
    }

    private func send(_ item: Item) async {
        for attempt in 1...(Self.pauses.count + 1) {
            do {
                let reply = try await item.transport.send(
                    OutboundRequest(url: item.url, headers: item.headers),
                    deadline: .after(Self.patience, clock: clock)
                )
                observer.beacon(.sent, network: item.network)
                return item.done(Fate(state: .sent, status: reply.status, attempts: attempt))
            } catch {
                let isLast = attempt > Self.pauses.count || !error.kind.isWorthTryingAgain
                if isLast {
                    observer.beacon(.failed, network: item.network)
                    return item.done(Fate(state: .failed, attempts: attempt, reason: error.message))
                }
                // Nobody cancels these tasks; an early end would only try again sooner.
                try? await clock.sleep(for: Self.pauses[attempt - 1])
            }
        }
    }
}

extension TransportError.Kind {
    /// Whether the server surely has not counted the beacon: then, and only then, it may be sent again.
    fileprivate var isWorthTryingAgain: Bool {
        switch self {
        case .connectionRefused, .dns, .tls, .saturated: true
        case .timeout, .addressRefused, .tooLarge, .cancelled, .reset, .badEncoding: false
        }
    }
}
