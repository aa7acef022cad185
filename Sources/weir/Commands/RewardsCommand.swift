internal import WeirJSON

/// `weir rewards`: the ledger, one reward with every try, and telling the publisher once more.
struct RewardsCommand: Command {
    static let specification = CommandSpecification(
        name: "rewards",
        operands: ["[ID|redeliver]", "[ID]"],
        summary: "shows rewards and how they were delivered; redeliver tells the publisher once more",
        options: AdminClient.options + [
            CommandSpecification.Option("--user", "U", "only of this user"),
            CommandSpecification.Option(
                "--state",
                "S",
                "only in this state: pending, granted, refused; waiting, delivered, dead"
            ),
            CommandSpecification.Option("--limit", "N", "at most so many (50)"),
            CommandSpecification.Option("--json", nil, "prints the body of GET /v1/rewards"),
        ],
        example: "weir rewards --state dead"
    )

    private enum Task {
        case list
        case show(String)
        case redeliver(String)
    }

    private let client: AdminClient
    private let task: Task
    private let query: String
    private let printsJSON: Bool
    private let style = Style.standardOutput

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        printsJSON = arguments.has("--json")
        var pairs: [String] = []
        for (option, name) in [("--user", "user"), ("--state", "state")] {
            if let value = arguments[option] { pairs.append("\(name)=\(percentEncoded(value))") }
        }
        if let limit = try arguments.number("--limit", in: 1...1000) { pairs.append("limit=\(limit)") }
        query = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
        switch (arguments.operands.first, arguments.operands.dropFirst().first) {
        case (nil, _): task = .list
        case ("redeliver", let id?): task = .redeliver(id)
        case ("redeliver", nil): throw Arguments.UsageError(message: "weir rewards redeliver needs the ID of a reward.")
        case (let id?, nil): task = .show(id)
        case (_, let more?): throw Arguments.UsageError(message: "weir rewards does not understand \"\(more)\".")
        }
    }

    func run() async -> ExitCode {
        do throws(AdminClient.Unreachable) {
            let answer: AdminClient.Answer =
                switch task {
                case .list: try await client.send("GET", "/v1/rewards" + query)
                case .show(let id): try await client.send("GET", "/v1/rewards/" + percentEncoded(id))
                case .redeliver(let id):
                    try await client.send(
                        "POST",
                        "/v1/rewards/" + percentEncoded(id) + "/redeliver",
                        body: [0x7B, 0x7D]
                    )
                }
            if printsJSON { say(String(decoding: answer.body, as: UTF8.self)) }
            guard answer.status < 300 else {
                if !printsJSON { complain("weir: \(answer.problem)") }
                return .no
            }
            if !printsJSON { say(text(answer.json).joined(separator: "\n")) }
            return .good
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }

    private func text(_ json: JSONValue) -> [String] {
        switch task {
        case .list: table(json["rewards"]?.array ?? [])
        case .show: history(json)
        case .redeliver(let id): ["\(id) will be told to the publisher once more."]
        }
    }

    private func table(_ rewards: [JSONValue]) -> [String] {
        guard !rewards.isEmpty else { return ["There are no such rewards."] }
        var table = Table()
        table.row(
            ["TRANSACTION", "STATE", "USER", "REWARD", "NETWORK", "DELIVERY", "GRANTED"].map {
                Table.Cell($0, style.dim)
            }
        )
        for reward in rewards {
            let state = reward["state"]?.string ?? "?"
            let reason = reward["reason"]?.string.map { " (\($0))" } ?? ""
            table.row([
                Table.Cell(reward["transaction_id"]?.string ?? "?"),
                Table.Cell(state + reason, paint(state)),
                Table.Cell(printable(reward["user_id"]?.string ?? "–")),
                Table.Cell(
                    printable(
                        "\(reward["reward"]?["amount"]?.string ?? "?") \(reward["reward"]?["item"]?.string ?? "?")"
                    )
                ),
                Table.Cell(printable(reward["network"]?.string ?? "–")),
                delivery(reward["delivery"]),
                Table.Cell(reward["granted_at"]?.string ?? "–"),
            ])
        }
        return table.lines()
    }

    private func delivery(_ delivery: JSONValue?) -> Table.Cell {
        let state = delivery?["state"]?.string ?? "?"
        let tries = delivery?["tries"]?.int ?? 0
        return Table.Cell("\(state), \(tries) \(tries == 1 ? "try" : "tries")", paint(state))
    }

    private func paint(_ state: String) -> (String) -> String {
        switch state {
        case "granted", "delivered": style.green
        case "refused", "dead": style.red
        default: style.yellow
        }
    }

    private func history(_ reward: JSONValue) -> [String] {
        var lines = table([reward])
        let names = [
            "request_id", "ad_unit", "placement", "line_item", "reward_mode", "custom_data", "client_at", "network_at",
        ]
        var facts = Table()
        for name in names {
            guard let value = reward[name]?.string, !value.isEmpty else { continue }
            facts.row([Table.Cell(name, style.dim), Table.Cell(printable(value))])
        }
        lines += facts.lines(indent: "  ")
        for callback in reward["callbacks"]?.array ?? [] {
            let detail = callback["reason"]?.string.map { " (\($0))" } ?? ""
            lines.append(
                "  callback of \(printable(callback["network"]?.string ?? "?")) at \(callback["at"]?.string ?? "?"): "
                    + "\(callback["state"]?.string ?? "?")\(detail), \(callback["repeats"]?.int ?? 0) repeats"
            )
        }
        for attempt in reward["delivery"]?["attempts"]?.array ?? [] {
            let outcome = attempt["status"]?.int.map { "status \($0)" } ?? printable(attempt["error"]?.string ?? "?")
            lines.append(
                "  try \(attempt["number"]?.int ?? 0) at \(attempt["at"]?.string ?? "?"): \(outcome) "
                    + "after \(attempt["duration_ms"]?.int ?? 0) ms, key \(attempt["key_id"]?.string ?? "?")"
            )
        }
        return lines
    }
}

/// A text as it may stand in a path or a query.
private func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte -> String in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
        default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }.joined()
}
