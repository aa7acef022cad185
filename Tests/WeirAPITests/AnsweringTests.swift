import Testing
import WeirGateway
import WeirJSON
import WeirModel
import WeirRewards
import WeirTelemetry
import WeirTime

@testable import WeirAPI
@testable import WeirHTTP

@Suite("Answering", .timeLimit(.minutes(10)))
struct AnsweringTests {
    private static let body = #"{"placement":"p"}"#

    @Test("without a key operators' routes exist on the admin listener alone")
    func noKey() async {
        let house = await House()
        #expect(await house.ask("GET", "/v1/adapters").status == 404)
        #expect(await house.ask("GET", "/v1/adapters", on: .admin).status == 200)
        #expect(await house.ask("GET", "/healthz", on: .admin).status == 200)
    }

    @Test("with a key operators must send it, and no part of it will do")
    func key() async {
        let house = await House(adminKey: "secret")
        func status(_ header: String?) async -> Int {
            await house.ask(
                "GET",
                "/v1/adapters",
                headers: header.map { [(name: "Authorization", value: $0)] } ?? [],
                on: .admin
            ).status
        }
        for wrong in [nil, "", "Bearer", "Bearer ", "Bearer secre", "Bearer secretx", "Basic secret", "secret"] {
            #expect(await status(wrong) == 401, "\(wrong ?? "no header")")
        }
        #expect(await status("Bearer secret") == 200)
        #expect(await status("bearer secret") == 200)
        #expect(await house.ask("GET", "/readyz", on: .admin).status == 200)
    }

    @Test(
        "without a key a page in the operator's browser is no operator: neither of another origin, nor by another name"
    )
    func foreignPages() async throws {
        let house = await House()
        func status(_ host: String?, origin: String? = nil) async -> Int {
            let headers = [host.map { (name: "Host", value: $0) }, origin.map { (name: "Origin", value: $0) }]
            return await house.ask("POST", "/v1/config/reload", headers: headers.compactMap(\.self), on: .admin).status
        }
        for host in [nil, "127.0.0.1:8081", "localhost:8081", "LOCALHOST", "[::1]:8081", "weir.localhost", "10.0.0.7"] {
            #expect(await status(host) == 422, "\(host ?? "no host")")
        }
        #expect(await status("localhost:8081", origin: "http://localhost:8081") == 422)
        for origin in ["https://evil.test", "http://localhost:8080", "https://localhost:8081", "null"] {
            #expect(await status("localhost:8081", origin: origin) == 403, "\(origin)")
        }
        for host in ["evil.test", "evil.test:8081", "localhost.evil.test", "127.0.0.1.evil.test", ""] {
            #expect(await status(host) == 403, "\(host)")
        }
        let trace = await house.ask(
            "POST",
            "/v1/ads",
            query: "trace=1",
            headers: [("Host", "evil.test")],
            body: Self.body,
            on: .admin
        )
        #expect(trace.status == 401)
        // With a key a page cannot know it, so names do not matter.
        let keyed = await House(adminKey: "secret")
        let headers = [(name: "Authorization", value: "Bearer secret"), (name: "Host", value: "weir.internal")]
        #expect(await keyed.ask("GET", "/v1/adapters", headers: headers, on: .admin).status == 200)
    }

    @Test("what never becomes a request is answered under a request id and counted, too")
    func faults() async throws {
        let house = await House()
        let answer = API(house.services).refuse(.bodyTooLarge)
        #expect(answer.status == 413)
        #expect(answer.header("X-Weir-Request-Id")?.isEmpty == false)
        #expect(answer.header("Content-Type") == "application/problem+json")
        let metrics = String(decoding: house.services.metrics.exposition(), as: UTF8.self)
        #expect(metrics.contains("weir_http_responses_total{route=\"unknown\",status=\"413\"} 1"))
    }

    @Test("a beacon of Weir's own is counted and not kept by caches; a reward's token is no beacon")
    func beacons() async throws {
        let house = await House()
        let signer = house.services.beacons
        let good = await house.ask("GET", "/v1/t/" + signer.beacon(event: "error", request: "r"))
        #expect(good.status == 204)
        #expect(good.header("Cache-Control") == "no-store")
        let token = PresentationToken(
            request: "r",
            adUnit: "beacon",
            user: "u-1",
            expires: WallTime(milliseconds: .max)
        ).signed(by: House.tokenKey)
        #expect(await house.ask("GET", "/v1/t/" + token).status == 404)
        let metrics = String(decoding: house.services.metrics.exposition(), as: UTF8.self)
        #expect(metrics.contains("weir_beacons_received_total{event=\"error\"} 1"))
        #expect(!metrics.contains("u-1"))
    }

    @Test("a trace needs an operator")
    func trace() async throws {
        let house = await House(adminKey: "secret")
        let refused = await house.ask("POST", "/v1/ads", query: "trace=1", body: Self.body)
        #expect(refused.status == 401)
        #expect(refused.header("WWW-Authenticate") == "Bearer")
        let allowed = await house.ask(
            "POST",
            "/v1/ads",
            query: "trace=1",
            headers: [("Authorization", "Bearer secret")],
            body: Self.body
        )
        #expect(try allowed.json()["trace"]?.array != nil)
    }

    @Test(
        "every problem is problem+json with its code, under a request id",
        arguments: [
            ("GET", "/nowhere", "", 404, "not_found"), ("PUT", "/v1/ads", "", 405, "method_not_allowed"),
            ("POST", "/v1/ads", "{", 400, "bad_request"),
            ("POST", "/v1/ads", #"{"placement":"q"}"#, 404, "unknown_placement"),
            ("GET", "/v1/vast", "", 400, "bad_request"), ("GET", "/v1/t/forged", "", 404, "not_found"),
        ]
    )
    func problems(method: String, path: String, body: String, status: Int, code: String) async throws {
        let answer = await House().ask(method, path, body: body)
        #expect(answer.status == status)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.header("X-Weir-Request-Id")?.isEmpty == false)
        let json = try answer.json()
        #expect(json["code"]?.string == code)
        #expect(json["status"]?.int == status)
        for member in ["type", "title", "detail"] { #expect(json[member]?.string?.isEmpty == false) }
        #expect(json["detail"]?.string?.first?.isLetter == true)
    }

    @Test("a body of another type is refused")
    func mediaType() async {
        let house = await House()
        func status(_ type: String) async -> Int {
            await house.ask("POST", "/v1/ads", headers: [("Content-Type", type)], body: Self.body).status
        }
        #expect(await status("text/plain") == 415)
        #expect(await status("Application/JSON; charset=utf-8") == 200)
    }

    @Test("a fill carries every field that docs/api.md promises of an ad")
    func fill() async throws {
        let answer = await House().ask("POST", "/v1/ads", body: Self.body)
        let json = try answer.json()
        #expect(json["request_id"]?.string == answer.header("X-Weir-Request-Id"))
        #expect(json["result"]?.string == "fill")
        #expect(json["config"]?.string == "v1")
        #expect(
            json["expires_at"]?.string == "2026-01-01T01:00:00Z"
                || json["expires_at"]?.string?.hasPrefix("2026-01-01T01:00:00") == true
        )
        let ad = try #require(json["ad"]?.object)
        #expect(
            ad.keys == [
                "id", "title", "system", "creative_id", "advertiser", "duration_ms", "price", "network", "line_item",
                "markup", "test", "ad_type", "skippable", "skip_offset_ms", "ui_hideable", "pod", "media_files",
                "click_through", "tracking", "click_tracking", "impressions", "errors", "companions", "icons",
                "verifications", "extensions", "wrapper_chain",
            ]
        )
        let golden: [String: JSONValue] = [
            "id": "ad-1", "title": "Title", "system": "sys", "creative_id": "cr-1", "advertiser": "adv",
            "duration_ms": 10_000, "price": ["amount": "2.50", "currency": "USD"], "network": "net",
            "line_item": "line", "test": false, "ad_type": "video", "skippable": true, "skip_offset_ms": 5000,
            "pod": ["position": 1, "total": 1, "max_duration_ms": nil, "time_offset_ms": nil],
            "media_files": [
                [
                    "url": "https://n.test/v.mp4", "mime": "video/mp4", "width": 640, "height": 360,
                    "bitrate_kbps": 500, "delivery": "progressive", "codec": "avc1",
                ]
            ],
            "click_through": "https://n.test/c", "tracking": ["start": ["https://n.test/s"]],
            "impressions": ["https://n.test/i"], "errors": ["https://n.test/e"], "wrapper_chain": [],
        ]
        for (key, value) in golden { #expect(ad[key] == value, "\(key)") }
    }

    @Test("a rewarded ad says what it gives and carries a token")
    func rewarded() async throws {
        let house = await House { $0.format = .rewarded }
        let ad = try #require(try await house.ask("POST", "/v1/ads", body: Self.body).json()["ad"]?.object)
        #expect(ad["reward"] == .null)
        #expect(ad["ssv"] == ["enabled": false])
        #expect(ad["presentation_token"]?.string?.isEmpty == false)
        #expect(ad["expires_at"]?.string != nil)
    }

    @Test("every text ends its line, so that a shell's prompt stands below it")
    func lineEnds() async {
        let house = await House()
        let answers = [
            await house.ask("POST", "/v1/ads", body: Self.body),
            await house.ask("GET", "/v1/vast", query: "placement=p"),
            await house.ask("GET", "/v1/vast", query: "placement=nowhere"),
            await house.ask("GET", "/v1/adapters", on: .admin),
            await house.ask("GET", "/readyz"),
        ]
        for answer in answers { #expect(answer.bytes.suffix(2).map { $0 == 0x0A } == [false, true]) }
    }

    @Test("a no-fill has no ad, and the VAST door says so with an empty document")
    func noFill() async throws {
        let house = await House("")
        let json = try await house.ask("POST", "/v1/ads", body: Self.body).json()
        #expect(json["result"]?.string == "no_fill")
        #expect(json["ad"] == .null)
        #expect(json["expires_at"] == .null)
        #expect(json["attempts"]?[0]?["reason"]?.string == "empty_body")
        let vast = await house.ask("GET", "/v1/vast", query: "placement=p", headers: [("Host", "weir.test")])
        #expect(vast.status == 200)
        #expect(vast.header("X-Weir-Result") == "no_fill")
        #expect(String(decoding: vast.bytes, as: UTF8.self).contains("http://weir.test/v1/t/"))
    }

    @Test("a repeat of an Idempotency-Key gets the first answer, a corrected request another chance")
    func idempotency() async {
        let house = await House()
        let api = API(house.services)
        func ask(_ body: String, key: String) async -> ServerResponse {
            await api.respond(
                to: ServerRequest(
                    method: "POST",
                    path: "/v1/ads",
                    headers: RequestHeaders([("Idempotency-Key", key)]),
                    body: Array(body.utf8)
                ),
                on: .public
            )
        }
        #expect(await ask(#"{"placement":"q"}"#, key: "k").status == 404)
        let first = await ask(Self.body, key: "k")
        #expect(first.status == 200)
        let again = await ask(Self.body, key: "k")
        #expect(again.bytes == first.bytes)
        // Operators find the decision by the header of either answer.
        #expect(again.header("X-Weir-Request-Id") == first.header("X-Weir-Request-Id"))
        #expect(again.headers.count { $0.name == "X-Weir-Request-Id" } == 1)
        #expect(await ask(Self.body, key: "other").bytes != first.bytes)
        #expect(await ask(Self.body, key: String(repeating: "k", count: 256)).status == 400)
    }
}
