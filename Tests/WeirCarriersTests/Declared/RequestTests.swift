import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting

@testable import WeirCarriers

@Suite("Declared networks: requests")
struct RequestTests {
    /// The request that a file makes of the full ask.
    private func request(
        _ members: JSONObject,
        url: String = "https://ads.example/a",
        settings: JSONValue = [:],
        schema: JSONValue = [:],
        ask: AdAsk = fullAsk()
    ) throws -> OutboundRequest {
        let file: JSONValue = ["url": .string(url), "settings": schema, "request": .object(members)]
        let made = try adapter(file, settings: settings)
        return try #require(made as? DeclaredAdapter).request(for: ask)
    }

    @Test(
        "values in a URL are percent-encoded once, unless the last filter says how",
        arguments: [
            ("https://ads.example/{network_unit}", "https://ads.example/%2F1%2Fa%20b"),
            ("https://ads.example/{network_unit|url}", "https://ads.example/%2F1%2Fa%20b"),
            ("https://ads.example/{network_unit|url|url}", "https://ads.example/%252F1%252Fa%2520b"),
            ("https://ads.example/{network_unit|raw}", "https://ads.example//1/a b"),
            ("https://ads.example/{ifa|lower}", "https://ads.example/ab-cd"),
            ("https://ads.example/{ifa|base64}", "https://ads.example/QUItQ0Q%3D"),
            (
                "https://ads.example/?s={width}x{height}&d={content_duration_ms|seconds}",
                "https://ads.example/?s=640x360&d=61"
            ),
            ("https://ads.example/?n={user_id}&m={mimes|first}", "https://ads.example/?n=&m=video%2Fmp4"),
            ("https://ads.example/?{braces}&{UPPER}&{}", "https://ads.example/?{braces}&{UPPER}&{}"),
            ("https://ads.example/?f={floor}{floor_currency}&t={remaining_ms}", "https://ads.example/?f=1.50EUR&t=700"),
            ("https://ads.example/?g={user_gender|map:male=M,female=F}", "https://ads.example/?g=F"),
        ]
    )
    func urls(_ url: String, _ expected: String) throws {
        if url.contains("{braces}") {
            // A word in small letters is a field or a mistake.
            #expect(throws: SettingsError.self) { try request([:], url: url) }
        } else if url.hasSuffix("{network_unit|raw}") {
            // What makes no address is not sent.
            #expect(throws: AdapterError.self) { try request([:], url: url) }
        } else {
            #expect(try request([:], url: url).url == expected)
        }
    }

    @Test("braces around what is no field's spelling stay")
    func braces() throws {
        #expect(
            try request([:], url: "https://ads.example/?{UPPER}&{}&{1}").url == "https://ads.example/?{UPPER}&{}&{1}"
        )
    }

    @Test("VAST macros are filled in as in any tag")
    func macros() throws {
        let url = try request([:], url: "https://ads.example/?c=[CACHEBUSTING]&i=[TRANSACTIONID]").url
        #expect(url.contains(/c=[0-9]{8}&i=request-1/))
    }

    @Test("parameters follow the URL's own, and one with a field that has no value is left out")
    func query() throws {
        let members: JSONObject = [
            "query": [
                "a b": "{ip}", "none": "{user_id}", "half": "app:{user_id}", "default": "{user_id|default:x}",
                "empty": "{user_id|default:}", "constant": 1, "flag": true,
            ]
        ]
        let expected = "a%20b=203.0.113.7&default=x&empty=&constant=1&flag=1"
        #expect(try request(members).url == "https://ads.example/a?" + expected)
        #expect(try request(members, url: "https://ads.example/a?z=1").url == "https://ads.example/a?z=1&" + expected)
        #expect(try request(["query": ["u": "{user_id}"]]).url == "https://ads.example/a")
    }

    @Test("a client's empty text is no value")
    func emptyValue() throws {
        let ask = fullAsk { $0.device.ip = "" }
        #expect(try request(["query": ["ip": "{ip}"]], ask: ask).url == "https://ads.example/a")
        let error = #expect(throws: AdapterError.self) { try request(["query": ["ip": "{ip!}"]], ask: ask) }
        #expect(error?.outcome.reason == .missingField)
    }

    @Test(
        "a required value that is missing names its field, in every place",
        arguments: ["query", "headers", "form", "json"]
    )
    func required(_ place: String) throws {
        let error = #expect(throws: AdapterError.self) {
            try request([place: ["a": "x {user_id!|lower}"]])
        }
        #expect(error?.outcome.result == .skipped)
        #expect(error?.outcome.reason == .missingField)
        #expect(error?.outcome.message == "The request does not say user_id, which the network needs.")
    }

    @Test("headers hold values as they are, and none with control characters")
    func headers() throws {
        let members: JSONObject = ["headers": ["X-UA": "{ua}", "X-None": "{user_id}", "X-One": 1]]
        let headers = try request(members).headers
        #expect(headers == [HTTPHeader("X-UA", "Player \"1\" & more"), HTTPHeader("X-One", "1")])
        let error = #expect(throws: AdapterError.self) {
            try request(members, ask: fullAsk { $0.device.userAgent = "a\r\nX-Evil: 1" })
        }
        #expect(error?.outcome.reason == .missingField)
    }

    @Test("a JSON body has values of the fields' own types, and leaves out what is not there")
    func json() throws {
        let members: JSONObject = [
            "json": [
                "w": "{width}", "text": "{width|text}", "muted": "{muted}", "int": "{muted|int}", "mimes": "{mimes}",
                "sections": "{gpp_sid}", "age": "{user_age}", "none": "{user_id}", "size": "{width}x{height}",
                "half": "u:{user_id}", "list": ["{ip}", "{user_id}", 7], "floor": "{floor}",
                "genre": "{targeting.genre|list}",
                "constant": ["a": [1.50, nil, true]], "ua": "{ua}", "number": "{ifa|number}",
                "default": "{user_id|default:5|int}",
                "empty": ["none": "{user_id}"], "date": "{now|date:unix|text}",
            ]
        ]
        let sent = try request(members)
        #expect(sent.method == "POST")
        #expect(sent.headers == [HTTPHeader("Content-Type", "application/json")])
        let body = try JSONReader.read(sent.body)
        let date = body["date"]?.string
        #expect(date?.allSatisfy(\.isNumber) == true)
        var object = try #require(body.object)
        object["date"] = nil
        let expected =
            #"{"w":640,"text":"640","muted":true,"int":1,"mimes":["video/mp4","video/webm"],"sections":[7,8],"age":34,"#
            + #""size":"640x360","list":["203.0.113.7",7],"floor":1.50,"genre":["drama","crime"],"#
            + #""constant":{"a":[1.5,null,true]},"ua":"Player \"1\" & more","default":5,"empty":{}}"#
        #expect(JSONValue.object(object).encodedText == expected)
    }

    @Test(
        "what a client sends can break out of no body",
        arguments: ["\"}],\"x\":\"", "\u{1}\u{1F}\\", "é😀", "&a=b", "]]>"]
    )
    func injection(_ hostile: String) throws {
        let ask = fullAsk { $0.user.customData = hostile }
        let json = try JSONReader.read(request(["json": ["a": "{custom_data}", "b": "x{custom_data}"]], ask: ask).body)
        #expect(json == ["a": .string(hostile), "b": .string("x" + hostile)])
        let form = try request(["form": ["a": "{custom_data}", "b": 1]], ask: ask)
        #expect(form.headers == [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")])
        #expect(String(decoding: form.body, as: UTF8.self) == "a=\(percentEncoded(hostile))&b=1")
        let text = try request(["text": "<a>{custom_data|xml}</a>"], ask: ask)
        let inside = String(decoding: text.body, as: UTF8.self).dropFirst(3).dropLast(4)
        #expect(!inside.contains("<") && !inside.contains(">") && !inside.contains("\""))
    }

    @Test("a body's own Content-Type wins, and PUT stays PUT")
    func contentType() throws {
        let sent = try request(["method": "PUT", "headers": ["content-type": "text/xml"], "text": "<a/>"])
        #expect(sent.method == "PUT")
        #expect(sent.headers == [HTTPHeader("content-type", "text/xml")])
    }

    @Test("settings keep their types, and an operator's address begins a URL")
    func settings() throws {
        let schema: JSONValue = [
            "base": ["type": "url"], "zone": ["type": "whole", "default": 7], "live": ["type": "flag"],
            "rate": ["type": "decimal"], "name": [:],
        ]
        let sent = try request(
            [
                "json": [
                    "zone": "{settings.zone}", "live": "{settings.live}", "rate": "{settings.rate}",
                    "name": "{settings.name}",
                ]
            ],
            url: "{settings.base|raw}/v1",
            settings: ["base": "https://eu.ads.example", "live": true, "rate": "0.10"],
            schema: schema
        )
        #expect(sent.url == "https://eu.ads.example/v1")
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"zone":7,"live":true,"rate":0.10}"#)
    }

    @Test(
        "settings are held to their schema",
        arguments: [
            (["zone": "x", "key": "k"], "settings.zone", "must be a whole number, not a string"),
            (["zone": 1], "settings.key", "is required"),
            (["key": 7], "settings.key", "must be a string, not a number"),
            (["key": "k", "base": "ftp://x"], "settings.base", "must be an absolute http or https URL"),
            (["key": "k", "live": "yes"], "settings.live", "must be true or false, not a string"),
            (["key": "k", "rate": true], "settings.rate", "must be a decimal number, not true"),
            (["key": "k", "region": "asia"], "settings.region", "must be one of \"eu\", \"us\""),
            (["key": ""], "settings.key", "is required"), ([], "settings", "must be an object, not an array"),
        ] as [(JSONValue, String, String)]
    )
    func schema(_ settings: JSONValue, _ path: String, _ message: String) {
        let file: JSONValue = [
            "url": "https://ads.example/",
            "settings": [
                "zone": ["type": "whole"], "key": ["required": true, "secret": true], "base": ["type": "url"],
                "live": ["type": "flag"], "rate": ["type": "decimal"], "region": ["one_of": ["eu", "us"]],
            ],
        ]
        let error = #expect(throws: SettingsError.self) { try adapter(file, settings: settings) }
        if settings["key"] == "" {
            // An empty secret is as good as none.
            #expect(error?.path == path)
        } else {
            #expect(error == SettingsError(path: path, message: message))
        }
    }
}
