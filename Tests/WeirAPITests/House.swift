import Testing
import WeirAdapterKit
import WeirGateway
import WeirHTTP
import WeirJSON
import WeirMediation
import WeirModel
import WeirRewards
import WeirStore
import WeirTelemetry
import WeirTesting
import WeirTime

@testable import WeirAPI

/// A gateway without sockets: one network, `net`, that answers every ask with `offers`, or with one of `document`.
struct House {
    static let tokenKey = TokenKey(Array(repeating: 7, count: 32))

    let clock = ManualClock()
    let services: Services
    let draining = Flag()
    let transport: StubTransport

    init(
        _ document: String = House.inLine,
        offers: [Offer]? = nil,
        adminKey: String? = nil,
        ratesStaleSince: WallTime? = nil,
        proxies: TrustedProxies = TrustedProxies([]),
        gate: RequestGate = RequestGate(limit: 100),
        change: (inout AdUnit) -> Void = { _ in }
    ) async {
        let clock = clock
        let offers = offers ?? (document.isEmpty ? [] : [Offer(markup: .document(Array(document.utf8)))])
        let adapters = AdapterRegistry(clock: clock)
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 404)) }
        self.transport = transport
        var unit = AdUnit(id: "unit", format: .video)
        var line = LineItem(id: "line", network: "net", networkUnit: "u")
        line.rate = Currency("USD").flatMap { Money(amount: "2.50", currency: $0) }
        unit.waterfall = [.line(line)]
        change(&unit)
        let network = Network(id: "net", adapter: "stub")
        adapters.configure(
            [
                RegistryEntry(
                    network: network,
                    fingerprint: "1",
                    source: .adapter(
                        StubAdapter.descriptor,
                        make: { () throws(SettingsError) -> any NetworkAdapter in StubAdapter(offers: offers) }
                    )
                )
            ],
            catalog: Catalog(
                networks: [network],
                adUnits: [unit],
                placements: [Placement(id: "p", adUnit: "unit")],
                version: "v1",
                environment: .production
            )
        )
        let tokens = PresentationSigner(key: Self.tokenKey)
        let metrics = Metrics()
        guard let ledger = try? SQLiteStore(path: ":memory:", clock: SystemClock()),
            let ring = SigningKeyring(at: clock.wallNow)
        else { preconditionFailure("A ledger in memory needs neither disk nor luck.") }
        let rewards = RewardDesk(
            store: ledger,
            tokens: tokens,
            keyring: KeyringKeeper(ring),
            clock: clock,
            observer: SilentRewardObserver()
        )
        services = Services(
            gateway: Gateway(
                on: Gateway.Foundations(
                    clock: clock,
                    adapters: adapters,
                    caps: CapCounters(),
                    transport: { _ in transport },
                    tokens: tokens,
                    rewards: rewards,
                    observer: SilentObserver()
                )
            ),
            adapters: adapters,
            store: MemoryStore(),
            rewards: rewards,
            configuration: StubConfiguration(ratesStaleSince: ratesStaleSince),
            metrics: metrics,
            counters: APICounters(metrics),
            redactor: Redactor(),
            adminKey: adminKey,
            trustedProxies: proxies,
            beacons: tokens,
            clock: clock,
            logger: .silent,
            draining: draining,
            gate: gate
        )
        for await snapshot in adapters.changes() where snapshot.status(of: "net")?.isReady ?? false { break }
    }

    func ask(
        _ method: String,
        _ path: String,
        query: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: String = "",
        on listener: API.Listener = .public,
        peer: String = ""
    ) async -> ServerResponse {
        await API(services).respond(
            to: ServerRequest(
                method: method,
                path: path,
                query: query,
                headers: RequestHeaders(headers),
                body: Array(body.utf8),
                peerAddress: peer
            ),
            on: listener
        )
    }

    /// The body of `POST /v1/ads` under a fixed request id.
    func body(_ change: (inout AdRequest) -> Void = { _ in }) async throws -> [UInt8] {
        var request = AdRequest(placement: "p")
        change(&request)
        let call = Gateway.Call(requestID: "request-1", arrival: clock.now)
        return try await services.gateway.serve(request, call).json(redactor: services.redactor)
    }

    /// The `number`th ad of a pod, with a wrapper's worth of everything that an answer shows.
    static func podAd(_ number: Int) -> String {
        """
        <Ad id="pod-\(number)" sequence="\(number)"><InLine><AdSystem>sys</AdSystem><AdTitle>Pod \(number)</AdTitle>
        <AdServingId>s-\(number)</AdServingId><Impression>https://n.test/i\(number)</Impression><Creatives>
        <Creative id="cr-\(number)"><Linear><Duration>00:00:1\(number)</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="500">
        https://n.test/v\(number).mp4</MediaFile></MediaFiles><Icons><Icon program="choices" width="20" height="20"
        xPosition="left" yPosition="top" duration="00:00:05"><StaticResource creativeType="image/png">
        https://n.test/icon.png</StaticResource></Icon></Icons></Linear></Creative><Creative><CompanionAds>
        <Companion id="co-\(number)" width="300" height="250"><StaticResource creativeType="image/png">
        https://n.test/co.png</StaticResource><CompanionClickThrough>https://n.test/cc</CompanionClickThrough>
        <TrackingEvents><Tracking event="creativeView">https://n.test/cv</Tracking></TrackingEvents></Companion>
        </CompanionAds></Creative></Creatives><Extensions><Extension type="x"><A b="1">t</A></Extension></Extensions>
        </InLine></Ad>
        """
    }

    /// An audio spot.
    static func spot(_ id: String, seconds: Int) -> Offer {
        let text = """
            <VAST version="4.2"><Ad id="spot-\(id)"><InLine><AdSystem>sys</AdSystem><AdTitle>Spot</AdTitle>
            <Impression>https://n.test/i</Impression><Creatives><Creative id="cr-\(id)"><Linear>
            <Duration>00:00:\(seconds < 10 ? "0" : "")\(seconds)</Duration><MediaFiles><MediaFile delivery="progressive"
            type="audio/mpeg" bitrate="128" width="0" height="0">https://n.test/\(id).mp3</MediaFile></MediaFiles>
            </Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        return Offer(markup: .document(Array(text.utf8)))
    }

    static let inLine = """
        <VAST version="4.2"><Ad id="ad-1"><InLine><AdSystem>sys</AdSystem><AdTitle>Title</AdTitle>
        <Advertiser>adv</Advertiser><AdServingId>s</AdServingId><Error>https://n.test/e</Error>
        <Impression>https://n.test/i</Impression><Creatives><Creative id="cr-1">
        <UniversalAdId idRegistry="ad-id">U-1</UniversalAdId><Linear skipoffset="00:00:05">
        <Duration>00:00:10</Duration><TrackingEvents><Tracking event="start">https://n.test/s</Tracking>
        </TrackingEvents><VideoClicks><ClickThrough>https://n.test/c</ClickThrough></VideoClicks><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="500" codec="avc1">
        https://n.test/v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """
}

struct StubAdapter: NetworkAdapter {
    static let descriptor = AdapterDescriptor(kind: "stub", version: "1.0.0", formats: Set(AdFormat.allCases))
    var descriptor: AdapterDescriptor { Self.descriptor }
    let offers: [Offer]

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        offers.isEmpty ? .noFill(NoFill(.emptyBody, "Nothing.")) : .fill(offers)
    }
}

extension Offer {
    /// The same offer at a place in an audio programme.
    func at(_ section: AudioSection, _ point: Duration? = nil) -> Offer {
        var offer = self
        offer.slot = AudioSlot(section, point: point)
        return offer
    }
}

struct SilentObserver: GatewayObserver {
    func lateResponse(from network: NetworkID) {}
    func beacon(_ fate: BeaconFate, network: NetworkID) {}
    func beaconsTakenOver(_ count: Int, cutOff: Int) {}
    func beaconTrouble(_ reason: String) {}
}

struct SilentRewardObserver: RewardObserver {
    func callback(_ source: String, state: String, reason: String?, detail: String?) {}
    func granted(_ grant: GrantRecord) {}
    func delivery(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict) {}
    func overdue(_ view: PresentationRecord) {}
    func counted(_ counts: RewardCounts) {}
    func trouble(_ reason: String) {}
}

struct StubConfiguration: ConfigurationControl {
    func check(_ text: [UInt8]) async -> Verdict { Verdict(version: "v2", report: Array("{}".utf8)) }
    func reload() async -> Verdict { Verdict(version: nil, report: Array("{}".utf8)) }
    func current() async -> [UInt8] { Array("{}".utf8) }
    var refusal: (at: WallTime, problem: String)? { nil }
    var ratesStaleSince: WallTime?
}

extension ServerResponse {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    func json() throws -> JSONValue { try JSONReader.read(bytes) }
}
