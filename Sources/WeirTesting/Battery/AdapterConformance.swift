internal import WeirAdapterKit
internal import WeirRuntime
internal import WeirTime

/// The conformance run of one adapter: its author's cases over real sockets, then every fault.
public struct AdapterConformance: Sendable {
    /// How many rows are played side by side.
    public static let sideBySide = 12

    /// The longest a row may last, whatever its adapter does.
    public static let rowPatience: Duration = .seconds(60)

    /// How long a call may go on after its time is up, unless told otherwise: far more than any machine needs.
    public static let usualGrace: Duration = .seconds(10)

    private let subject: ConformanceSubject
    private let only: String?
    private let exactly: String?
    private let grace: Duration

    /// A run.
    ///
    /// - Parameters:
    ///   - subject: The adapter.
    ///   - only: Plays just the rows whose name holds this.
    ///   - exactly: Plays just the row with this name.
    ///   - grace: How long a call may go on after its time is up, or after it was cancelled.
    public init(
        _ subject: ConformanceSubject,
        only: String? = nil,
        exactly: String? = nil,
        grace: Duration = usualGrace
    ) {
        self.subject = subject
        self.only = only
        self.exactly = exactly
        self.grace = grace
    }

    /// The names of all faults, in order.
    public static var faultNames: [String] { Fault.all.map(\.name) }

    /// What a run would tell of, every row failed as yet.
    public var expectedRows: [ConformanceRow] {
        let cases = subject.cases.map { ConformanceRow(kind: .example, name: $0.name, result: .failed, sent: "") }
        let faults = Fault.all.map { ConformanceRow(kind: .fault, name: $0.name, result: .failed, sent: $0.sent) }
        return (cases + faults).filter { isAsked($0.name) }
    }

    /// Plays everything and takes its network down again.
    ///
    /// - Returns: One row for each case and fault.
    /// - Throws: An error whose description is one sentence, when loopback cannot be listened on.
    public func run() async throws -> ConformanceReport {
        let clock = RuntimeClock()
        let start = clock.now
        let network = try await FakeNetwork.start()
        let cases = subject.cases.filter { isAsked($0.name) }
        let faults = Fault.all.filter { isAsked($0.name) }
        let goods = faults.isEmpty ? [] : await FaultStage.goods(subject, network)
        let stage = FaultStage(subject: subject, network: network, goods: goods, grace: grace)
        var jobs: [@Sendable () async -> ConformanceRow] = []
        for example in cases { jobs.append { await row(example, network) } }
        for (place, fault) in faults.enumerated() { jobs.append { await row(fault, stage, isFirst: place == 0) } }
        let rows = await Self.sideBySide(jobs)
        await network.stop()
        return ConformanceReport(subject: subject.name, rows: rows, elapsed: start.duration(to: clock.now))
    }

    private func isAsked(_ name: String) -> Bool {
        (only.map { name.contains($0) } ?? true) && (exactly.map { name == $0 } ?? true)
    }

    private func row(_ example: AdapterCase, _ network: FakeNetwork) async -> ConformanceRow {
        let clock = RuntimeClock()
        let start = clock.now
        let lines = LastLines()
        let differences = await example.run(subject, over: network, lines: lines)
        return ConformanceRow(
            kind: .example,
            name: example.name,
            result: differences.isEmpty ? .passed : .failed,
            sent: "\(example.steps.count) \(example.steps.count == 1 ? "step" : "steps")",
            did: differences.isEmpty ? "as the case says" : differences.joined(separator: "; "),
            fix: Self.fix(differences),
            log: differences.isEmpty ? [] : lines.all,
            elapsed: start.duration(to: clock.now)
        )
    }

    private static func fix(_ differences: [String]) -> String? {
        guard let first = differences.first else { return nil }
        return first.hasPrefix(CaseScript.refusedSettings)
            ? "Write what it wants into the case, beside \"ask\": \"settings\": {…}; or give --settings FILE for all cases "
                + "without."
            : "Make the adapter do what the case says, or correct the case."
    }

    private func row(_ fault: Fault, _ stage: FaultStage, isFirst: Bool) async -> ConformanceRow {
        let clock = RuntimeClock()
        let start = clock.now
        var stage = stage
        stage.lines = LastLines()
        let verdict = await race(until: .after(Self.rowPatience, clock: clock), clock: clock) {
            [stage] () async -> FaultVerdict in
            do throws(SettingsError) { return try await fault.judge(stage) } catch {
                let complaint = "\(error.path) \(error.message)"
                // Said once, it need not be said thirty times.
                guard isFirst else { return .notApplicable("its settings are refused") }
                return .failed(
                    complaint,
                    fix:
                        "The faults need settings that the adapter accepts: write them into an exemplary case, or give "
                        + "--settings."
                )
            }
        }
        var row = ConformanceRow(kind: .fault, name: fault.name, result: .failed, sent: fault.sent)
        row.elapsed = start.duration(to: clock.now)
        switch verdict {
        case .passed(let did): (row.result, row.did) = (.passed, did)
        case .notApplicable(let why): (row.result, row.did) = (.notApplicable, why)
        case .failed(let did, let fix): (row.did, row.fix) = (did, fix ?? fault.fix)
        case nil: (row.did, row.fix) = ("did not end", fault.fix)
        }
        // The fault of leaked secrets shows none of them itself.
        if row.result == .failed, fault.name != Fault.secrets.name { row.log = stage.lines.all }
        return row
    }

    /// Runs jobs, a few at a time, and keeps their order.
    private static func sideBySide(_ jobs: [@Sendable () async -> ConformanceRow]) async -> [ConformanceRow] {
        await withTaskGroup(of: (Int, ConformanceRow).self) { group in
            var rows: [Int: ConformanceRow] = [:]
            for (index, job) in jobs.enumerated() {
                if index >= sideBySide, let (done, row) = await group.next() { rows[done] = row }
                group.addTask { (index, await job()) }
            }
            for await (done, row) in group { rows[done] = row }
            return jobs.indices.compactMap { rows[$0] }
        }
    }
}
