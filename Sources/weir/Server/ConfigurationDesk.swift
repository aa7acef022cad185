internal import Glibc
internal import WeirAPI
internal import WeirConfig
internal import WeirJSON
internal import WeirModel
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
    private let started: WeirConfiguration
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
        started = configuration
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
        let waiting = StartSettings.waiting(configuration, since: started)
        if !waiting.isEmpty {
            logger.warning(
                "config.needs_restart",
                "These settings are read at start only and wait for a restart: \(waiting.joined(separator: ", ")).",
                ["config": .string(configuration.version)]
            )
        }
        return ConfigurationVerdict(version: configuration.version, report: report.encoded(), needsRestart: waiting)
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
            json.member("needs_restart", StartSettings.waiting(state.configuration, since: started))
            json.currency(state.configuration.currency, now: .system)
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

    /// The exchange rates in force.
    var currency: CurrencySettings { state.withLock { $0.configuration.currency } }

    var ratesStaleSince: WallTime? {
        let (settings, now) = (currency, WallTime.system)
        guard settings.isStale(at: now), let age = settings.age(at: now) else { return nil }
        return now.advanced(by: settings.maxAge - age)
    }

    /// How often the files beside the configuration are looked at.
    private static let lookEvery: Duration = .seconds(2)

    /// Reloads whenever a file beside the configuration changes, until the task is cancelled.
    ///
    /// A look is a `stat` of each; a file that is written in several steps may be read half, is refused then, and read
    /// again at the next look.
    func watch(_ clock: any GatewayClock) async {
        var seen = await offLoop { [self] in marks }
        while (try? await clock.sleep(for: Self.lookEvery)) != nil {
            let now = await offLoop { [self] in marks }
            guard now != seen else { continue }
            seen = now
            _ = await reload()
        }
    }

    private var marks: [String: FileMark] {
        let paths = state.withLock { $0.configuration.watchedFiles }
        return Dictionary(paths.map { ($0, FileMark($0)) }) { first, _ in first }
    }

    private func read() -> ConfigurationReader.Result {
        switch source {
        case .file(let path): reader.read(path: path, lenient: isLenient)
        case .text(let text, let name): reader.read(text: text, file: name, lenient: isLenient)
        }
    }
}

extension JSONWriter {
    /// Writes what the exchange rates are, and whether they are stale.
    fileprivate mutating func currency(_ settings: CurrencySettings, now: WallTime) {
        object("currency") { json in
            json.member("base", settings.rates.base.code)
            json.member("currencies", settings.rates.currencies.map(\.code))
            json.member("as_of", settings.rates.asOfMilliseconds.map { WallTime(milliseconds: $0).rfc3339 })
            json.member("age_ms", settings.age(at: now)?.milliseconds)
            json.member("max_age_ms", settings.maxAge.milliseconds)
            json.member("stale", settings.isStale(at: now))
        }
    }
}

/// What tells one state of a file from another.
private struct FileMark: Hashable, Sendable {
    private var inode: UInt64 = 0
    private var bytes: Int64 = 0
    private var nanoseconds: Int64 = 0

    /// The file at `path` as it is; one that is not there has no marks.
    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        inode = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        nanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
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
