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

    @Test("a crash keeps the last lines of what the program said of it, and a report brings its own")
    func lastWords() async throws {
        let talk = "for i in $(seq 30); do echo \"line $i\" >&2; done; printf 'tab\\there\\n' >&2"
        let report = try await run("\(talk); kill -ILL $$")
        #expect(report.rows[1].log == (12...30).map { "line \($0)" } + ["tab    here"])
        var row = ConformanceRow(kind: .fault, name: "one", result: .failed, sent: "s", log: ["Fatal error"])
        row.did = "m"
        let written = ConformanceReport(subject: "x", rows: [row], elapsed: .zero)
        #expect(ConformanceReport(json: written.json)?.rows == [row])
        #expect(written.junit.contains("Log:&#10;Fatal error"))
    }

    @Test("a program that says nothing is a failure of each row, with what it said of it")
    func silent() async throws {
        let report = try await run("echo no such adapter >&2; exit 1")
        #expect(report.count(.failed) == 2 && report.rows[0].did.contains("no such adapter"))
    }
}
