import Testing
import WeirConfig
import WeirJSON
import WeirModel

@Suite("The reader")
struct ReaderTests {
    @Test("takes the smallest file and gives everything its default")
    func smallest() throws {
        let configuration = try #require(Fixtures.reader().read(text: "{}", file: "w.json").configuration)
        #expect(configuration.server == ServerSettings())
        #expect(configuration.initialization == InitializationSettings())
        #expect(configuration.limits == LimitSettings())
        #expect(configuration.rewards == RewardSettings())
        #expect(configuration.storageURL == "sqlite:var/weir.db")
        #expect(configuration.catalog.environment == .development)
        #expect(configuration.catalog.testUnits == ["ca-app-pub-3940256099942544/1712485313"])
        #expect(configuration.networks.isEmpty)
    }

    @Test("says in one line when the file cannot be read")
    func unreadable() {
        let result = Fixtures.reader().read(path: "nowhere.json")
        #expect(result.configuration == nil)
        #expect(result.report.text == "nowhere.json:1:1: error: The file cannot be read: No such file.\n")
    }

    @Test("reads real files and says why it cannot")
    func systemFiles() {
        let reader = ConfigurationReader(factories: Fixtures.factories, environment: { Fixtures.environment[$0] })
        #expect(reader.read(path: Fixtures.root + "/config/weir.json").configuration != nil)
        let missing = reader.read(path: Fixtures.root + "/config/nowhere.json").report.text
        #expect(missing.hasSuffix("nowhere.json:1:1: error: The file cannot be read: No such file or directory.\n"))
        let directory = reader.read(path: Fixtures.root).report.text
        #expect(directory.hasSuffix("The file cannot be read: Is a directory.\n"))
        let endless = reader.read(path: "/dev/zero").report.text
        #expect(endless.hasSuffix("The file cannot be read: it is longer than 4194304 bytes.\n"))
    }

    @Test("its version changes with the content and with nothing else")
    func version() throws {
        func version(_ text: String, key: String = "key-1") throws -> String {
            let result = Fixtures.reader(environment: ["KEY": key]).read(text: text, file: "w.json")
            return try #require(result.configuration, "\(result.report.text)").version
        }
        let text = #"{"server": {"workers": 2, "admin_key": {"env": "KEY"}}, "limits": {"sessions": 5}}"#
        let first = try version(text)
        #expect(first.utf8.count == 12)
        #expect(first.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) })
        let same =
            "// note\n{\"limits\": {\"sessions\":5},\n \"server\": {\"admin_key\": {\"env\": \"KEY\"}, \"workers\": 2}}"
        #expect(try version(same) == first)
        #expect(try version("{\"$schema\": \"x\"," + text.dropFirst()) == first)
        #expect(try version(text, key: "key-2") == first)
        #expect(try version(text.replacing("5", with: "6")) != first)
        #expect(try version(text.replacing("workers", with: "max_connections")) != first)
        // Lists are ordered, and nesting counts.
        let units = try version(#"{"test_units": ["a", "b"]}"#)
        #expect(try version(#"{"test_units": ["b", "a"]}"#) != units)
        #expect(try version(#"{"test_units": ["a,b"]}"#) != units)
    }

    @Test("reports complaints as JSON for scripts")
    func report() throws {
        let result = Fixtures.reader().read(text: "{\"sever\": {}}", file: "w.json")
        let json = try JSONReader.read(result.report.encoded())
        #expect(json["valid"] == false)
        let first = try #require(json["diagnostics"]?.array?.last)
        let expected: JSONValue = [
            "severity": "error", "code": "unknown_key", "file": "w.json", "line": 1, "column": 2, "path": "sever",
            "message": "There is no such key.", "hint": "Did you mean \"server\"?",
        ]
        #expect(first == expected)
        #expect(json["diagnostics"]?.array?.first?["hint"] == .null)
        let good = Fixtures.reader().read(text: "{}", file: "w.json")
        #expect(try JSONReader.read(good.report.encoded())["valid"] == true)
    }

    @Test("lists complaints in the order of the file")
    func order() {
        let text = """
            {"placements": [{"id": "p", "ad_unit": "x"}],
            "limits": {"sessions": 0},
            "server": {"workers": "two"}}
            """
        let result = Fixtures.reader().read(text: text, file: "w.json")
        #expect(result.diagnostics.map(\.line) == [1, 2, 3])
    }

    @Test("reads money exactly and cuts off what lies beyond the sixth decimal")
    func money() throws {
        let unit = #", "floor": {"amount": "0.9999999", "currency": "usd"}"#
        let configuration = try #require(Fixtures.reader().read(text: whole(unit: unit), file: "w.json").configuration)
        let floor = try #require(configuration.catalog.adUnits[0].floor)
        #expect(floor.micros == 999_999)
        #expect(floor.currency.code == "USD")
    }
}
