internal import WeirAPI
internal import WeirConfig
internal import WeirGateway
internal import WeirHTTP
internal import WeirMediation
internal import WeirRewards
internal import WeirRuntime
internal import WeirStore
internal import WeirTelemetry
internal import WeirTime

/// A running gateway: event loops, adapters, listeners, store.
///
/// The order of construction is the order of dependency; ``drain()`` takes it down in reverse.
final class GatewayServer: Sendable {
    /// Something that keeps the gateway from starting: one clear line.
    struct StartFailure: Error, Sendable {
        var message: String
    }

    let clock = RuntimeClock()
    let loops: EventLoopGroup
    let adapters: AdapterRegistry
    let telemetry: Telemetry
    let desk: ConfigurationDesk
    let publicAddress: String
    let adminAddress: String

    let settings: ServerSettings
    private let clients: HTTPClientPool
    private let store: any DecisionStore
    private let rewarding: Task<Void, Never>
    private let servers: [HTTPServer]
    private let draining: Flag
    private let beacons: BeaconQueue
    private let notices: NoticeDesk
    private let sessionClock: Task<Void, Never>
    private let watching: Task<Void, Never>
    private let beaconKeeper: Task<Void, Never>

    /// Starts a gateway; when this returns, both listeners answer and the adapters are being set up.
    ///
    /// - Throws: ``StartFailure``, with everything that had been started stopped again.
    init(
        _ configuration: WeirConfiguration,
        desk: ConfigurationDesk,
        telemetry: Telemetry
    ) async throws(StartFailure) {
        settings = configuration.server
        self.telemetry = telemetry
        self.desk = desk
        let sockets = try Sockets(settings)
        publicAddress = sockets.publicAddress
        adminAddress = sockets.adminAddress
        let keyring: KeyringKeeper
        let rewardStore: any RewardStore
        let beaconStore: any BeaconStore
        do {
            loops = try EventLoopGroup(count: sockets.publicSockets.count)
            let opened = try StoreURL(configuration.storageURL).open(clock: clock, notice: telemetry.storeNotice)
            (store, rewardStore, beaconStore) = (opened, opened, opened)
            keyring = try KeyringKeeper.open(configuration, clock: clock)
        } catch let failure as KeyringFile.Failure {
            sockets.close()
            throw StartFailure(message: failure.message)
        } catch {
            sockets.close()
            throw StartFailure(message: "\(error)")
        }
        clients = HTTPClientPool(group: loops, clock: clock)
        adapters = AdapterRegistry(
            clock: clock,
            configuration: InitializationConfiguration(configuration.initialization),
            executor: loops.loops[0],
            events: telemetry.adapterEvent
        )
        draining = Flag()
        let tokens = PresentationSigner(key: keyring.current.tokenKey)
        let rewards = RewardDesk(
            store: rewardStore,
            tokens: tokens,
            keyring: keyring,
            clock: clock,
            observer: RewardTelemetry(telemetry.metrics, logger: telemetry.logger, clock: clock)
        )
        let assembly = Assembly(
            clock: clock,
            loops: loops,
            clients: clients,
            transports: Transports(clients),
            gate: RequestGate(limit: settings.maxInFlight),
            adapters: adapters,
            store: store,
            beaconStore: beaconStore,
            tokens: tokens,
            rewards: rewards,
            telemetry: telemetry,
            desk: desk,
            draining: draining
        )
        telemetry.observe(adapters: adapters, store: store)
        telemetry.observe(rates: desk)
        let services = assembly.services(configuration)
        let api = API(services)
        let gateway = services.gateway
        let (sessions, beacons) = (gateway.sessions, gateway.beacons)
        (self.beacons, notices) = (beacons, gateway.notices)
        telemetry.observe(beacons: beacons)
        desk.connect { assembly.configure($0, gateway) }
        let doors = Doors(settings, telemetry.logger)
        telemetry.observe(doors: doors.limits, gate: assembly.gate)
        servers = Self.servers(api, loops, doors)
        // Runs as long as the process: ended by `stop(by:)`.
        rewarding = Task(executorPreference: loops.loops[0]) { await rewards.run() }
        // Before the listeners: the first caller must not be told that its placement is unknown.
        assembly.configure(configuration, gateway)
        do {
            try await Self.listen(servers, sockets)
        } catch {
            throw StartFailure(message: "The listeners cannot be opened: \(error).")
        }
        // Time passes for sessions as long as the process serves; ended in stop(by:).
        sessionClock = Task(executorPreference: loops.loops[0]) { await sessions.run() }
        // Looks at the files beside the configuration as long as the process serves; ended in stop(by:).
        watching = Task(executorPreference: loops.loops[0]) { [clock] in await desk.watch(clock) }
        beaconKeeper = Task(executorPreference: loops.loops[0]) { await beacons.run() }
    }

    /// One public server a loop, and one for operators on the first loop.
    private static func servers(_ api: API, _ loops: EventLoopGroup, _ doors: Doors) -> [HTTPServer] {
        func server(_ loop: EventLoop, _ listener: API.Listener, _ shared: ConnectionLimits?) -> HTTPServer {
            HTTPServer(
                loop: loop,
                configuration: doors.configuration,
                limits: shared,
                errorBody: { api.refuse($0) },
                promptHandler: { api.respondPromptly(to: $0, on: listener) },
                handler: { await api.respond(to: $0, on: listener) }
            )
        }
        return loops.loops.map { server($0, .public, doors.limits) } + [server(loops.loops[0], .admin, nil)]
    }

    private static func listen(_ servers: [HTTPServer], _ sockets: Sockets) async throws(RuntimeFailure) {
        for (server, socket) in zip(servers, sockets.publicSockets + [sockets.adminSocket]) {
            try await server.listen(socket)
        }
    }

    // MARK: Leaving

    /// How long the gateway says "not ready" and still serves everybody, so that load balancers can look away.
    private static let announcement: Duration = .milliseconds(500)

    /// Leaves in good order: first says so and serves on, then takes no connections, lets requests under way finish
    /// within `server.drain_ms`, ends the adapters, and writes what the store still holds.
    ///
    /// - Returns: How many requests were cut off.
    func drain() async -> Int {
        draining.raise()
        let deadline = Deadline.after(settings.drain, clock: clock)
        telemetry.logger.info("drain.begun", "Draining: new requests are served until the listener closes.")
        for server in servers { server.beginDrain() }
        try? await clock.sleep(for: min(Self.announcement, settings.drain / 4))
        let cutOff = await withTaskGroup(of: Int.self) { group in
            for server in servers { group.addTask { [clock] in await server.finish(by: deadline, clock: clock) } }
            return await group.reduce(0, +)
        }
        await stop(by: Deadline.after(.seconds(2), clock: clock))
        return cutOff
    }

    private func stop(by deadline: Deadline) async {
        watching.cancel()
        sessionClock.cancel()
        await sessionClock.value
        beaconKeeper.cancel()
        await beaconKeeper.value
        await notices.settle(by: deadline)
        let owed = await beacons.settle(by: deadline)
        if owed.left > 0 {
            let fate = owed.areKept ? "wait for the next start" : "could not be sent any more"
            telemetry.logger.warning("drain.beacons", "\(owed.left) beacons \(fate).")
        }
        await adapters.shutDown(deadline)
        rewarding.cancel()
        await rewarding.value
        _ = await store.flush(until: deadline, clock: clock)
        await store.close()
        await clients.shutdown()
        telemetry.logger.info("drain.ended", "The gateway has stopped.")
        // Whoever reads the log may have stopped reading.
        let farewell = Deadline.after(.seconds(2), clock: clock)
        _ = await race(until: farewell, clock: clock) { [telemetry] in await telemetry.close() }
        await loops.shutDown()
    }
}
