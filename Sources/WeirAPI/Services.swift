package import WeirGateway
package import WeirMediation
internal import WeirModel
package import WeirStore
package import WeirTelemetry
package import WeirTime

/// What the handlers need; the composition root makes it.
package struct Services: Sendable {
    /// The hall.
    package var gateway: Gateway
    /// The adapters.
    package var adapters: AdapterRegistry
    /// The decisions.
    package var store: any DecisionStore
    /// Where rewards are earned.
    package var rewards: RewardDesk
    /// Checks and reloads the configuration.
    package var configuration: any ConfigurationControl
    /// All metrics.
    package var metrics: Metrics
    /// What this room counts.
    package var counters: APICounters
    /// Blacks secrets out.
    package var redactor: Redactor
    /// Raised when the process begins to shut down.
    package var draining: Flag
    /// The key that operators send; `nil` when none is configured.
    package var adminKey: String?
    /// Addresses whose `X-Forwarded-For` is believed.
    package var trustedProxies: TrustedProxies
    /// Signs and reads the beacons of the VAST that Weir serves.
    package var beacons: PresentationSigner
    /// The time.
    package var clock: any GatewayClock
    /// The log.
    package var logger: Logger
    /// Keeps out what is too much at once.
    package var gate: RequestGate

    /// Services.
    package init(
        gateway: Gateway,
        adapters: AdapterRegistry,
        store: any DecisionStore,
        rewards: RewardDesk,
        configuration: any ConfigurationControl,
        metrics: Metrics,
        counters: APICounters,
        redactor: Redactor,
        adminKey: String?,
        trustedProxies: TrustedProxies,
        beacons: PresentationSigner,
        clock: any GatewayClock,
        logger: Logger,
        draining: Flag,
        gate: RequestGate
    ) {
        self.gateway = gateway
        self.adapters = adapters
        self.store = store
        self.rewards = rewards
        self.configuration = configuration
        self.metrics = metrics
        self.counters = counters
        self.redactor = redactor
        self.draining = draining
        self.adminKey = adminKey
        self.trustedProxies = trustedProxies
        self.beacons = beacons
        self.clock = clock
        self.logger = logger
        self.gate = gate
    }
}

/// Checks and reloads the configuration; the composition root implements it.
package protocol ConfigurationControl: Sendable {
    /// What a configuration is worth.
    typealias Verdict = ConfigurationVerdict

    /// Judges `text`, or the file on disk when it is empty, and changes nothing.
    func check(_ text: [UInt8]) async -> Verdict

    /// Reads the file again and serves by it, or changes nothing when it is bad.
    func reload() async -> Verdict

    /// The configuration in force as JSON, secrets blacked out, with the error of the last failed reload.
    func current() async -> [UInt8]

    /// Why the last reload changed nothing, and when; `nil` when it did.
    var refusal: (at: WallTime, problem: String)? { get }

    /// Since when the exchange rates have been older than they may be; `nil` while they are not.
    var ratesStaleSince: WallTime? { get }
}

/// What a configuration is worth.
package struct ConfigurationVerdict: Sendable {
    /// Its version; `nil` when it is bad.
    package var version: String?
    /// The body of `weir check --json`.
    package var report: [UInt8]
    /// The keys that differ from those that the process started with and are read at start only.
    package var needsRestart: [String]

    /// A verdict.
    package init(version: String?, report: [UInt8], needsRestart: [String] = []) {
        self.version = version
        self.report = report
        self.needsRestart = needsRestart
    }
}
