internal import WeirJSON

/// `weir session`: one playback session, with what became of each of its beacons.
struct SessionCommand: Command {
    static let specification = CommandSpecification(
        name: "session",
        operands: ["ID"],
        summary: "shows a playback session: state, the latest outputs, and the fate of each beacon",
        options: AdminClient.options + [
            CommandSpecification.Option("--json", nil, "prints the body of GET /v1/sessions/ID")
        ],
        example: "weir session ses_0123456789abcdef0123456789abcdef"
    )

    /// How many of the latest outputs are printed.
    private static let shownOutputs = 20

    private let client: AdminClient
    private let id: String
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        id = arguments.operands[0]
        printsJSON = arguments.has("--json")
        guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F })
        else {
            throw Arguments.UsageError(message: "\(id) is no session id.")
        }
    }

    func run() async -> ExitCode {
        do throws(AdminClient.Unreachable) {
            let answer = try await client.send("GET", "/v1/sessions/\(id)")
            if printsJSON { say(String(decoding: answer.body, as: UTF8.self)) }
            guard answer.status == 200 else {
                if !printsJSON { complain("weir: \(answer.problem)") }
                return .no
            }
            if !printsJSON { print(answer.json, Style.standardOutput) }
            return .good
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }

    private func print(_ session: JSONValue, _ style: Style) {
        let words = ["placement", "format", "state"].compactMap { session[$0]?.string }.joined(separator: " · ")
        say("\(style.bold(id))  \(words)")
        for remark in session["diagnostics"]?.array ?? [] { say("  \(remark["message"]?.string ?? "")") }
        say("\nOutputs")
        var outputs = Table()
        for output in (session["outputs"]?.array ?? []).suffix(Self.shownOutputs) {
            outputs.row([
                Table.Cell(output["seq"]?.number?.text ?? ""), Table.Cell(output["kind"]?.string ?? ""),
                Table.Cell(output["type"]?.string ?? ""), Table.Cell(output["message"]?.string ?? ""),
            ])
        }
        say(outputs.lines(indent: "  ").joined(separator: "\n"))
        say("\nBeacons")
        var beacons = Table()
        for beacon in session["beacons"]?.array ?? [] {
            let state = beacon["state"]?.string ?? ""
            beacons.row([
                Table.Cell(beacon["number"]?.number?.text ?? ""), Table.Cell(beacon["event"]?.string ?? ""),
                Table.Cell(state) { (text: String) -> String in state == "sent" ? style.green(text) : style.yellow(text)
                },
                Table.Cell(beacon["status"]?.number?.text ?? ""),
                Table.Cell(beacon["reason"]?.string ?? beacon["url"]?.string ?? ""),
            ])
        }
        say(beacons.lines(indent: "  ").joined(separator: "\n"))
    }
}
