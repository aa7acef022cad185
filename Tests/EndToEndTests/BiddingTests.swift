import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Bids and rated lines in one waterfall, against the built gateway.
@Suite("Bidding", .serialized)
struct BiddingTests {
    private static func vast(_ id: String, type: String = "video/mp4") -> String {
        "<VAST version=\"4.2\"><Ad id=\"\(id)\"><InLine><AdSystem>B</AdSystem><AdTitle>T</AdTitle>"
            + "<Impression>https://i.example/\(id)</Impression><Creatives><Creative id=\"\(id)\"><Linear>"
            + "<Duration>00:00:15</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"\(type)\" "
            + "width=\"640\" height=\"360\">https://m.example/\(id)</MediaFile></MediaFiles></Linear></Creative>"
            + "</Creatives></InLine></Ad></VAST>"
    }

    /// A bid response of one bid.
    private static func bid(
        _ id: String,
        _ price: String,
        currency: String = "USD",
        markup: String? = nil,
        more: String = ""
    ) -> SandboxReply {
        let adm = JSONValue.string(markup ?? vast(id)).encodedText
        return SandboxReply(
            type: "application/json",
            "{\"id\": \"x\", \"cur\": \"\(currency)\", \"seatbid\": [{\"bid\": [{\"id\": \"\(id)\", \"impid\": \"1\", "
                + "\"price\": \(price), \"adm\": \(adm), \"nurl\": \"{base}/t/\(id)/win?p=${AUCTION_PRICE}\", "
                + "\"burl\": \"{base}/t/\(id)/bill?p=${AUCTION_PRICE:B64}\", "
                + "\"lurl\": \"{base}/t/\(id)/loss?r=${AUCTION_LOSS}\"\(more)}]}]}"
        )
    }

    private static let bidding: [String: JSONValue] = ["bidding": true]

    private static func rated(_ amount: String, _ currency: String = "USD") -> [String: JSONValue] {
        ["rate": ["amount": .string(amount), "currency": .string(currency)]]
    }

    /// The notices that arrived, sorted.
    private static func notices(_ gateway: LiveGateway) -> [String] {
        gateway.sandbox.hits.filter { $0.path.hasPrefix("/t/") }.map { hit in
            hit.path + hit.query.map { "?\($0.name)=\($0.value)" }.joined()
        }.sorted()
    }

    @Test(
        "a bid between two rates: the better rate is asked first, the bid wins, everybody is told, billing comes with the impression, once"
    )
    func hybrid() async throws {
        let script = ["/one": Self.bid("one", "3.25"), "/two": Self.bid("two", "2.75"), "/low": Self.bid("low", "0.5")]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            plan.line("rated-2", base, "/video", line: Self.rated("2.00"))
            plan.line("two", base, "/two", adapter: "openrtb", line: Self.bidding)
            plan.line("rated-5", base, "/nofill", line: Self.rated("5.00"))
            plan.line("one", base, "/one", adapter: "openrtb", line: Self.bidding)
            plan.line("low", base, "/low", adapter: "openrtb", line: Self.bidding)
            plan.line("none", base, "/openrtb/nobid", adapter: "openrtb", line: Self.bidding)
            plan.unit["order"] = "rate"
            plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(
                answer.verdicts == [
                    "low: rejected(below_floor)", "none: no_fill(no_bid)", "rated-5: no_fill(http_204)",
                    "one: fill(fill)", "two: rejected(outbid)", "rated-2: not_attempted(filled_above)",
                ]
            )
            let prices = answer["attempts"]?.array?.map { $0["price"]?["amount"]?.string }
            #expect(prices == ["0.50", nil, nil, "3.25", "2.75", nil])
            #expect(answer["ad"]?["price"]?["amount"]?.string == "3.25")
            #expect(answer["attempts"]?[1]?["network_message"]?.string == "the user is unknown to it")
            #expect(gateway.sandbox.hits(of: "/video").isEmpty)

            let decided = ["/t/low/loss?r=100", "/t/one/win?p=3.25", "/t/two/loss?r=102"]
            #expect(try await gateway.sandbox.waitForHits { hits in hits.count { $0.path.hasPrefix("/t/") } >= 3 })
            #expect(Self.notices(gateway) == decided)

            // The ad says by itself where its impression is to be reported; the bidder's own address stays here.
            let impressions = answer["ad"]?["impressions"]?.array?.compactMap(\.string) ?? []
            let beacon = try #require(impressions.first { $0.contains("/v1/t/") })
            #expect(!answer.encodedText.contains("/t/one/bill"))
            #expect(answer["ad"]?["markup"]?["vast"]?.string?.contains("/v1/t/") == true)
            let path = "/v1/t/" + (beacon.split(separator: "/").last ?? "")
            for _ in 0..<3 { #expect(try await gateway.open.get(path).status == 204) }
            #expect(try await gateway.sandbox.waitForHits { hits in hits.contains { $0.path == "/t/one/bill" } })
            try await SystemClock().sleep(for: .milliseconds(150))
            #expect(Self.notices(gateway) == (decided + ["/t/one/bill?p=My4yNQ=="]).sorted())
            let metrics = try await gateway.admin.get("/metrics").text
            #expect(metrics.contains("weir_notices_total{network=\"n-one\",kind=\"billing\",fate=\"sent\"} 1"))

            let plan = try await gateway.admin.post("/v1/explain", json: "{\"placement\": \"p\"}").json["plan"]
            #expect(
                plan?.array?.map { $0["line_item"]?.string } == ["two", "one", "low", "none", "rated-5", "rated-2"]
            )
            #expect(plan?[0]?["bidding"]?.bool == true && plan?[0]?["group_timeout_ms"]?.int == 1500)
        }
    }

    @Test("a session's impression is billed by the gateway itself")
    func session() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("bid", base, "/openrtb", adapter: "openrtb", line: Self.bidding)
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let opened = try await gateway.open.post("/v1/sessions", json: "{\"placement\": \"p\"}")
            #expect(opened.status == 201, "\(opened.text)")
            let id = try #require(opened.json["session"]?.string)
            let address = "/v1/sessions/\(id)/inputs"
            _ = try await gateway.open.post(
                address,
                json: #"{"inputs": [{"type": "initialize"}, {"type": "start"}, {"type": "ad_started"}]}"#
            )
            _ = try await gateway.open.post(address, json: #"{"inputs": [{"type": "ad_completed"}]}"#)
            #expect(try await gateway.sandbox.waitForHits { hits in hits.contains { $0.path == "/t/billing" } })
            try await SystemClock().sleep(for: .milliseconds(100))
            #expect(gateway.sandbox.hits(of: "/t/billing").count == 1)
            #expect(gateway.sandbox.hits(of: "/t/billing").first?.parameter("price") == "3.25")
        }
    }

    @Test("markup behind the win notice is fetched for the winner only, and only once")
    func markupBehindWin() async throws {
        func reply(_ id: String, _ price: String) -> SandboxReply {
            SandboxReply(
                type: "application/json",
                "{\"seatbid\": [{\"bid\": [{\"id\": \"\(id)\", \"impid\": \"1\", \"price\": \(price), "
                    + "\"nurl\": \"{base}/win/\(id)?p=${AUCTION_PRICE}\"}]}]}"
            )
        }
        let script = [
            "/a": reply("a", "2"), "/b": reply("b", "3"),
            "/win/*": SandboxReply(type: "application/xml", Self.vast("w")),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            plan.line("a", base, "/a", adapter: "openrtb", line: Self.bidding)
            plan.line("b", base, "/b", adapter: "openrtb", line: Self.bidding)
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            #expect(try await gateway.ad().verdicts == ["b: fill(fill)", "a: rejected(outbid)"])
            #expect(gateway.sandbox.hits.filter { $0.path.hasPrefix("/win/") }.map(\.path) == ["/win/b"])
            #expect(gateway.sandbox.hits(of: "/win/b").first?.parameter("p") == "3")
        }
    }

    @Test("T-18 T-24 each bad bid gets its reason and the next line is asked; compressed bids are read")
    func badBids() async throws {
        var zipped = SandboxReply()
        zipped.headers = [.init("Content-Type", "application/json"), .init("Content-Encoding", "gzip")]
        zipped.body = .bytes(Self.zippedBid)
        let unknown =
            "{\"seatbid\": [{\"bid\": [{\"id\": \"1\", \"impid\": \"7\", \"price\": 3, \"adm\": \"<VAST/>\"}]}]}"
        let script = [
            "/text": Self.bid("text", "\"2.5\""), "/nan": Self.bid("nan", "NaN"), "/minus": Self.bid("minus", "-1"),
            "/huge": Self.bid("huge", "1e308"), "/hollow": Self.bid("hollow", "3", markup: ""),
            "/cut": Self.bid("cut", "3", markup: String(Self.vast("cut").prefix(90))),
            "/imp": SandboxReply(type: "application/json", unknown),
            "/nearly": Self.bid("nearly", "0.9999999"), "/pound": Self.bid("pound", "5", currency: "GBP"),
            "/zip": zipped,
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["text", "nan", "minus", "huge", "hollow", "cut", "imp", "nearly", "pound", "zip"] {
                plan.line(id, base, "/\(id)", adapter: "openrtb", line: id == "zip" ? [:] : Self.bidding)
            }
            plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            #expect(
                try await gateway.ad().verdicts == [
                    "text: bad_response(bad_price)", "nan: bad_response(bad_json)", "minus: bad_response(bad_price)",
                    "huge: bad_response(bad_price)", "cut: bad_response(bad_vast)", "imp: rejected(unknown_imp)",
                    "nearly: rejected(below_floor)", "pound: rejected(no_rate)",
                    // Its markup would be what its win notice answers, which is nothing: found out at its turn.
                    "hollow: rejected(no_markup)", "zip: fill(fill)",
                ]
            )
            #expect(try await gateway.sandbox.waitForHits { hits in hits.contains { $0.path == "/t/nearly/loss" } })
        }
    }

    @Test("T-24 T-20 rates come from a file, are read again when it changes, and a bad file changes nothing")
    func rates() async throws {
        let rates = try TemporaryFile("{\"date\": \"2020-01-01\", \"rates\": {\"EUR\": \"1.1\"}}")
        defer { rates.remove() }
        try await LiveGateway.run(["/euro": Self.bid("euro", "0.95", currency: "EUR")]) { base in
            var plan = Plan()
            plan.line("euro", base, "/euro", adapter: "openrtb", line: Self.bidding)
            plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
            plan.top["currency"] = ["base": "USD", "file": .string(rates.path)]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let first = try await gateway.ad()
            #expect(first.verdicts == ["euro: fill(fill)"])
            #expect(first["attempts"]?[0]?["price"]?["currency"]?.string == "EUR")
            let status = try await gateway.admin.get("/v1/config").json["currency"]
            #expect(status?["stale"]?.bool == true && status?["as_of"]?.string == "2020-01-01T00:00:00.000Z")
            #expect(try await gateway.admin.get("/metrics").text.contains("weir_currency_rates_stale 1"))

            try rates.replace("{\"date\": \"2020-01-02\", \"rates\": {\"EUR\": \"1.0\"}}")
            try await gateway.eventually {
                try await gateway.ad().verdicts == ["euro: rejected(below_floor)"]
            }
            let second = try await gateway.ad()
            #expect(second["config"] != first["config"])
            #expect(
                second["attempts"]?[0]?["message"]?.string
                    == "The network's price 0.95 EUR is 0.95 USD, which is below the floor 1.00 USD."
            )

            try rates.replace("{\"date\": \"2020-01-03\", \"rates\": {\"EUR\": 0}}")
            try await gateway.eventually {
                try await gateway.admin.get("/v1/config").json["error"]?["diagnostics"]?[0]?["code"]?.string
                    == "bad_rates"
            }
            #expect(try await gateway.ad()["config"] == second["config"])

            try rates.replace("{\"date\": \"2020-01-04\", \"per_base\": {\"EUR\": \"0.5\"}}")
            try await gateway.eventually { try await gateway.ad().verdicts == ["euro: fill(fill)"] }
        }
    }

    @Test(
        "T-26 an audio unit takes sound from a bidder, not a film",
        arguments: [("audio/mpeg", "fill(fill)"), ("video/mp4", "rejected(mime)")]
    )
    func audio(_ type: String, _ verdict: String) async throws {
        try await LiveGateway.run(["/a": Self.bid("a", "2", markup: Self.vast("a", type: type))]) { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line("a", base, "/a", adapter: "openrtb", line: Self.bidding)
            plan.line("v", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(answer.verdicts.contains("a: \(verdict)"), "\(answer.verdicts)")
            let sent = try JSONReader.read(Array(try #require(gateway.sandbox.hits(of: "/a").first).body.utf8))
            #expect(sent["imp"]?[0]?["audio"]?["mimes"]?.array?.isEmpty == false)
        }
    }

    @Test("T-27 a hostile bidder costs one attempt: a flood, a redirect, a trickle, a hang")
    func hostile() async throws {
        var flood = SandboxReply(type: "application/json", "{\"a\": 1}")
        flood.repeatBytes = 64 << 20
        var redirect = SandboxReply(status: 307)
        redirect.headers = [.init("Location", "{base}/elsewhere")]
        var trickle = Self.bid("trickle", "9")
        trickle.chunkPause = .milliseconds(100)
        let script = ["/flood": flood, "/redirect": redirect, "/trickle": trickle, "/good": Self.bid("good", "2")]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["flood", "redirect", "trickle", "hang", "good"] {
                plan.line(id, base, "/\(id)", timeout: 700, adapter: "openrtb", line: Self.bidding)
            }
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(
                answer.verdicts == [
                    "flood: bad_response(too_large)", "redirect: network_error(redirect_refused)",
                    "trickle: timeout(line_timeout)", "hang: timeout(line_timeout)", "good: fill(fill)",
                ]
            )
            #expect(gateway.sandbox.hits(of: "/elsewhere").isEmpty)
            let sent = try JSONReader.read(Array(try #require(gateway.sandbox.hits(of: "/good").first).body.utf8))
            #expect((1...700).contains(sent["tmax"]?.int ?? 0))
        }
    }

    /// One bid of 2.50 USD, compressed by gzip.
    private static let zippedBid: [UInt8] = bytes(
        """
        1f8b08000000000002036d51cd4bc33014ff57ca3b8f669bdd0e250686220cf4b4e141eba19ac7faa069431aebdae1ffee4b
        476b0f2321f97d24ef23b9006948e10c0b6830f79f81bd5f60dc07b367938c1df08ab175f48590aee3cd02726d5895afbbc3
        316ad1355457f71924f13a0325773a22cdb40f645f3d5385413c748d47a3dea49830ab47f2255ec52b947b631d3621a42abc
        b74d2a441fe33937b6444152cc7cf9e0b87a6ab1f987b3dc2173ee947cfc766cf1f9e532e5b9da483149f20535e54f548618
        138e34961ccb751ccabafa34246c3183c87716596c49632d8c4d58fa21ed0bd6b6c9925981742a3cd3bb2dd31b2df4315f93
        62caa566986b1063d562ec6806833fbe28bf182fe10b14fc7ef0f8038b226b95d5010000
        """
    )

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).compactMap { start in
            let from = digits.index(digits.startIndex, offsetBy: start)
            return UInt8(digits[from..<digits.index(from, offsetBy: 2)], radix: 16)
        }
    }
}
