import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting

/// The battery itself is tested: for each fault there is an adapter that it catches, and one that it lets through.
@Suite("Fault battery", .serialized)
struct BatteryTests {
    private static let faults = AdapterConformance.faultNames

    private func report(
        _ factory: AdapterFactory,
        only: String? = nil,
        grace: Duration = AdapterConformance.usualGrace
    ) async throws -> ConformanceReport {
        try await AdapterConformance(try BidAdapter.subject(factory), only: only, grace: grace).run()
    }

    private func report(vice: String, only: String) async throws -> ConformanceReport {
        // What never ends is given up soon.
        try await report(BidAdapter.factory { BadAdapter(vice, $0, $1) }, only: only, grace: .seconds(2))
    }

    @Test("an adapter that does everything right passes every fault, and none of them is not applicable")
    func good() async throws {
        let report = try await report(BidAdapter.factory)
        #expect(report.rows.map(\.name) == ["a bid is a fill"] + Self.faults)
        for row in report.rows { #expect(row.result == .passed, "\(row.name): \(row.did)") }
        #expect(report.isGreen)
    }

    @Test("a deliberately bad adapter is caught by its fault, and told the fix", arguments: faults)
    func bad(_ fault: String) async throws {
        let report = try await report(vice: fault, only: fault)
        let row = try #require(report.rows.first { $0.name == fault })
        #expect(row.result == .failed, "\(row.did)")
        #expect(row.fix?.isEmpty == false)
        #expect(!report.isGreen)
    }

    @Test(
        "further bad habits are caught as well",
        arguments: [
            ("secrets in a message", "secrets"), ("secrets in the trace", "secrets"),
            ("set_up_hangs and is ready at once", "set_up_hangs"), ("set_up_hangs in silence", "set_up_hangs"),
            ("set_up_fails without a remedy", "set_up_fails"),
        ]
    )
    func habits(_ vice: String, _ fault: String) async throws {
        let report = try await report(vice: vice, only: fault)
        let row = try #require(report.rows.first { $0.name == fault })
        #expect(row.result == .failed, "\(row.did)")
    }

    @Test("a secret never stands in the report that complains about it")
    func hiddenSecrets() async throws {
        let report = try await report(vice: "secrets", only: "secrets")
        #expect(report.rows.first?.did.contains("[secret]") == true)
    }

    @Test("without any case, faults that need a good answer are not applicable, and the others are sent")
    func withoutCases() async throws {
        let subject = ConformanceSubject(name: "bids", factory: BidAdapter.factory, settings: ["api_key": "k-1"])
        let report = try await AdapterConformance(subject).run()
        let results = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.name, $0.result) })
        #expect(results["http_204"] == .passed && results["hang"] == .passed && results["secrets"] == .passed)
        #expect(results["negative_price"] == .notApplicable && results["vast_2"] == .notApplicable)
        #expect(report.count(.failed) == 0)
    }

    @Test("an adapter that asks nobody has nothing to bear")
    func house() async throws {
        struct House: NetworkAdapter {
            let descriptor = AdapterDescriptor(kind: "house", version: "1", formats: [.video])
            func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
                .fill([Offer(markup: .url("https://h.example/"))])
            }
        }
        let report = try await report(BidAdapter.factory { _, _ in House() }, only: "http")
        #expect(report.rows.allSatisfy { $0.result == .notApplicable })
    }

    @Test("settings that the adapter refuses are a failure that says so")
    func refusedSettings() async throws {
        let factory = AdapterFactory(
            descriptor: AdapterDescriptor(kind: "x", version: "1", formats: [.video]),
            settings: [],
            make: { (_, _) throws(SettingsError) in throw SettingsError(path: "settings.url", message: "is required") }
        )
        let report = try await AdapterConformance(ConformanceSubject(name: "x", factory: factory), only: "hang").run()
        #expect(report.rows.first?.did == "settings.url is required")
        #expect(report.rows.map(\.result) == [.failed, .notApplicable])
    }
}
