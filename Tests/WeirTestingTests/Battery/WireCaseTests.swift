import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting

/// Case files over real sockets.
@Suite("Cases over the wire")
struct WireCaseTests {
    private func row(_ reply: String, _ outcome: String, expect: String = "{}") async throws -> ConformanceRow {
        let file = try TemporaryFile(
            #"{"name": "a case", "steps": [{"expect": \#(expect), "reply": \#(reply)}], "outcome": \#(outcome)}"#
        )
        defer { file.remove() }
        let subject = ConformanceSubject(
            name: "bids",
            factory: BidAdapter.factory,
            settings: ["api_key": "k-2"],
            cases: [try AdapterCase(file: file.path)]
        )
        let report = try await AdapterConformance(subject, only: "a case").run()
        return try #require(report.rows.first)
    }

    @Test(
        "what a reply does on the wire is seen by the adapter",
        arguments: [
            (#"{"status": 204}"#, #"{"result": "no_fill", "reason": "http_204"}"#),
            (#"{"status": 204, "delay_ms": 100}"#, #"{"reason": "http_204"}"#),
            (#"{"delay_ms": 60000}"#, #"{"result": "timeout", "reason": "line_timeout"}"#),
            (#"{"body": "{\"bids\": []}", "chunk_ms": 5, "chunk_bytes": 4}"#, #"{"reason": "no_bid"}"#),
            (#"{"body": "{\"bids\": []}", "close_after": 4}"#, #"{"result": "network_error", "reason": "reset"}"#),
            (#"{"body": "{}", "close_after": 1, "reset": true}"#, #"{"result": "network_error", "reason": "reset"}"#),
            (#"{"body": " ", "repeat_bytes": 5000000}"#, #"{"result": "bad_response", "reason": "too_large"}"#),
            (#"{"body": "{\"bids\": []}", "length_open": true}"#, #"{"reason": "no_bid"}"#),
            (#"{"failure": "connection_refused"}"#, #"{"reason": "connection_refused"}"#),
            (#"{"failure": "address_refused"}"#, #"{"reason": "address_refused"}"#),
            (#"{"failure": "dns"}"#, #"{"reason": "dns", "message": "bids.example: dns."}"#),
        ]
    )
    func replies(_ reply: String, _ outcome: String) async throws {
        let row = try await row(reply, outcome)
        #expect(row.result == .passed, "\(row.did)")
    }

    @Test("failures name the network's host, not the loopback address that stands for it")
    func hosts() async throws {
        let row = try await row(#"{"failure": "reset"}"#, #"{"message": "$contains:bids.example"}"#)
        #expect(row.result == .passed, "\(row.did)")
    }

    @Test("what differs is told, and what to do about it")
    func differs() async throws {
        let row = try await row(
            #"{"status": 204}"#,
            #"{"result": "fill"}"#,
            expect: #"{"headers": {"Authorization": "x"}}"#
        )
        #expect(row.result == .failed)
        #expect(row.did.contains(#"steps[0].expect.headers.Authorization must be "x", but is "Bearer k-2""#))
        #expect(row.did.contains(#"outcome.result must be "fill", but is "no_fill""#))
        #expect(row.fix != nil)
    }

    @Test("settings that the adapter refuses are told instead of all that follows from it")
    func settings() async throws {
        let file = try TemporaryFile(#"{"name": "a case", "steps": [{"reply": {}}], "outcome": {"result": "fill"}}"#)
        defer { file.remove() }
        let factory = AdapterFactory(
            descriptor: BidAdapter.factory.descriptor,
            settings: [],
            make: { (_, _) throws(SettingsError) in throw SettingsError(path: "settings.url", message: "is required") }
        )
        let subject = ConformanceSubject(name: "x", factory: factory, cases: [try AdapterCase(file: file.path)])
        let report = try await AdapterConformance(subject, only: "a case").run()
        #expect(report.rows.map(\.did) == ["the adapter refuses the settings: settings.url is required"])
    }

    @Test("a reply that no server could send is refused with its place")
    func unreadable() throws {
        for reply in [
            #"{"stauts": 204}"#, #"{"status": 99}"#, #"{"failure": "sloth"}"#, #"{"body": "", "body_file": "x"}"#,
        ] {
            let file = try TemporaryFile(#"{"name": "n", "steps": [{"reply": \#(reply)}], "outcome": {}}"#)
            defer { file.remove() }
            #expect(throws: AdapterCase.Unreadable.self) { try AdapterCase(file: file.path) }
        }
    }

    @Test("JUnit and JSON tell the same as the rows, whatever a name holds")
    func reports() throws {
        let report = ConformanceReport(
            subject: "a<b",
            rows: [
                ConformanceRow(kind: .example, name: "one \"two\" \u{1}", result: .passed, sent: "s", did: "d"),
                ConformanceRow(kind: .fault, name: "hang", result: .failed, sent: "s", did: "no & end", fix: "f"),
                ConformanceRow(kind: .fault, name: "zero", result: .notApplicable, sent: "s", did: "no price"),
            ],
            elapsed: .milliseconds(1234)
        )
        let lines = report.junit.split(separator: "\n").map(String.init)
        #expect(
            lines[2]
                == #"  <testsuite name="a&lt;b" tests="3" failures="1" skipped="1" time="1.234">"#
        )
        #expect(lines[3].contains("name=\"one &quot;two&quot; \u{FFFD}\""))
        #expect(lines.contains("      <failure message=\"no &amp; end\">Sent: s&#10;Fix: f</failure>"))
        #expect(lines.contains("      <skipped message=\"no price\"/>"))
        #expect(report.json["passed"]?.int == 1 && report.json["failed"]?.int == 1)
        #expect(
            report.json["cases"]?[1]?["fix"]?.string == "f"
                && report.json["cases"]?[2]?["result"]?.string == "not_applicable"
        )
        #expect(!report.isGreen)
    }
}
