internal import WeirJSON

/// A mediated request as a picture: one bar a line item on a shared time axis, its outcome and its reason.
struct Timeline {
    /// How many characters the time axis is wide.
    static let width = 32

    private let answer: JSONValue
    private let style: Style

    /// A picture of the body of `POST /v1/ads`.
    init(_ answer: JSONValue, style: Style) {
        self.answer = answer
        self.style = style
    }

    /// The lines to print.
    var lines: [String] {
        [headline, ""] + attemptTable.lines(indent: "  ") + [""] + adLines
    }

    private var total: Int { max(1, answer["latency_ms"]?.int ?? 1) }

    private var headline: String {
        let placement = answer["placement"]?.string ?? "?"
        let format = answer["format"]?.string ?? "?"
        let result = answer["result"]?.string ?? "?"
        let took = "\(answer["latency_ms"]?.int ?? 0) ms"
        let verdict =
            if result == "fill", let line = answer["ad"]?["line_item"]?.string {
                style.green("filled by \(line)")
            } else {
                style.yellow(result)
            }
        return style.bold(placement) + " (\(format)): " + verdict + " in \(took)  "
            + style.dim("request \(answer["request_id"]?.string ?? "?")")
    }

    private var attemptTable: Table {
        var table = Table()
        let end = "\(total) ms"
        let axis = "0" + String(repeating: " ", count: max(1, Self.width - 1 - end.count)) + end
        table.row(["line item", "network", axis, "took", "outcome", ""].map { Table.Cell($0, style.dim) })
        for attempt in answer["attempts"]?.array ?? [] {
            let result = attempt["result"]?.string ?? "?"
            let reason = attempt["reason"]?.string ?? "?"
            let paint = paint(for: result)
            let isAsked = attempt["start_ms"]?.int != nil
            table.row([
                Table.Cell(attempt["line_item"]?.string ?? "?"),
                Table.Cell(attempt["network"]?.string ?? "?"),
                Table.Cell(bar(attempt), paint),
                Table.Cell(isAsked ? "\(attempt["latency_ms"]?.int ?? 0) ms" : "-"),
                Table.Cell(result == reason ? result : "\(result) (\(reason))", paint),
                Table.Cell(result == "fill" ? "" : attempt["message"]?.string ?? "", style.dim),
            ])
        }
        return table
    }

    /// A bar from the attempt's start to its end, at least one character wide; a dot when no network was asked.
    private func bar(_ attempt: JSONValue) -> String {
        guard let start = attempt["start_ms"]?.int else { return "·" }
        let latency = attempt["latency_ms"]?.int ?? 0
        let first = min(Self.width - 1, max(0, start) * Self.width / total)
        let last = min(Self.width, max(first + 1, (start + latency) * Self.width / total))
        return String(repeating: " ", count: first) + String(repeating: "█", count: last - first)
    }

    private func paint(for result: String) -> (String) -> String {
        switch result {
        case "fill": style.green
        case "no_fill": style.yellow
        case "skipped", "not_attempted": style.dim
        default: style.red
        }
    }

    private var adLines: [String] {
        guard let ad = answer["ad"], !ad.isNull else { return [] }
        var table = Table()
        func fact(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { table.row([Table.Cell(name, style.dim), Table.Cell(value)]) }
        }
        fact("ad", [ad["title"]?.string, ad["id"]?.string.map { "(\($0))" }].compactMap(\.self).joined(separator: " "))
        fact("duration", ad["duration_ms"]?.int.map { "\($0) ms" })
        fact("price", ad["price"].flatMap(money))
        fact("media", ad["media_files"]?.array?.first?["url"]?.string)
        if let reward = ad["reward"], let item = reward["item"]?.string {
            fact("reward", "\(reward["amount"]?.string ?? "?") \(item)")
        }
        if let sections = answer["sections"]?.object ?? ad["sections"]?.object {
            fact("sections", sections.members.map { "\($0.key) \($0.value.array?.count ?? 0)" }.joined(separator: ", "))
        }
        return table.lines(indent: "  ")
    }

    private func money(_ value: JSONValue) -> String? {
        guard let amount = value["amount"]?.string, let currency = value["currency"]?.string else { return nil }
        return "\(amount) \(currency)"
    }
}
