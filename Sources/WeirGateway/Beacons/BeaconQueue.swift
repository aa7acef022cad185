internal import WeirAdapterKit
internal import WeirModel
internal import WeirStore
internal import WeirTime

/// Sends everything that Weir owes to a URL: the beacons of sessions and the pings of errors.
///
/// **At most once.** A beacon is sent again only when its server surely has not seen it: no connection in time, no name, no
/// TLS. A server that answers, whatever the status, or that may have heard it before the connection broke, is not called again.
///
/// **Kept until then.** With a store, what is owed is committed before ``owe(_:)`` returns, and so before a session's input
/// is answered. After a restart, or after `kill -9` of another gateway on the same store, what waited is sent: the lease of
/// a gateway that is gone ends after ``lease``. What was on its way in that very moment, at most ``BeaconLimits/atOnce``, is
/// not sent again: nobody knows whether it arrived. While the store fails, what comes is sent from memory; what is kept
/// already waits, because another gateway may have taken it over.
///
/// **Bounded** in number, ways out, time and age by ``BeaconLimits``.
package final class BeaconQueue: Sendable {
    /// How long a gateway that has gone silent keeps what it owes to itself.
    package static let lease: Duration = .seconds(15)
    /// How often a lease is renewed, and others' leases are looked at.
    static let heartbeat: Duration = .seconds(5)
    /// The most pings that one answer is owed; wrappers and ads in plenty have a few each.
    static let answerLimit = 64
    /// The most rows of each kind that are put right when a store that failed works again.
    static let repairLimit = 20_000

    struct State {
        var line = BeaconLine()
        var limits = BeaconLimits()
        var isAlarmSet = false
        var isStopping = false
        /// Nothing is begun any more.
        var hasLeft = false
        var hasStoreTrouble = false
        var repairs = BeaconRepairs(limit: repairLimit)
        var sends: [Int: Task<Void, Never>] = [:]
        var lastSend = 0
    }

    let state = Lock(State())
    let clock: any GatewayClock
    let store: (any BeaconStore)?
    let observer: any GatewayObserver
    private let transport: @Sendable (NetworkID) -> any HTTPTransport
    /// Tells this run of the gateway from others on the same store.
    let owner = SessionID().text

    /// An empty queue; ``run()`` looks for what others have left.
    init(
        clock: any GatewayClock,
        store: (any BeaconStore)?,
        observer: any GatewayObserver,
        transport: @escaping @Sendable (NetworkID) -> any HTTPTransport
    ) {
        self.clock = clock
        self.store = store
        self.observer = observer
        self.transport = transport
    }

    /// How much there may be, and how long it is tried.
    package var limits: BeaconLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    /// How many wait or are under way.
    package var count: Int { state.withLock { $0.line.count } }

    // MARK: Owing

    /// Takes items, and returns when they are committed; drops those for which there is no place.
    func owe(_ items: [BeaconItem]) async {
        guard !items.isEmpty else { return }
        var taken: [BeaconItem] = []
        var dropped: [BeaconItem] = []
        state.withLock { state in
            for var item in items {
                guard state.line.reserve(for: item.network, state.limits) else {
                    dropped.append(item)
                    continue
                }
                item.beacon.isUnderWay = state.line.begin(state.limits)
                taken.append(item)
            }
        }
        for item in dropped {
            finish(item, BeaconOutcome(state: .dropped, attempts: 0, reason: "Too many beacons were waiting."))
        }
        await keep(&taken)
        let now = clock.now
        state.withLock { state in
            for item in taken where !item.beacon.isUnderWay { state.line.wait(item, until: now) }
        }
        for item in taken where item.beacon.isUnderWay { start(item) }
        startMore()
    }

    /// Owes a GET to each of `urls`, which are the errors of one answer; returns at once, so that no request waits.
    ///
    /// They are committed a moment later.
    func ping(_ urls: [String], for network: NetworkID) {
        let owed = urls.filter { !$0.isEmpty && $0 != "about:blank" }
        for _ in owed.dropFirst(Self.answerLimit) { observer.beacon(.dropped, network: network) }
        guard !owed.isEmpty else { return }
        let at = clock.wallNow
        let items = owed.prefix(Self.answerLimit).map { url in
            BeaconItem(beacon: OwedBeacon(at: at, network: network.text, url: url), network: network)
        }
        // Nobody waits for it: the request that owes the pings goes on.
        Task(executorPreference: clock.taskExecutor) { [self] in await owe(items) }
    }

    /// Owes what a promise stands for, which is taken out of the store and kept in one commit; nothing where nobody knows it.
    func redeem(
        _ name: String,
        as beacons: @escaping @Sendable (PromisedNotice) -> [OwedBeacon],
        told: (NetworkID) -> @Sendable (BeaconOutcome) -> Void
    ) async throws(StoreError) {
        let kept = try await store?.redeem(name, of: owner, lease: leaseEnd, as: beacons)
        noteStore(nil)
        guard let kept else { return }
        await take(
            kept.map { one in
                var item = BeaconItem(one)
                item.told = told(item.network)
                return item
            }
        )
    }

    /// Writes items down; those that cannot be written live in memory alone.
    private func keep(_ items: inout [BeaconItem]) async {
        guard let store, !items.isEmpty else { return }
        do throws(StoreError) {
            let ids = try await store.keep(items.map(\.beacon), of: owner, lease: leaseEnd)
            for (place, id) in zip(items.indices, ids) { items[place].id = id }
            noteStore(nil)
        } catch {
            noteStore(error)
        }
    }

    var leaseEnd: WallTime { clock.wallNow.advanced(by: Self.lease) }

    // MARK: Sending

    /// Starts as many as there are ways out for; the rest is looked at when it is due.
    func startMore() {
        while let item = state.withLock({ state -> BeaconItem? in
            if state.hasLeft || isLeaving(state) && !state.line.hasFresh { return nil }
            return state.line.next(at: clock.now, state.limits)
        }) { start(item) }
        setAlarm()
    }

    /// The task is unstructured because nobody waits for a beacon; it ends within ``BeaconLimits/patience``, or is cancelled
    /// when the gateway leaves.
    private func start(_ item: BeaconItem) {
        state.withLock { state in
            state.lastSend += 1
            let number = state.lastSend
            state.sends[number] = Task(executorPreference: clock.taskExecutor) { [self] in
                if await mayBeSent(item) { await send(item) }
                _ = self.state.withLock { $0.sends.removeValue(forKey: number) }
                startMore()
            }
        }
    }

    /// Whether it is young enough and still ours; notes that it is on its way.
    private func mayBeSent(_ item: BeaconItem) async -> Bool {
        let (age, limits) = (clock.wallNow.milliseconds - item.beacon.at.milliseconds, limits)
        guard age <= limits.age.milliseconds else {
            let reason = "It was older than \(limits.age.milliseconds / 1000) s."
            await settle(item, BeaconOutcome(state: .failed, attempts: item.beacon.tries, reason: reason))
            return false
        }
        guard let store, let id = item.id, !item.beacon.isUnderWay else { return true }
        let (wasDue, isFree) = state.withLock { ($0.repairs.waits(id), $0.repairs.begin(id)) }
        guard isFree else {
            pause(item)
            return false
        }
        do throws(StoreError) {
            if try await store.begin(id, of: owner) { return true }
            // Another gateway took us for gone and sends it; its fate is told there.
            state.withLock { $0.line.end(item.network) }
        } catch {
            // Whose it is cannot be known now, and another gateway may send it: it waits.
            noteStore(error)
            // Only a row that still says it is on its way is put right; any other may be somebody else's by then.
            if wasDue { state.withLock { $0.repairs.postpone(id, tries: item.beacon.tries) } }
            pause(item)
        }
        return false
    }

    /// An item that had a way out waits for its next try.
    private func pause(_ item: BeaconItem) {
        let now = clock.now
        state.withLock { state in
            state.line.pause(item, until: now.advanced(by: state.limits.pause(after: max(1, item.beacon.tries))))
        }
    }

    private func send(_ item: BeaconItem) async {
        var item = item
        item.beacon.tries += 1
        item.beacon.isUnderWay = false
        var request = OutboundRequest(
            url: item.beacon.url,
            headers: item.beacon.headers.map { HTTPHeader($0.name, $0.value) }
        )
        request.isCounted = true
        do throws(TransportError) {
            let reply = try await transport(item.network).send(
                request,
                deadline: .after(limits.patience, clock: clock)
            )
            await settle(item, BeaconOutcome(state: .sent, status: reply.status, attempts: item.beacon.tries))
        } catch {
            // An address that may not be reached today is no more welcome tomorrow.
            if error.mayHaveArrived || error.kind == .addressRefused {
                let outcome = BeaconOutcome(state: .failed, attempts: item.beacon.tries, reason: error.message)
                return await settle(item, outcome)
            }
            await waitAgain(item, because: error.message)
        }
    }

    private func waitAgain(_ item: BeaconItem, because reason: String) async {
        if let store, let id = item.id {
            do throws(StoreError) { try await store.postpone(id, tries: item.beacon.tries, of: owner) } catch {
                noteStore(error)
                state.withLock { $0.repairs.postpone(id, tries: item.beacon.tries) }
            }
        }
        pause(item)
        item.told?(BeaconOutcome(state: .queued, attempts: item.beacon.tries, reason: reason))
    }

    /// There is nothing more to do for an item that had a way out.
    private func settle(_ item: BeaconItem, _ outcome: BeaconOutcome) async {
        state.withLock { $0.line.end(item.network) }
        finish(item, outcome)
        await forget([item])
    }

    /// Forgets the rows of items that are sent or given up, now or when the store works again.
    func forget(_ items: [BeaconItem]) async {
        let ids = items.compactMap(\.id)
        guard let store, !ids.isEmpty else { return }
        do throws(StoreError) { try await store.forget(ids) } catch {
            noteStore(error)
            state.withLock { $0.repairs.forget(ids) }
        }
    }

    func finish(_ item: BeaconItem, _ outcome: BeaconOutcome) {
        let fate: BeaconFate =
            switch outcome.state {
            case .sent: .sent
            case .dropped: .dropped
            default: .failed
            }
        observer.beacon(fate, network: item.network)
        item.told?(outcome)
    }

    /// One task sleeps until the first that waits is due; it ends when nothing waits.
    private func setAlarm() {
        let isNeeded = state.withLock { state in
            guard !state.isAlarmSet, !state.hasLeft, !isLeaving(state), state.line.nextDue != nil else { return false }
            state.isAlarmSet = true
            return true
        }
        guard isNeeded else { return }
        Task(executorPreference: clock.taskExecutor) { [self] in
            let due = state.withLock { $0.line.nextDue } ?? clock.now
            // Nobody cancels it; an early end would only look sooner. Waiting for a free way out is no reason to spin.
            try? await clock.sleep(for: max(clock.now.duration(to: due), .milliseconds(50)))
            state.withLock { $0.isAlarmSet = false }
            startMore()
        }
    }
}
