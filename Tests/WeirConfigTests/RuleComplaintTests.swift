import Testing
import WeirConfig

@Suite("Complaints about values that do not fit together")
struct RuleComplaintTests {
    @Test(
        "names that nothing has",
        arguments: [
            ComplaintCase(
                "a network",
                whole(waterfall: #"{"id": "l", "network": "gma", "network_unit": "1"}"#),
                "4:24: ad_units[0].waterfall[0].network: There is no network \"gma\". Did you mean \"gam\"?"
            ),
            ComplaintCase(
                "a network inside a group",
                whole(waterfall: #"{"group": [{"id": "l", "network": "other", "network_unit": "1"}]}"#),
                "4:35: ad_units[0].waterfall[0].group[0].network: There is no network \"other\"."
            ),
            ComplaintCase(
                "an ad unit",
                #"{"ad_units": [{"id": "preroll", "format": "video", "waterfall": []}], "placements": [{"id": "p", "ad_unit": "pre_roll"}]}"#,
                "1:109: placements[0].ad_unit: There is no ad unit \"pre_roll\". Did you mean \"preroll\"?"
            ),
            ComplaintCase(
                "a network whose id is wrong is not missed a second time",
                whole(
                    networks: #"{"id": "", "adapter": "vast", "settings": {"tag_url": "https://a.example"}}"#,
                    waterfall: #"{"id": "l", "network": "", "network_unit": "1"}"#
                ),
                "2:8: networks[0].id: An id has 1 to 128 bytes and no control characters; this is \"\".",
                "4:24: ad_units[0].waterfall[0].network: An id has 1 to 128 bytes and no control characters; this is \"\"."
            ),
        ]
    )
    func unknownNames(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }

    @Test(
        "rewards that could not work",
        arguments: [
            ComplaintCase(
                "a scheme that nobody knows",
                whole(
                    more:
                        #","rewards": {"callbacks": [{"network": "x", "scheme": "pangel", "secret": {"file": "key"}}]}"#
                ),
                "10:55: rewards.callbacks[0].scheme: There is no scheme \"pangel\". Did you mean \"pangle\"?"
            ),
            ComplaintCase(
                "a digest without a secret",
                whole(more: #","rewards": {"callbacks": [{"network": "x", "scheme": "pangle"}]}"#),
                "10:28: rewards.callbacks[0].secret: is required."
            ),
            ComplaintCase(
                "AdMob without ad units",
                whole(more: #","rewards": {"callbacks": [{"network": "x", "scheme": "admob"}]}"#),
                "10:28: rewards.callbacks[0].ad_units: is required: Google signs the callbacks of every publisher with the same keys."
            ),
            ComplaintCase(
                "an ad unit that is not there",
                whole(
                    more: #","rewards": {"callbacks": [{"network": "x", "scheme": "admob", "ad_units": {"1": "v"}}]}"#
                ),
                "10:82: rewards.callbacks[0].ad_units.1: There is no ad unit \"v\". Did you mean \"u\"?"
            ),
            ComplaintCase(
                "two callbacks of one name",
                whole(
                    more:
                        #","rewards": {"callbacks": [{"network": "x", "scheme": "pangle", "secret": {"file": "key"}}, {"network": "x", "scheme": "tapjoy", "secret": {"file": "key"}}]}"#
                ),
                "10:105: rewards.callbacks[1].network: The name \"x\" is taken."
            ),
            ComplaintCase(
                "the name of the keys' own address",
                whole(
                    more:
                        #","rewards": {"callbacks": [{"network": "keys", "scheme": "pangle", "secret": {"file": "key"}}]}"#
                ),
                "10:40: rewards.callbacks[0].network: The name \"keys\" is taken."
            ),
            ComplaintCase(
                "a callback address with a query",
                whole(more: #","rewards": {"publisher_callback_url": "https://game.example/r?x=1"}"#),
                "10:40: rewards.publisher_callback_url: must have no query and no fragment: the signature covers the whole query. Put what you need into the path."
            ),
            ComplaintCase(
                "a scheme that anybody could sign",
                whole(
                    more:
                        #","rewards": {"schemes": [{"id": "own", "fields": {"transaction": "t"}, "signature": {"parameter": "s", "digest": "md5", "text": "{transaction}"}}]}"#
                ),
                "10:129: rewards.schemes[0].signature.text: Without {secret} in it anybody could sign."
            ),
            ComplaintCase(
                "a number that is none",
                whole(more: #","rewards": {"network_numbers": {"gam": "one"}}"#),
                "10:41: rewards.network_numbers.gam: must be a whole number in quotation marks."
            ),
        ]
    )
    func rewards(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }

    @Test(
        "ids that are taken",
        arguments: [
            ComplaintCase(
                "two networks",
                whole(
                    networks: """
                        {"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://a.example"}},
                        {"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://b.example"}}
                        """
                ),
                "3:8: networks[1].id: The id \"gam\" is taken by networks[0].id on line 2."
            ),
            ComplaintCase(
                "two networks, and what else is wrong with the second",
                whole(
                    networks: """
                        {"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://a.example"}},
                        {"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://b.example", "probe_ulr": "x"}}
                        """
                ),
                "3:8: networks[1].id: The id \"gam\" is taken by networks[0].id on line 2.",
                "3:79: networks[1].settings.probe_ulr: The adapter \"vast\" knows no such setting, and no template names it. Did you mean \"probe_url\"?"
            ),
            ComplaintCase(
                "two units, and what else is wrong with the second",
                """
                {"ad_units": [{"id": "u", "format": "video", "waterfall": []},
                {"id": "u", "format": "video", "waterfall": [{"id": "l", "network": "gma", "network_unit": "1"}]}]}
                """,
                "2:8: ad_units[1].id: The id \"u\" is taken by ad_units[0].id on line 1.",
                "2:69: ad_units[1].waterfall[0].network: There is no network \"gma\"."
            ),
            ComplaintCase(
                "two lines of one unit, one in a group",
                whole(
                    waterfall: """
                        {"id": "l", "network": "gam", "network_unit": "1"},
                        {"group": [{"id": "l", "network": "gam", "network_unit": "1"}]}
                        """
                ),
                "5:19: ad_units[0].waterfall[1].group[0].id: The id \"l\" is taken by ad_units[0].waterfall[0].id on line 4."
            ),
            ComplaintCase(
                "two placements and two units",
                """
                {"ad_units": [{"id": "u", "format": "video", "waterfall": []},
                {"id": "u", "format": "video", "waterfall": []}],
                "placements": [{"id": "p", "ad_unit": "u"}, {"id": "p", "ad_unit": "u"}]}
                """,
                "2:8: ad_units[1].id: The id \"u\" is taken by ad_units[0].id on line 1.",
                "3:52: placements[1].id: The id \"p\" is taken by placements[0].id on line 3."
            ),
        ]
    )
    func takenIDs(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }

    @Test("two ad units may use the same line item id")
    func sameLineInTwoUnits() {
        let unit =
            #"{"id": "u2", "format": "video", "waterfall": [{"id": "l", "network": "gam", "network_unit": "1"}]}"#
        #expect(ComplaintCase("", whole(unit: "}, \(unit.dropLast())")).complaints(.error) == [])
    }

    @Test(
        "rules between keys",
        arguments: [
            ComplaintCase(
                "an admin listener in the open without a key",
                #"{"server": {"admin_listen": "0.0.0.0:8081"}}"#,
                "1:29: server.admin_listen: Other machines could reach the admin listener, and there is no admin_key. Set server.admin_key, or listen at 127.0.0.1."
            ),
            ComplaintCase(
                "an admin listener in the open with a key that is not set",
                #"{"server": {"admin_listen": "[::]:8081", "admin_key": {"env": "NOT_SET"}}}"#,
                "1:55: server.admin_key: The environment variable \"NOT_SET\" is not set. Set it before Weir starts."
            ),
            ComplaintCase(
                "both listeners at one address",
                #"{"server": {"listen": "127.0.0.1:8081"}}"#,
                "1:23: server.admin_listen: The public and the admin listener cannot both stand at 127.0.0.1:8081."
            ),
            ComplaintCase(
                "a longest wait below the first",
                #"{"initialization": {"retry_initial_ms": 500, "retry_max_ms": 100}}"#,
                "1:62: initialization.retry_max_ms: must not be less than retry_initial_ms, 500."
            ),
            ComplaintCase(
                "sections of a video unit",
                whole(unit: #", "sections": {"preroll": {}}"#),
                "6:3: ad_units[0].sections: Only audio units have sections; the format of this one is video."
            ),
            ComplaintCase(
                "durations the wrong way round",
                whole(unit: #", "min_duration_ms": 2, "max_duration_ms": 1"#),
                "6:44: ad_units[0].max_duration_ms: must not be less than min_duration_ms."
            ),
            ComplaintCase(
                "a test unit in production (S2.4)",
                whole(more: #", "environment": "production", "test_units": ["1"]"#),
                "4:47: ad_units[0].waterfall[0].network_unit: \"1\" is a test unit, and the environment is production. Write your own unit's id."
            ),
            ComplaintCase(
                "the well-known test unit in production without a list (S2.3)",
                whole(
                    waterfall:
                        #"{"id": "l", "network": "gam", "network_unit": "ca-app-pub-3940256099942544/1712485313"}"#,
                    more: #", "environment": "production""#
                ),
                "4:47: ad_units[0].waterfall[0].network_unit: \"ca-app-pub-3940256099942544/1712485313\" is a test unit, and the environment is production. Write your own unit's id."
            ),
        ]
    )
    func rules(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }

    @Test(
        "warnings leave the configuration usable",
        arguments: [
            ComplaintCase(
                "live units in development, all in one (S2.2)",
                whole(
                    waterfall: """
                        {"id": "l", "network": "gam", "network_unit": "1"}, {"id": "m", "network": "gam", "network_unit": "2"}
                        """
                ),
                "4:47: environment: The environment is development, but 2 line items ask for live units, first ad_units[0].waterfall[0].network_unit. List units that are for tests in test_units, or set environment to \"production\"."
            ),
            ComplaintCase("test units in development", whole(more: #", "test_units": ["1"]"#)),
            ComplaintCase(
                "nothing to serve",
                "{}",
                "1:1: There is no placement: every request will be answered 404."
            ),
            ComplaintCase(
                "a rewarded unit without reward, and nobody to ask",
                #"{"ad_units": [{"id": "u", "format": "rewarded", "waterfall": []}], "placements": [{"id": "p", "ad_unit": "u"}]}"#,
                "1:15: ad_units[0]: A rewarded unit without reward: viewers get what the network names, or nothing. Add \"reward\": {\"item\": \"coins\", \"amount\": \"10\"}.",
                "1:62: ad_units[0].waterfall: Nobody is asked: this ad unit never fills."
            ),
            ComplaintCase(
                "a network that has no such ads, a reward nobody reads, two currencies",
                whole(
                    networks:
                        #"{"id": "gam", "adapter": "rewarded", "settings": {"load_url": "https://a.example"}, "file": "x"}"#,
                    waterfall:
                        #"{"id": "l", "network": "gam", "network_unit": "1", "rate": {"amount": "1", "currency": "EUR"}}"#,
                    unit: #", "floor": {"amount": 1, "currency": "USD"}, "reward": {"item": "x", "amount": 1}"#,
                    more: #", "test_units": ["1"], "initialization": {"min_ready": 2}"#
                ),
                "2:85: networks[0].file: Only adapters of kind \"declared\" read it.",
                "4:24: ad_units[0].waterfall[0].network: The adapter \"rewarded\" loads no video ads: this line is always skipped.",
                "4:88: ad_units[0].waterfall[0].rate.currency: The floor is in USD and this rate in EUR: they cannot be compared. Name a file of exchange rates under currency.file.",
                "6:46: ad_units[0].reward: Only rewarded units read it.",
                "10:56: initialization.min_ready: So many networks can never be ready: 1 of them are enabled."
            ),
        ]
    )
    func warnings(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == [])
        #expect(example.complaints(.warning) == example.expected)
    }
}
