import WeirAdapterKit
import WeirGateway
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime
import WeirVAST

/// A gateway without sockets whose networks offer what a test says, for audio programmes.
struct AudioHall: Sendable {
    let clock = ManualClock()
    let gateway: Gateway

    /// One line for each network, in this order or in one group; `change` may set limits.
    init(
        _ networks: [(id: NetworkID, offers: [Offer])],
        inGroup: Bool = false,
        change: (inout AdUnit) -> Void = { _ in }
    ) async {
        let clock = clock
        let adapters = AdapterRegistry(clock: clock)
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 404)) }
        var unit = AdUnit(id: "radio", format: .audio)
        let lines = networks.map { LineItem(id: LineItemID("l-\($0.id.text)"), network: $0.id, networkUnit: "u") }
        unit.waterfall = inGroup ? [.group(lines, timeout: nil)] : lines.map { .line($0) }
        change(&unit)
        let entries = networks.map { network in
            RegistryEntry(
                network: Network(id: network.id, adapter: "spots"),
                fingerprint: "1",
                source: .adapter(
                    SpotAdapter.descriptor,
                    make: { () throws(SettingsError) -> any NetworkAdapter in SpotAdapter(offers: network.offers) }
                )
            )
        }
        adapters.configure(
            entries,
            catalog: Catalog(
                networks: entries.map(\.network),
                adUnits: [unit],
                placements: [Placement(id: "p", adUnit: "radio")],
                version: "v1",
                environment: .production
            )
        )
        gateway = Gateway(
            on: Gateway.Foundations(
                clock: clock,
                adapters: adapters,
                caps: CapCounters(),
                transport: { _ in transport },
                tokens: PresentationSigner(),
                observer: QuietObserver()
            )
        )
        for await snapshot in adapters.changes()
        where networks.allSatisfy({ snapshot.status(of: $0.id)?.isReady ?? false }) { break }
    }

    /// Serves one request.
    func serve(_ change: (inout AdRequest) -> Void = { _ in }) async throws -> AdResponse {
        var request = AdRequest(placement: "p")
        change(&request)
        return try await gateway.serve(request, Gateway.Call(requestID: "r", arrival: clock.now))
    }
}

private struct SpotAdapter: NetworkAdapter {
    static let descriptor = AdapterDescriptor(kind: "spots", version: "1.0.0", formats: [.audio])
    var descriptor: AdapterDescriptor { Self.descriptor }
    let offers: [Offer]

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        offers.isEmpty ? .noFill(NoFill(.noAd, "Nothing today.")) : .fill(offers)
    }
}

private struct QuietObserver: GatewayObserver {
    func lateResponse(from network: NetworkID) {}
    func beacon(_ fate: BeaconFate, network: NetworkID) {}
    func beaconsTakenOver(_ count: Int, cutOff: Int) {}
    func beaconTrouble(_ reason: String) {}
}

/// An audio ad in a few words.
struct Spot {
    var id: String
    var seconds: Int? = 30
    var creative: String?
    var universal: String?
    var category: String?
    var sequence: Int?
    var system = "sys"
    var file: String?
    var type = "audio/mpeg"
    var companions = ""

    var xml: String {
        let duration = seconds.map { "<Duration>00:0\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)</Duration>" } ?? ""
        let universal = universal.map { "<UniversalAdId idRegistry=\"own\">\($0)</UniversalAdId>" } ?? ""
        let category = category.map { "<Category authority=\"iab\">\($0)</Category>" } ?? ""
        return """
            <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "") adType="audio"><InLine>
            <AdSystem>\(system)</AdSystem><AdTitle>\(id)</AdTitle>\(category)
            <Impression>https://n.test/i?\(id)</Impression><Creatives><Creative id="\(creative ?? id)">\(universal)<Linear>
            \(duration)<MediaFiles><MediaFile delivery="progressive" type="\(type)">
            \(file ?? "https://n.test/\(id).mp3")</MediaFile></MediaFiles></Linear></Creative>\(companions)</Creatives>
            </InLine></Ad>
            """
    }

    /// One document with these ads.
    static func offer(_ spots: Spot..., at slot: AudioSlot? = nil) -> Offer {
        let text = "<VAST version=\"4.2\">" + spots.map(\.xml).joined() + "</VAST>"
        var offer = Offer(markup: .document(Array(text.utf8)))
        offer.slot = slot
        return offer
    }
}

extension AdResponse {
    /// The ids of the ads, in play order.
    var ids: [String] { ads.compactMap(\.ad.id) }
    /// `line: result(reason)` of each attempt.
    var verdicts: [String] {
        attempts.map { "\($0.lineItem.text): \($0.outcome.result.rawValue)(\($0.outcome.reason.rawValue))" }
    }
    /// `ad: reason` of everything that was left out.
    var leftOut: [String] {
        attempts.flatMap { attempt in attempt.leftOut.map { "\($0.ad ?? "?"): \($0.why.rawValue)" } }
    }
}
