internal import WeirConfig
internal import WeirTelemetry

/// `weir serve`: runs the gateway until it is told to stop.
struct ServeCommand: Command {
    static let specification = CommandSpecification(
        name: "serve",
        operands: [],
        summary: "runs the gateway",
        options: [
            CommandSpecification.Option("--config", "FILE", "the configuration; default config/weir.json"),
            CommandSpecification.Option(
                "--lenient",
                nil,
                "leaves networks with wrong entries out instead of refusing to start"
            ),
            CommandSpecification.Option("--log-level", "LEVEL", "debug, info, warning or error; default info"),
        ],
        example: "weir serve --config config/weir.json"
    )

    private let path: String
    private let isLenient: Bool
    private let level: LogLevel

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        path = arguments["--config"] ?? LoadedConfiguration.defaultPath
        isLenient = arguments.has("--lenient")
        let name = arguments["--log-level"] ?? "info"
        guard let level = LogLevel(rawValue: name) else {
            throw Arguments.UsageError(message: "--log-level must be debug, info, warning or error, not \(name).")
        }
        self.level = level
    }

    func run() async -> ExitCode {
        guard let loaded = LoadedConfiguration(path: path, isLenient: isLenient) else { return .no }
        do throws(GatewayServer.StartFailure) {
            let server = try await loaded.start(level: level)
            server.telemetry.logger.info(
                "serve.started",
                "The gateway serves.",
                [
                    "listen": .string(server.publicAddress), "admin_listen": .string(server.adminAddress),
                    "config": .string(loaded.configuration.version),
                ]
            )
            return await server.serveUntilStopped()
        } catch {
            complain("weir: \(error.message)")
            return .no
        }
    }
}
