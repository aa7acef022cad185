internal import WeirJSON

/// A mediated request as a picture: one bar a line item on a shared time axis, its outcome and its reason.
struct Timeline {
    /// How many characters the time axis is wide where there is room, and at least.
    private static let widest = 32, narrowest = 12
    private static let indent = "  "

    private let answer: JSONValue
    private let style: Style
    private let width: Int?

    /// A picture of the body of `POST /v1/ads`, in lines of at most `width` characters.
    init(_ answer: JSONValue, style: Style, width: Int? = nil) {
        self.answer = answer
        self.style = style
        self.width = width
    }

    /// The lines to print.
    var lines: [String] {
        let ad = adLines
        return headlines + [""] + attemptLines + (ad.isEmpty ? [] : [""] + ad)
    }

    private var total: Int { min(max(1, answer["latency_ms"]?.int ?? 1), 86_400_000) }

    /// What became of the request; its id on a second line where one is too narrow for both.
    private var headlines: [String] {
        let placement = printable(answer["placement"]?.string ?? "?")
        let format = answer["format"]?.string ?? "?"
        let result = answer["result"]?.string ?? "?"
        let line = result == "fill" ? answer["ad"]?["line_item"]?.string : nil
        let verdict = line.map { "filled by \(printable($0))" } ?? result
        let took = "in \(answer["latency_ms"]?.int ?? 0) ms"
        let request = "request \(answer["request_id"]?.string ?? "?")"
        let first =
            style.bold(placement) + " (\(format)): " + (line == nil ? style.yellow(verdict) : style.green(verdict))
            + " " + took
        let length = placement.count + format.count + verdict.count + took.count + request.count + 8
        return length > width ?? .max
            ? [first, Self.indent + style.dim(request)] : [first + Self.indent + style.dim(request)]
    }

    /// Where a line is too narrow the axis is shortened; where that is not enough the outcome goes to its sentence.
    private var attemptLines: [String] {
        var table = attemptTable(axis: Self.widest)
        if let width {
            func excess(_ table: Table) -> Int { Self.indent.count + table.widthBeforeLast - width }
            if excess(table) > 0 { table = attemptTable(axis: max(Self.narrowest, Self.widest - excess(table))) }
            if excess(table) > 0 {
                table = attemptTable(axis: Self.widest, isNarrow: true)
                table = attemptTable(axis: max(Self.narrowest, Self.widest - max(0, excess(table))), isNarrow: true)
            }
        }
        return table.lines(indent: Self.indent, width: width)
    }

    /// The line items, with a time axis of so many characters.
    private func attemptTable(axis width: Int, isNarrow: Bool = false) -> Table {
        var table = Table()
        let end = "\(total) ms"
        let axis = "0" + spaces(max(1, width - 1 - end.count)) + end
        let columns = ["line item", "network", axis, "took", "outcome"] + (isNarrow ? [] : [""])
        table.header(columns.map { Table.Cell($0, style.dim) })
        for attempt in answer["attempts"]?.array ?? [] {
            let result = attempt["result"]?.string ?? "?"
            let reason = attempt["reason"]?.string ?? "?"
            let paint = paint(for: result)
            let isAsked = attempt["start_ms"]?.int != nil
            let outcome = result == reason ? result : "\(result) (\(reason))"
            let message = isWinner(attempt) ? "" : attempt["message"]?.string ?? ""
            let facts = [
                Table.Cell(attempt["line_item"]?.string ?? "?"),
                Table.Cell(attempt["network"]?.string ?? "?"),
                Table.Cell(bar(attempt, axis: axis.count), paint),
                Table.Cell(isAsked ? "\(attempt["latency_ms"]?.int ?? 0) ms" : "-"),
            ]
            table.row(
                facts
                    + (isNarrow
                        ? [Table.Cell(message.isEmpty ? outcome : "\(outcome): \(message)", paint)]
                        : [Table.Cell(outcome, paint), Table.Cell(message, style.dim)])
            )
        }
        return table
    }

    /// Whether the ad is this line's; in a group another one may have filled, too, and its message says why it lost.
    private func isWinner(_ attempt: JSONValue) -> Bool {
        attempt["result"]?.string == "fill" && attempt["line_item"] == answer["ad"]?["line_item"]
    }

    /// A bar from the attempt's start to its end, at least one character wide; a dot when no network was asked.
    private func bar(_ attempt: JSONValue, axis width: Int) -> String {
        guard let start = attempt["start_ms"]?.int else { return "·" }
        let begin = min(max(0, start), total)
        let length = min(max(0, attempt["latency_ms"]?.int ?? 0), total - begin)
        let first = min(width - 1, begin * width / total)
        let last = max(first + 1, (begin + length) * width / total)
        return spaces(first) + String(repeating: "█", count: last - first)
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
        return table.lines(indent: Self.indent, width: width)
    }

    private func money(_ value: JSONValue) -> String? {
        guard let amount = value["amount"]?.string, let currency = value["currency"]?.string else { return nil }
        return "\(amount) \(currency)"
    }
}
