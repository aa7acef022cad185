package import WeirAdapterKit
package import WeirModel
package import WeirTime

/// One network's adapter while it lives: its state, its breaker, and the loads under way.
///
/// A reload or a restart makes a new handle; requests that began with the old one finish on it.
package final class NetworkHandle: Sendable {
    /// The network as configured.
    package let network: Network
    /// Its adapter; `nil` when there is none to ask.
    package let adapter: (any NetworkAdapter)?
    /// What the adapter says about itself; a process may say it only once it runs.
    package var descriptor: AdapterDescriptor? { adapter?.descriptor ?? kind }
    /// How the adapter's code got here.
    package let carrier: AdapterCarrier
    /// Whether the transport, or the adapter's supervisor, enforces the deadline of its loads, so that nobody needs to
    /// race them.
    package let isBoundedByTransport: Bool

    /// The most loads of one network that were given up and run on; beyond it the network is `saturated`.
    package static let maxLoadsLeftBehind = 256

    /// Why there is no adapter; `nil` when there is one.
    private let absence: Unavailability?
    private let kind: AdapterDescriptor?
    private let environment: HandleEnvironment
    private let state: Lock<State>

    private struct State {
        var life: AdapterLife
        /// By placement, because a network may fail for one and serve another; those without a failure are not kept.
        var breakers: [PlacementID: Breaker] = [:]
        var progress = SetUpProgress()
        var setUp: Task<Void, Never>?
        var timers: [AdapterLife.Timer: Task<Void, Never>] = [:]
        var inFlight = 0
        var loadsLeftBehind = 0
        /// How many line-ups list this handle; requests hold line-ups, so it must outlive them.
        var lineups = 0

        /// Whether the adapter is wanted no more and no request is under way or may begin.
        var isDrained: Bool { life.state == .draining && inFlight == 0 && lineups == 0 }
    }

    init(
        network: Network,
        carrier: AdapterCarrier,
        adapter: (any NetworkAdapter)?,
        descriptor: AdapterDescriptor?,
        unavailability: Unavailability?,
        environment: HandleEnvironment
    ) {
        self.network = network
        self.carrier = carrier
        self.adapter = adapter
        kind = descriptor
        absence = unavailability
        self.environment = environment
        isBoundedByTransport = adapter is any HTTPAdapter || adapter is any SupervisedAdapter
        state = Lock(
            State(
                life: AdapterLife(configuration: environment.configuration)
            )
        )
        (adapter as? any SupervisedAdapter)?.observe { [weak self] in self?.handle(.crashed($0)) }
    }

    // MARK: Reading

    /// Where the adapter stands.
    package var adapterState: AdapterState {
        state.withLock { current($0) }
    }

    /// Whether a cancelled set-up runs on.
    var isLeftBehind: Bool { state.withLock { $0.life.isLeftBehind } }

    /// Everything there is to know, as of now.
    package var status: AdapterStatus {
        let now = environment.clock.now
        let wall = environment.clock.wallNow
        return state.withLock { state in
            let life = state.life
            let sentence = sentence(life, state, now)
            return AdapterStatus(
                network: network.id,
                adapter: descriptor?.kind ?? network.adapter,
                adapterVersion: descriptor?.version,
                api: descriptor?.api,
                carrier: carrier,
                state: current(state),
                description: sentence.description,
                remedy: sentence.remedy,
                latency: life.latency,
                startedAt: life.startedAt,
                readyAt: life.readyAt,
                isLate: life.isLate,
                attempts: life.attempts,
                lastError: life.failure?.reason,
                breaker: .worst(of: breakers(state, now, wall).map(\.status)),
                breakers: breakers(state, now, wall),
                formats: descriptor?.formats ?? [],
                inFlight: state.inFlight
            )
        }
    }

    /// Those that are not closed, by placement.
    private func breakers(_ state: State, _ now: ContinuousClock.Instant, _ wall: WallTime) -> [PlacementBreaker] {
        state.breakers.map { PlacementBreaker(placement: $0.key, status: $0.value.status(now: now, wall: wall)) }
            .filter { $0.status.state != .closed }
            .sorted { $0.placement < $1.placement }
    }

    private func breaker(_ placement: PlacementID, _ state: State) -> Breaker {
        state.breakers[placement] ?? Breaker(policy: network.breaker)
    }

    /// A network without an adapter has no life to speak of.
    private func current(_ state: State) -> AdapterState { absence == nil ? state.life.state : .disabled }

    private func unavailability(_ state: State) -> Unavailability? { absence ?? state.life.unavailability }

    /// Whether it is asked no more until somebody starts it again.
    var isDisabled: Bool { adapterState == .disabled }

    private func sentence(_ life: AdapterLife, _ state: State, _ now: ContinuousClock.Instant) -> AdapterSentence {
        if let unavailability = unavailability(state) {
            return AdapterSentence(unavailability, network: network.id)
        }
        return AdapterSentence(
            network: network.id,
            life: life,
            note: state.progress.note,
            inFlight: state.inFlight,
            timeout: environment.configuration.timeout,
            now: now
        )
    }

    /// What a plan for a placement needs to know, as of now.
    package func facts(for placement: PlacementID) -> NetworkFacts {
        let now = environment.clock.now
        return state.withLock { state in
            var retryAt: WallTime?
            if case .leaveAlone(let instant) = breaker(placement, state).answer(now: now) {
                retryAt = environment.clock.wallNow.advanced(by: now.duration(to: instant))
            }
            return NetworkFacts(
                adapter: descriptor?.kind ?? network.adapter,
                adapterVersion: descriptor?.version,
                state: current(state),
                unavailability: unavailability(state),
                formats: descriptor?.formats ?? [],
                asksBeforeReady: network.asksBeforeReady,
                timeout: network.timeout,
                breakerRetryAt: retryAt,
                isSaturated: isSaturated(state)
            )
        }
    }

    private func isSaturated(_ state: State) -> Bool {
        state.inFlight >= network.maxInFlight ?? .max || state.loadsLeftBehind >= Self.maxLoadsLeftBehind
    }

    // MARK: Loads

    /// What a handle says to a request that wants to ask.
    package enum Admission: Sendable, Hashable {
        case ask(Breaker.Permit)
        case refuse(AttemptOutcome, retryAt: WallTime?)
    }

    /// Asks for leave to load; an `ask` is paid back with ``loadEnded(wasLeftBehind:)`` and ``record(_:_:for:)``.
    package func admit(for placement: PlacementID) -> Admission {
        let now = environment.clock.now
        return state.withLock { state in
            if state.life.state == .stopped {
                return .refuse(AttemptOutcome(.skipped, .notReady, "\(network.id) has been stopped."), retryAt: nil)
            }
            if isSaturated(state) {
                return .refuse(.saturated(network.id), retryAt: nil)
            }
            var breaker = breaker(placement, state)
            switch breaker.admit(now: now) {
            case .ask(let permit):
                if permit == .trial { state.breakers[placement] = breaker }
                state.inFlight += 1
                return .ask(permit)
            case .leaveAlone(let instant):
                let retryAt = environment.clock.wallNow.advanced(by: now.duration(to: instant))
                return .refuse(.circuitOpen(network.id, retryAt: retryAt), retryAt: retryAt)
            }
        }
    }

    /// Tells the placement's breaker what came of an attempt.
    package func record(_ permit: Breaker.Permit, _ verdict: Breaker.Verdict, for placement: PlacementID) {
        let now = environment.clock.now
        state.withLock { state in
            // Most attempts are healthy answers of a network that never failed.
            guard verdict == .broken || state.breakers[placement] != nil else { return }
            var breaker = breaker(placement, state)
            breaker.record(permit, verdict, now: now)
            state.breakers[placement] = breaker.isUntouched ? nil : breaker
        }
    }

    /// Says that a load was given up but may run on.
    package func loadLeftBehind() {
        state.withLock { $0.loadsLeftBehind += 1 }
    }

    /// Says that a load really ended.
    package func loadEnded(wasLeftBehind: Bool) {
        let isDrained = state.withLock { state in
            state.inFlight -= 1
            if wasLeftBehind { state.loadsLeftBehind -= 1 }
            return state.isDrained
        }
        if isDrained { handle(.drained) }
    }

    func joinLineup() {
        state.withLock { $0.lineups += 1 }
    }

    func leaveLineup() {
        let isDrained = state.withLock { state in
            state.lineups -= 1
            return state.isDrained
        }
        if isDrained { handle(.drained) }
    }

    // MARK: Life

    /// Begins the set-up; nothing happens when there is no adapter.
    func start() {
        if adapter != nil { handle(.start) }
    }

    /// Ends the life: once no request needs it any more, the adapter is torn down.
    func retire() {
        handle(.retire)
        if state.withLock({ $0.isDrained }) { handle(.drained) }
    }

    private func handle(_ event: AdapterLife.Event) {
        let now = environment.clock.now
        let wall = environment.clock.wallNow
        let chance = environment.random()
        var needless: [Task<Void, Never>] = []
        let change = state.withLock { state in
            let before = current(state)
            let wasStopped = state.life.state == .stopped
            let wasLeftBehind = state.life.isLeftBehind
            for command in state.life.handle(event, now: now, wall: wall, chance: chance) {
                // Tasks are started under the lock, so that no later command can overtake them.
                perform(command, &state, &needless)
            }
            return HandleChange(
                from: before,
                to: current(state),
                isNewlyLeftBehind: state.life.isLeftBehind && !wasLeftBehind,
                isStopped: state.life.state == .stopped && !wasStopped
            )
        }
        for task in needless { task.cancel() }
        if change.isNewlyLeftBehind { environment.events(.setUpLeftBehind(network.id)) }
        if change.from != change.to || change.isNewlyLeftBehind || change.isStopped {
            environment.changed(self, change)
        }
    }

    /// `needless` gets the tasks that are to be cancelled when the lock has been left.
    private func perform(_ command: AdapterLife.Command, _ state: inout State, _ needless: inout [Task<Void, Never>]) {
        switch command {
        case .setUp: state.setUp = setUpTask(progress: renewed(&state))
        case .cancelSetUp: if let setUp = state.setUp { needless.append(setUp) }
        case .start(let timer, let instant):
            let task = timerTask(timer, instant)
            if let before = state.timers.updateValue(task, forKey: timer) { needless.append(before) }
        case .cancel(let timer):
            if let before = state.timers.removeValue(forKey: timer) { needless.append(before) }
        case .tearDown: tearDownTask()
        }
    }

    private func renewed(_ state: inout State) -> SetUpProgress {
        state.progress = SetUpProgress()
        return state.progress
    }

    /// Unstructured, because a set-up outlives the call that began it and may ignore cancellation.
    private func setUpTask(progress: SetUpProgress) -> Task<Void, Never>? {
        guard let adapter else { return nil }
        return Task(executorPreference: environment.executor) {
            do throws(SetUpFailure) {
                try await adapter.setUp(progress)
                self.handle(.setUpEnded(.success(progress.note)))
            } catch {
                self.handle(.setUpEnded(.failure(error)))
            }
        }
    }

    /// Unstructured: a timer of the handle's life, cancelled when the life has no more use for it.
    private func timerTask(_ timer: AdapterLife.Timer, _ instant: ContinuousClock.Instant) -> Task<Void, Never> {
        let clock = environment.clock
        return Task(executorPreference: environment.executor) { [weak self] in
            do { try await clock.sleep(until: instant) } catch { return }
            self?.handle(.timer(timer))
        }
    }

    /// Unstructured: the last thing a handle does, nobody waits for it but ``AdapterRegistry/shutDown(_:)``.
    private func tearDownTask() {
        guard let adapter else { return }
        let environment = environment
        _ = Task(executorPreference: environment.executor) {
            let deadline = Deadline.after(InitializationConfiguration.tearDownPatience, clock: environment.clock)
            let ended: Bool? = await race(until: deadline, clock: environment.clock) {
                await adapter.tearDown()
                return true
            }
            if ended == nil { environment.events(.tearDownLeftBehind(self.network.id)) }
            self.handle(.tornDown)
        }
    }
}
