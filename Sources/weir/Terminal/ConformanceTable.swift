internal import WeirTesting
internal import WeirTime

/// A conformance report for people: one line a row, and below a failure what to do about it.
struct ConformanceTable {
    private let report: ConformanceReport
    private let notes: [String]
    private let style: Style
    private let width: Int

    /// The usual width of a terminal; wider ones are no easier to read.
    private static let widest = 80

    init(
        _ report: ConformanceReport,
        notes: [String] = [],
        style: Style = .standardOutput,
        screen: Screen = .standardOutput
    ) {
        self.report = report
        self.notes = notes
        self.style = style
        width = min(screen.width ?? Self.widest, Self.widest)
    }

    /// The lines to print.
    var lines: [String] {
        var lines: [String] = []
        for (title, kind) in [("Cases", ConformanceRow.Kind.example), ("Faults", .fault)] {
            let rows = report.rows.filter { $0.kind == kind }
            if rows.isEmpty { continue }
            lines += [style.bold(title)] + self.lines(rows) + [""]
        }
        return lines + notes.flatMap { wrapped($0, width: width) } + verdict
    }

    private func lines(_ rows: [ConformanceRow]) -> [String] {
        var table = Table()
        for row in rows { table.row(cells(row)) }
        // A program that never starts says the same in every row.
        var told: [[String]: String] = [:]
        return zip(rows, table.blocks(indent: "  ", width: width)).flatMap { row, block in
            guard row.result == .failed else { return block }
            let fix = row.fix.map { wrapped("Fix: \(printable($0))", width: width - 8) } ?? []
            let lines = block + fix.map { spaces(8) + style.yellow($0) } + log(row, told[row.log])
            if told[row.log] == nil { told[row.log] = row.name }
            return lines
        }
    }

    /// The end of the adapter's log; not wrapped, so that a traceback can be read and copied.
    private func log(_ row: ConformanceRow, _ same: String?) -> [String] {
        if row.log.isEmpty { return [] }
        if let same {
            let sentence = "Log: ends as that of \(printable(same))"
            return wrapped(sentence, width: width - 8).map { spaces(8) + style.dim($0) }
        }
        return [spaces(8) + "Log:"] + row.log.map { spaces(10) + printable($0) }
    }

    private func cells(_ row: ConformanceRow) -> [Table.Cell] {
        let (word, paint): (String, (String) -> String) =
            switch row.result {
            case .passed: ("pass", style.green)
            case .failed: ("FAIL", style.red)
            case .notApplicable: ("n/a", style.dim)
            }
        switch row.kind {
        case .example:
            let sentence = row.result == .passed ? row.name : "\(row.name): \(row.did)"
            return [Table.Cell(word, paint), Table.Cell(sentence)]
        case .fault:
            return [Table.Cell(word, paint), Table.Cell(row.name), Table.Cell("\(row.sent) → \(row.did)")]
        }
    }

    private var verdict: [String] {
        let failed = report.count(.failed)
        let parts = [
            "\(report.count(.passed)) passed", "\(failed) failed", "\(report.count(.notApplicable)) not applicable",
        ]
        let tenths = max(0, report.elapsed.milliseconds) / 100
        let sentence = "\(report.subject): \(parts.joined(separator: ", ")), in \(tenths / 10).\(tenths % 10) s."
        return [report.isGreen ? style.green(sentence) : style.red(sentence)]
    }
}
