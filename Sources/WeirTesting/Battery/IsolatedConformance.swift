public import WeirJSON
internal import WeirTime

/// A conformance run in a program of its own: an adapter that is built in and traps ends that program, not the report.
///
/// The program is run once for everything. When it ends by a signal, it is run again for each row alone, and the rows
/// that end it are told.
public struct IsolatedConformance: Sendable {
    /// The variable that asks the program for one row, or for ``everything``; it prints the report as JSON.
    public static let variable = "WEIR_ADAPTER_TEST_ROW"

    /// The value that asks for all rows.
    public static let everything = "*"

    /// How long the program may take for all rows, and for one.
    private static let patience: Duration = .seconds(600)

    /// Programs side by side when rows are run alone.
    private static let sideBySide = 4

    private let subject: String
    private let program: String
    private let arguments: [String]
    private let rows: [ConformanceRow]

    /// A run.
    ///
    /// - Parameters:
    ///   - subject: The adapter, as it is named.
    ///   - program: The program's path.
    ///   - arguments: What it is started with.
    ///   - rows: The rows that it would tell, for when it ends without telling any.
    public init(_ subject: String, program: String, arguments: [String], rows: [ConformanceRow]) {
        self.subject = subject
        self.program = program
        self.arguments = arguments
        self.rows = rows
    }

    /// Runs the program, as often as it takes.
    ///
    /// - Throws: `WeirProcess.Failure` when it cannot be started.
    public func run() async throws -> ConformanceReport {
        let clock = SystemClock()
        let start = clock.now
        if case .report(let report) = try await attempt(Self.everything) { return report }
        var found: [Int: [ConformanceRow]] = [:]
        try await withThrowingTaskGroup(of: (Int, [ConformanceRow]).self) { group in
            for (index, row) in rows.enumerated() {
                if index >= Self.sideBySide, let (done, rows) = try await group.next() { found[done] = rows }
                group.addTask { (index, try await alone(row)) }
            }
            for try await (done, rows) in group { found[done] = rows }
        }
        return ConformanceReport(
            subject: subject,
            rows: rows.indices.flatMap { found[$0] ?? [] },
            elapsed: start.duration(to: clock.now)
        )
    }

    private enum End {
        case report(ConformanceReport)
        case signal(Int, log: [String])
        case other(String, log: [String])
    }

    private func alone(_ row: ConformanceRow) async throws -> [ConformanceRow] {
        var row = row
        row.result = .failed
        switch try await attempt(row.name) {
        case .report(let report): return report.rows
        case .signal(let number, let log):
            row.log = log
            row.did = "the adapter ended the whole process with signal \(number)"
            row.fix =
                "A trap in an adapter that is built in ends the gateway: no forced unwrapping, no unchecked index, no "
                + "arithmetic on a network's numbers without a check of its bounds."
        case .other(let words, let log):
            row.log = log
            row.did = words
            row.fix = "Run it again with --only \(row.name) and read what it says."
        }
        return [row]
    }

    private func attempt(_ row: String) async throws -> End {
        let process = try WeirProcess(
            arguments,
            program: program,
            environment: [Self.variable: row, "SWIFT_BACKTRACE": "enable=no"]
        )
        let code = try await process.waitForExit(within: Self.patience)
        if let report = ConformanceReport(json: (try? JSONReader.read(process.output)) ?? .null) {
            return .report(report)
        }
        let log = LastLines(of: process.errors).all
        guard let code else { return .other("it did not end within \(Self.patience.milliseconds / 1000) s", log: log) }
        if code > 128 { return .signal(Int(code) - 128, log: log) }
        return .other("it ended with \(code): \(process.errors.prefix(500))", log: log)
    }
}

extension ConformanceReport {
    /// Reads what ``json`` writes; `nil` for anything else.
    public init?(json: JSONValue) {
        guard let subject = json["adapter"]?.string, let cases = json["cases"]?.array else { return nil }
        let rows = cases.compactMap(ConformanceRow.init(json:))
        guard rows.count == cases.count else { return nil }
        self.init(subject: subject, rows: rows, elapsed: .milliseconds(json["elapsed_ms"]?.int ?? 0))
    }
}

extension ConformanceRow {
    fileprivate init?(json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let name = json["name"]?.string,
            let result = json["result"]?.string.flatMap(Result.init)
        else { return nil }
        self.init(
            kind: kind,
            name: name,
            result: result,
            sent: json["sent"]?.string ?? "",
            did: json["message"]?.string ?? "",
            fix: json["fix"]?.string,
            log: json["log"]?.array?.compactMap(\.string) ?? [],
            elapsed: .milliseconds(json["elapsed_ms"]?.int ?? 0)
        )
    }
}
