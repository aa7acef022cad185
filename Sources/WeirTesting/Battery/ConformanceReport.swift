public import WeirJSON
internal import WeirTime

/// One case or fault, and what the adapter did.
public struct ConformanceRow: Sendable, Hashable {
    /// Where it comes from.
    public enum Kind: String, Sendable {
        /// The author's case file.
        case example = "case"
        /// The fault battery.
        case fault
    }

    /// How it ended.
    public enum Result: String, Sendable {
        case passed
        case failed
        case notApplicable = "not_applicable"
    }

    /// Where it comes from.
    public var kind: Kind
    /// The case's sentence, or the fault's word.
    public var name: String
    /// How it ended.
    public var result: Result
    /// What the network sent, in words.
    public var sent: String
    /// What the adapter did, or why there was nothing to do.
    public var did = ""
    /// What its author does about a failure.
    public var fix: String?
    /// The last lines of the adapter's log, of a process its standard error; only of a row that failed.
    public var log: [String] = []
    /// How long it took.
    public var elapsed: Duration = .zero

    /// A row.
    public init(
        kind: Kind,
        name: String,
        result: Result,
        sent: String,
        did: String = "",
        fix: String? = nil,
        log: [String] = [],
        elapsed: Duration = .zero
    ) {
        self.kind = kind
        self.name = name
        self.result = result
        self.sent = sent
        self.did = did
        self.fix = fix
        self.log = log
        self.elapsed = elapsed
    }
}

/// Everything that a conformance run found.
public struct ConformanceReport: Sendable {
    /// The adapter, as it was named.
    public var subject: String
    /// The cases in their order, then the faults in theirs.
    public var rows: [ConformanceRow]
    /// How long the run took.
    public var elapsed: Duration

    /// A report.
    public init(subject: String, rows: [ConformanceRow], elapsed: Duration) {
        self.subject = subject
        self.rows = rows
        self.elapsed = elapsed
    }

    /// How many rows ended so.
    public func count(_ result: ConformanceRow.Result) -> Int { rows.count { $0.result == result } }

    /// Whether no row failed, and there was one at all.
    public var isGreen: Bool { !rows.isEmpty && count(.failed) == 0 }

    /// The report as `weir adapter test --json` prints it.
    public var json: JSONValue {
        [
            "adapter": .string(subject), "passed": .int(count(.passed)), "failed": .int(count(.failed)),
            "not_applicable": .int(count(.notApplicable)), "elapsed_ms": .int(elapsed.milliseconds),
            "cases": .array(rows.map(\.json)),
        ]
    }
}

extension ConformanceRow {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "kind": .string(kind.rawValue), "result": .string(result.rawValue),
            "sent": .string(sent), "message": .string(did), "fix": fix.map(JSONValue.string) ?? .null,
            "log": .array(log.map(JSONValue.string)), "elapsed_ms": .int(elapsed.milliseconds),
        ]
    }
}
