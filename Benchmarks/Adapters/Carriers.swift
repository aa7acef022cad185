internal import VASTAdapter
internal import WeirAdapterKit
internal import WeirCarriers
internal import WeirConfig
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

/// The carriers that are compared.
enum Carriers {
    /// A tag with what players usually send.
    private static let tag =
        "https://ads.bench.example/vast?unit={network_unit!}&w={width}&h={height}&ip={ip}&ua={ua}&os={os}&cb={cachebusting}"

    /// A declared network with its own JSON.
    private static let mapped = #"""
        {"preset": "json", "url": "https://ads.bench.example/ask",
         "request": {"json": {"unit": "{network_unit!}", "ip": "{ip}", "ua": "{ua}", "os": "{os}",
           "w": "{width}", "h": "{height}"}},
         "reply": {"format": "json", "ads": "bids[*]",
           "ad": {"id": "id", "vast": "vast", "price": {"amount": "cpm", "currency": "currency"}}}}
        """#

    /// Makes all of them and sets them up.
    ///
    /// - Parameters:
    ///   - loop: Where the pipes of processes are read.
    ///   - commands: Programs that speak the adapter protocol and BidCo's JSON.
    /// - Returns: The carriers, ready.
    /// - Throws: What keeps one from being so.
    static func all(loop: EventLoop, commands: [String]) async throws -> [Carrier] {
        let clock = RuntimeClock()
        let vast = AdapterContext(network: "bench", transport: AtOnce(AtOnce.vast, "application/xml"), clock: clock)
        let json = AdapterContext(network: "bench", transport: AtOnce(AtOnce.bids, "application/json"), clock: clock)
        var carriers = [
            Carrier(
                name: "in tree, the contract alone",
                adapter: BareAdapter(context: vast),
                ask: ask,
                loads: 100_000,
                limit: .microseconds(1)
            ),
            Carrier(
                name: "in tree, vast",
                adapter: try VASTAdapterFactory.factory.make(["tag_url": .string(tag)], vast),
                ask: ask,
                loads: 20_000
            ),
            Carrier(
                name: "declared, vast-tag",
                adapter: try declared(#"{"preset": "vast-tag", "url": "\#(tag)"}"#, vast),
                ask: ask,
                loads: 20_000,
                limit: .microseconds(30)
            ),
            Carrier(
                name: "declared, JSON with a mapping",
                adapter: try declared(mapped, json),
                ask: ask,
                loads: 20_000,
                limit: .microseconds(30)
            ),
        ]
        for command in commands { carriers.append(try await process(command, json, loop)) }
        return carriers
    }

    private static func declared(_ file: String, _ context: AdapterContext) throws -> any NetworkAdapter {
        let network = NetworkFileReader(adapters: []).read(Array(file.utf8), file: "bench.json")
        guard let factory = network.factory else {
            throw SetUpFailure(reason: "\(network.diagnostics)", remedy: "Correct the benchmark's file.")
        }
        return try factory.make([:], context)
    }

    private static func process(_ command: String, _ context: AdapterContext, _ loop: EventLoop) async throws -> Carrier
    {
        let before = ProcessorTime.children
        let adapter = ProcessAdapter(
            ProcessConfiguration(command: command.split(separator: " ").map(String.init), directory: "."),
            settings: ["url": "https://ads.bench.example/ask"],
            context: context,
            loop: loop
        )
        try await adapter.setUp(SetUpProgress())
        let isPython = command.hasPrefix("python")
        return Carrier(
            name: "process, \(isPython ? "Python" : "Swift"), 32 in flight",
            adapter: adapter,
            ask: ask,
            loads: 5000,
            inFlight: 32,
            limit: isPython ? nil : .microseconds(150),
            process: ProcessorTime.children.subtracting(before).first
        )
    }

    private static var ask: AdAsk {
        var request = AdRequest(placement: "movie_preroll")
        request.device.ip = "203.0.113.7"
        request.device.userAgent = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36"
        request.device.os = "android"
        request.player.width = 1280
        request.player.height = 720
        return AdAsk(
            requestID: "01M8NEQHAP855MXZGB8M3V3CD3",
            request: request,
            adUnit: AdUnit(id: "preroll", format: .video),
            lineItem: LineItem(id: "bench-1", network: "bench", networkUnit: "home-1"),
            deadline: .after(.seconds(3600), clock: RuntimeClock())
        )
    }
}

/// The contract and nothing else: two constant halves.
private struct BareAdapter: HTTPAdapter {
    let descriptor = AdapterDescriptor(kind: "bare", version: "1", formats: [.video])
    let context: AdapterContext

    private static let outbound = OutboundRequest(url: "https://ads.bench.example/")

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest { Self.outbound }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        .fill([Offer(markup: .document(reply.body))])
    }
}

/// A network that answers at once.
private struct AtOnce: HTTPTransport {
    private static let ad =
        "<VAST version='4.2'><Ad id='1'><InLine><AdSystem>Bench</AdSystem><AdTitle>A film</AdTitle><Impression>"
        + "https://t.bench.example/i</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles>"
        + "<MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>https://cdn.bench.example/a.mp4"
        + "</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
    static let vast = Array(ad.utf8)
    static let bids = Array(#"{"bids": [{"id": "b-1", "cpm": 1.25, "currency": "EUR", "vast": "\#(ad)"}]}"#.utf8)

    private let response: InboundResponse

    init(_ body: [UInt8], _ type: String) {
        response = InboundResponse(status: 200, headers: [HTTPHeader("Content-Type", type)], body: body)
    }

    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        response
    }
}
