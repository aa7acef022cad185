import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirRewards
import WeirStore
import WeirTesting
import WeirTime

@testable import WeirGateway

/// What is answered to a wrapper's or a beacon's call.
struct Pages: Sendable {
    let answer: @Sendable (OutboundRequest) -> StubTransport.Reply

    init(_ answer: @escaping @Sendable (OutboundRequest) -> StubTransport.Reply) {
        self.answer = answer
    }
}

/// A gateway without sockets, whose networks answer by a script.
struct Hall {
    static let tokenKey = TokenKey(Array(repeating: 7, count: 32))
    typealias Load = @Sendable (AdAsk) throws(AdapterError) -> LoadOutcome

    let clock: ManualClock
    let gateway: Gateway
    let transport: StubTransport
    let observer: CountingObserver
    let asks = AskBook()

    /// One line item a network, in this order, all of the ad unit `unit`.
    init(
        _ networks: KeyValuePairs<NetworkID, [Offer]>,
        format: AdFormat = .video,
        hideable: Bool = false,
        wrapperDepth: Int = 5,
        noFill: NoFill = NoFill(.noAd, "Nothing."),
        pages: Pages = Pages { _ in .response(InboundResponse(status: 404)) },
        store: (any BeaconStore)? = nil,
        change: (inout AdUnit) -> Void = { _ in }
    ) async {
        let clock = ManualClock()
        let asks = asks
        let observer = CountingObserver()
        let transport = StubTransport(clock: clock, answer: pages.answer)
        (self.clock, self.transport, self.observer) = (clock, transport, observer)
        var unit = AdUnit(id: "unit", format: format)
        unit.waterfall = networks.map {
            .line(LineItem(id: LineItemID($0.key.text), network: $0.key, networkUnit: "u"))
        }
        change(&unit)
        let registry = AdapterRegistry(clock: clock)
        let entries = networks.map { id, offers in
            RegistryEntry(
                network: Network(id: id, adapter: "stub"),
                fingerprint: "1",
                source: .adapter(
                    OfferingAdapter.descriptor,
                    make: { () throws(SettingsError) -> any NetworkAdapter in
                        OfferingAdapter(offers: offers, noFill: noFill, asks: asks)
                    }
                )
            )
        }
        registry.configure(
            entries,
            catalog: Catalog(
                networks: entries.map(\.network),
                adUnits: [unit],
                placements: [Placement(id: "p", adUnit: "unit", requiresHideableUI: hideable)],
                version: "v1",
                environment: .production,
                wrapperDepth: wrapperDepth
            )
        )
        gateway = Gateway(
            on: Gateway.Foundations(
                clock: clock,
                adapters: registry,
                caps: CapCounters(),
                transport: { _ in transport },
                tokens: PresentationSigner(key: Self.tokenKey),
                beaconStore: store,
                observer: observer
            )
        )
        for await snapshot in registry.changes() where snapshot.adapters.allSatisfy(\.isReady) { break }
    }

    func serve(
        version: String? = nil,
        _ change: (inout AdRequest) -> Void = { _ in }
    ) async throws(GatewayError) -> AdResponse {
        var request = AdRequest(placement: "p")
        change(&request)
        let call = Gateway.Call(requestID: RequestID("r"), arrival: clock.now, vastVersion: version)
        return try await gateway.serve(request, call)
    }
}

struct OfferingAdapter: NetworkAdapter {
    static let descriptor = AdapterDescriptor(kind: "stub", version: "1.0.0", formats: Set(AdFormat.allCases))
    var descriptor: AdapterDescriptor { Self.descriptor }
    let offers: [Offer]
    let noFill: NoFill
    let asks: AskBook

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        asks.note(ask)
        return offers.isEmpty ? .noFill(noFill) : .fill(offers)
    }
}

/// Keeps what networks were asked.
final class AskBook: Sendable {
    private let asks = Lock<[AdAsk]>([])

    var all: [AdAsk] { asks.withLock { $0 } }
    func note(_ ask: AdAsk) { asks.withLock { $0.append(ask) } }
}

/// Counts beacons; a test can wait for them.
final class CountingObserver: GatewayObserver {
    private let counts = Lock<[BeaconFate: Int]>([:])
    private let taken = Lock<[[Int]]>([])
    private let troubled = Lock<[String]>([])
    private let noticed = Lock<[String]>([])

    /// Kind, fate and network of each notice whose fate is known.
    var notices: [String] { noticed.withLock { $0 } }

    func notice(_ kind: NoticeKind, _ fate: BeaconFate, network: NetworkID) {
        noticed.withLock { $0.append("\(kind.rawValue) \(fate.rawValue) \(network.text)") }
    }

    /// Each taking over: how many, and how many were cut off.
    var takenOver: [[Int]] { taken.withLock { $0 } }
    var troubles: [String] { troubled.withLock { $0 } }

    func beaconsTakenOver(_ count: Int, cutOff: Int) { taken.withLock { $0.append([count, cutOff]) } }
    func beaconTrouble(_ reason: String) { troubled.withLock { $0.append(reason) } }

    func lateResponse(from network: NetworkID) {}
    func beacon(_ fate: BeaconFate, network: NetworkID) { counts.withLock { $0[fate, default: 0] += 1 } }

    func count(_ fate: BeaconFate) -> Int { counts.withLock { $0[fate, default: 0] } }

    func wait(_ fate: BeaconFate, _ count: Int) async {
        await waitUntil { self.count(fate) >= count }
    }
}

extension Offer {
    /// An offer of a document with these ads.
    static func ads(_ ads: String...) -> Offer {
        Offer(markup: .document(Array("<VAST version=\"4.2\">\(ads.joined())</VAST>".utf8)))
    }

    /// An offer of a schedule: time offset and ads of each break.
    static func vmap(_ breaks: (offset: String, ads: String)...) -> Offer {
        let text = breaks.map { adBreak in
            """
            <vmap:AdBreak timeOffset="\(adBreak.offset)" breakType="linear"><vmap:AdSource><vmap:VASTAdData>
            <VAST version="4.2">\(adBreak.ads)</VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
            """
        }.joined()
        let root = "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(text)</vmap:VMAP>"
        return Offer(markup: .document(Array(root.utf8)))
    }

    func at(_ section: AudioSection, _ point: Duration? = nil) -> Offer {
        var offer = self
        offer.slot = AudioSlot(section, point: point)
        return offer
    }

    func priced(_ amount: String, _ currency: String = "USD") -> Offer {
        var offer = self
        offer.price = Money.of(amount, currency)
        return offer
    }
}

extension Money {
    static func of(_ amount: String, _ currency: String = "USD") -> Money? {
        Currency(currency).flatMap { Money(amount: amount, currency: $0) }
    }
}

/// An in-line ad with one media file, called after `id` unless `media` says otherwise.
///
/// With `isNamed` false the ad itself has no id.
func inLine(
    _ id: String,
    creative: String? = nil,
    sequence: Int? = nil,
    type: String = "video/mp4",
    seconds: Int = 10,
    category: String = "",
    media: String? = nil,
    isNamed: Bool = true
) -> String {
    """
    <Ad\(isNamed ? " id=\"\(id)\"" : "")\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><AdSystem>sys</AdSystem><AdTitle>T</AdTitle>
    \(category.isEmpty ? "" : "<Category authority=\"https://iab.test\">\(category)</Category>")
    <Error>https://n.test/error?code=[ERRORCODE]</Error><Impression>https://n.test/i</Impression>
    <Creatives><Creative id="\(creative ?? id)"><Linear><Duration>00:00:\(seconds)</Duration><MediaFiles>
    <MediaFile delivery="progressive" type="\(type)" width="640" height="360">https://n.test/\(media ?? id).mp4</MediaFile>
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad>
    """
}
