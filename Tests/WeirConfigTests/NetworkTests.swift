import Testing
import WeirConfig
import WeirModel

@Suite("Networks and their settings")
struct NetworkTests {
    @Test(
        "what an adapter does not accept is pointed at",
        arguments: [
            ComplaintCase(
                "a misspelt kind",
                whole(networks: #"{"id": "gam", "adapter": "vsat", "settings": {}}"#),
                "2:26: networks[0].adapter: There is no adapter kind \"vsat\". Did you mean \"vast\"?"
            ),
            ComplaintCase(
                "a kind that is near none",
                whole(networks: #"{"id": "gam", "adapter": "admob"}"#),
                "2:26: networks[0].adapter: There is no adapter kind \"admob\". Available: vast, rewarded, instream-audio, declared, process."
            ),
            ComplaintCase(
                "a kind that comes later",
                whole(networks: #"{"id": "gam", "adapter": "openrtb"}"#),
                "2:26: networks[0].adapter: The adapter kind \"openrtb\" is not available in this version. Available: vast, rewarded, instream-audio, declared, process."
            ),
            ComplaintCase(
                "an unknown setting",
                whole(
                    networks: #"{"id": "gam", "adapter": "vast", "settings": {"tag_ulr": "https://a.example"}}"#
                ),
                "2:47: networks[0].settings.tag_ulr: The adapter \"vast\" knows no such setting, and no template names it. Did you mean \"tag_url\"?"
            ),
            ComplaintCase(
                "a setting of one's own that no template names",
                whole(networks: #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u", "zone": "7"}}"#),
                "2:63: networks[0].settings.zone: The adapter \"vast\" knows no such setting, and no template names it. It knows: tag_url, probe_url, headers."
            ),
            ComplaintCase(
                "a setting of one's own that a template names",
                whole(
                    networks:
                        #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u?z={settings.zone!}", "zone": "7"}}"#
                )
            ),
            ComplaintCase(
                "a missing setting",
                whole(networks: #"{"id": "gam", "adapter": "vast"}"#),
                "2:1: networks[0].settings.tag_url: is required."
            ),
            ComplaintCase(
                "a missing setting among others",
                whole(networks: #"{"id": "gam", "adapter": "vast", "settings": {"headers": {}}}"#),
                "2:46: networks[0].settings.tag_url: is required."
            ),
            ComplaintCase(
                "a template with an unknown field",
                whole(
                    networks:
                        #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://a.example/{network_unti}"}}"#
                ),
                "2:58: networks[0].settings.tag_url: There is no template field {network_unti} in https://a.example/{network_unti}."
            ),
            ComplaintCase(
                "a template inside a header",
                whole(
                    networks:
                        #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u", "headers": {"X-IP": "{ipp}"}}}"#
                ),
                "2:83: networks[0].settings.headers.X-IP: There is no template field {ipp} in {ipp}."
            ),
            ComplaintCase(
                "bad limits and ranges",
                whole(
                    networks:
                        #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u"}, "timeout_ms": -5, "max_in_flight": 0, "allow_private": ["10.0.0.0/8", "localhost"], "breaker": {"failure": 1}}"#
                ),
                "2:78: networks[0].timeout_ms: must be a whole number of milliseconds from 1 to 3600000, not -5.",
                "2:99: networks[0].max_in_flight: must be a whole number from 1 to 100000, not 0.",
                "2:134: networks[0].allow_private[1]: \"localhost\" is no IP address or range. Write it like 127.0.0.1, 10.0.0.0/8 or fd00::/8.",
                "2:160: networks[0].breaker.failure: There is no such key. Did you mean \"failures\"?"
            ),
        ]
    )
    func settings(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }

    @Test("a template that names a setting that is not there is warned of")
    func unsetSetting() {
        let example = ComplaintCase(
            "",
            whole(
                networks:
                    #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u?z={settings.zon}{settings.zone}", "zone": "7"}}"#,
                more: #", "test_units": ["1"]"#
            )
        )
        #expect(
            example.complaints(.warning) == [
                "2:58: networks[0].settings.tag_url: names the setting \"zon\", which is not there. Did you mean \"zone\"?"
            ]
        )
    }

    @Test("a lenient reading leaves wrong networks out and says why")
    func lenient() throws {
        let text = whole(
            networks: """
                {"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://a.example"}},
                {"id": "typo", "adapter": "vsat"},
                {"id": "keyless", "adapter": "rewarded", "settings": {"load_url": "u", "api_key": {"env": "NOT_SET"}}},
                {"id": "off", "adapter": "vast", "enabled": false, "settings": {"tag_url": "https://a.example"}},
                {"id": "twice", "adapter": "vast", "timeout_ms": 1, "timeout_ms": 2, "settings": {"tag_url": "u"}}
                """
        )
        #expect(Fixtures.reader().read(text: text, file: "w.json").configuration == nil)
        let result = Fixtures.reader().read(text: text, file: "w.json", lenient: true)
        let networks = try #require(result.configuration).networks
        #expect(
            networks.map(\.problem) == [
                nil,
                "networks[1].adapter: There is no adapter kind \"vsat\".",
                "networks[2].settings.api_key: The environment variable \"NOT_SET\" is not set.",
                nil,
                "networks[4].timeout_ms: The key stands here again; it stood on line 6 first.",
            ]
        )
        #expect(
            networks.map(\.remedy) == [
                nil, "Did you mean \"vast\"?", "Set it before Weir starts.", nil, nil,
            ]
        )
        #expect(networks.map(\.hasUnknownAdapter) == [false, true, false, false, false])
        #expect(networks.map(\.network.isEnabled) == [true, true, true, false, true])
        #expect(result.report.isValid)
    }

    @Test("a lenient reading still refuses what concerns more than one network")
    func lenientIsNotBlind() {
        let example = ComplaintCase(
            "",
            whole(
                networks: """
                    {"id": "gam", "adapter": "vast", "settings": {"tag_url": "u"}},
                    {"id": "gam", "adapter": "vast", "settings": {"tag_url": "u"}}
                    """,
                waterfall: #"{"id": "l", "network": "nobody", "network_unit": "1"}"#,
                more: #", "limit": {}"#
            )
        )
        #expect(
            example.complaints(.error, lenient: true) == [
                "3:8: networks[1].id: The id \"gam\" is taken by networks[0].id on line 2.",
                "5:24: ad_units[0].waterfall[0].network: There is no network \"nobody\".",
                "11:3: limit: There is no such key. Did you mean \"limits\"?",
            ]
        )
    }

    @Test("the fingerprint changes with what the adapter is made from, and with nothing else")
    func fingerprints() throws {
        func fingerprint(_ network: String, key: String = "first-key") throws -> String {
            let reader = Fixtures.reader(environment: ["KEY": key])
            let result = reader.read(text: whole(networks: network), file: "w.json")
            return try #require(result.configuration, "\(result.report.text)").networks[0].fingerprint
        }
        let network = #"{"id": "gam", "adapter": "rewarded", "settings": {"load_url": "u", "api_key": {"env": "KEY"}}}"#
        let first = try fingerprint(network)
        #expect(try fingerprint("/* new */ " + network) == first)
        #expect(try fingerprint(network.replacing("{\"id\"", with: "{\"timeout_ms\": 5, \"id\"")) == first)
        #expect(try fingerprint(network, key: "second-key") != first)
        #expect(try fingerprint(network.replacing("\"u\"", with: "\"v\"")) != first)
        #expect(
            try fingerprint(network.replacing("{\"id\"", with: "{\"allow_private\": [\"127.0.0.1\"], \"id\"")) != first
        )
    }
}
