internal import Glibc
internal import WeirAdapterKit
internal import WeirJSON
internal import WeirTesting

/// `weir adapter test`: an author's cases over real sockets, then the fault battery.
struct AdapterTestCommand: Command {
    static let specification = CommandSpecification(
        name: "adapter test",
        operands: ["[TARGET]"],
        summary: "plays an adapter's cases and the fault battery against it",
        options: [
            CommandSpecification.Option(
                "--cases",
                "DIR",
                "the case files, in exemplary/ and supplemental/ or in DIR itself; without it those beside TARGET"
            ),
            CommandSpecification.Option(
                "--settings",
                "FILE",
                "a JSON object: the settings of cases that have none, and of faults without a case"
            ),
            CommandSpecification.Option("--only", "NAME", "plays the cases and faults whose name holds NAME"),
            CommandSpecification.Option("--junit", "FILE", "writes JUnit XML as well"),
            CommandSpecification.Option("--json", nil, "prints JSON in place of the table"),
            CommandSpecification.Option("--list", nil, "names the adapters that are built in, and the faults"),
        ],
        example: "weir adapter test vast --only price"
    )

    private let target: String?
    private let cases: String?
    private let settings: String?
    private let only: String?
    private let junit: String?
    private let printsJSON: Bool
    private let lists: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        lists = arguments.has("--list")
        target = arguments.operands.first
        guard lists || target != nil else { throw Arguments.UsageError(message: "TARGET is missing.") }
        cases = arguments["--cases"]
        settings = arguments["--settings"]
        only = arguments["--only"]
        junit = arguments["--junit"]
        printsJSON = arguments.has("--json")
    }

    /// An adapter that is built in runs in a program of its own, which may crash; this is it when `row` is there.
    private func report(_ target: AdapterTarget, _ row: String?) async throws -> ConformanceReport {
        let exactly = row == IsolatedConformance.everything ? nil : row
        let conformance = AdapterConformance(target.subject, only: only, exactly: exactly)
        guard target.isBuiltIn, row == nil else { return try await conformance.run() }
        return try await IsolatedConformance(
            target.subject.name,
            program: WeirProcess.own,
            arguments: Array(CommandLine.arguments.dropFirst()),
            rows: conformance.expectedRows
        ).run()
    }

    func run() async -> ExitCode {
        if lists {
            say("Adapters: " + BuiltInAdapters.factories.map(\.descriptor.kind).joined(separator: ", ") + "\n")
            say("Faults:\n  " + AdapterConformance.faultNames.joined(separator: "\n  "))
            return .good
        }
        do {
            let target = try AdapterTarget(target ?? "", cases: cases, settings: settings)
            let row = environment(IsolatedConformance.variable)
            let report = try await report(target, row)
            await target.end()
            if row != nil {
                say(String(decoding: report.json.encoded(), as: UTF8.self))
                return .good
            }
            guard !report.rows.isEmpty else {
                complain("weir: no case and no fault has a name that holds \"\(only ?? "")\"; see --list.")
                return .no
            }
            if let junit, let problem = write(report.junit, to: junit) {
                complain("weir: \(problem)")
                return .no
            }
            say(
                printsJSON
                    ? String(decoding: report.json.encoded(pretty: true), as: UTF8.self)
                    : ConformanceTable(report, notes: target.notes).lines.joined(separator: "\n")
            )
            return report.isGreen ? .good : .no
        } catch {
            complain("weir: \(error)")
            return .no
        }
    }
}

/// Writes a file whole.
///
/// - Returns: What went wrong.
func write(_ text: String, to path: String) -> String? {
    guard let file = fopen(path, "we") else { return "\(path): \(String(cString: strerror(errno)))" }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    return fclose(file) == 0 && isWritten ? nil : "\(path): \(String(cString: strerror(errno)))"
}
