internal import WeirAdapterKit
internal import WeirConfig
internal import WeirJSON
internal import WeirMediation
internal import WeirModel
internal import WeirRuntime
internal import WeirTelemetry
internal import WeirTime

/// `weir adapters`: each adapter's state, latency, description and remedy.
struct AdaptersCommand: Command {
    static let specification = CommandSpecification(
        name: "adapters",
        operands: ["[NETWORK]"],
        summary: "shows each network's state, and what to do about it",
        options: AdminClient.options + [
            CommandSpecification.Option("--watch", nil, "goes on showing changes until Ctrl-C"),
            CommandSpecification.Option(
                "--config",
                "FILE",
                "starts the adapters of this file here, with no gateway running"
            ),
            CommandSpecification.Option("--json", nil, "prints the body of GET /v1/adapters"),
        ],
        example: "weir adapters --watch"
    )

    /// How often a watcher looks.
    private static let watchInterval: Duration = .milliseconds(250)

    private let client: AdminClient
    private let network: String?
    private let watches: Bool
    private let printsJSON: Bool
    private let configuration: String?
    private let style = Style.standardOutput

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        network = arguments.operands.first
        watches = arguments.has("--watch")
        printsJSON = arguments.has("--json")
        configuration = arguments["--config"]
        if watches, configuration != nil {
            throw Arguments.UsageError(message: "--watch looks at a running gateway, --config starts none.")
        }
    }

    func run() async -> ExitCode {
        if let configuration { return await runHere(configuration) }
        do throws(AdminClient.Unreachable) {
            return watches ? try await watch() : try await show()
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }

    private func show() async throws(AdminClient.Unreachable) -> ExitCode {
        let answer = try await snapshot()
        guard answer.status == 200 else {
            complain("weir: \(answer.problem)")
            return .no
        }
        return show(answer.json, answer.text)
    }

    private func show(_ snapshot: JSONValue, _ text: String) -> ExitCode {
        say(lines(snapshot, text).joined(separator: "\n"))
        return code(for: snapshot)
    }

    private func lines(_ snapshot: JSONValue, _ text: String) -> [String] {
        guard !printsJSON else { return [text] }
        return AdapterTable(table(snapshot), style: style, width: Screen.standardOutput.width).lines
    }

    private func code(for snapshot: JSONValue) -> ExitCode {
        let adapters = table(snapshot)["adapters"]?.array ?? []
        let areReady = adapters.allSatisfy { $0["ready"]?.bool == true || $0["state"]?.string == "disabled" }
        return areReady ? .good : .no
    }

    /// One network's status in the shape of all.
    private func table(_ snapshot: JSONValue) -> JSONValue {
        network == nil ? snapshot : .object(["adapters": .array([snapshot])])
    }

    private func snapshot() async throws(AdminClient.Unreachable) -> AdminClient.Answer {
        try await client.send("GET", network.map { "/v1/adapters/" + percentEncoded($0) } ?? "/v1/adapters")
    }

    /// Prints the table again after each change; on a terminal it is drawn over the last one.
    private func watch() async throws(AdminClient.Unreachable) -> ExitCode {
        let clock = RuntimeClock()
        var painter = Repainter()
        var last: [String] = []
        while true {
            let answer = try await snapshot()
            guard answer.status == 200 else {
                complain("weir: \(answer.problem)")
                return .no
            }
            let lines = lines(answer.json, answer.text)
            if lines != last {
                if printsJSON { say(lines.joined(separator: "\n")) } else { painter.draw(lines) }
                last = lines
            }
            // Nothing cancels this task; Ctrl-C ends the process.
            try? await clock.sleep(for: Self.watchInterval)
        }
    }

    /// Starts the adapters of a file, waits until initialization is complete, and stops them again.
    private func runHere(_ path: String) async -> ExitCode {
        guard let loaded = LoadedConfiguration(path: path, isLenient: true) else { return .no }
        if let network, !loaded.configuration.networks.contains(where: { $0.network.id.text == network }) {
            complain("weir: \(path) has no network \"\(network)\".")
            return .no
        }
        let server: GatewayServer
        do throws(GatewayServer.StartFailure) {
            server = try await loaded.standalone().start(level: .error)
        } catch {
            complain("weir: \(error.message)")
            return .no
        }
        let shown = await showUntilInitialized(server)
        _ = await server.drain()
        return shown
    }

    /// On a terminal the table is there at once and follows what happens; elsewhere only the end of it is written.
    private func showUntilInitialized(_ server: GatewayServer) async -> ExitCode {
        let clock = RuntimeClock()
        var painter = Repainter()
        while true {
            let isComplete = server.adapters.snapshot.initialization.isComplete
            guard let body = server.adaptersJSON(network), let snapshot = try? JSONReader.read(body) else { return .no }
            let text = String(decoding: body, as: UTF8.self)
            if isComplete && (printsJSON || !Screen.standardOutput.canRedraw) { return show(snapshot, text) }
            if !printsJSON, Screen.standardOutput.canRedraw { painter.draw(lines(snapshot, text)) }
            if isComplete { return code(for: snapshot) }
            try? await clock.sleep(for: Self.watchInterval)
        }
    }
}
