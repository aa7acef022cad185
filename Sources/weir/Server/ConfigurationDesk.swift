internal import WeirAPI
internal import WeirConfig
internal import WeirJSON
internal import WeirTelemetry
internal import WeirTime

/// Keeps the configuration in force, and replaces it whole or not at all.
final class ConfigurationDesk: ConfigurationControl {
    /// Where a configuration comes from.
    enum Source: Sendable {
        case file(String)
        /// Built in, for `weir demo`.
        case text(String, name: String)
    }

    private struct State {
        var configuration: WeirConfiguration
        var loadedAt: WallTime
        var failure: DiagnosticReport?
        var failedAt: WallTime?
    }

    private let source: Source
    private let reader: ConfigurationReader
    private let isLenient: Bool
    private let logger: Logger
    private let state: Lock<State>
    private let apply = Lock<(@Sendable (WeirConfiguration) -> Void)?>(nil)
    private let turns = Turnstile()

    /// A desk that holds `configuration`, as just read from `source`.
    init(
        _ configuration: WeirConfiguration,
        source: Source,
        reader: ConfigurationReader,
        isLenient: Bool,
        logger: Logger
    ) {
        self.source = source
        self.reader = reader
        self.isLenient = isLenient
        self.logger = logger
        state = Lock(State(configuration: configuration, loadedAt: .system))
    }

    /// Says who takes new configurations over.
    func connect(_ apply: @escaping @Sendable (WeirConfiguration) -> Void) {
        self.apply.withLock { $0 = apply }
    }

    func check(_ text: [UInt8]) async -> ConfigurationVerdict {
        let result = await offLoop { [self] in
            text.isEmpty ? read() : reader.read(text, file: "request", lenient: isLenient)
        }
        return ConfigurationVerdict(version: result.configuration?.version, report: result.report.encoded())
    }

    func reload() async -> ConfigurationVerdict {
        await turns.enter()
        defer { turns.leave() }
        let result = await offLoop { [self] in read() }
        let report = result.report
        guard let configuration = result.configuration else {
            state.withLock {
                $0.failure = report
                $0.failedAt = .system
            }
            logger.error(
                "config.rejected",
                "The configuration was not taken over; the old one serves on.",
                ["problem": .string(report.diagnostics.first { $0.severity == .error }?.text)]
            )
            return ConfigurationVerdict(version: nil, report: report.encoded())
        }
        apply.withLock { $0 }?(configuration)
        state.withLock { $0 = State(configuration: configuration, loadedAt: .system) }
        logger.info("config.loaded", "The configuration was taken over.", ["config": .string(configuration.version)])
        return ConfigurationVerdict(version: configuration.version, report: report.encoded())
    }

    var refusal: (at: WallTime, problem: String)? {
        let state = state.withLock { $0 }
        guard let failure = state.failure, let at = state.failedAt else { return nil }
        return (at, failure.diagnostics.first { $0.severity == .error }?.text ?? "It could not be read.")
    }

    func current() async -> [UInt8] {
        let state = state.withLock { $0 }
        var json = JSONWriter()
        json.object { json in
            json.member("config", state.configuration.version)
            json.member("loaded_at", state.loadedAt.rfc3339)
            json.member("configuration", state.configuration.redacted)
            json.key("error")
            if let failure = state.failure {
                json.object { json in
                    json.member("at", state.failedAt?.rfc3339)
                    DiagnosticReport.write(failure.diagnostics, to: &json)
                }
            } else {
                json.null()
            }
        }
        return json.bytes
    }

    private func read() -> ConfigurationReader.Result {
        switch source {
        case .file(let path): reader.read(path: path, lenient: isLenient)
        case .text(let text, let name): reader.read(text: text, file: name, lenient: isLenient)
        }
    }

    /// Reading files blocks, so it happens on a thread of its own, never on a loop.
    private func offLoop(
        _ work: @escaping @Sendable () -> ConfigurationReader.Result
    ) async -> ConfigurationReader.Result {
        await withUnsafeContinuation { continuation in
            let isStarted = WorkerThread.start { continuation.resume(returning: work()) }
            // Without a thread to spare it is better to block for a moment than not to answer.
            if !isStarted { continuation.resume(returning: work()) }
        }
    }
}

/// Lets one task through at a time, in order.
private final class Turnstile: Sendable {
    private let state = Lock<(isTaken: Bool, waiting: [UnsafeContinuation<Void, Never>])>((false, []))

    func enter() async {
        await withUnsafeContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
