internal import WeirAPI
internal import WeirConfig
internal import WeirGateway
internal import WeirHTTP
internal import WeirMediation
internal import WeirModel
internal import WeirStore
internal import WeirTelemetry
internal import WeirTime

/// Logs and metrics of the process, and the words in which the rooms' events are told.
struct Telemetry: GatewayObserver {
    let metrics = Metrics()
    let redactor = Redactor()
    let counters: APICounters
    let logger: Logger

    private let writer: LogWriter
    private let late: MetricFamily<Counter>
    private let beacons: MetricFamily<Counter>
    private let notices: MetricFamily<Counter>

    init(level: LogLevel, format: LogFormat, clock: any GatewayClock) {
        counters = APICounters(metrics)
        late = metrics.counters(
            "weir_late_responses_total",
            "Answers that came after their attempt had ended.",
            labels: ["network"]
        )
        beacons = metrics.counters(
            "weir_beacons_total",
            "Beacons that Weir owed to trackers, by fate.",
            labels: ["network", "fate"]
        )
        notices = metrics.counters(
            "weir_notices_total",
            "Win, billing and loss notices to bidders, by fate.",
            labels: ["network", "kind", "fate"]
        )
        writer = LogWriter(format: format, redactor: redactor, clock: clock)
        logger = Logger(writer, clock: clock, minimum: level)
        let writer = writer
        metrics.observed("weir_log_dropped_total", "Log lines that could not be written.") {
            [([], Double(writer.droppedCount))]
        }
    }

    /// Registers what is read when somebody asks.
    func observe(adapters: AdapterRegistry, store: any DecisionStore) {
        metrics.observed(
            "weir_adapter_state",
            "1 for the state that a network's adapter is in.",
            labels: ["network", "state"]
        ) {
            adapters.snapshot.adapters.map { ([$0.network.text, $0.state.rawValue], 1) }
        }
        metrics.observed(
            "weir_breaker_state",
            "1 for each breaker that is not closed, by the state that it is in.",
            labels: ["network", "placement", "state"]
        ) {
            adapters.snapshot.adapters.flatMap { status in
                status.breakers.map {
                    ([status.network.text, $0.placement.text, $0.status.state.rawValue], 1)
                }
            }
        }
        metrics.observed("weir_in_flight_loads", "Loads under way.", labels: ["network"]) {
            adapters.snapshot.adapters.map { ([$0.network.text], Double($0.inFlight)) }
        }
        metrics.observed("weir_store_queue", "Decisions that wait to be written.") {
            [([], Double(store.status.queued))]
        }
        metrics.observed("weir_store_written_total", "Decisions written.") { [([], Double(store.status.written))] }
        metrics.observed("weir_store_lost_total", "Decisions that could not be kept.") {
            [([], Double(store.status.lost))]
        }
    }

    /// Registers what exchange rates look like when somebody asks.
    func observe(rates desk: ConfigurationDesk) {
        metrics.observed("weir_currency_rates_age_seconds", "How old the exchange rates are.") {
            desk.currency.age(at: .system).map { [([], Double($0.milliseconds / 1000))] } ?? []
        }
        metrics.observed("weir_currency_rates_stale", "1 when the exchange rates are older than max_age_ms.") {
            [([], desk.currency.isStale(at: .system) ? 1 : 0)]
        }
    }

    /// Registers how many beacons wait.
    func observe(beacons: BeaconQueue) {
        metrics.observed("weir_beacons_waiting", "Beacons that wait or are under way.") {
            [([], Double(beacons.count))]
        }
    }

    /// Registers what the public listener counts.
    func observe(doors: ConnectionLimits, gate: RequestGate) {
        metrics.observed("weir_connections", "Connections of callers now.") { [([], Double(doors.statistics.open))] }
        metrics.observed(
            "weir_connections_refused_total",
            "Connections closed at once because their address had too many."
        ) { [([], Double(doors.statistics.turnedAway))] }
        metrics.observed("weir_held_bytes", "Bytes of request bodies and of further requests that are kept now.") {
            [([], Double(doors.statistics.heldBytes))]
        }
        metrics.observed("weir_requests_in_flight", "Requests being answered now.") { [([], Double(gate.inFlight))] }
        metrics.observed("weir_overload_total", "Requests refused with 503, by the limit.", labels: ["limit"]) {
            [(["max_in_flight"], Double(gate.refused)), (["max_held_bytes"], Double(doors.statistics.heldBack))]
        }
    }

    func close() async { await writer.close() }

    // MARK: The hall

    func lateResponse(from network: NetworkID) { late.with(network.text).add() }

    func beacon(_ fate: BeaconFate, network: NetworkID) { beacons.with(network.text, fate.rawValue).add() }

    func notice(_ kind: NoticeKind, _ fate: BeaconFate, network: NetworkID) {
        notices.with(network.text, kind.rawValue, fate.rawValue).add()
    }

    func beaconsTakenOver(_ count: Int, cutOff: Int) {
        logger.info(
            "beacons.taken_over",
            "\(count) beacons that an earlier run left are sent now; \(cutOff) were on their way when it ended.",
            ["count": .int(count), "cut_off": .int(cutOff)]
        )
    }

    func beaconTrouble(_ reason: String) {
        logger.error(
            "beacons.unkept",
            "Beacons cannot be kept; they are sent, but would not survive a restart.",
            ["reason": .string(reason)]
        )
    }

    // MARK: Adapters

    /// Tells of an adapter's change.
    func adapterEvent(_ event: AdapterEvent) {
        switch event {
        case .stateChanged(let before, let status):
            let isTrouble = status.state == .failed || status.state == .timedOut
            logger.log(
                isTrouble ? .warning : .info,
                "adapter.\(status.state.rawValue)",
                status.description,
                [
                    "network": .string(status.network.text), "from": .string(before.rawValue),
                    "latency_ms": .int(status.latency?.milliseconds), "remedy": .string(status.remedy),
                ]
            )
        case .initialized(let status):
            logger.info(
                "initialization.complete",
                "Initialization is complete.",
                [
                    "elapsed_ms": .int(status.elapsed.milliseconds),
                    "timed_out": .string(status.timedOut.map(\.text).joined(separator: ", ")),
                ]
            )
        case .setUpLeftBehind(let network):
            logger.warning(
                "adapter.left_behind",
                "A cancelled set-up of \(network) does not end.",
                ["network": .string(network.text)]
            )
        case .tearDownLeftBehind(let network):
            logger.warning(
                "adapter.left_behind",
                "The tear-down of \(network) does not end.",
                ["network": .string(network.text)]
            )
        }
    }

    /// The log of one network's adapter.
    func adapterLog(_ network: NetworkID) -> @Sendable (String) -> Void {
        { [logger] line in logger.info("adapter.log", line, ["network": .string(network.text)]) }
    }

    // MARK: Store

    /// Tells of the store's troubles.
    func storeNotice(_ notice: StoreNotice) {
        switch notice {
        case .failing(let reason):
            logger.error(
                "store.failing",
                "Decisions cannot be written; requests are still served.",
                ["reason": .string(reason)]
            )
        case .recovered:
            logger.info("store.recovered", "Decisions are written again.")
        case .misplaced:
            logger.error(
                "store.misplaced",
                "The database's file was deleted or replaced while Weir runs: what is written now will be lost."
            )
        case .lost(let count):
            logger.error("store.lost", "\(count) decisions were lost.", ["count": .int(count)])
        }
    }
}
