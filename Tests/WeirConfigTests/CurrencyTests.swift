import Testing
import WeirModel
import WeirTime

@testable import WeirConfig

@Suite("Currency")
struct CurrencyTests {
    private static func read(_ currency: String, _ file: String? = nil) -> ConfigurationReader.Result {
        ConfigurationReader(factories: []) { _ in
            nil
        } readFile: { path, limit in
            guard let file, path == "conf/rates.json", file.utf8.count <= limit else {
                throw SystemFiles.Problem(description: "No such file or directory")
            }
            return Array(file.utf8)
        }
        .read(text: #"{"currency": \#(currency), "networks": []}"#, file: "conf/weir.json")
    }

    private static let file =
        #"{"date": "2026-11-30", "rates": {"EUR": "1.1", "gbp": 1.25}, "per_base": {"JPY": "150.5"}}"#

    @Test("rates come from a file beside the configuration, with their date")
    func rates() throws {
        let result = Self.read(#"{"base": "USD", "file": "rates.json"}"#, Self.file)
        let configuration = try #require(result.configuration)
        #expect(configuration.catalog.rates.currencies.map(\.code) == ["EUR", "GBP", "JPY", "USD"])
        let euro = try #require(Currency("EUR"))
        let euros = try #require(Money(amount: "0.95", currency: euro))
        #expect(configuration.catalog.rates.inBase(euros)?.amount == "1.045")
        #expect(configuration.watchedFiles == ["conf/rates.json"])
        // 2026-11-30 is the 20,787th day.
        let date = WallTime(milliseconds: 20_787 * 86_400_000)
        #expect(configuration.currency.rates.asOfMilliseconds == date.milliseconds)
        #expect(configuration.currency.age(at: date.advanced(by: .seconds(60))) == .seconds(60))
        #expect(!configuration.currency.isStale(at: date.advanced(by: .seconds(84 * 3600))))
        #expect(configuration.currency.isStale(at: date.advanced(by: .seconds(84 * 3600 + 1))))
    }

    @Test("without the key there is a base and no rate; nothing is ever stale")
    func absent() throws {
        let configuration = try #require(
            ConfigurationReader(factories: []).read(text: #"{"networks": []}"#, file: "weir.json").configuration
        )
        #expect(configuration.catalog.rates.currencies.map(\.code) == ["USD"])
        #expect(configuration.watchedFiles.isEmpty)
        #expect(!configuration.currency.isStale(at: WallTime(milliseconds: .max)))
    }

    @Test("another content of the file is another version of the configuration")
    func version() throws {
        let currency = #"{"file": "rates.json"}"#
        let first = try #require(Self.read(currency, Self.file).configuration)
        let second = try #require(Self.read(currency, Self.file.replacing("1.1", with: "1.2")).configuration)
        #expect(first.version != second.version)
        #expect(first.version == Self.read(currency, Self.file).configuration?.version)
    }

    @Test(
        "what is wrong with the file is said with its place",
        arguments: [
            (#"{"date": "2026-11-30", "rates": {"EUR": 0}}"#, "rates.json:1:41: A rate is a decimal above zero"),
            (#"{"date": "2026-11-30", "rates": {"EUR": "-1"}}"#, "A rate is a decimal above zero"),
            (#"{"date": "2026-11-30", "rates": {"EUR": "x"}}"#, "A rate is a decimal above zero"),
            (#"{"date": "2026-11-30", "rates": {"EUR": null}}"#, "A rate is a decimal above zero"),
            (#"{"date": "2026-11-30", "rates": {"USD": 2}}"#, "the base's is 1"),
            (#"{"date": "2026-11-30", "rates": {"EURO": 2}}"#, "A currency has three letters"),
            (#"{"date": "2026-11-30", "rates": [1]}"#, "It must be an object, not an array."),
            (#"{"date": "2026-11-30", "base": "EUR"}"#, "The rates are not in USD"),
            (#"{"date": "2026-11-30", "rate": {}}"#, "There is no such key"),
            (#"{"rates": {}}"#, "The file needs the date of its rates"),
            (#"{"date": "2026-02-30"}"#, "The file needs the date of its rates"),
            (#"{"date": "30.11.2026"}"#, "The file needs the date of its rates"),
            (#"{"date": "2026-11-30T25:00:00Z"}"#, "The file needs the date of its rates"),
            (#"{"date": "2026-11-30","#, "rates.json:1:"),
            ("[]", "The file must be an object, not an array."),
            ("\n\n{,}", "rates.json:3:2: "),
        ]
    )
    func faults(_ file: String, _ words: String) {
        let result = Self.read(#"{"file": "rates.json"}"#, file)
        #expect(result.configuration == nil)
        let errors = result.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.code) == [.badRates])
        #expect(errors.first?.path == "currency.file")
        #expect(errors.first?.message.contains(words) == true, "\(errors.map(\.text))")
    }

    @Test("a file that is not there is an error")
    func missing() {
        let result = Self.read(#"{"file": "rates.json"}"#)
        let error = result.diagnostics.first { $0.severity == .error }
        #expect(error?.code == .badRates)
        #expect(error?.message.contains("No such file") == true)
    }

    @Test(
        "dates are days or instants in UTC",
        arguments: [
            ("1970-01-01", Int64(0)), ("2024-02-29", 1_709_164_800_000), ("2026-11-30T12:30:15Z", 1_796_041_815_000),
            ("2000-12-31", 978_220_800_000),
        ]
    )
    func dates(_ text: String, _ milliseconds: Int64) {
        #expect(WallTime(date: text)?.milliseconds == milliseconds)
    }

    @Test("a line item that bids has no rate, and only units with one read bid_timeout_ms")
    func bidding() throws {
        let result = ConfigurationReader(factories: []).read(
            text: #"""
                {"networks": [{"id": "n", "adapter": "vast", "settings": {}}],
                 "ad_units": [
                   {"id": "a", "format": "video", "bid_timeout_ms": 200, "waterfall": [
                     {"id": "b", "network": "n", "network_unit": "u", "bidding": true, "rate": {"amount": "1", "currency": "USD"}}]},
                   {"id": "c", "format": "video", "bid_timeout_ms": 200, "waterfall": [
                     {"id": "d", "network": "n", "network_unit": "u", "rate": {"amount": "1", "currency": "EUR"}}],
                    "floor": {"amount": "1", "currency": "USD"}}]}
                """#,
            file: "weir.json",
            lenient: true
        )
        let useless = result.diagnostics.filter { $0.code == .uselessKey }.map(\.path)
        #expect(useless == ["ad_units[0].waterfall[0].rate", "ad_units[1].bid_timeout_ms"])
        #expect(result.diagnostics.contains { $0.code == .mixedCurrencies })
        let units = try #require(result.configuration?.catalog.adUnits)
        #expect(units[0].lineItems[0].isBidding && units[0].lineItems[0].rate == nil)
        #expect(units[0].bidTimeout == .milliseconds(200))
    }
}
