import Testing
import WeirAdapterKit
import WeirGateway
import WeirJSON
import WeirModel
import WeirTelemetry
import WeirTime

@testable import WeirAPI
@testable import WeirMediation

/// Whole bodies, member by member, in order.
@Suite("Goldens")
struct GoldenTests {
    @Test("GET /v1/adapters")
    func adapters() throws {
        let start = WallTime(milliseconds: 1_767_225_600_000)
        var ready = AdapterStatus(
            network: "gam",
            adapter: "vast",
            adapterVersion: "1.0.0",
            api: 1,
            carrier: .builtIn,
            state: .ready,
            description: "gam: ready.",
            latency: .milliseconds(12_345),
            startedAt: start,
            readyAt: start.advanced(by: .milliseconds(12_345)),
            isLate: true,
            attempts: 2,
            breaker: BreakerStatus(state: .open, retryAt: start.advanced(by: .seconds(60))),
            formats: [.audio, .video],
            inFlight: 3
        )
        ready.remedy = nil
        let hanging = AdapterStatus(
            network: "slow",
            adapter: "rewarded",
            adapterVersion: "1.0.0",
            api: 1,
            carrier: .builtIn,
            state: .timedOut,
            description: "slow: set-up has waited 10.0 s for \"https://r.example/h\"; no answer.",
            remedy: "Check settings.probe_url or the network's status page.",
            startedAt: start,
            isLate: false,
            attempts: 1,
            lastError: "The probe timed out.",
            breaker: BreakerStatus(state: .closed),
            formats: [.rewarded],
            inFlight: 0
        )
        let unknown = AdapterStatus(
            network: "typo",
            adapter: "vsat",
            carrier: .builtIn,
            state: .disabled,
            description: "typo: no adapter is called vsat.",
            isLate: false,
            attempts: 0,
            breaker: BreakerStatus(state: .halfOpen),
            formats: [],
            inFlight: 0
        )
        let snapshot = AdaptersSnapshot(
            initialization: InitializationStatus(
                isComplete: true,
                timedOut: ["slow"],
                timeout: .seconds(10),
                elapsed: .milliseconds(10_001),
                completedAt: start.advanced(by: .milliseconds(10_001))
            ),
            adapters: [ready, hanging, unknown],
            minReady: 1,
            retiring: 0,
            leftBehind: 0
        )
        try Golden.expect(snapshot.json, is: "adapters")
        // One adapter is an element of the list, and nothing else.
        #expect(try JSONReader.read(hanging.json) == JSONReader.read(snapshot.json)["adapters"]?[1])
        var early = snapshot
        early.initialization = InitializationStatus(
            isComplete: false,
            timedOut: [],
            timeout: .seconds(10),
            elapsed: .milliseconds(5)
        )
        let beginning = try JSONReader.read(early.json)["initialization"]
        #expect(
            beginning == [
                "state": "in_progress", "timed_out": [], "timeout_ms": 10_000, "elapsed_ms": 5, "completed_at": nil,
            ]
        )
    }

    @Test("POST /v1/explain")
    func explanation() async throws {
        let house = await House { unit in
            unit.floor = Money.of("1.00")
            var cheap = LineItem(id: "cheap", network: "net", networkUnit: "/1/cheap")
            cheap.rate = Money.of("0.50")
            var germans = LineItem(id: "germans", network: "net", networkUnit: "/1/de")
            germans.rate = Money.of("4.00")
            germans.timeout = .milliseconds(400)
            germans.targeting = Targeting()
            germans.targeting?.countries = ["DE"]
            var first = LineItem(id: "first", network: "net", networkUnit: "/1/a")
            first.rate = Money.of("3.00")
            first.cap = FrequencyCap(count: 3, window: .seconds(86_400))
            let second = LineItem(id: "second", network: "net", networkUnit: "/1/b")
            unit.waterfall = [.line(cheap), .line(germans), .group([first, second], timeout: .milliseconds(500))]
        }
        var request = AdRequest(placement: "p")
        request.device.country = "FR"
        request.user.id = "u-1"
        request.timeout = .milliseconds(1200)
        try Golden.expect(try house.services.gateway.explain(request).json, is: "explanation")
    }

    @Test("an audio programme, section by section")
    func audio() async throws {
        var talking = House.spot("2", seconds: 15).at(.midroll, .seconds(60))
        var controls = AudioControls()
        controls.allowsSkip = true
        controls.allowsPause = false
        controls.adText = "Visit example.com"
        talking.controls = controls
        let house = await House(offers: [
            House.spot("1", seconds: 10).at(.preroll), talking, House.spot("3", seconds: 5).at(.midroll, .seconds(60)),
            House.spot("4", seconds: 5).at(.midroll, .seconds(300)), House.spot("5", seconds: 5).at(.postroll),
        ]) { unit in
            unit.format = .audio
            unit.maxDuration = .seconds(30)
            unit.sections = SectionLimits([
                .preroll: SectionLimit(maxAds: 2, maxDuration: .seconds(40)), .midroll: SectionLimit(maxAds: 2),
                .postroll: SectionLimit(),
            ])
        }
        try Golden.expect(try await house.body { $0.midpoints = .positions([.seconds(60)]) }, is: "audio")
    }

    @Test("a pod of several ads: `ad` is the first of `ads`")
    func pod() async throws {
        let house = await House(
            "<VAST version=\"4.2\">\(House.podAd(1))\(House.podAd(2))\(House.podAd(3))</VAST>"
        ) { unit in
            unit.maxAds = 2
            unit.maxDuration = .seconds(30)
        }
        let body = try await house.body()
        try Golden.expect(body, is: "pod")
        let json = try JSONReader.read(body)
        #expect(json["ad"] == json["ads"]?[0])
        #expect(json["sections"] == nil)
    }

    @Test("a rewarded ad")
    func rewarded() async throws {
        let house = await House { unit in
            unit.format = .rewarded
            unit.reward = ExactDecimal("0.50").map { Reward(item: "coins", amount: $0) }
            unit.rewardMode = .ssv
        }
        try Golden.expect(try await house.body { $0.user.id = "u-1" }, is: "rewarded")
    }

    @Test("no fill")
    func noFill() async throws {
        try Golden.expect(try await House("").body(), is: "no-fill")
    }
}

extension Money {
    static func of(_ amount: String) -> Money? { Currency("USD").flatMap { Money(amount: amount, currency: $0) } }
}
