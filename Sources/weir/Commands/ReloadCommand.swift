internal import WeirJSON

/// `weir reload`: has a running gateway take its configuration file over.
struct ReloadCommand: Command {
    static let specification = CommandSpecification(
        name: "reload",
        summary: "has a running gateway read its configuration again; exit 1 when it is refused",
        options: AdminClient.options + [
            CommandSpecification.Option("--json", nil, "prints the body of POST /v1/config/reload")
        ],
        example: "weir reload --admin http://127.0.0.1:8081"
    )

    private let client: AdminClient
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        do throws(AdminClient.Unreachable) {
            let answer = try await client.send("POST", "/v1/config/reload", body: Array("{}".utf8))
            if printsJSON { say(answer.text) }
            if let version = answer.json["config"]?.string {
                if !printsJSON { say(lines(version, answer.json).joined(separator: "\n")) }
                return .good
            }
            if !printsJSON { refuse(answer) }
            return .no
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }

    private func lines(_ version: String, _ answer: JSONValue) -> [String] {
        let waiting = answer["needs_restart"]?.array?.compactMap(\.string) ?? []
        let taken = "Configuration \(printable(version)) is in force."
        guard !waiting.isEmpty else { return [taken] }
        return [taken, "These settings wait for a restart: \(printable(waiting.joined(separator: ", ")))."]
    }

    private func refuse(_ answer: AdminClient.Answer) {
        guard let diagnostics = answer.json["diagnostics"]?.array else { return complain("weir: \(answer.problem)") }
        for diagnostic in diagnostics {
            let place = [diagnostic["file"]?.string, diagnostic["line"]?.int.map(String.init)].compactMap(\.self)
            complain(printable((place + [diagnostic["message"]?.string ?? "?"]).joined(separator: ": ")))
        }
        complain("weir: The file was refused; the old configuration serves on.")
    }
}
