internal import WeirJSON

/// `weir alarms`: everything that is wrong just now; made for a person and for a monitor's exit code.
struct AlarmsCommand: Command {
    static let specification = CommandSpecification(
        name: "alarms",
        summary: "shows what is wrong just now, with the remedy; exit 1 when anything is",
        options: AdminClient.options + [
            CommandSpecification.Option("--json", nil, "prints the body of GET /v1/alarms")
        ],
        example: "weir alarms --admin http://127.0.0.1:8081"
    )

    private let client: AdminClient
    private let printsJSON: Bool
    private let style = Style.standardOutput

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        do throws(AdminClient.Unreachable) {
            let answer = try await client.send("GET", "/v1/alarms")
            if printsJSON { say(answer.text) }
            guard answer.status == 200, let alarms = answer.json["alarms"]?.array else {
                if !printsJSON { complain("weir: \(answer.problem)") }
                return .no
            }
            if !printsJSON { say(lines(of: alarms).joined(separator: "\n")) }
            return alarms.isEmpty ? .good : .no
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }

    private func lines(of alarms: [JSONValue]) -> [String] {
        guard !alarms.isEmpty else { return ["Nothing is wrong just now."] }
        var table = Table()
        for alarm in alarms {
            let paint = alarm["severity"]?.string == "error" ? style.red : style.yellow
            table.row([
                Table.Cell(alarm["kind"]?.string ?? "?", paint), Table.Cell(printable(alarm["message"]?.string ?? "?")),
            ])
            if let remedy = alarm["remedy"]?.string {
                table.row([Table.Cell(""), Table.Cell("→ " + printable(remedy), style.dim)])
            }
            if let since = alarm["since"]?.string {
                table.row([Table.Cell(""), Table.Cell("since \(since)", style.dim)])
            }
        }
        return table.lines()
    }
}
