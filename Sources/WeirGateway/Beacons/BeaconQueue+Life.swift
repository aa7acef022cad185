internal import WeirModel
internal import WeirStore
package import WeirTime

/// How the queue lives with other gateways on the same store, and leaves.
extension BeaconQueue {
    /// How long a gateway that leaves waits for the store.
    private static let farewell: Duration = .seconds(2)

    /// Renews the lease and takes over what gateways that are gone have left, until the task is cancelled.
    package func run() async {
        guard store != nil else { return }
        repeat {
            await repair()
            await takeOver()
            // A sleep fails when the task is cancelled, and with nothing else.
        } while (try? await clock.sleep(for: Self.heartbeat)) != nil
    }

    private func takeOver() async {
        guard let store else { return }
        let room = state.withLock { max(0, $0.limits.count - $0.line.count) }
        do throws(StoreError) {
            let left = try await store.takeOver(by: owner, lease: leaseEnd, now: clock.wallNow, limit: room)
            noteStore(nil)
            guard !left.waiting.isEmpty || left.cutOff > 0 else { return }
            observer.beaconsTakenOver(left.waiting.count, cutOff: left.cutOff)
            await take(left.waiting.map { BeaconItem($0) })
        } catch {
            noteStore(error)
        }
    }

    /// Puts rows right that the store could not change when they were to be changed.
    private func repair() async {
        let work = state.withLock { $0.repairs.take() }
        guard let store, !work.isEmpty else { return }
        do throws(StoreError) {
            if !work.gone.isEmpty { try await store.forget(work.gone) }
            for (id, tries) in work.waiting { try await store.postpone(id, tries: tries, of: owner) }
            state.withLock { $0.repairs.end(work, isDone: true) }
        } catch {
            noteStore(error)
            state.withLock { $0.repairs.end(work, isDone: false) }
        }
    }

    /// Takes items that are kept already; drops those for which there is no place.
    func take(_ kept: [BeaconItem]) async {
        let now = clock.now
        var crowded: [BeaconItem] = []
        state.withLock { state in
            for item in kept {
                guard state.line.reserve(for: item.network, state.limits) else {
                    crowded.append(item)
                    continue
                }
                state.line.wait(item, until: now)
            }
        }
        for item in crowded { finish(item, BeaconOutcome(state: .dropped, attempts: item.beacon.tries)) }
        startMore()
        await forget(crowded)
    }

    /// Waits until what was never tried is sent and nothing is under way, or until `deadline`; then stops what is under way
    /// and gives up the lease, so that the next gateway sends what is left.
    ///
    /// What has not reached its server by then is left, too. A store that does not answer is waited for ``farewell``.
    ///
    /// - Returns: How many were left, and whether they are kept for the next start.
    package func settle(by deadline: Deadline) async -> (left: Int, areKept: Bool) {
        state.withLock { $0.isStopping = true }
        while isBusy, !deadline.hasPassed(clock) {
            // A cancelled sleep ends at once: whoever waits has given up.
            do { try await clock.sleep(for: .milliseconds(20)) } catch { break }
        }
        _ = await race(until: .after(Self.farewell, clock: clock), clock: clock) { [self] in await leave() }
        return (count, store != nil)
    }

    private func leave() async {
        let sends = state.withLock { state in
            state.hasLeft = true
            return state.sends.values
        }
        for send in sends { send.cancel() }
        for send in sends { await send.value }
        await repair()
        if let store { do throws(StoreError) { try await store.release(owner) } catch { noteStore(error) } }
    }

    /// Whether what waits for another try is left to the next start.
    func isLeaving(_ state: State) -> Bool { state.isStopping && store != nil }

    private var isBusy: Bool {
        state.withLock { isLeaving($0) ? $0.line.underWay > 0 || $0.line.hasFresh : $0.line.count > 0 }
    }

    /// Tells of the store's trouble once, until it is over.
    func noteStore(_ error: StoreError?) {
        let isNews = state.withLock { state in
            // A gateway that leaves has closed it.
            if error?.code == .closed, state.hasLeft { return false }
            defer { state.hasStoreTrouble = error != nil }
            return error != nil && !state.hasStoreTrouble
        }
        if isNews, let error { observer.beaconTrouble(error.reason) }
    }
}

extension BeaconItem {
    /// A beacon that is kept, of which nobody here wants to be told.
    init(_ kept: KeptBeacon) {
        self.init(beacon: kept.beacon, network: NetworkID(kept.beacon.network), id: kept.id)
    }
}
