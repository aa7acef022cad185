import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting

@testable import WeirCarriers

/// Stands in for the adapter that the preset hands over to: it only shows what it was given.
private struct EchoAdapter: NetworkAdapter {
    let descriptor: AdapterDescriptor
    let settings: JSONValue

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        .noFill(NoFill(.noBid, settings.encodedText))
    }
}

@Suite("Declared networks: the preset openrtb")
struct OpenRTBPresetTests {
    private static let factory = AdapterFactory(
        descriptor: AdapterDescriptor(kind: "openrtb", version: "9", formats: [.video, .audio]),
        settings: ["endpoint", "headers", "probe_url", "api_key", "request", "imp", "pods"]
    ) { settings, _ throws(SettingsError) in
        guard settings["pods"]?.string != "many" else {
            throw SettingsError(path: "settings.pods", message: "must be dynamic, structured or none")
        }
        return EchoAdapter(
            descriptor: AdapterDescriptor(kind: "openrtb", version: "9", formats: [.video, .audio]),
            settings: settings
        )
    }

    private func read(_ file: JSONValue) -> (AdapterFactory, [JSONProblem]) {
        let problems = JSONProblems()
        var reading = DeclaredReading(file, problems: problems, adapters: [Self.factory]) { _ in [] }
        let factory = reading.factory()
        return (factory, problems.list)
    }

    @Test("hands over to the adapter of that name with the file's address, headers and fields")
    func handsOver() async throws {
        let (factory, problems) = read([
            "preset": "openrtb", "url": "https://rtb.example/?p={settings.publisher}",
            "settings": ["publisher": ["required": true], "key": ["secret": true]],
            "request": ["headers": ["X-Key": "{settings.key}"]], "probe_url": "https://rtb.example/health",
            "openrtb": ["imp": ["ext": ["a": 1]], "pods": "none"],
        ])
        #expect(problems.isEmpty, "\(problems)")
        #expect(factory.descriptor.kind == "declared" && factory.descriptor.formats == [.video, .audio])
        #expect(factory.secrets == ["key"])
        let context = AdapterContext(network: "n", transport: NoNetwork(), clock: fixtureClock)
        let made = try factory.make(["publisher": "p-9", "key": "text"], context)
        guard case .noFill(let noFill) = try await made.load(fullAsk()) else {
            Issue.record("no echo")
            return
        }
        let given = try JSONReader.read(noFill.message)
        #expect(
            given == [
                "imp": ["ext": ["a": 1]], "pods": "none", "endpoint": "https://rtb.example/?p={settings.publisher}",
                "probe_url": "https://rtb.example/health", "headers": ["X-Key": "{settings.key}"], "publisher": "p-9",
                "key": "text",
            ]
        )
    }

    @Test(
        "what the other adapter would not take is said at load",
        arguments: [
            (["preset": "openrtb"], "url", "is required."),
            (
                ["preset": "openrtb", "url": "https://a.example/{ifa|lower}"], "url",
                "has a filter, and the adapter openrtb knows none."
            ),
            (
                ["preset": "openrtb", "url": "https://a.example/", "openrtb": ["pod": "none"]], "openrtb.pod",
                "There is no such key."
            ),
            (
                ["preset": "openrtb", "url": "https://a.example/", "openrtb": ["pods": "many"]], "openrtb",
                "pods must be dynamic, structured or none."
            ),
            (
                ["preset": "openrtb", "url": "https://a.example/", "request": ["json": [:]]], "request.json",
                "says nothing under the preset openrtb."
            ),
            (
                ["preset": "openrtb", "url": "https://a.example/", "reply": ["format": "json"]], "reply",
                "says nothing under the preset openrtb."
            ),
        ] as [(JSONValue, String, String)]
    )
    func complaints(_ file: JSONValue, _ path: String, _ message: String) {
        let (_, problems) = read(file)
        #expect(problems.map { "\($0.path): \($0.message)" } == ["\(path): \(message)"])
    }
}
