internal import WeirJSON

/// `weir explain`: the plan and its rules, calling no network.
struct ExplainCommand: Command {
    static let specification = CommandSpecification(
        name: "explain",
        operands: ["PLACEMENT"],
        summary: "shows what would be asked and why, asking nobody",
        options: AdminClient.options + [
            CommandSpecification.Option("--body", "FILE", "a request body; the placement on the command line wins"),
            CommandSpecification.Option("--json", nil, "prints the body of POST /v1/explain"),
        ],
        example: "weir explain movie_preroll"
    )

    private let client: AdminClient
    private let body: RequestBody
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        body = try RequestBody(placement: arguments.operands[0], file: arguments["--body"])
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        do throws(AdminClient.Unreachable) {
            let answer = try await client.send("POST", "/v1/explain", body: body.bytes)
            if printsJSON { say(answer.text) }
            guard answer.status == 200 else {
                if !printsJSON { complain("weir: \(answer.problem)") }
                return .no
            }
            if !printsJSON { say(lines(answer.json, .standardOutput).joined(separator: "\n")) }
            return .good
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }

    private func lines(_ plan: JSONValue, _ style: Style) -> [String] {
        let title =
            style.bold(printable(plan["placement"]?.string ?? "?"))
            + printable(" → ad unit \(plan["ad_unit"]?.string ?? "?") (\(plan["format"]?.string ?? "?")), ")
            + "within \(plan["timeout_ms"]?.int ?? 0) ms, order \(plan["order"]?.string ?? "?")"
        let width = Screen.standardOutput.width
        var notes = Table()
        for note in plan["notes"]?.array ?? [] { notes.row([Table.Cell(note.string ?? "", style.dim)]) }
        let items = plan["plan"]?.array ?? []
        var table = Table()
        for item in items { table.row(cells(item, style)) }
        let blocks = zip(table.blocks(indent: "  ", width: width), items)
        return [title] + notes.lines(indent: "  ", width: width)
            + blocks.flatMap { $0 + rules($1["rules"]?.array ?? [], style, width) }
    }

    private func cells(_ item: JSONValue, _ style: Style) -> [Table.Cell] {
        let isAsked = item["action"]?.string == "ask"
        let verdict =
            isAsked ? "ask within \(item["timeout_ms"]?.int ?? 0) ms" : "skip (\(item["reason"]?.string ?? "?"))"
        let paint: (String) -> String = if isAsked { style.green } else { style.yellow }
        let rate = item["rate"]?["amount"]?.string.map { "\($0) \(item["rate"]?["currency"]?.string ?? "")" }
        return [
            Table.Cell("\(item["step"]?.int ?? 0)" + (item["group"]?.bool == true ? " (group)" : "")),
            Table.Cell(item["line_item"]?.string ?? "?", style.bold),
            Table.Cell(item["network"]?.string ?? "?"),
            Table.Cell(rate ?? (item["bidding"]?.bool == true ? "its bid" : "")),
            Table.Cell(verdict, paint),
        ]
    }

    /// The rule that said no in full, those that said yes by their names.
    private func rules(_ rules: [JSONValue], _ style: Style, _ width: Int?) -> [String] {
        let passed = rules.filter { $0["passed"]?.bool == true }.compactMap { $0["rule"]?.string }
        let refused = rules.filter { $0["passed"]?.bool == false }
        var table = Table()
        if !passed.isEmpty {
            table.row([Table.Cell("✓", style.green), Table.Cell(passed.joined(separator: " "), style.dim)])
        }
        for rule in refused { table.row([Table.Cell("✗", style.red), Table.Cell(rule["sentence"]?.string ?? "")]) }
        return table.lines(indent: "     ", width: width)
    }
}
