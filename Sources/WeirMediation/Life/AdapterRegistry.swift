internal import WeirAdapterKit
package import WeirModel
package import WeirTime

/// Looks after the adapters of all networks for their whole lives and tells the truth about them at any time.
///
/// All set-ups run side by side. Reading never waits: neither for a set-up nor for a tear-down.
package final class AdapterRegistry: Sendable {
    /// The most readers of ``changes()`` at once; further ones get one snapshot and the end.
    package static let maxWatchers = 64

    private let environment: HandleEnvironment
    private let state: Lock<State>
    private let watchers = Followers(limit: AdapterRegistry.maxWatchers)
    /// Held by one change at a time, so that factories run without holding up readers.
    private let changing = Lock(())
    private let initialized: InitializationFlag

    private struct State {
        var entries: [RegistryEntry] = []
        /// The adapters that are shown; the same as the line-up's until the registry is shut down.
        var handles: [NetworkID: NetworkHandle] = [:]
        var lineup: NetworkLineup
        var retiring: [ObjectIdentifier: NetworkHandle] = [:]
        var initialization: Initialization
        var isShutDown = false
    }

    /// A registry without networks.
    ///
    /// - Parameters:
    ///   - clock: The time.
    ///   - configuration: How networks are started.
    ///   - executor: Where set-ups, timers and tear-downs run; `nil` is the global pool.
    ///   - random: 0 to 1, for the jitter of retries.
    ///   - events: Told of every change; must not call back into the registry's changing calls.
    package init(
        clock: any GatewayClock,
        configuration: InitializationConfiguration = InitializationConfiguration(),
        executor: (any TaskExecutor)? = nil,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        events: @escaping @Sendable (AdapterEvent) -> Void = { _ in }
    ) {
        let relay = ChangeRelay()
        let flag = InitializationFlag()
        initialized = flag
        environment = HandleEnvironment(
            clock: clock,
            configuration: configuration,
            executor: executor,
            random: random,
            events: events,
            changed: { handle, change in relay.registry?.handleChanged(handle, change) }
        )
        let catalog = Catalog(networks: [], adUnits: [], placements: [], version: "")
        state = Lock(
            State(
                lineup: NetworkLineup(catalog: catalog, handles: [:], initialization: flag),
                initialization: Initialization(timeout: configuration.timeout)
            )
        )
        relay.connect(self)
    }

    // MARK: Reading

    /// The networks that a request arriving now may ask, with their catalogue.
    package var lineup: NetworkLineup { state.withLock { $0.lineup } }

    /// The status of all adapters as of now.
    package var snapshot: AdaptersSnapshot {
        let now = environment.clock.now
        let (handles, retiring, initialization) = state.withLock { state in
            (
                state.entries.compactMap { state.handles[$0.network.id] },
                Array(state.retiring.values),
                state.initialization.status(now: now)
            )
        }
        return AdaptersSnapshot(
            initialization: initialization,
            adapters: handles.map(\.status),
            minReady: environment.configuration.minReady,
            retiring: retiring.count,
            leftBehind: retiring.count(where: \.isLeftBehind)
        )
    }

    /// The snapshot of now, and another one after every change; a slow reader misses all but the newest.
    ///
    /// Each is made when it is read, so that none is older than the change that it tells of.
    package func changes() -> AsyncMapSequence<AsyncStream<Void>, AdaptersSnapshot> {
        let oneLook = AsyncStream<Void> { look in
            look.yield()
            look.finish()
        }
        return (watchers.join() ?? oneLook).map { [self] _ in snapshot }
    }

    /// Suspends until the initialization is complete or the task is cancelled; returns at once when it already is.
    package func waitUntilInitialized() async {
        if initialized.isComplete { return }
        for await snapshot in changes() where snapshot.initialization.isComplete { return }
    }

    // MARK: Changing

    /// Takes a configuration: the first one begins the initialization, a later one is a reload.
    ///
    /// Networks whose fingerprint is unchanged keep their running state; changed ones are set up anew, with their own
    /// time limit, while requests under way finish on the old adapter; removed ones are torn down when no request needs
    /// them any more. The new line-up holds for all requests that ask for it from now on.
    ///
    /// - Parameters:
    ///   - entries: The networks in the order of the configuration, each id once.
    ///   - catalog: What requests of this line-up are decided by.
    package func configure(_ entries: [RegistryEntry], catalog: Catalog) {
        change { before in
            var known: Set<NetworkID> = []
            let entries = entries.filter { known.insert($0.network.id).inserted }
            let old = Dictionary(before.entries.map { ($0.network.id, $0.fingerprint) }) { first, _ in first }
            var handles: [NetworkID: NetworkHandle] = [:]
            for entry in entries {
                let id = entry.network.id
                let running = old[id] == entry.fingerprint ? before.handles[id] : nil
                handles[id] = running ?? handle(for: entry)
            }
            return Arrangement(entries: entries, handles: handles, catalog: catalog)
        }
    }

    /// Gives a network a new adapter and sets it up; the old one is torn down when no request needs it any more.
    ///
    /// A disabled network stays disabled.
    ///
    /// - Returns: Whether there is such a network.
    @discardableResult
    package func restart(_ network: NetworkID) -> Bool {
        replace(network) { entry, old in old.adapter == nil ? old : handle(for: entry, isEnabled: true) }
    }

    /// Starts a network that an operator, the configuration or a crash loop has disabled; a running one is left alone.
    ///
    /// - Returns: Whether there is such a network.
    @discardableResult
    package func enable(_ network: NetworkID) -> Bool {
        replace(network) { entry, old in old.isDisabled ? handle(for: entry, isEnabled: true) : old }
    }

    /// Stops asking a network until it is enabled again or its entry changes.
    ///
    /// - Returns: Whether there is such a network.
    @discardableResult
    package func disable(_ network: NetworkID) -> Bool {
        replace(network) { entry, old in old.adapter == nil ? old : handle(for: entry, without: .byOperator) }
    }

    /// Ends all adapters and waits for them; the registry takes no configuration any more.
    ///
    /// - Returns: How many had not ended when the deadline came.
    @discardableResult
    package func shutDown(_ deadline: Deadline) async -> Int {
        change { before in
            Arrangement(entries: before.entries, handles: [:], catalog: before.catalog, isShutDown: true)
        }
        _ = await race(until: deadline, clock: environment.clock) { [self] in
            for await snapshot in changes() where snapshot.retiring == 0 { return }
        }
        return state.withLock { $0.retiring.count }
    }
}

// MARK: Changes

extension AdapterRegistry {
    /// Which networks there are, and who speaks for them.
    private struct Arrangement {
        var entries: [RegistryEntry]
        var handles: [NetworkID: NetworkHandle]
        var catalog: Catalog
        var isShutDown = false
    }

    private func replace(
        _ network: NetworkID,
        by replacement: (RegistryEntry, NetworkHandle) -> NetworkHandle
    ) -> Bool {
        change { before in
            guard let entry = before.entries.first(where: { $0.network.id == network }),
                let old = before.handles[network]
            else { return nil }
            var after = before
            after.handles[network] = replacement(entry, old)
            return after
        }
    }

    /// Makes the new arrangement that of the registry: starts who is new in it, retires who is missing.
    ///
    /// - Returns: Whether there was anything to arrange.
    @discardableResult
    private func change(_ arrange: (Arrangement) -> Arrangement?) -> Bool {
        let isChanged = changing.withLock { _ in
            let before = state.withLock { state in
                state.isShutDown
                    ? nil
                    : Arrangement(entries: state.entries, handles: state.handles, catalog: state.lineup.catalog)
            }
            guard let before, let after = arrange(before) else { return false }
            let kept = Set(after.handles.values.map(ObjectIdentifier.init))
            let retired = before.handles.values.filter { !kept.contains(ObjectIdentifier($0)) }
            let present = Set(before.handles.values.map(ObjectIdentifier.init))
            let lineup = NetworkLineup(catalog: after.catalog, handles: after.handles, initialization: initialized)
            // The old line-up must be let go outside the lock: with it the last hold on its handles may go.
            let (old, isInitialized) = install(after, lineup, retired)
            for handle in after.handles.values where !present.contains(ObjectIdentifier(handle)) { handle.start() }
            for handle in retired { handle.retire() }
            withExtendedLifetime(old) {}
            if isInitialized { announceInitialization() }
            return true
        }
        if isChanged { watchers.ring() }
        return isChanged
    }

    private func install(
        _ arrangement: Arrangement,
        _ lineup: NetworkLineup,
        _ retired: [NetworkHandle]
    ) -> (old: NetworkLineup, isInitialized: Bool) {
        let now = environment.clock.now
        let wall = environment.clock.wallNow
        return state.withLock { state in
            let old = state.lineup
            state.lineup = lineup
            state.entries = arrangement.entries
            if !arrangement.isShutDown { state.handles = arrangement.handles }
            state.isShutDown = arrangement.isShutDown
            for handle in retired where handle.adapter != nil { state.retiring[ObjectIdentifier(handle)] = handle }
            let starting = arrangement.entries.map(\.network.id).filter { arrangement.handles[$0]?.adapter != nil }
            let isInitialized = state.initialization.begin(starting, now: now, wall: wall)
            if isInitialized { initialized.complete() }
            return (old, isInitialized)
        }
    }

    private func handle(for entry: RegistryEntry, isEnabled: Bool? = nil) -> NetworkHandle {
        switch entry.source {
        case .unavailable(let why): return handle(for: entry, without: why)
        case .adapter(let descriptor, let make):
            guard isEnabled ?? entry.network.isEnabled else { return handle(for: entry, without: .byConfiguration) }
            do throws(SettingsError) {
                return NetworkHandle(
                    network: entry.network,
                    carrier: entry.carrier,
                    adapter: try make(),
                    descriptor: descriptor,
                    unavailability: nil,
                    environment: environment
                )
            } catch {
                return handle(for: entry, without: .badSettings(error))
            }
        }
    }

    private func handle(for entry: RegistryEntry, without reason: Unavailability) -> NetworkHandle {
        var descriptor: AdapterDescriptor?
        if case .adapter(let known, _) = entry.source { descriptor = known }
        return NetworkHandle(
            network: entry.network,
            carrier: entry.carrier,
            adapter: nil,
            descriptor: descriptor,
            unavailability: reason,
            environment: environment
        )
    }

    // MARK: News

    private func handleChanged(_ handle: NetworkHandle, _ change: HandleChange) {
        if change.from != change.to { environment.events(.stateChanged(from: change.from, to: handle.status)) }
        let now = environment.clock.now
        let wall = environment.clock.wallNow
        let isInitialized = state.withLock { state in
            if change.isStopped { state.retiring[ObjectIdentifier(handle)] = nil }
            guard change.from == .starting, change.to != .starting else { return false }
            let isInitialized = state.initialization.settle(
                handle.network.id,
                isTimedOut: change.to == .timedOut,
                now: now,
                wall: wall
            )
            if isInitialized { initialized.complete() }
            return isInitialized
        }
        if isInitialized { announceInitialization() }
        watchers.ring()
    }

    private func announceInitialization() {
        let now = environment.clock.now
        environment.events(.initialized(state.withLock { $0.initialization.status(now: now) }))
    }
}

/// Leads handles to their registry, which does not exist yet when their environment is made.
private final class ChangeRelay: Sendable {
    private struct Target {
        weak var registry: AdapterRegistry?
    }

    private let target = Lock(Target())

    var registry: AdapterRegistry? { target.withLock { $0.registry } }

    func connect(_ registry: AdapterRegistry) {
        target.withLock { $0.registry = registry }
    }
}
