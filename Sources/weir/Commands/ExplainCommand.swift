internal import WeirJSON

/// `weir explain`: the plan and its rules, calling no network.
struct ExplainCommand: Command {
    static let specification = CommandSpecification(
        name: "explain",
        operands: ["PLACEMENT"],
        summary: "shows what would be asked and why, calling no network",
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
            if printsJSON { say(String(decoding: answer.body, as: UTF8.self)) }
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
            style.bold(plan["placement"]?.string ?? "?")
            + " → ad unit \(plan["ad_unit"]?.string ?? "?") (\(plan["format"]?.string ?? "?")), "
            + "within \(plan["timeout_ms"]?.int ?? 0) ms, order \(plan["order"]?.string ?? "?")"
        let notes = (plan["notes"]?.array ?? []).compactMap(\.string).map { style.dim("  " + $0) }
        return [title] + notes + (plan["plan"]?.array ?? []).flatMap { line($0, style) }
    }

    private func line(_ line: JSONValue, _ style: Style) -> [String] {
        let isAsked = line["action"]?.string == "ask"
        let verdict =
            isAsked
            ? style.green("ask") + " within \(line["timeout_ms"]?.int ?? 0) ms"
            : style.yellow("skip (\(line["reason"]?.string ?? "?"))")
        let group = line["group"]?.bool == true ? " (group)" : ""
        let rate = line["rate"]?["amount"]?.string.map { " at \($0) \(line["rate"]?["currency"]?.string ?? "")" } ?? ""
        let title =
            "  \(line["step"]?.int ?? 0)\(group) " + style.bold(line["line_item"]?.string ?? "?")
            + " on \(line["network"]?.string ?? "?")\(rate): \(verdict)"
        let rules = (line["rules"]?.array ?? []).map { rule in
            let mark = rule["passed"]?.bool == true ? style.green("✓") : style.red("✗")
            return "      \(mark) \(rule["sentence"]?.string ?? "")"
        }
        return [title] + rules
    }
}
