import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting

/// Rewarded and audio ads, VAST for players, and what bad input gets.
@Suite("Formats", .serialized)
struct FormatTests {
    @Test("a rewarded ad carries its reward, its expiry and a single-use token")
    func rewarded() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.format = "rewarded"
            plan.unit["reward"] = ["item": "gems", "amount": "3"]
            plan.unit["reward_mode"] = "ssv"
            plan.line("a", base, "/rewarded?unit={network_unit}", adapter: "rewarded")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad("p", ", \"user\": {\"id\": \"u-1\"}")
            let ad = try #require(answer["ad"])
            // The network's reward wins unless the ad unit says otherwise.
            #expect(ad["reward"]?["item"]?.string == "coins")
            #expect(ad["reward"]?["amount"]?.string == "10")
            #expect(ad["ssv"]?["enabled"]?.bool == true)
            #expect(ad["presentation_token"]?.string?.contains(".") == true)
            #expect(answer["expires_at"]?.string?.hasSuffix("Z") == true)
            let again = try await gateway.ad()
            #expect(again["ad"]?["presentation_token"] != ad["presentation_token"])
        }
    }

    @Test("an audio programme comes section by section; mid-points are those asked for that have ads")
    func audio() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line("v", base, "/video", adapter: "vast")
            plan.line("a", base, "/audio?unit={network_unit}", adapter: "instream-audio")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(answer.verdicts == ["v: rejected(mime)", "a: fill(fill)"])
            #expect(answer["midpoints_ms"]?.array?.compactMap(\.int) == [60_000])
            #expect(answer["sections"]?["preroll"]?.array?.count == 1)
            #expect(answer["sections"]?["midroll"]?[0]?["point_ms"]?.int == 60_000)
            #expect(answer["sections"]?["postroll"]?.array?.count == 1)
            #expect(answer["ad"]?["allow_pause"]?.bool != nil)
            let asked = try await gateway.ad("p", ", \"midpoints\": {\"seconds\": [60, 300]}")
            #expect(asked["midpoints_ms"]?.array?.compactMap(\.int) == [60_000])
            let other = try await gateway.ad("p", ", \"midpoints\": {\"seconds\": [5]}")
            #expect(other["midpoints_ms"]?.array?.isEmpty == true)
            let percent = try await gateway.ad(
                "p",
                ", \"midpoints\": {\"percent\": [10, 50]}, \"content\": {\"duration_ms\": 600000}"
            )
            #expect(percent["midpoints_ms"]?.array?.compactMap(\.int) == [60_000])
        }
    }

    @Test("personal data leaves only with consent")
    func consent() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video?age={user_age}&user={user_id}&lang={device_language}&ip={ip}&gdpr={gdpr}")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let person =
                ", \"user\": {\"id\": \"u-1\", \"age\": 25}, \"device\": {\"language\": \"en\", \"ip\": \"203.0.113.7\"}"
            _ = try await gateway.ad("p", person)
            _ = try await gateway.ad("p", person + ", \"consent\": {\"gdpr\": true}")
            let hits = gateway.sandbox.hits(of: "/video")
            #expect(hits.first?.parameter("user") == "u-1" && hits.first?.parameter("age") == "25")
            #expect(hits.last?.parameter("user") == "" && hits.last?.parameter("age") == "")
            #expect(hits.last?.parameter("gdpr") == "1")
        }
    }

    @Test("any VAST player can use the gateway as its ad tag")
    func vast() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video/wrapper?ip={ip}&ua={ua}")
            plan.top["placements"] = [["id": "p", "ad_unit": "u"], ["id": "dry", "ad_unit": "dry"]]
            plan.networks.append([
                "id": "dry", "adapter": "vast", "allow_private": ["127.0.0.1"],
                "settings": ["tag_url": .string(base + "/nofill")],
            ])
            var json = plan.json.object ?? JSONObject()
            json["ad_units"] = .array(
                (json["ad_units"]?.array ?? []) + [
                    [
                        "id": "dry", "format": "video",
                        "waterfall": [["id": "d", "network": "dry", "network_unit": "1"]],
                    ]
                ]
            )
            return .object(json)
        } _: { gateway in
            try await gateway.initialized()
            let origin = [HTTPHeader("Origin", "https://player.example"), HTTPHeader("User-Agent", "Player/1")]
            let reply = try await gateway.open.get("/v1/vast?placement=p&version=3&w=640", headers: origin)
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type")?.hasPrefix("application/xml") == true)
            #expect(reply.header("X-Weir-Result") == "fill")
            #expect(reply.header("Access-Control-Allow-Origin") == "https://player.example")
            #expect(reply.header("Access-Control-Allow-Credentials") == "true")
            #expect(reply.text.contains("<VAST version=\"3.0\"") && !reply.text.contains("Wrapper"))
            #expect(gateway.sandbox.hits(of: "/video/wrapper").first?.parameter("ua") == "Player/1")
            #expect(gateway.sandbox.hits(of: "/video/wrapper").first?.parameter("ip") == "127.0.0.1")
            let dry = try await gateway.open.get("/v1/vast?placement=dry")
            #expect(dry.header("X-Weir-Result") == "no_fill")
            let error = try #require(dry.text.split(separator: "[").first { $0.contains("/v1/t/") })
            let path = "/v1/t/" + (error.split(separator: "/").last?.prefix { $0 != "?" } ?? "")
            #expect(try await gateway.open.get(path + "?code=303").status == 204)
            #expect(try await gateway.open.get("/v1/t/forged.token").status == 404)
            let head = try await gateway.open.send("HEAD", "/v1/vast?placement=p")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(try await gateway.open.send("OPTIONS", "/v1/vast", headers: origin).status == 204)
        }
    }

    @Test("a network's schedule becomes the breaks of VMAP, and the ads of JSON")
    func schedule() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video/vmap")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let reply = try await gateway.open.get("/v1/vmap?placement=p&duration_ms=600000")
            #expect(reply.status == 200)
            #expect(reply.header("X-Weir-Result") == "fill")
            let offsets = reply.text.matches(of: /timeOffset="([^"]+)"/).map { String($0.1) }
            #expect(offsets == ["start", "00:00:10", "end"])
            #expect(reply.text.split(separator: "<MediaFile ").dropFirst().count >= 3)
            #expect(reply.text.contains("/t/breakStart?break=midroll-1"))
            #expect(!reply.text.contains("AdTagURI"), "wrappers and break tags are resolved")
            let answer = try await gateway.ad("p", ", \"content\": {\"duration_ms\": 600000}")
            let places = answer["ads"]?.array?.map { $0["pod"]?["time_offset_ms"]?.int }
            #expect(places == [0, 10_000, -1])
        }
    }

    @Test("bad input gets a status, a code, and the member that is wrong")
    func badInput() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            return plan.json
        } _: { gateway in
            let bomb = String(repeating: "[", count: 5000)
            let cases: [(body: String, status: Int, path: String)] = [
                ("{\"placement\": \"nowhere\"}", 404, "placement"),
                ("{}", 400, "placement"),
                ("{\"placement\": 7}", 400, "placement"),
                ("{\"placement\": \"p\", \"timeout_ms\": -1}", 400, "timeout_ms"),
                ("{\"placement\": \"p\", \"timeout_ms\": \"soon\"}", 400, "timeout_ms"),
                ("{\"placement\": \"p\", \"device\": {\"ip\": \"1.2.3\"}}", 400, "device.ip"),
                ("{\"placement\": \"p\", \"midpoints\": {\"percent\": [101]}}", 400, "midpoints.percent[0]"),
                ("{\"placement\": \"p\", \"content\": {\"duration_ms\": -5}}", 400, "content.duration_ms"),
                ("{\"placement\": \"p\", \"user\": {\"age\": 400}}", 400, "user.age"),
                ("{\"placement\": \"p\", \"x\": \(bomb)", 400, ""),
                ("not json", 400, ""),
            ]
            for bad in cases {
                let reply = try await gateway.open.post("/v1/ads", json: bad.body)
                #expect(reply.status == bad.status, "\(bad.body.prefix(60)): \(reply.text)")
                #expect(reply.header("Content-Type") == "application/problem+json")
                #expect(reply.json["errors"]?[0]?["path"]?.string == bad.path, "\(reply.text)")
                #expect(reply.header("X-Weir-Request-Id") != nil)
            }
            let type = [HTTPHeader("Content-Type", "text/plain")]
            #expect(try await gateway.open.send("POST", "/v1/ads", headers: type, body: [123, 125]).status == 415)
            #expect(try await gateway.open.get("/v1/ads").status == 405)
            #expect(try await gateway.open.get("/v1/ads").header("Allow")?.contains("POST") == true)
            #expect(try await gateway.open.get("/nowhere").status == 404)
            #expect(try await gateway.open.get("/v1/adapters").status == 404)
            #expect(try await gateway.open.get("/v1/vast?placement=p&placement=q").status == 400)
            #expect(try await gateway.open.get("/v1/vast?placement=p&w=wide").status == 400)
            let large = "{\"placement\": \"p\", \"x\": \"" + String(repeating: "a", count: 1 << 20) + "\"}"
            #expect(try await gateway.open.post("/v1/ads", json: large).status == 413)
            #expect(try await gateway.open.post("/v1/ads?trace=1", json: "{\"placement\": \"p\"}").status == 401)
            #expect(try await gateway.ad("p", ", \"unknown\": {\"x\": 1}")["result"]?.string == "fill")
        }
    }
}
