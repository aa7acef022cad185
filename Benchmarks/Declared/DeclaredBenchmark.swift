import WeirAdapterKit
import WeirConfig
import WeirJSON
import WeirModel
import WeirTime

/// What a declared network costs beyond the socket: building one request and reading one reply, on one thread.
@main
enum DeclaredBenchmark {
    private static let calls = 20_000
    private static let rounds = 7

    static func main() throws {
        print("declared networks: \(calls) calls a round, the median of \(rounds) rounds")
        try measure("vast-tag", tagFile, InboundResponse(status: 200, headers: [xml], body: Array(vast.utf8)))
        try measure("json", jsonFile, InboundResponse(status: 200, headers: [json], body: Array(jsonReply.utf8)))
    }

    private static func measure(_ name: String, _ file: String, _ reply: InboundResponse) throws {
        let read = NetworkFileReader(adapters: []).read(Array(file.utf8), file: name)
        for diagnostic in read.diagnostics { print(diagnostic.text) }
        let context = AdapterContext(network: "bench", transport: Nowhere(), clock: SystemClock())
        guard let adapter = try read.factory?.make(["key": "secret-text"], context) as? any HTTPAdapter else { return }
        let ask = ask
        let request = try adapter.request(for: ask)
        guard case .fill = try adapter.outcome(of: reply, for: ask) else { return print("\(name): no fill") }
        let building = try median { for _ in 0..<calls { _ = try adapter.request(for: ask) } }
        let reading = try median { for _ in 0..<calls { _ = try adapter.outcome(of: reply, for: ask) } }
        let sizes = "\(request.url.utf8.count + request.body.count) bytes out, \(reply.body.count) bytes in"
        print(
            "\(name): request \(text(building)), reply \(text(reading)), together \(text(building + reading)) (\(sizes))"
        )
    }

    /// Microseconds a call.
    private static func median(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<rounds {
            let time = try clock.measure(body).components
            times.append((Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12) / Double(calls))
        }
        return times.sorted()[rounds / 2]
    }

    private static func text(_ microseconds: Double) -> String { "\((microseconds * 100).rounded() / 100) µs" }

    // MARK: What is asked and answered

    private static let xml = HTTPHeader("Content-Type", "text/xml")
    private static let json = HTTPHeader("Content-Type", "application/json")

    private static var ask: AdAsk {
        var request = AdRequest(placement: "preroll")
        request.device.ip = "203.0.113.7"
        request.device.userAgent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0"
        request.device.advertisingID = "AEBE52E7-03EE-455A-B3C4-E57283966239"
        request.device.language = "en"
        request.player.width = 640
        request.player.height = 360
        request.player.mimes = ["video/mp4", "video/webm"]
        request.content.url = "https://site.example/films/one?season=2"
        request.app.bundle = "com.example.player"
        return AdAsk(
            requestID: "01JDABCDEF",
            request: request,
            adUnit: AdUnit(id: "preroll", format: .video),
            lineItem: LineItem(id: "line", network: "bench", networkUnit: "/1234/preroll"),
            deadline: .after(.seconds(1), clock: SystemClock())
        )
    }

    private static let tagFile = """
        {"preset": "vast-tag", "settings": {"key": {"secret": true}}, "url": "https://ads.example/vast", "request": {
          "query": {"iu": "{network_unit!}", "sz": "{width}x{height}", "ip": "{ip}", "ua": "{ua}", "url": "{content_url}",
                    "cb": "{cachebusting}", "gdpr": "{gdpr}", "tcf": "{tcf}", "ifa": "{ifa|lower}", "k": "{settings.key}"},
          "headers": {"X-Forwarded-For": "{ip}", "User-Agent": "{ua}"}}}
        """

    private static let jsonFile = """
        {"settings": {"key": {"secret": true}}, "url": "https://ads.example/v1/ads", "request": {
          "headers": {"Authorization": "Bearer {settings.key}"},
          "json": {"id": "{request_id}", "imp": [{"tag": "{network_unit!}", "w": "{width|default:640}",
                   "h": "{height|default:360}", "mimes": "{mimes}", "floor": "{floor}"}],
                   "device": {"ip": "{ip}", "ua": "{ua}", "ifa": "{ifa|lower}", "lang": "{device_language}"},
                   "app": {"bundle": "{app_bundle}"}, "page": "{content_url}", "coppa": "{coppa}", "test": "{test}"}},
         "reply": {"format": "json", "no_fill": {"path": "status", "equals": "NO_AD"},
          "error": {"when": {"path": "error", "absent": false}}, "ads": "ads[*]",
          "ad": {"vast": "markup", "id": "id", "price": {"amount": "price", "currency": "cur"}, "expires": "ttl"}}}
        """

    private static let vast =
        "<VAST version=\"4.2\"><Ad id=\"a1\"><InLine><AdSystem>example</AdSystem><AdTitle>Example</AdTitle>"
        + "<Impression><![CDATA[https://ads.example/imp?id=1]]></Impression><Creatives><Creative><Linear>"
        + "<Duration>00:00:15</Duration><TrackingEvents>"
        + ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map {
            "<Tracking event=\"\($0)\"><![CDATA[https://ads.example/t?e=\($0)]]></Tracking>"
        }.joined()
        + "</TrackingEvents><MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" "
        + "height=\"360\"><![CDATA[https://cdn.example/a.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives>"
        + "</InLine></Ad></VAST>"

    private static let jsonReply = String(
        decoding: JSONValue.object([
            "status": "OK", "request": "01JDABCDEF",
            "ads": [["id": "ad-1", "price": 2.5, "cur": "USD", "ttl": 300, "markup": .string(vast)]],
        ]).encoded(),
        as: UTF8.self
    )
}

/// A transport that is never used.
private struct Nowhere: HTTPTransport {
    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        throw TransportError(.connectionRefused, "nobody is there")
    }
}
