internal import WeirAPI
internal import WeirAdapterKit
internal import WeirCarriers
internal import WeirConfig
internal import WeirGateway
internal import WeirHTTP
internal import WeirMediation
internal import WeirModel
internal import WeirRuntime
internal import WeirStore
internal import WeirTelemetry
internal import WeirTime

/// Puts the rooms together: the composition root's hands.
struct Assembly: Sendable {
    let clock: any GatewayClock
    let loops: EventLoopGroup
    let clients: HTTPClientPool
    let transports: Transports
    let gate: RequestGate
    let adapters: AdapterRegistry
    let store: any DecisionStore
    let beaconStore: any BeaconStore
    let tokens: PresentationSigner
    let rewards: RewardDesk
    let telemetry: Telemetry
    let desk: ConfigurationDesk
    let draining: Flag

    /// What the API needs.
    func services(_ configuration: WeirConfiguration) -> Services {
        let gateway = Gateway(
            on: Gateway.Foundations(
                clock: clock,
                adapters: adapters,
                caps: CapCounters(),
                transport: { [transports] in transports.transport($0) },
                tokens: tokens,
                rewards: rewards,
                beaconStore: beaconStore,
                observer: telemetry
            )
        )
        return Services(
            gateway: gateway,
            adapters: adapters,
            store: store,
            rewards: rewards,
            configuration: desk,
            metrics: telemetry.metrics,
            counters: telemetry.counters,
            redactor: telemetry.redactor,
            adminKey: configuration.server.adminKey,
            // The configuration reader has checked the ranges already.
            trustedProxies: TrustedProxies(configuration.server.trustedProxies.compactMap { try? AddressRange($0) }),
            beacons: tokens,
            clock: clock,
            logger: telemetry.logger,
            draining: draining,
            gate: gate
        )
    }

    /// Takes a configuration over, for the sessions and beacons of `gateway` too.
    ///
    /// Networks that did not change keep running, requests under way finish on the old one.
    func configure(_ configuration: WeirConfiguration, _ gateway: Gateway) {
        for secret in configuration.secrets { telemetry.redactor.register(secret) }
        rewards.configure(RewardAssembly(clients: clients, clock: clock).terms(configuration))
        transports.limit(configuration.limits)
        adapters.configure(configuration.networks.map { entry($0, configuration) }, catalog: configuration.catalog)
        gateway.sessions.limits = SessionHost.Limits(
            count: configuration.limits.sessions,
            idle: configuration.limits.sessionIdle
        )
        gateway.beacons.limits = BeaconLimits(configuration.beacons)
    }

    private func entry(_ entry: NetworkEntry, _ configuration: WeirConfiguration) -> RegistryEntry {
        let network = entry.network
        let fingerprint = "\(entry.fingerprint) \(network) \(configuration.limits)"
        let builtIn = BuiltInAdapters.factories.first { $0.descriptor.kind == network.adapter }
        let factory = entry.factory ?? builtIn
        let carrier = Self.carrier(network.adapter)
        guard entry.problem == nil, factory != nil || entry.process != nil else {
            return RegistryEntry(
                network: network,
                carrier: carrier,
                fingerprint: fingerprint,
                source: .unavailable(
                    Unavailability(
                        entry.hasUnknownAdapter ? .unknownAdapter : .disabled,
                        entry.problem ?? "no adapter is called \(network.adapter)",
                        remedy: entry.remedy
                    )
                )
            )
        }
        let context = AdapterContext(
            network: network.id,
            transport: clients.transport(
                policy: OutboundPolicy(network, configuration.limits)
            ),
            clock: clock,
            log: telemetry.adapterLog(network.id)
        )
        if var process = entry.process {
            process.handshake = configuration.initialization.timeout
            return self.process(process, entry, context, fingerprint)
        }
        guard let factory else { preconditionFailure("a network without factory and process is unavailable") }
        return RegistryEntry(
            network: network,
            carrier: carrier,
            fingerprint: fingerprint,
            source: .adapter(factory.descriptor) { () throws(SettingsError) in
                try factory.make(entry.settings, context)
            }
        )
    }
}

extension Assembly {
    /// How the adapters of a kind get here.
    private static func carrier(_ kind: String) -> AdapterCarrier {
        switch kind {
        case NetworkFileReader.kind: .declared
        case "process": .process
        default: .builtIn
        }
    }

    /// A network whose adapter is a program of its own.
    private func process(
        _ process: ProcessConfiguration,
        _ entry: NetworkEntry,
        _ context: AdapterContext,
        _ fingerprint: String
    ) -> RegistryEntry {
        let loop = loops.next()
        let redactor = telemetry.redactor
        return RegistryEntry(
            network: entry.network,
            carrier: .process,
            fingerprint: "\(fingerprint) \(process.handshake)",
            source: .adapter(ProcessAdapter.unknown) {
                ProcessAdapter(
                    process,
                    settings: entry.settings,
                    context: context,
                    loop: loop,
                    weir: Weir.version,
                    scrub: redactor.redact
                )
            }
        )
    }
}

/// The ways to the networks, for wrappers and beacons; one policy for each list of private addresses.
final class Transports: Sendable {
    private struct State {
        var limits = LimitSettings()
        var policies: [[String]: OutboundPolicy] = [:]
    }

    private let clients: HTTPClientPool
    private let state = Lock(State())

    init(_ clients: HTTPClientPool) {
        self.clients = clients
    }

    /// Holds what is asked from now on to `limits`.
    func limit(_ limits: LimitSettings) {
        state.withLock { $0 = State(limits: limits) }
    }

    func transport(_ network: Network) -> any HTTPTransport {
        let policy = state.withLock { state in
            if let known = state.policies[network.allowPrivate] { return known }
            // Lists come from configuration files, but a process may see many of them in a long life.
            if state.policies.count > 1000 { state.policies = [:] }
            let policy = OutboundPolicy(network, state.limits)
            state.policies[network.allowPrivate] = policy
            return policy
        }
        return clients.transport(policy: policy)
    }
}

extension OutboundPolicy {
    /// What a network may reach, and how much it may answer.
    fileprivate init(_ network: Network, _ limits: LimitSettings) {
        // The configuration reader has checked the entries; one that is wrong all the same opens nothing.
        self.init(allowPrivate: (try? AddressPolicy(allowPrivate: network.allowPrivate)) ?? AddressPolicy())
        maxBodyBytes = limits.responseBytes
        maxHeaderBytes = limits.responseHeadBytes
    }
}

extension BeaconLimits {
    /// The configuration's `beacons`.
    init(_ settings: BeaconSettings) {
        self.init()
        count = settings.maxWaiting
        atOnce = settings.atOnce
        patience = settings.timeout
        age = settings.maxAge
        retryInitial = settings.retryInitial
        retryMax = settings.retryMax
    }
}

extension InitializationConfiguration {
    /// The configuration's `initialization`.
    init(_ settings: InitializationSettings) {
        self.init(
            timeout: settings.timeout,
            minReady: settings.minReady,
            retryInitial: settings.retryInitial,
            retryMax: settings.retryMax
        )
    }
}
