internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirJSON
internal import WeirMediation
internal import WeirModel
internal import WeirTelemetry
internal import WeirTesting
internal import WeirTime

/// `weir demo`: a gateway and its sandbox networks, one ad of each format, then on until Ctrl-C.
struct DemoCommand: Command {
    static let specification = CommandSpecification(
        name: "demo",
        operands: [],
        summary: "shows it all: a gateway with sandbox networks",
        options: [
            CommandSpecification.Option("--port", "N", "the public port; admin is N+1, the networks N+2; default 8080"),
            CommandSpecification.Option("--once", nil, "ends after printing"),
        ],
        example: "weir demo --once"
    )

    private let port: Int
    private let once: Bool
    private let style = Style.standardOutput

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        port = try arguments.number("--port", in: 1...65_533) ?? 8080
        once = arguments.has("--once")
    }

    func run() async -> ExitCode {
        let sandbox: SandboxServer
        do { sandbox = try await SandboxServer.start(port: port + 2) } catch {
            complain("weir: the sandbox networks cannot start: \(error) \(otherPorts)")
            return .no
        }
        let code = await serve()
        await sandbox.stop()
        return code
    }

    private func serve() async -> ExitCode {
        guard let loaded = LoadedConfiguration(text: DemoConfiguration.text(port: port), name: "demo.json") else {
            return .no
        }
        let server: GatewayServer
        do throws(GatewayServer.StartFailure) {
            server = try await loaded.start(level: .error, format: .human(colour: style.isColoured))
        } catch {
            complain("weir: \(error.message) \(otherPorts)")
            return .no
        }
        showAddresses(server)
        await showAdapters(server)
        let areFilled = await serveAds()
        showCommands()
        if once {
            let cutOff = await server.drain()
            return areFilled && cutOff == 0 ? .good : .no
        }
        say("\nServing until Ctrl-C.")
        return await server.serveUntilStopped()
    }

    private var otherPorts: String { "Other ports: weir demo --port 9000, or make demo PORT=9000." }

    private func showAddresses(_ server: GatewayServer) {
        var table = Table()
        let networks = "127.0.0.1:\(port + 2)"
        for (name, address) in [
            ("gateway", server.publicAddress), ("for operators", server.adminAddress), ("sandbox networks", networks),
        ] {
            table.row([Table.Cell(name, style.dim), Table.Cell("http://" + address)])
        }
        say(table.lines(indent: "  ").joined(separator: "\n") + "\n")
    }

    /// One line for each adapter as it becomes ready.
    private func showAdapters(_ server: GatewayServer) async {
        var shown: Set<String> = []
        for await snapshot in server.adapters.changes() {
            for adapter in snapshot.adapters where adapter.state != .starting {
                guard shown.insert(adapter.network.text + adapter.state.rawValue).inserted else { continue }
                var table = Table()
                let paint: (String) -> String = if adapter.isReady { style.green } else { style.yellow }
                table.row([Table.Cell(adapter.state.rawValue, paint), Table.Cell(adapter.description)])
                if let remedy = adapter.remedy { table.row([Table.Cell("→", style.yellow), Table.Cell(remedy)]) }
                say(table.lines(indent: "  ", width: Screen.standardOutput.width).joined(separator: "\n"))
            }
            if snapshot.initialization.isComplete { break }
        }
        say("")
    }

    /// Asks for one ad of each format over HTTP, as an app would, and draws each waterfall.
    private func serveAds() async -> Bool {
        let client = AdminClient(base: "http://127.0.0.1:\(port)")
        var areFilled = true
        for placement in DemoConfiguration.placements {
            do throws(AdminClient.Unreachable) {
                let answer = try await client.send("POST", "/v1/ads", body: body(placement))
                let width = Screen.standardOutput.width
                say(Timeline(answer.json, style: style, width: width).lines.joined(separator: "\n") + "\n")
                areFilled = areFilled && answer.json["result"]?.string == "fill"
            } catch {
                complain("weir: \(error.message)")
                return false
            }
        }
        return areFilled
    }

    private func body(_ placement: String) -> [UInt8] {
        let body: JSONValue = [
            "placement": .string(placement), "user": ["id": "demo-user", "age": 25],
            "player": ["width": 640, "height": 360],
            "content": ["duration_ms": 600_000],
        ]
        return body.encoded()
    }

    private func showCommands() {
        say(style.bold("Try:"))
        say("  curl -s --json '{\"placement\": \"movie_preroll\"}' http://127.0.0.1:\(port)/v1/ads")
        say("  curl -s 'http://127.0.0.1:\(port)/v1/vast?placement=movie_preroll'")
        say("  curl -s http://127.0.0.1:\(port + 1)/v1/adapters")
        say("  a web player, in a browser: http://127.0.0.1:\(port)/player")
        say("  the inspector, in a browser: http://127.0.0.1:\(port + 1)/")
    }
}
