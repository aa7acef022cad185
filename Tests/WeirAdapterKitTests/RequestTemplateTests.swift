import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime

@Suite("RequestTemplate")
struct RequestTemplateTests {
    let clock = ManualClock()

    private func expand(
        _ text: String,
        _ ask: AdAsk,
        as encoding: RequestTemplate.Encoding = .url,
        settings: [String: String] = [:]
    ) throws -> String {
        try RequestTemplate(text).expand(ask, settings: settings, as: encoding, clock: clock)
    }

    /// Every field of the documentation but `cachebusting`, as a header spells it.
    static let fields: [(name: String, value: String)] = [
        ("network_unit", "/123/high"), ("placement", "movie_preroll"), ("ad_unit", "preroll"), ("request_id", "01JD"),
        ("width", "640"), ("height", "360"), ("muted", "1"), ("mimes", "video/mp4,video/webm"), ("ip", "203.0.113.7"),
        ("ua", "Mozilla/5.0 (X)"), ("ifa", "ifa-1"), ("lmt", "0"), ("os", "ios"), ("os_version", "17.4"),
        ("country", "DE"), ("device_language", "en"), ("app_bundle", "com.example.player"), ("app_version", "3.2"),
        ("user_id", "u-1"), ("user_age", "25"), ("user_gender", "male"), ("custom_data", "a=b&c=%20é\""),
        ("content_url", "https://content.example/a?b=c"), ("content_duration_ms", "600000"),
        ("content_language", "fr"), ("gdpr", "1"), ("tcf", "CO.x"), ("gpp", "DB~1"), ("gpp_sid", "7,8"),
        ("us_privacy", "1YNN"), ("coppa", "0"), ("test", "1"), ("floor", "0.50"), ("remaining_ms", "250"),
        ("targeting.genre", "drama,crime"), ("settings.tag", "T-1"),
    ]

    @Test("every field takes its value from the ask", arguments: fields)
    func field(name: String, value: String) throws {
        let settings = ["tag": "T-1"]
        #expect(try expand("<{\(name)}>", .full(clock), as: .header, settings: settings) == "<\(value)>")
        #expect(try expand("{\(name)!}", .full(clock), as: .header, settings: settings) == value)
    }

    /// What even a bare ask says.
    static let alwaysThere: Set<String> = [
        "network_unit", "placement", "ad_unit", "request_id", "test", "remaining_ms",
    ]

    @Test("a missing field becomes empty; a required one skips the line with its name", arguments: fields)
    func missing(name: String, value: String) throws {
        guard !Self.alwaysThere.contains(name) else {
            #expect(try expand("{\(name)!}", .bare(clock)) != "")
            return
        }
        #expect(try expand("<{\(name)}>", .bare(clock)) == "<>")
        let error = #expect(throws: AdapterError.self) { try expand("{\(name)!}", .bare(clock)) }
        #expect(error?.outcome.result == .skipped && error?.outcome.reason == .missingField)
        #expect(error?.outcome.message == "The request does not say \(name), which the network needs.")
    }

    @Test("empty text is missing too")
    func empty() throws {
        var ask = AdAsk.full(clock)
        ask.request.user.id = ""
        #expect(throws: AdapterError.self) { try expand("{user_id!}", ask) }
    }

    @Test("remaining_ms counts down and never below nought")
    func remaining() throws {
        let ask = AdAsk.full(clock)
        clock.advance(by: .milliseconds(249))
        #expect(try expand("{remaining_ms}", ask) == "1")
        clock.advance(by: .seconds(9))
        #expect(try expand("{remaining_ms}", ask) == "0")
    }

    @Test("cachebusting is eight digits, new for each use")
    func cachebusting() throws {
        let numbers = try expand("{cachebusting} {cachebusting} {cachebusting}", .bare(clock)).split(separator: " ")
        #expect(numbers.allSatisfy { $0.count == 8 && Int($0) != nil })
        #expect(Set(numbers).count > 1)
    }

    @Test("in a URL everything but letters, digits and -._~ is percent-encoded, byte by byte")
    func url() throws {
        var ask = AdAsk.full(clock)
        #expect(try expand("?d={custom_data}", ask) == "?d=a%3Db%26c%3D%2520%C3%A9%22")
        ask.request.user.customData = "aZ09-._~ /?#[]@!$&'()*+,;=%\u{0}\u{7F}🎬"
        #expect(
            try expand("{custom_data}", ask)
                == "aZ09-._~%20%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%00%7F%F0%9F%8E%AC"
        )
    }

    @Test("in JSON quotes, backslashes and control characters are escaped")
    func json() throws {
        var ask = AdAsk.full(clock)
        ask.request.user.customData = "\"\\/\n\u{1}é🎬"
        #expect(
            try expand("{\"d\":\"{custom_data}\"}", ask, as: .json)
                == #"{"d":"\"\\/\u000a\u0001é🎬"}"#
        )
    }

    @Test(
        "a header value with control characters skips the line",
        arguments: ["a\r\nX: y", "\u{0}", "\u{7F}", "a\n", "\t"]
    )
    func header(value: String) throws {
        var ask = AdAsk.full(clock)
        ask.request.device.userAgent = value
        let error = #expect(throws: AdapterError.self) { try expand("{ua}", ask, as: .header) }
        #expect(error?.outcome.reason == .missingField)
        #expect(error?.outcome.message == "The value of ua holds control characters and cannot be a header.")
    }

    @Test(
        "braces that hold no field name stand for themselves",
        arguments: [
            "{", "}", "{}", "{ ip}", "{Ip}", "{1}", "{!}", "{ ip", "{ipx", "{ip_address=", "a{b", "{\"a\": {\"b\": 1}}",
            "{ä}", "{a b}", "{{",
            "}}{{",
            "{" + String(repeating: "a", count: 65) + "}", "100%", "%7B",
        ]
    )
    func literalBraces(text: String) throws {
        #expect(try expand(text, .full(clock)) == text)
    }

    @Test("doubled braces keep the outer pair")
    func doubled() throws {
        #expect(try expand("{{ip}}", .full(clock), as: .header) == "{203.0.113.7}")
    }

    @Test(
        "a field nobody knows is refused by name",
        arguments: ["user", "ip_address", "targeting.", "settings.", "a-b", "x!"]
    )
    func unknown(name: String) {
        let error = #expect(throws: RequestTemplate.BadField.self) { try RequestTemplate("a{ip}b{\(name)}c") }
        #expect(error?.name == (name.hasSuffix("!") ? String(name.dropLast()) : name))
    }

    @Test(
        "a brace before a field's name that is not closed behind it is refused by name",
        arguments: [
            ("https://a.example/?unit={network_unit&w={width}", "network_unit"), ("{ip", "ip"), ("{ip!", "ip"),
            ("{ua }", "ua"), ("{settings.key/{ip}", "settings.key"), ("{{ifa", "ifa"), ("[IFA]{os|lower}", "os"),
        ]
    )
    func unclosed(text: String, name: String) {
        let error = #expect(throws: RequestTemplate.BadField.self) { try RequestTemplate(text) }
        #expect(error?.name == name && error?.isUnclosed == true)
        #expect(error?.message.hasPrefix("opens {\(name) and does not close it.") == true)
    }

    @Test("a value is never read as a template again")
    func once() throws {
        var ask = AdAsk.full(clock)
        ask.request.user.customData = "{user_id}"
        #expect(try expand("{custom_data}", ask, as: .header) == "{user_id}")
    }

    @Test("the source stays as it was written, and any text can be read without a trap")
    func anything() {
        var state: UInt64 = 7
        let pieces = ["{", "}", "ip", "!", ".", "targeting", "[", "]", "%5B", "%", "é", "TIMESTAMP", " ", "\u{0}"]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            guard let template = try? RequestTemplate(text) else { continue }
            #expect(template.source == text)
            _ = try? template.expand(.full(clock), as: .url, clock: clock)
        }
    }
}
