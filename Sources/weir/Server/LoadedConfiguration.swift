internal import Glibc
internal import WeirConfig
internal import WeirJSON
internal import WeirTelemetry
internal import WeirTime

/// A configuration that was read and found good, ready to be served.
struct LoadedConfiguration: Sendable {
    static let defaultPath = "config/weir.json"
    static let reader = ConfigurationReader(factories: BuiltInAdapters.factories)

    private(set) var configuration: WeirConfiguration
    private let source: ConfigurationDesk.Source
    private let isLenient: Bool

    /// Reads the file at `path`; `nil` after its complaints were printed to standard error.
    init?(path: String, isLenient: Bool) {
        self.init(Self.reader.read(path: path, lenient: isLenient), .file(path), isLenient)
    }

    /// Reads a built-in configuration.
    init?(text: String, name: String) {
        self.init(Self.reader.read(text: text, file: name), .text(text, name: name), false)
    }

    private init?(_ result: ConfigurationReader.Result, _ source: ConfigurationDesk.Source, _ isLenient: Bool) {
        for diagnostic in result.diagnostics { complain(diagnostic.text) }
        guard let configuration = result.configuration else { return nil }
        self.configuration = configuration
        self.source = source
        self.isLenient = isLenient
    }

    /// The same networks with listeners and a store that disturb nobody, for a look at the adapters.
    func standalone() -> LoadedConfiguration {
        var copy = self
        copy.configuration.server.listen = .tcp(host: "127.0.0.1", port: 0)
        copy.configuration.server.adminListen = .tcp(host: "127.0.0.1", port: 0)
        copy.configuration.server.workers = 1
        copy.configuration.storageURL = "sqlite::memory:"
        return copy
    }

    /// Starts a gateway that serves it.
    func start(
        level: LogLevel = .warning,
        format: LogFormat = .json
    ) async throws(GatewayServer.StartFailure) -> GatewayServer {
        let telemetry = Telemetry(level: level, format: format, clock: SystemClock())
        let desk = ConfigurationDesk(
            configuration,
            source: source,
            reader: Self.reader,
            isLenient: isLenient,
            logger: telemetry.logger
        )
        return try await GatewayServer(configuration, desk: desk, telemetry: telemetry)
    }
}

/// The content of a file; `nil` when it cannot be read.
func readFile(_ path: String) -> [UInt8]? {
    try? SystemFiles.read(path, 64 << 20)
}

/// The nearest of `names`, when one is near enough to be meant.
func nearestName(to name: String, among names: [String]) -> String? {
    NearestName.of(name, among: names)
}
