import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirCarriers

@Suite("Declared networks: adapters")
struct DeclaredAdapterTests {
    @Test("the probe of the file is asked at set-up, with the operator's settings")
    func probe() async throws {
        let clock = ManualClock()
        let asked = Lock<[String]>([])
        let transport = StubTransport(clock: clock) { request in
            asked.withLock { $0.append(request.url) }
            return .response(InboundResponse(status: request.url.contains("good") ? 200 : 503))
        }
        for (zone, isReady) in [("good", true), ("b d", false)] {
            let made = try adapter(
                [
                    "preset": "vast-tag", "url": "https://ads.example/", "settings": ["zone": [:]],
                    "probe_url": "https://ads.example/health?z={settings.zone}",
                ],
                settings: ["zone": .string(zone)],
                transport: transport,
                clock: clock
            )
            do {
                try await made.setUp(SetUpProgress())
                #expect(isReady)
            } catch {
                #expect(!isReady)
                #expect(error.remedy.contains("probe_url"))
            }
        }
        #expect(asked.withLock { $0 } == ["https://ads.example/health?z=good", "https://ads.example/health?z=b%20d"])
    }

    @Test("a network without a probe is ready at once")
    func noProbe() async throws {
        try await adapter(["url": "https://ads.example/"]).setUp(SetUpProgress())
    }

    @Test("a static network asks nobody, and gives each fitting ad its turn")
    func house() async throws {
        let made = try adapter([
            "preset": "static",
            "ads": [
                ["id": "a", "vast_url": "https://a.example/a"], ["id": "b", "vast_url": "https://a.example/b"],
                ["id": "c", "vast_url": "https://a.example/c", "network_unit": "other"],
            ],
        ])
        var first: Set<String> = []
        for _ in 0..<200 {
            guard case .fill(let offers) = try await made.load(fullAsk()) else {
                Issue.record("no fill")
                return
            }
            #expect(Set(offers.compactMap(\.id)) == ["a", "b"])
            if let id = offers.first?.id { first.insert(id) }
        }
        #expect(first == ["a", "b"])
    }

    @Test("a static network without an ad for a unit has nothing to sell")
    func houseNothing() async throws {
        let made = try adapter([
            "preset": "static", "ads": [["vast_url": "https://a.example/c", "network_unit": "other"]],
        ])
        guard case .noFill(let noFill) = try await made.load(fullAsk()) else {
            Issue.record("no no-fill")
            return
        }
        #expect(noFill.reason == .noAd)
    }

    @Test("a transport's failure is the attempt's", arguments: TransportError.Kind.allCases)
    func failures(_ kind: TransportError.Kind) async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .failure(TransportError(kind, "It failed.")) }
        let made = try adapter(["url": "https://ads.example/"], transport: transport, clock: clock)
        await #expect(throws: AdapterError(TransportError(kind, "It failed."))) { try await made.load(fullAsk(clock)) }
    }

    @Test("secrets are named to the reader of the configuration")
    func secrets() {
        var reading = DeclaredReading(
            ["url": "https://ads.example/", "settings": ["key": ["secret": true], "zone": [:]]],
            problems: JSONProblems()
        ) { _ in [] }
        let factory = reading.factory()
        #expect(factory.secrets == ["key"])
        #expect(factory.settings == ["key", "zone"])
    }

    @Test("a file of any JSON at all is read without a crash")
    func anything() {
        let values: [JSONValue] = [nil, true, 7, "x", [], [:], [[:]], ["a": 1], [nil, "x", 7]]
        let keys = [
            "preset", "url", "settings", "request", "reply", "ads", "formats", "version", "probe_url", "openrtb",
        ]
        let parts = [
            "json", "headers", "query", "form", "text", "method", "format", "no_fill", "error", "ads", "ad", "when",
            "vast", "price", "x",
        ]
        for key in keys {
            for value in values {
                for part in parts {
                    for inner in values {
                        var reading = DeclaredReading(
                            [
                                "url": "https://a.example/", "preset": key == "ads" ? "static" : "json",
                                key: [part: inner, "y": value],
                            ],
                            problems: JSONProblems()
                        ) { _ in [] }
                        _ = reading.factory()
                    }
                }
                var reading = DeclaredReading([key: value], problems: JSONProblems()) { _ in [] }
                _ = reading.factory()
            }
        }
    }
}
