import Testing
import WeirTesting

/// A conformance run whose adapter takes its program down.
@Suite("Isolated conformance")
struct IsolationTests {
    private func run(_ script: String) async throws -> ConformanceReport {
        let rows = ["one", "two"].map { ConformanceRow(kind: .fault, name: $0, result: .failed, sent: "something") }
        return try await IsolatedConformance("x", program: "/bin/sh", arguments: ["-c", script], rows: rows).run()
    }

    private static let good = #"""
        row() { printf '{"name": "%s", "kind": "fault", "result": "passed", "sent": "s", "message": "m", "fix": null}' $1; }
        report() { echo '{"adapter": "x", "cases": ['"$1"']}'; }
        """#

    @Test("what does not crash is run once, and its own report is the report")
    func whole() async throws {
        let report = try await run(
            Self.good + "\n[ \"$WEIR_ADAPTER_TEST_ROW\" = '*' ] && report \"$(row one), $(row two)\""
        )
        #expect(report.isGreen && report.rows.map(\.name) == ["one", "two"])
    }

    @Test("a crash is told of the row that causes it, and the others keep their results")
    func crash() async throws {
        let report = try await run(
            Self.good + "\n[ \"$WEIR_ADAPTER_TEST_ROW\" = one ] && { report \"$(row one)\"; exit; }; kill -ILL $$"
        )
        #expect(report.rows.map(\.result) == [.passed, .failed])
        #expect(report.rows[1].did == "the adapter ended the whole process with signal 4")
        #expect(report.rows[1].fix?.contains("trap") == true)
    }

    @Test("a program that says nothing is a failure of each row, with what it said of it")
    func silent() async throws {
        let report = try await run("echo no such adapter >&2; exit 1")
        #expect(report.count(.failed) == 2 && report.rows[0].did.contains("no such adapter"))
    }
}
