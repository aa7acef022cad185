internal import WeirJSON

/// What was sent to networks and what came back, for a person.
struct TraceText {
    /// How much of a body is shown.
    private static let bodyLimit = 600

    private let answer: JSONValue
    private let style: Style

    /// The trace in a body of `POST /v1/ads?trace=1`.
    init(_ answer: JSONValue, style: Style) {
        self.answer = answer
        self.style = style
    }

    /// The lines to print.
    var lines: [String] {
        (answer["trace"]?.array ?? []).flatMap { exchange -> [String] in
            let request = exchange["request"]
            let title =
                style.bold(printable(exchange["line_item"]?.string ?? "?"))
                + printable(" \(request?["method"]?.string ?? "") \(request?["url"]?.string ?? "")")
            return ["", title] + part(request, "> ") + response(exchange)
        }
    }

    private func response(_ exchange: JSONValue) -> [String] {
        if let error = exchange["error"]?.string { return [style.red("  ! " + printable(error))] }
        let status = exchange["response"]?["status"]?.int ?? 0
        return ["  < \(status)"] + part(exchange["response"], "< ")
    }

    private func part(_ part: JSONValue?, _ mark: String) -> [String] {
        let headers = (part?["headers"]?.array ?? []).compactMap(\.string)
        let body = part?["body"]?.string ?? ""
        let shown =
            body.isEmpty ? [] : [String(body.prefix(Self.bodyLimit)) + (body.count > Self.bodyLimit ? " …" : "")]
        let lines = (headers + shown).flatMap {
            $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        }
        return lines.map { style.dim("  \(mark)" + printable(String($0), keeping: "\t")) }
    }
}
