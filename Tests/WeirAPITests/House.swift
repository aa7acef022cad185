import Testing
import WeirAdapterKit
import WeirGateway
import WeirHTTP
import WeirJSON
import WeirMediation
import WeirModel
import WeirStore
import WeirTelemetry
import WeirTesting
import WeirTime

@testable import WeirAPI

/// A gateway without sockets: one network, `net`, that answers every ask with `document`.
struct House {
    let clock = ManualClock()
    let services: Services
    let draining = Flag()
    let transport: StubTransport

    init(
        _ document: String = House.inLine,
        adminKey: String? = nil,
        change: (inout AdUnit) -> Void = { _ in }
    ) async {
        let clock = clock
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
                        make: { () throws(SettingsError) -> any NetworkAdapter in StubAdapter(document: document) }
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
        let tokens = PresentationSigner()
        let metrics = Metrics()
        services = Services(
            gateway: Gateway(
                on: Gateway.Foundations(
                    clock: clock,
                    adapters: adapters,
                    caps: CapCounters(),
                    transport: { _ in transport },
                    tokens: tokens,
                    observer: SilentObserver()
                )
            ),
            adapters: adapters,
            store: MemoryStore(),
            configuration: StubConfiguration(),
            metrics: metrics,
            counters: APICounters(metrics),
            redactor: Redactor(),
            adminKey: adminKey,
            trustedProxies: TrustedProxies([]),
            beacons: tokens,
            clock: clock,
            logger: .silent,
            draining: draining
        )
        for await snapshot in adapters.changes() where snapshot.status(of: "net")?.isReady ?? false { break }
    }

    func ask(
        _ method: String,
        _ path: String,
        query: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: String = "",
        on listener: API.Listener = .public
    ) async -> ServerResponse {
        await API(services).respond(
            to: ServerRequest(
                method: method,
                path: path,
                query: query,
                headers: RequestHeaders(headers),
                body: Array(body.utf8)
            ),
            on: listener
        )
    }

    static let inLine = """
        <VAST version="4.2"><Ad id="ad-1"><InLine><AdSystem>sys</AdSystem><AdTitle>Title</AdTitle>
        <Advertiser>adv</Advertiser><AdServingId>s</AdServingId><Error>https://n.test/e</Error>
        <Impression>https://n.test/i</Impression><Creatives><Creative id="cr-1"><Linear skipoffset="00:00:05">
        <Duration>00:00:10</Duration><TrackingEvents><Tracking event="start">https://n.test/s</Tracking>
        </TrackingEvents><VideoClicks><ClickThrough>https://n.test/c</ClickThrough></VideoClicks><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="500" codec="avc1">
        https://n.test/v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """
}

struct StubAdapter: NetworkAdapter {
    static let descriptor = AdapterDescriptor(kind: "stub", version: "1.0.0", formats: Set(AdFormat.allCases))
    var descriptor: AdapterDescriptor { Self.descriptor }
    let document: String

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        if document.isEmpty { return .noFill(NoFill(.emptyBody, "Nothing.")) }
        return .fill([Offer(markup: .document(Array(document.utf8)))])
    }
}

struct SilentObserver: GatewayObserver {
    func lateResponse(from network: NetworkID) {}
    func beacon(_ fate: BeaconFate, network: NetworkID) {}
}

struct StubConfiguration: ConfigurationControl {
    func check(_ text: [UInt8]) async -> Verdict { Verdict(version: "v2", report: Array("{}".utf8)) }
    func reload() async -> Verdict { Verdict(version: nil, report: Array("{}".utf8)) }
    func current() async -> [UInt8] { Array("{}".utf8) }
}

extension ServerResponse {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    func json() throws -> JSONValue { try JSONReader.read(bytes) }
}
