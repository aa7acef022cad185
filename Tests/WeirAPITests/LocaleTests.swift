import Testing
import WeirAPI
import WeirModel

@Suite("Languages and countries of a request")
struct LocaleTests {
    private func device(_ members: String) throws -> AdRequest.Device {
        try AdRequestReader.read(Array("{\"placement\":\"p\",\"device\":{\(members)}}".utf8)).device
    }

    private func paths(_ members: String) -> [String] {
        do {
            _ = try device(members)
            return []
        } catch let error as BadRequest {
            return error.problems.map(\.path)
        } catch {
            return ["\(error)"]
        }
    }

    @Test(
        "a language is reduced to its first part, in small letters, as targeting and networks want it",
        arguments: [("de-DE", "de"), ("EN_us", "en"), ("zh-Hant-TW", "zh"), ("fr", "fr"), ("gsw-CH", "gsw")]
    )
    func language(_ given: String, _ expected: String) throws {
        #expect(try device("\"language\":\"\(given)\"").language == expected)
    }

    @Test("a country is two letters, in capitals")
    func country() throws {
        #expect(try device("\"country\":\"de\"").country == "DE")
        #expect(try device("\"country\":\"\"").country == nil)
        #expect(try device("\"language\":\"\"").language == nil)
    }

    @Test("what is neither is told with its field", arguments: ["DEU", "Germany", "D1", "ÄÖ"])
    func wrong(_ country: String) {
        #expect(paths("\"country\":\"\(country)\"") == ["device.country"])
    }

    @Test(
        "a language of one letter, of many, or of digits is told with its field",
        arguments: ["d", "german", "12-DE"]
    )
    func wrongLanguage(_ language: String) {
        #expect(paths("\"language\":\"\(language)\"") == ["device.language"])
    }
}
