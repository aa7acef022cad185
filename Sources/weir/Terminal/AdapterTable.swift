internal import WeirJSON

/// The state of every adapter as a table, with what to do about those that are not ready.
struct AdapterTable {
    private let snapshot: JSONValue
    private let style: Style
    private let width: Int?

    /// A table of the body of `GET /v1/adapters`, in lines of at most `width` characters.
    init(_ snapshot: JSONValue, style: Style, width: Int? = nil) {
        self.snapshot = snapshot
        self.style = style
        self.width = width
    }

    /// The lines to print.
    var lines: [String] {
        var table = Table()
        table.header(["network", "adapter", "state", "latency", "description"].map { Table.Cell($0, style.dim) })
        for adapter in adapters { table.row(cells(adapter)) }
        return [headline] + table.lines(indent: "  ", width: width) + remedies
    }

    private var adapters: [JSONValue] { snapshot["adapters"]?.array ?? [] }

    private var headline: String {
        let ready = adapters.filter { $0["ready"]?.bool == true }.count
        let count = style.bold("\(ready) of \(adapters.count) ready")
        // One network's status does not tell of the others.
        guard let initialization = snapshot["initialization"] else { return count }
        let elapsed = initialization["elapsed_ms"]?.int.map { " after \($0) ms" } ?? ""
        let isComplete = initialization["state"]?.string == "complete"
        return count + (isComplete ? ", initialization complete" : ", initializing") + elapsed
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
            Table.Cell(description(adapter) + (breaker == "closed" ? "" : " Breaker: \(breaker).")),
        ]
    }

    /// The description without the network's name, which stands in the first column.
    private func description(_ adapter: JSONValue) -> String {
        let text = adapter["description"]?.string ?? ""
        let prefix = (adapter["network"]?.string ?? "?") + ": "
        return String(text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...])
    }

    private var remedies: [String] {
        var table = Table()
        for adapter in adapters {
            guard let remedy = adapter["remedy"]?.string, let network = adapter["network"]?.string else { continue }
            table.row([Table.Cell("→ \(network):", style.yellow), Table.Cell(remedy)])
        }
        return table.lines(indent: "  ", width: width)
    }
}
