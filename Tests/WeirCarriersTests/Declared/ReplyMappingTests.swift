import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirCarriers

@Suite("Declared networks: replies")
struct ReplyMappingTests {
    static let vast = "<VAST version=\"4.2\"><Ad id=\"1\"><InLine/></Ad></VAST>"

    private static let file: JSONValue = [
        "url": "https://ads.example/",
        "reply": [
            "format": "json",
            "no_fill": [["path": "code", "equals": "NO_AD"], ["status": 404]],
            "error": ["when": ["path": "fault", "absent": false], "code": "fault.code", "message": "fault.text"],
            "ads": "ads",
            "ad": [
                "vast": "vast", "vast_url": "url", "id": "id", "title": "title", "request_id": "imp",
                "price": ["amount": "price", "currency": "cur"], "expires": ["path": "ttl", "unit": "min"],
                "reward": ["item": "reward.name", "amount": "reward.count"],
            ],
        ],
    ]

    /// What a reply means to a network's file, as case files spell it.
    private func outcome(
        _ body: String,
        status: Int = 200,
        type: String = "application/json",
        file: JSONValue = file,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> LoadOutcome {
        let clock = ManualClock()
        let made = try adapter(file, clock: clock, log: log)
        let response = InboundResponse(
            status: status,
            headers: [HTTPHeader("Content-Type", type), HTTPHeader("X-Price", "3")],
            body: Array(body.utf8)
        )
        return try #require(made as? DeclaredAdapter).outcome(of: response, for: fullAsk(clock))
    }

    @Test(
        "an outage lacks everything and is no no-fill; what is missing from a proper answer is one",
        arguments: [
            // A maintenance page, half a JSON, a word, errors of a proxy in between.
            ("<html><body>down</body></html>", 200, "text/html", "bad_json"),
            ("{\"ads\": [", 200, "application/json", "bad_json"), ("\"down\"", 200, "application/json", "bad_json"),
            ("<html/>", 503, "text/html", "http_5xx"), ("{}", 503, "application/json", "http_5xx"),
            ("gone", 410, "text/plain", "http_4xx"), ("{\"ads\": []}", 403, "application/json", "http_4xx"),
            // The network's own ways.
            ("{}", 200, "application/json", "network_no_fill"), ("[]", 200, "application/json", "network_no_fill"),
            ("{\"ads\": []}", 200, "application/json", "network_no_fill"),
            ("null", 200, "application/json", "network_no_fill"),
            // The file names the status.
            ("{}", 404, "application/json", "network_no_fill"), ("<html/>", 404, "text/html", "network_no_fill"),
            ("{\"error\": \"no such zone\"}", 404, "application/json", "http_4xx"),
        ],
        [
            ["path": "ads", "empty": true], ["path": "ads", "absent": true], ["header": "X-Ads", "absent": true],
            ["all": [["status": [200, 201]], ["path": "ads", "empty": true]]],
        ] as [JSONValue]
    )
    func outages(_ answer: (String, Int, String, String), condition: JSONValue) throws {
        let (body, status, type, expected) = answer
        let meant: JSONValue = ["all": [["status": [404]], ["path": "error", "absent": true]]]
        let file: JSONValue = [
            "url": "https://ads.example/",
            "reply": ["format": "json", "no_fill": [condition, meant], "ads": "ads", "ad": ["vast": "vast"]],
        ]
        let reason = try verdict(body, status, type, file)
        // An empty list is there, and an answer of another kind has no ad either.
        let isThere = body == "{\"ads\": []}" && condition["absent"] != nil && condition["path"] != nil
        #expect(reason == expected || isThere && reason == "no_ad")
    }

    @Test(
        "an answer in VAST lacks a header, an HTML page does not",
        arguments: [
            (vast, 200, "network_no_fill"), ("<html><body/></html>", 200, "bad_vast"), (vast, 500, "http_5xx"),
        ]
    )
    func outagesOfTags(body: String, status: Int, reason: String) throws {
        for format in ["vast", "any"] as [JSONValue] {
            let file: JSONValue = [
                "url": "https://ads.example/",
                "reply": [
                    "format": format, "no_fill": ["header": "X-Ads", "absent": true], "ads": "ads",
                    "ad": ["vast": "vast"],
                ],
            ]
            // Of a format vast, ads in JSON are a mistake.
            var reply = file["reply"]?.object ?? JSONObject()
            if format == "vast" { for key in ["ads", "ad"] { reply[key] = nil } }
            let made: JSONValue = ["url": "https://ads.example/", "reply": .object(reply)]
            #expect(try verdict(body, status, "text/xml", made) == reason)
        }
    }

    private func verdict(_ body: String, _ status: Int, _ type: String, _ file: JSONValue) throws -> String {
        do {
            switch try outcome(body, status: status, type: type, file: file) {
            case .fill: return "fill"
            case .noFill(let noFill): return noFill.reason.rawValue
            }
        } catch let error as AdapterError {
            return error.outcome.reason.rawValue
        }
    }

    private func ad(_ members: String) -> String {
        #"{"ads": [{"vast": "<VAST version=\"4.2\"><Ad/></VAST>", "price": 1, "cur": "USD"\#(members)}]}"#
    }

    @Test("an ad takes its parts from where the file says")
    func parts() throws {
        let text = ad(
            #", "id": 7, "title": "T", "imp": "request-1", "ttl": 5, "reward": {"name": "coins", "count": "10"}, "x": 1"#
        )
        guard case .fill(let offers) = try outcome(text) else {
            Issue.record("no fill")
            return
        }
        let offer = try #require(offers.first)
        #expect(offers.count == 1)
        #expect(offer.id == "7" && offer.title == "T")
        #expect(offer.price?.description == "1.00 USD")
        #expect(offer.expires == .seconds(300))
        #expect(offer.reward == Reward(item: "coins", amount: ExactDecimal(10)))
    }

    @Test(
        "T-18 a hollow fill is none",
        arguments: [
            (#"{"ads": [{"price": 3, "cur": "USD"}]}"#, "rejected", "no_markup"),
            (#"{"ads": [{"price": 3, "cur": "USD", "vast": ""}]}"#, "rejected", "no_markup"),
            (#"{"ads": [{"price": 3, "cur": "USD", "vast": "  \n"}]}"#, "rejected", "no_markup"),
            (#"{"ads": [{"price": 3, "cur": "USD", "vast": 7}]}"#, "rejected", "no_markup"),
            (#"{"ads": [{"price": 3, "cur": "USD", "url": "javascript:x"}]}"#, "rejected", "no_markup"),
            (#"{"ads": [{"price": 3, "cur": "USD", "vast": "<VAST><Ad>"}]}"#, "bad_response", "bad_vast"),
            (#"{"ads": [{"price": 3, "cur": "USD", "vast": "<html></html>"}]}"#, "bad_response", "bad_vast"),
            (#"{"ads": [{"price": 3, "cur": "USD", "vast": "hello"}]}"#, "bad_response", "bad_vast"),
            (
                #"{"ads": [{"price": 3, "cur": "USD", "url": "https://a.example/", "imp": "other"}]}"#, "rejected",
                "unknown_imp"
            ),
            (#"{"ads": [7]}"#, "rejected", "no_markup"), (#"{"ads": "x"}"#, "rejected", "no_markup"),
        ]
    )
    func hollow(_ body: String, _ result: String, _ reason: String) {
        let error = #expect(throws: AdapterError.self) { try outcome(body) }
        #expect(error?.outcome.result.rawValue == result)
        #expect(error?.outcome.reason.rawValue == reason)
    }

    @Test(
        "T-24 a price that cannot be kept is refused, one in another spelling is exact",
        arguments: [
            ("1.5", "1.50 USD"), ("\"1.5\"", "1.50 USD"), ("0", "0.00 USD"), ("0.9999999", "0.999999 USD"),
            ("1e-3", "0.001 USD"), ("-1", "bad_price"), ("1e308", "bad_price"), ("\"NaN\"", "bad_price"),
            ("\"x\"", "bad_price"),
            ("true", "bad_price"), ("[1]", "bad_price"), ("null", "missing_price"), ("\"\"", "bad_price"),
            ("-0.0000001", "0.00 USD"),
        ]
    )
    func prices(_ price: String, _ expected: String) throws {
        let body = #"{"ads": [{"vast": "<VAST version=\"4.2\"><Ad/></VAST>", "cur": "usd", "price": \#(price)}]}"#
        do {
            guard case .fill(let offers) = try outcome(body) else {
                Issue.record("no fill")
                return
            }
            #expect(offers.first?.price?.description == expected)
        } catch let error as AdapterError {
            #expect(error.outcome.reason.rawValue == expected)
            #expect(error.outcome.result == .badResponse)
        }
    }

    @Test("T-24 a price without a currency is rejected, unless the file names one")
    func currencies() throws {
        let body = #"{"ads": [{"url": "https://a.example/v", "price": 2}], "cur": null}"#
        let error = #expect(throws: AdapterError.self) { try outcome(body) }
        #expect(error?.outcome.result == .rejected)
        #expect(error?.outcome.reason == .currency)
        for (currency, isFill) in [("7", false), ("\"US\"", false), ("\"eur\"", true)] {
            let body = #"{"ads": [{"url": "https://a.example/v", "price": 2, "cur": \#(currency)}]}"#
            if isFill {
                guard case .fill(let offers) = try outcome(body) else {
                    Issue.record("no fill")
                    return
                }
                #expect(offers.first?.price?.currency.code == "EUR")
            } else {
                #expect(throws: AdapterError.self) { try outcome(body) }
            }
        }
        // A currency at the top counts for every ad.
        guard
            case .fill(let offers) = try outcome(
                #"{"cur": "SEK", "ads": [{"url": "https://a.example/v", "price": 2}]}"#
            )
        else {
            Issue.record("no fill")
            return
        }
        #expect(offers.first?.price?.description == "2.00 SEK")
    }

    @Test(
        "T-24 units of a price are exact",
        arguments: [
            ("cpm", "1.234567", "1.234567 USD"), ("cents", "123.4567891", "1.234567 USD"),
            ("micros", "1234567", "1.234567 USD"),
            ("micros", "0.5", "0.00 USD"), ("impression", "0.0015", "1.50 USD"),
            ("impression", "0.0000015", "0.0015 USD"),
            ("impression", "0.000000001", "0.000001 USD"), ("impression", "999999999999999999", nil),
            ("micros", "1e3", "0.001 USD"),
        ] as [(String, String, String?)]
    )
    func units(_ unit: String, _ amount: String, _ expected: String?) throws {
        let file: JSONValue = [
            "url": "https://ads.example/",
            "reply": [
                "format": "json",
                "ad": ["vast_url": "u", "price": ["amount": "p", "default_currency": "USD", "unit": .string(unit)]],
            ],
        ]
        let body = #"{"u": "https://a.example/v", "p": \#(amount)}"#
        if let expected {
            guard case .fill(let offers) = try outcome(body, file: file) else {
                Issue.record("no fill")
                return
            }
            #expect(offers.first?.price?.description == expected)
        } else {
            #expect(throws: AdapterError.self) { try outcome(body, file: file) }
        }
    }

    @Test(
        "T-11 every form of having nothing is a no-fill",
        arguments: [
            ("", 204, "http_204"), ("", 200, "empty_body"), (" \n", 200, "empty_body"), ("{}", 200, "no_ad"),
            ("[]", 200, "no_ad"),
            (#"{"ads": []}"#, 200, "no_ad"), (#"{"ads": null}"#, 200, "no_ad"), (#"{"ads": [null]}"#, 200, "no_ad"),
            (#"{"ads": [{}]}"#, 200, "no_ad"), (#"{"code": "NO_AD"}"#, 200, "network_no_fill"),
            ("<html>", 404, "network_no_fill"),
            (#"{"ads": [{"vast": "<VAST version=\"4.2\"/>", "price": 1, "cur": "USD"}]}"#, 200, "empty_vast"),
            (#"{"code": "NO_AD"}"#, 500, "network_no_fill"),
        ]
    )
    func nothing(_ body: String, _ status: Int, _ reason: String) throws {
        guard case .noFill(let noFill) = try outcome(body, status: status) else {
            Issue.record("no no-fill")
            return
        }
        #expect(noFill.reason.rawValue == reason)
    }

    @Test(
        "what is broken is an error",
        arguments: [
            ("{", 200, "application/json", "bad_json"), ("<html></html>", 200, "text/html", "bad_json"),
            ("7", 200, "application/json", "bad_json"), ("{\"a\": 1, \"a\": 2}", 200, "application/json", "bad_json"),
            ("{}", 200, "image/png", "wrong_content_type"), ("{}", 500, "application/json", "http_5xx"),
            ("{}", 403, "application/json", "http_4xx"), ("{}", 302, "application/json", "redirect_refused"),
            (#"{"fault": {"code": 7, "text": "no\u0007 zone"}}"#, 200, "application/json", "network_reported"),
            (#"{"fault": {"code": 7}}"#, 503, "application/json", "network_reported"),
            (String(repeating: "[", count: 5000), 200, "application/json", "bad_json"),
        ]
    )
    func broken(_ body: String, _ status: Int, _ type: String, _ reason: String) {
        let error = #expect(throws: AdapterError.self) { try outcome(body, status: status, type: type) }
        #expect(error?.outcome.reason.rawValue == reason)
        if reason == "network_reported" {
            #expect(error?.outcome.networkCode == "7")
            #expect(error?.outcome.networkMessage?.contains("\u{7}") != true)
        }
    }

    @Test("a body that nests without end is refused at once")
    func nesting() {
        let clock = ContinuousClock()
        let time = clock.measure {
            let error = #expect(throws: AdapterError.self) {
                try outcome(String(repeating: "{\"ads\":", count: 100_000))
            }
            #expect(error?.outcome.reason == .badJSON)
        }
        #expect(time < .seconds(5))
    }

    @Test(
        "T-24 a number of any decimals is exact",
        arguments: [
            ("cpm", 3, "2500", "2.50 USD"), ("impression", 6, "2500", "2.50 USD"), ("cents", 1, "2505", "2.505 USD"),
            ("micros", 12, "1", "0.00 USD"), ("cpm", 0, "2500", "2500.00 USD"),
        ]
    )
    func decimals(_ unit: String, _ decimals: Int, _ amount: String, _ expected: String) throws {
        let price: JSONValue = [
            "amount": "p", "default_currency": "USD", "unit": .string(unit), "decimals": .int(decimals),
        ]
        let file: JSONValue = [
            "url": "https://ads.example/", "reply": ["format": "json", "ad": ["vast_url": "u", "price": price]],
        ]
        guard case .fill(let offers) = try outcome(#"{"u": "https://a.example/v", "p": \#(amount)}"#, file: file) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.first?.price?.description == expected)
    }

    @Test("an ad that is left out gets its loss notice: beside others as a refused offer, alone with the error")
    func lossNotices() throws {
        let file: JSONValue = [
            "url": "https://ads.example/",
            "reply": [
                "format": "json", "ads": "ads",
                "ad": [
                    "vast_url": "url", "id": "id", "loss_url": "lost",
                    "price": ["amount": "price", "default_currency": "USD"],
                ],
            ],
        ]
        let good =
            #"{"id": 1, "url": "https://a.example/v", "price": 2, "lost": "https://n.example/1?r=${AUCTION_LOSS}"}"#
        let dear =
            #"{"id": 2, "url": "https://a.example/v", "price": "much", "lost": "https://n.example/2?r=${AUCTION_LOSS}&p=${AUCTION_PRICE}"}"#
        let silent = #"{"id": 3, "price": 1}"#
        guard case .fill(let offers) = try outcome(#"{"ads": [\#(dear), \#(good), \#(silent)]}"#, file: file) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.map(\.id) == ["1", "2"])
        #expect(offers.first?.refusal == nil)
        let refused = try #require(offers.last)
        #expect(refused.refusal?.reason == .badPrice)
        #expect(refused.notices == BidNotices(loss: ["https://n.example/2?r=${AUCTION_LOSS}&p="]))
        // 3 is an invalid response; nobody learns a price.
        let error = #expect(throws: AdapterError.self) { try outcome(#"{"ads": [\#(dear), \#(silent)]}"#, file: file) }
        #expect(error?.outcome.reason == .badPrice)
        #expect(error?.lossURLs == ["https://n.example/2?r=3&p="])
    }

    @Test("of several ads the bad ones are left out, and the log says so")
    func several() throws {
        let lines = Lock<[String]>([])
        let body = """
            {"ads": [{"price": -1, "cur": "USD", "url": "https://a.example/1"},
                     {"price": 1, "cur": "USD", "url": "https://a.example/2"},
                     {"price": 2, "cur": "USD", "url": "https://a.example/3"}]}
            """
        guard case .fill(let offers) = try outcome(body, log: { line in lines.withLock { $0.append(line) } }) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.map(\.markup) == [.url("https://a.example/2"), .url("https://a.example/3")])
        #expect(lines.withLock { $0.count } == 1)
    }

    @Test("no more ads are taken than the limit, however many there are")
    func many() throws {
        let one = #"{"price": 1, "cur": "USD", "url": "https://a.example/"}"#
        let body = "{\"ads\": [" + Array(repeating: one, count: 500).joined(separator: ",") + "]}"
        guard case .fill(let offers) = try outcome(body) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.count == ReplyMapping.mostAds)
    }

    @Test(
        "an expiry that is no time from now to thirty days is refused",
        arguments: ["0", "-5", "1.5", "\"soon\"", "43201", "1e30", "9223372036854775807"]
    )
    func expiry(_ value: String) {
        let error = #expect(throws: AdapterError.self) { try outcome(ad(", \"ttl\": \(value)")) }
        #expect(error?.outcome.reason == .badJSON)
    }

    @Test(
        "half a reward is none",
        arguments: [
            #"{"name": "coins"}"#, #"{"count": 5}"#, #"{"name": "coins", "count": 0}"#, #"{"name": "", "count": 1}"#,
        ]
    )
    func reward(_ value: String) {
        #expect(throws: AdapterError.self) { try outcome(ad(", \"reward\": \(value)")) }
    }

    @Test("values may come from a header or from the file itself")
    func otherSources() throws {
        let file: JSONValue = [
            "url": "https://ads.example/",
            "reply": [
                "format": "any",
                "ad": [
                    "vast_url": "u", "id": ["value": "fixed"],
                    "price": ["amount": ["header": "x-price"], "currency": ["value": "USD"]],
                ],
            ],
        ]
        guard case .fill(let offers) = try outcome(#"{"u": "https://a.example/v"}"#, file: file) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.first?.id == "fixed")
        #expect(offers.first?.price?.description == "3.00 USD")
        guard case .fill(let markup) = try outcome(Self.vast, type: "text/xml", file: file) else {
            Issue.record("no fill")
            return
        }
        #expect(markup.first?.markup == .document(Array(Self.vast.utf8)))
    }

    @Test("notices have their macros filled in, and a loser does not learn the price")
    func notices() throws {
        let file: JSONValue = [
            "url": "https://ads.example/",
            "reply": [
                "format": "json",
                "ad": [
                    "vast_url": "u", "id": "id", "deal": "deal", "creative_id": "crid", "categories": "cat",
                    "advertiser_domains": "domains[*].name", "win_url": "nurl", "billing_url": "burls",
                    "loss_url": "lurl",
                    "price": ["amount": "p", "default_currency": "USD"],
                ],
            ],
        ]
        let body = """
            {"u": "https://a.example/v", "id": "ad 1", "deal": 7, "crid": "c", "cat": "IAB1", "p": 2.50,
             "domains": [{"name": "a.example"}, {"name": "b.example"}],
             "nurl": "https://n.example/w?p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}&a=${AUCTION_AD_ID}&i=${AUCTION_ID}",
             "burls": ["https://n.example/b1", "file:///etc/passwd", "https://n.example/b2?p=${AUCTION_PRICE}"],
             "lurl": "https://n.example/l?p=${AUCTION_PRICE}&r=${AUCTION_LOSS}"}
            """
        guard case .fill(let offers) = try outcome(body, file: file), let offer = offers.first else {
            Issue.record("no fill")
            return
        }
        #expect(offer.deal == "7" && offer.creativeID == "c" && offer.categories == ["IAB1"])
        #expect(offer.advertiserDomains == ["a.example", "b.example"])
        #expect(offer.notices.win == ["https://n.example/w?p=2.50&c=USD&a=ad%201&i=request-1"])
        #expect(offer.notices.billing == ["https://n.example/b1", "https://n.example/b2?p=2.50"])
        #expect(offer.notices.loss == ["https://n.example/l?p=&r=${AUCTION_LOSS}"])
    }

    @Test("a preset and a URL are a complete network")
    func presets() throws {
        for preset in ["vast-tag", "audio-vast"] {
            let file: JSONValue = ["preset": .string(preset), "url": "https://ads.example/"]
            guard case .fill = try outcome(Self.vast, type: "text/xml", file: file) else {
                Issue.record("no fill")
                return
            }
            #expect(throws: AdapterError.self) { try outcome("{}", file: file) }
        }
        let file: JSONValue = ["preset": "json", "url": "https://ads.example/"]
        let body = """
            {"ad": {"id": "r-1", "vast_url": "https://a.example/v", "price": {"amount": "8.00", "currency": "USD"},
                    "reward": {"item": "coins", "amount": 10}, "expires_in_ms": 60000}}
            """
        guard case .fill(let offers) = try outcome(body, file: file) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.first?.price?.description == "8.00 USD")
        #expect(offers.first?.expires == .seconds(60))
        let error = #expect(throws: AdapterError.self) { try outcome(#"{"error": {"code": "7"}}"#, file: file) }
        #expect(error?.outcome.networkCode == "7")
        guard case .noFill = try outcome(#"{"ad": null}"#, file: file) else {
            Issue.record("no no-fill")
            return
        }
    }

    @Test("T-26 the audio preset loads audio only, the others all formats")
    func formats() throws {
        for (preset, formats) in [("audio-vast", 1), ("vast-tag", 3), ("json", 3)] {
            let made = try adapter(["preset": .string(preset), "url": "https://ads.example/"])
            #expect(made.descriptor.formats.count == formats)
            #expect(made.descriptor.kind == "declared")
        }
        let made = try adapter(["url": "https://ads.example/", "formats": ["audio"], "version": "2.1"])
        #expect(made.descriptor.formats == [.audio])
        #expect(made.descriptor.version == "2.1")
    }

    @Test("any bytes at all are answered with a verdict")
    func anything() throws {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:0123456789.eE-+truefalsn<VAST>/\\u adsprice".utf8)
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<60, using: &random)
            let bytes = (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
            _ = try? outcome(String(decoding: bytes, as: UTF8.self))
            _ = try? outcome("{\"ads\": [" + String(decoding: bytes, as: UTF8.self) + "]}")
        }
    }
}
