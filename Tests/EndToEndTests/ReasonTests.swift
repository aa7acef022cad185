import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting
import WeirTime

/// T-22 beyond its first twelve lines: what goes wrong at a network, each under its own stable name.
@Suite("Reasons", .serialized)
struct ReasonTests {
    private static func xml(_ text: String) -> SandboxReply { SandboxReply(type: "application/xml", text) }
    private static func json(_ text: String) -> SandboxReply { SandboxReply(type: "application/json", text) }

    private static func wrapper(_ address: String) -> SandboxReply {
        xml(
            "<VAST version=\"4.2\"><Ad id=\"1\"><Wrapper><AdSystem>x</AdSystem><Impression/>"
                + "<VASTAdTagURI><![CDATA[\(address)]]></VASTAdTagURI></Wrapper></Ad></VAST>"
        )
    }

    @Test("T-22 every fault of a video network has a reason of its own and a sentence")
    func faults() async throws {
        let flat = "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle><Impression/>"
        let media = "<MediaFile delivery=\"progressive\" type=\"video/x-flv\" width=\"1\" height=\"1\">"
        let linear =
            "<Creatives><Creative><Linear><Duration>00:00:05</Duration><MediaFiles>\(media)http://x.example/a.flv"
            + "</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
        var zipped = Self.xml("this is not gzip")
        zipped.headers.append(SandboxReply.Header("Content-Encoding", "gzip"))
        let script = [
            "/missing": SandboxReply(status: 404), "/image": SandboxReply(type: "image/png", "PNG"),
            "/flash": Self.xml(flat + linear), "/zipped": zipped,
            "/wrap/lost": Self.wrapper("{base}/missing"), "/wrap/dry": Self.wrapper("{base}/nofill"),
            "/wrap/private": Self.wrapper("http://127.0.0.2:1/"), "/wrap/file": Self.wrapper("file:///etc/passwd"),
            "/wrap/meta": Self.wrapper("http://169.254.169.254/latest/meta-data/"),
            "/wrap/six": Self.wrapper("http://[::1]:1/"),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["missing", "image", "flash", "zipped"] { plan.line(id, base, "/\(id)") }
            for id in ["lost", "dry", "private", "file", "meta", "six"] { plan.line(id, base, "/wrap/\(id)") }
            plan.line("closed", "http://127.0.0.1:1", "/")
            plan.line("nowhere", "http://nowhere.invalid", "/", timeout: 2500)
            plan.line("plain", base.replacingScheme("https"), "/")
            plan.line("meta2", "http://169.254.169.254", "/latest/meta-data/")
            plan.unit["timeout_ms"] = 10_000
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad("p", ", \"player\": {\"mimes\": [\"video/mp4\"]}")
            #expect(
                answer.verdicts == [
                    "missing: network_error(http_4xx)", "image: bad_response(wrong_content_type)",
                    "flash: rejected(mime)", "zipped: bad_response(bad_encoding)",
                    "lost: rejected(wrapper_failed)", "dry: rejected(wrapper_failed)",
                    "private: rejected(wrapper_failed)", "file: rejected(wrapper_failed)",
                    "meta: rejected(wrapper_failed)", "six: rejected(wrapper_failed)",
                    "closed: network_error(connection_refused)", "nowhere: network_error(dns)",
                    "plain: network_error(tls)", "meta2: network_error(address_refused)",
                ]
            )
            for attempt in answer["attempts"]?.array ?? [] {
                #expect(attempt["message"]?.string?.hasSuffix(".") == true, "\(attempt)")
            }
        }
    }

    @Test("T-22 a network's own code and words are kept, and a secret that it echoes is not")
    func ownWords() async throws {
        let secret = "wild \"key\"/ü&4711+x"
        let script = [
            "/quota": Self.json("{\"error\": {\"code\": \"quota\", \"message\": \"No more today\"}}"),
            "/echo": Self.json("{\"error\": {\"code\": \"{query.key}\", \"message\": \"Bad key {query.key}, sorry\"}}"),
            "/null": Self.json("{\"ad\": null}"), "/empty": Self.json("{}"), "/cut": Self.json("{\"ad\": {\"id\": "),
            "/hollow": Self.json("{\"ad\": {\"id\": \"r\"}}"),
            "/price": Self.json(
                "{\"ad\": {\"vast_url\": \"{base}/video\", \"price\": {\"amount\": \"-1\", \"currency\": \"USD\"}}}"
            ),
            "/currency": Self.json("{\"ad\": {\"vast_url\": \"{base}/video\", \"price\": {\"amount\": \"1\"}}}"),
            "/cheap": Self.json(
                "{\"ad\": {\"vast_url\": \"{base}/video\", \"price\": {\"amount\": \"0.9999999\", \"currency\": \"USD\"}}}"
            ),
        ]
        try await LiveGateway.run(script, environment: ["E2E_KEY": secret]) { base in
            var plan = Plan()
            plan.format = "rewarded"
            plan.unit["reward"] = ["item": "coins", "amount": "1"]
            plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
            let settings: JSONValue = [
                "load_url": .string(base + "/echo?key={settings.api_key}"), "api_key": ["env": "E2E_KEY"],
                "headers": ["Authorization": "Bearer {settings.api_key}"],
            ]
            for id in ["quota", "echo", "null", "empty", "cut", "hollow", "price", "currency", "cheap"] {
                let network = id == "echo" ? ["settings": settings] : [:]
                plan.line(id, base, "/\(id)", adapter: "rewarded", network: network)
            }
            plan.line("fill", base, "/rewarded", adapter: "rewarded")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let reply = try await gateway.admin.post("/v1/ads?trace=1", json: "{\"placement\": \"p\"}")
            #expect(
                reply.json.verdicts == [
                    "quota: network_error(network_reported)", "echo: network_error(network_reported)",
                    "null: no_fill(no_ad)", "empty: no_fill(no_ad)", "cut: bad_response(bad_json)",
                    "hollow: rejected(no_markup)", "price: bad_response(bad_price)", "currency: rejected(currency)",
                    "cheap: rejected(below_floor)", "fill: fill(fill)",
                ]
            )
            #expect(reply.json["attempts"]?[0]?["network_code"]?.string == "quota")
            #expect(reply.json["attempts"]?[0]?["network_message"]?.string == "No more today")
            let hit = try #require(gateway.sandbox.hits(of: "/echo").first)
            #expect(hit.parameter("key") == secret)
            let id = try #require(reply.json["request_id"]?.string)
            var texts = [reply.text, gateway.process.errors, gateway.process.output]
            for path in ["/metrics", "/v1/config", "/v1/requests", "/v1/requests/\(id)"] {
                texts.append(try await gateway.admin.get(path).text)
            }
            for text in texts {
                let leaked = text.contains("4711")
                #expect(!leaked, "\(text.around("4711"))")
            }
        }
    }

    @Test("a group is asked side by side: the best price wins, and the slow one is cut at the group's time")
    func group() async throws {
        func priced(_ amount: String) -> SandboxReply {
            Self.json(
                "{\"ad\": {\"vast_url\": \"{base}/video\", \"price\": {\"amount\": \"\(amount)\", \"currency\": \"USD\"}}}"
            )
        }
        try await LiveGateway.run(["/two": priced("2.00"), "/three": priced("3.00")]) { base in
            var plan = Plan()
            plan.format = "rewarded"
            plan.unit["reward"] = ["item": "coins", "amount": "1"]
            for (id, path) in [("two", "/two"), ("three", "/three"), ("slow", "/hang")] {
                plan.line(id, base, path, adapter: "rewarded")
            }
            plan.waterfall = [["group": .array(plan.waterfall), "timeout_ms": 300]]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(answer.verdicts == ["two: fill(fill)", "three: fill(fill)", "slow: timeout(group_timeout)"])
            #expect(answer["ad"]?["line_item"]?.string == "three")
            #expect(answer["ad"]?["price"]?["amount"]?.string == "3.00")
            #expect((answer["latency_ms"]?.int ?? 0) >= 300)
        }
    }

    @Test("T-16 a network that keeps failing is left alone and probed again; one without ads is not")
    func breaker() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            let breaker: [String: JSONValue] = ["breaker": ["failures": 5, "open_ms": 700]]
            plan.line("down", base, "/down", network: breaker)
            plan.line("dry", base, "/nofill", network: breaker)
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            gateway.sandbox.change("/down", to: SandboxReply(status: 500))
            for _ in 0..<8 { _ = try await gateway.ad() }
            #expect(gateway.sandbox.hits(of: "/down").count == 5)
            #expect(gateway.sandbox.hits(of: "/nofill").count == 8)
            let answer = try await gateway.ad()
            #expect(answer.verdicts == ["down: skipped(circuit_open)", "dry: no_fill(http_204)"])
            #expect(answer["attempts"]?[0]?["retry_at"]?.string?.hasSuffix("Z") == true)
            #expect(try await gateway.adapter("n-down")["breaker"]?["state"]?.string == "open")
            gateway.sandbox.change("/down", to: SandboxReply(status: 204))
            try await gateway.eventually { try await gateway.ad().verdicts.first == "down: no_fill(http_204)" }
            #expect(try await gateway.adapter("n-down")["breaker"]?["state"]?.string == "closed")
        }
    }
}

extension String {
    /// The same address with another scheme.
    fileprivate func replacingScheme(_ scheme: String) -> String {
        scheme + drop { $0 != ":" }
    }

    /// Some text on both sides of a word, for a failure's message.
    fileprivate func around(_ word: String) -> String {
        let parts = split(separator: word, maxSplits: 1, omittingEmptySubsequences: false)
        return "…\(parts.first?.suffix(80) ?? "")\(word)\(parts.last?.prefix(80) ?? "")…"
    }
}
