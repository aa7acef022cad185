internal import WeirJSON

/// The state of every adapter as a table, with what to do about those that are not ready.
struct AdapterTable {
    private let snapshot: JSONValue
    private let style: Style

    /// A table of the body of `GET /v1/adapters`.
    init(_ snapshot: JSONValue, style: Style) {
        self.snapshot = snapshot
        self.style = style
    }

    /// The lines to print.
    var lines: [String] {
        var table = Table()
        table.row(["network", "adapter", "state", "latency", "description"].map { Table.Cell($0, style.dim) })
        for adapter in adapters { table.row(cells(adapter)) }
        return [headline] + table.lines(indent: "  ") + remedies
    }

    private var adapters: [JSONValue] { snapshot["adapters"]?.array ?? [] }

    private var headline: String {
        let ready = adapters.filter { $0["ready"]?.bool == true }.count
        let initialization = snapshot["initialization"]
        let elapsed = initialization?["elapsed_ms"]?.int.map { " after \($0) ms" } ?? ""
        let state = initialization?["state"]?.string == "complete" ? "initialization complete" : "initializing"
        return style.bold("\(ready) of \(adapters.count) ready") + ", \(state)\(elapsed)"
    }

    private func cells(_ adapter: JSONValue) -> [Table.Cell] {
        let state = adapter["state"]?.string ?? "?"
        let paint: (String) -> String =
            switch state {
            case "ready": style.green
            case "starting": style.cyan
            case "disabled", "stopped", "draining": style.dim
            default: style.red
            }
        let breaker = adapter["breaker"]?["state"]?.string ?? "closed"
        return [
            Table.Cell(adapter["network"]?.string ?? "?", style.bold),
            Table.Cell(adapter["adapter"]?.string ?? "?"),
            Table.Cell(state + (adapter["late"]?.bool == true ? " (late)" : ""), paint),
            Table.Cell(adapter["latency_ms"]?.int.map { "\($0) ms" } ?? "-"),
            Table.Cell((adapter["description"]?.string ?? "") + (breaker == "closed" ? "" : " Breaker: \(breaker).")),
        ]
    }

    private var remedies: [String] {
        adapters.compactMap { adapter in
            guard let remedy = adapter["remedy"]?.string, let network = adapter["network"]?.string else { return nil }
            return "  " + style.yellow("→ \(network): ") + remedy
        }
    }
}
