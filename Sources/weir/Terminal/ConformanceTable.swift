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
        return zip(rows, table.blocks(indent: "  ", width: width)).flatMap { row, block in
            guard row.result == .failed, let fix = row.fix else { return block }
            return block + wrapped("Fix: \(printable(fix))", width: width - 8).map { spaces(8) + style.yellow($0) }
        }
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
