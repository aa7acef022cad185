import Testing
import WeirAdapterKit
import WeirConfig
import WeirJSON
import WeirModel

/// A declared network's file, and the complaints it must get, exactly.
struct NetworkFileCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let expected: [String]

    init(_ name: String, _ text: String, _ expected: String...) {
        testDescription = name
        self.text = text
        self.expected = expected
    }
}

@Suite("The files of declared networks")
struct NetworkFileTests {
    private static let tag = #""preset": "vast-tag", "url": "https://a.example/t""#

    /// A json network around a piece of `reply`.
    private static func reply(_ piece: String) -> String {
        #"{"url": "https://a.example/t", "reply": {"format": "json", \#(piece)}}"#
    }

    /// A json network around a piece of `reply.ad`.
    private static func ad(_ piece: String) -> String { reply(#""ad": {"vast": "vast", \#(piece)}"#) }

    static let keys = [
        NetworkFileCase(
            "a misspelt key",
            #"{"preset": "vast-tag", "ulr": "https://a.example/t"}"#,
            "1:1: url: is required.",
            #"1:24: ulr: There is no such key. Did you mean "url"?"#
        ),
        NetworkFileCase(
            "a misspelt preset",
            #"{"preset": "vast-tga", "url": "https://a.example/t"}"#,
            #"1:12: preset: must be one of vast-tag, audio-vast, json, static, openrtb, not "vast-tga". Did you mean "vast-tag"?"#
        ),
        NetworkFileCase(
            "no URL",
            #"{"preset": "vast-tag"}"#,
            "1:1: url: is required."
        ),
        NetworkFileCase(
            "an unknown format",
            #"{\#(tag), "formats": ["vidoe"]}"#,
            #"1:66: formats[0]: must be one of video, rewarded, audio, not "vidoe". Did you mean "video"?"#
        ),
        NetworkFileCase(
            "a doubled key",
            "{\(tag),\n\"url\": \"https://b.example/\"}",
            "2:1: url: The key stands here again; it stood on line 1 first."
        ),
        NetworkFileCase("no JSON", "{", "1:2: The text ends inside the object that began on line 1."),
        NetworkFileCase("a list", "[]", "1:1: must be an object, not an array."),
        NetworkFileCase(
            "a key of another preset",
            #"{\#(tag), "ads": [{"vast_url": "https://a.example/v"}]}"#,
            "1:61: ads: says nothing under the preset vast-tag. Only static networks have ads of their own; reply.ads says where a reply's ads are."
        ),
        NetworkFileCase(
            "a preset that is not built in",
            #"{"preset": "openrtb", "openrtb": {}}"#,
            "1:12: preset: is not available in this version: there is no adapter openrtb."
        ),
        NetworkFileCase(
            "a misspelt part of the request",
            #"{\#(tag), "request": {"header": {}}}"#,
            #"1:66: request.header: There is no such key. Did you mean "headers"?"#
        ),
        NetworkFileCase(
            "a misspelt part of an ad",
            ad(#""prize": {}"#),
            #"1:83: reply.ad.prize: There is no such key. Did you mean "price"?"#
        ),
    ]

    static let templates = [
        NetworkFileCase(
            "a misspelt field",
            #"{"preset": "vast-tag", "url": "https://a.example/{network_unti}"}"#,
            "1:31: url: names the unknown field {network_unti}. Did you mean {network_unit}?"
        ),
        NetworkFileCase(
            "half of a field's name",
            #"{"preset": "vast-tag", "url": "https://a.example/{language}"}"#,
            "1:31: url: names the unknown field {language}. Did you mean {device_language} or {content_language}?"
        ),
        NetworkFileCase(
            "a field like no other",
            #"{"preset": "vast-tag", "url": "https://a.example/{quux}"}"#,
            "1:31: url: names the unknown field {quux}. The fields stand in docs/configuration.md, under Templates."
        ),
        NetworkFileCase(
            "a misspelt filter",
            #"{"preset": "vast-tag", "url": "https://a.example/{ifa|lowr}"}"#,
            #"1:31: url: names the unknown filter "lowr". Did you mean "lower"?"#
        ),
        NetworkFileCase(
            "a field that nobody knows, in a body",
            "{\(tag), \"request\": {\"json\":\n{\"imp\": [{\"w\": \"{wdith}\"}]}}}",
            "2:16: request.json.imp[0].w: names the unknown field {wdith}. Did you mean {width}?"
        ),
        NetworkFileCase(
            "a brace that is not closed, in the URL",
            #"{"preset": "vast-tag", "url": "https://a.example/?unit={network_unit&w={width}"}"#,
            "1:31: url: opens {network_unit and does not close it. Write {network_unit}, or a blank behind a brace that means itself."
        ),
        NetworkFileCase(
            "a brace that is not closed behind a filter, in a body",
            "{\(tag), \"request\": {\"json\":\n{\"imp\": [{\"w\": \"{width|default:640\"}]}}}",
            "2:16: request.json.imp[0].w: opens {width and does not close it. Write {width}, or a blank behind a brace that means itself."
        ),
        NetworkFileCase(
            "a brace that is not closed before the next, in a form",
            "{\(tag), \"request\": {\"form\":\n{\"q\": \"{ip|default:0&w={width}\"}}}",
            "2:7: request.form.q: opens {ip and does not close it. Write {ip}, or a blank behind a brace that means itself."
        ),
        NetworkFileCase(
            "a brace that is not closed, in the query",
            "{\(tag), \"request\": {\"query\":\n{\"q\": \"{ip\"}}}",
            "2:7: request.query.q: opens {ip and does not close it. Write {ip}, or a blank behind a brace that means itself."
        ),
        NetworkFileCase(
            "a setting that is not declared",
            #"{"url": "https://a.example/{settings.zon}", "settings": {"zone": {}}}"#,
            #"1:9: url: names the setting "zon", which settings does not declare. Did you mean {settings.zone}?"#
        ),
        NetworkFileCase(
            "no setting declared at all",
            #"{"url": "https://a.example/{settings.key}"}"#,
            #"1:9: url: names the setting "key", which settings does not declare. Add it to settings: {"key": {"type": "text"}}."#
        ),
        NetworkFileCase(
            "a changed secret",
            #"{"url": "https://a.example/", "settings": {"key": {"secret": true}}, "request": {"headers": {"A": "{settings.key|base64}"}}}"#,
            "1:99: request.headers.A: changes the secret setting key, and what comes of it could not be kept out of traces. Send it as it is, or let the operator's secret hold the changed text."
        ),
        NetworkFileCase(
            "a relative URL",
            #"{"url": "/ads"}"#,
            "1:9: url: must be an absolute http or https URL. Begin it with https:// or with a setting of type url, as {settings.base_url|raw}."
        ),
        NetworkFileCase(
            "a URL with a blank",
            #"{"url": "https://a.example/a b"}"#,
            "1:9: url: must be an absolute http or https URL. Begin it with https:// or with a setting of type url, as {settings.base_url|raw}."
        ),
        NetworkFileCase(
            "a fragment",
            #"{"url": "https://a.example/a#b"}"#,
            "1:9: url: must not hold a fragment: # is not sent. Write %23."
        ),
        NetworkFileCase(
            "a host that the request chooses",
            #"{"url": "https://{country}.a.example/"}"#,
            "1:9: url: lets the request choose the host with {country}. Use a setting."
        ),
        NetworkFileCase(
            "a raw value of the request in a URL",
            #"{"url": "https://a.example/?u={content_url|raw}"}"#,
            "1:9: url: puts {content_url} into a URL as it is. Leave raw away; only settings and network_unit may be raw in URLs."
        ),
        NetworkFileCase(
            "a probe that names the request",
            #"{\#(tag), "probe_url": "https://a.example/{ip}"}"#,
            "1:67: probe_url: names {ip}, and a probe is sent without a request. Use settings only."
        ),
        NetworkFileCase(
            "a text body without a filter",
            #"{\#(tag), "request": {"text": "<ip>{ip}</ip>"}}"#,
            "1:74: request.text: does not say how {ip} is made safe for this text. End it with a filter: {ip|xml}, |json, |url, |base64 or |raw."
        ),
        NetworkFileCase(
            "two bodies",
            #"{\#(tag), "request": {"json": {}, "form": {}}}"#,
            "1:86: request.form: cannot stand beside json: a request has one body."
        ),
        NetworkFileCase(
            "GET with a body",
            #"{\#(tag), "request": {"method": "GET", "json": {}}}"#,
            "1:76: request.method: must not be GET when there is a body. Write POST."
        ),
        NetworkFileCase(
            "a header of the transport",
            #"{\#(tag), "request": {"headers": {"Host": "b.example"}}}"#,
            "1:86: request.headers.Host: is set by the transport and cannot be configured."
        ),
        NetworkFileCase(
            "a header that is none",
            #"{\#(tag), "request": {"headers": {"X Y": "1"}}}"#,
            #"1:85: request.headers["X Y"]: is not the name of a header field."#
        ),
    ]

    static let replies = [
        NetworkFileCase(
            "a path with a dollar sign",
            ad(#""id": "$.id""#),
            #"1:89: reply.ad.id: is no path: "$" cannot stand in a plain key. Paths begin with the first key, without $."#
        ),
        NetworkFileCase(
            "a path with an open bracket",
            ad(#""id": "a[0""#),
            "1:89: reply.ad.id: is no path: [ must be closed by ]. Write it like data.ads[0].vast."
        ),
        NetworkFileCase(
            "a path with a word for an index",
            ad(#""id": "a[one]""#),
            #"1:89: reply.ad.id: is no path: [one] is no index. Write a number from 0, [*] for all, or ["…"] for a key."#
        ),
        NetworkFileCase(
            "all values where one is read",
            ad(#""id": "ids[*]""#),
            "1:89: reply.ad.id: leads to several values with [*], and one is read here. Write [0] for the first."
        ),
        NetworkFileCase(
            "all values where one is read, as an object",
            ad(#""title": {"path": "names[*]"}"#),
            "1:101: reply.ad.title.path: leads to several values with [*], and one is read here. Write [0] for the first."
        ),
        NetworkFileCase(
            "a path that ends in a dot",
            ad(#""id": "a.""#),
            "1:89: reply.ad.id: is no path: a key must follow the dot. Write it like data.ads[0].vast."
        ),
        NetworkFileCase(
            "a price without a currency",
            ad(#""price": {"amount": "p"}"#),
            #"1:92: reply.ad.price.currency: is required: a price without a currency is no price. Say where it stands, or write "default_currency": "USD" when the network's page says so."#
        ),
        NetworkFileCase(
            "a price without an amount",
            ad(#""price": {"default_currency": "USD"}"#),
            "1:92: reply.ad.price.amount: is required."
        ),
        NetworkFileCase(
            "a misspelt unit",
            ad(#""price": {"amount": "p", "default_currency": "USD", "unit": "micro"}"#),
            #"1:143: reply.ad.price.unit: must be one of cpm, cents, micros, impression, not "micro". Did you mean "micros"?"#
        ),
        NetworkFileCase(
            "a currency that is none",
            ad(#""price": {"amount": "p", "default_currency": "US"}"#),
            #"1:128: reply.ad.price.default_currency: must be a currency of three letters, such as USD, not "US"."#
        ),
        NetworkFileCase(
            "a source with two places",
            ad(#""id": {"path": "a", "header": "b"}"#),
            "1:89: reply.ad.id: must have one of path, header or value."
        ),
        NetworkFileCase(
            "an ad without markup",
            reply(#""ad": {"id": "id"}"#),
            "1:66: reply.ad: does not say where the ad is. Add vast, vast_url or media."
        ),
        NetworkFileCase(
            "no ad",
            reply(#""ads": "ads""#),
            "1:41: reply.ad: is required: it says where an ad's parts stand."
        ),
        NetworkFileCase(
            "a condition without a test",
            reply(#""ad": {"vast": "v"}, "no_fill": {"path": "ads"}"#),
            "1:92: reply.no_fill: says what is looked at, but no test. Write one of equals, one_of, none_of, absent, empty, matches."
        ),
        NetworkFileCase(
            "a condition with two tests",
            reply(#""ad": {"vast": "v"}, "no_fill": [{"path": "ads", "empty": true, "absent": true}]"#),
            "1:93: reply.no_fill[0]: has more than one test. Write one of equals, one_of, none_of, absent, empty, matches."
        ),
        NetworkFileCase(
            "a condition that looks at nothing",
            reply(#""ad": {"vast": "v"}, "no_fill": [{"equals": 1}]"#),
            "1:93: reply.no_fill[0]: must look at one of status, path, header or all."
        ),
        NetworkFileCase(
            "a misspelt test",
            reply(#""ad": {"vast": "v"}, "no_fill": [{"path": "a", "equal": 1}]"#),
            "1:93: reply.no_fill[0]: says what is looked at, but no test. Write one of equals, one_of, none_of, absent, empty, matches.",
            #"1:107: reply.no_fill[0].equal: There is no such key. Did you mean "equals"?"#
        ),
        NetworkFileCase(
            "a status that is none",
            reply(#""ad": {"vast": "v"}, "no_fill": {"status": 42}"#),
            "1:103: reply.no_fill.status: must be a whole number from 100 to 599, not 42."
        ),
        NetworkFileCase(
            "an error that is never one",
            reply(#""ad": {"vast": "v"}, "error": {"code": "c"}"#),
            "1:90: reply.error.when: is required."
        ),
        NetworkFileCase(
            "a mapping of markup",
            #"{\#(tag), "reply": {"format": "vast", "ad": {"vast": "v"}}}"#,
            "1:88: reply.ad: is read from JSON only, and the format is vast. Write \"format\": \"json\" or \"any\"."
        ),
        NetworkFileCase(
            "a reward without an item",
            ad(#""reward": {"amount": "a"}"#),
            "1:93: reply.ad.reward.item: is required."
        ),
    ]

    static let settingsAndAds = [
        NetworkFileCase(
            "a misspelt type",
            #"{\#(tag), "settings": {"a": {"type": "txt"}}}"#,
            #"1:81: settings.a.type: must be one of text, whole, decimal, flag, url, not "txt". Did you mean "text"?"#
        ),
        NetworkFileCase(
            "a name that no template can use",
            #"{\#(tag), "settings": {"API-Key": {}}}"#,
            "1:78: settings.API-Key: is no name that a template can use. Write small letters, digits and _, a letter first, at most 40."
        ),
        NetworkFileCase(
            "a secret with a default",
            #"{\#(tag), "settings": {"a": {"secret": true, "default": "x"}}}"#,
            "1:100: settings.a.default: must not be given: a secret never stands in a file. Make it required."
        ),
        NetworkFileCase(
            "a default that is never used",
            #"{\#(tag), "settings": {"a": {"required": true, "default": "x"}}}"#,
            "1:102: settings.a.default: is never used: the setting is required. Leave one of the two out."
        ),
        NetworkFileCase(
            "a default of the wrong type",
            #"{\#(tag), "settings": {"a": {"type": "whole", "default": "x"}}}"#,
            "1:101: settings.a.default: must be a whole number, not a string."
        ),
        NetworkFileCase(
            "a default that is not allowed",
            #"{\#(tag), "settings": {"a": {"one_of": ["eu"], "default": "us"}}}"#,
            #"1:102: settings.a.default: must be one of "eu"."#
        ),
        NetworkFileCase(
            "a choice of the wrong type",
            #"{\#(tag), "settings": {"a": {"type": "url", "one_of": ["eu"]}}}"#,
            "1:99: settings.a.one_of[0]: must be an absolute http or https URL."
        ),
        NetworkFileCase(
            "a static network without ads",
            #"{"preset": "static"}"#,
            "1:1: ads: is required: a static network has ads of its own."
        ),
        NetworkFileCase(
            "a static network with a URL",
            #"{"preset": "static", "url": "https://a.example/", "ads": [{"vast_url": "https://a.example/v"}]}"#,
            "1:29: url: says nothing under the preset static. A static network asks nobody."
        ),
        NetworkFileCase(
            "a house ad with nothing to show",
            #"{"preset": "static", "ads": [{"id": "a"}]}"#,
            "1:30: ads[0]: must have one of vast, vast_file, vast_url or media."
        ),
        NetworkFileCase(
            "a house ad that is no VAST",
            #"{"preset": "static", "ads": [{"vast": "<html></html>"}]}"#,
            "1:39: ads[0].vast: is no VAST, DAAST or VMAP: The network answered with an HTML page, not VAST, DAAST or VMAP."
        ),
        NetworkFileCase(
            "a house ad without an ad",
            #"{"preset": "static", "ads": [{"vast": "<VAST version=\"4.2\"/>"}]}"#,
            "1:39: ads[0].vast: is a document without an ad."
        ),
        NetworkFileCase(
            "a file that is not there",
            #"{"preset": "static", "ads": [{"vast_file": "house.xml"}]}"#,
            "1:44: ads[0].vast_file: cannot be read: No such file or directory."
        ),
    ]

    @Test("a wrong key is pointed at, with the nearest right one", arguments: keys)
    func wrongKeys(_ subject: NetworkFileCase) { check(subject) }

    @Test("a wrong template is pointed at", arguments: templates)
    func wrongTemplates(_ subject: NetworkFileCase) { check(subject) }

    @Test("a wrong mapping is pointed at", arguments: replies)
    func wrongReplies(_ subject: NetworkFileCase) { check(subject) }

    @Test("wrong settings and house ads are pointed at", arguments: settingsAndAds)
    func wrongRest(_ subject: NetworkFileCase) { check(subject) }

    private func check(_ subject: NetworkFileCase) {
        let complaints = NetworkFiles.complaints(subject.text)
        #expect(complaints == subject.expected)
        #expect(NetworkFiles.reader().read(Array(subject.text.utf8), file: "n.json").factory == nil)
    }
}
