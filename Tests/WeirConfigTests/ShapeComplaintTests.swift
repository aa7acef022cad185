import Testing
import WeirConfig

@Suite("Complaints about single values")
struct ShapeComplaintTests {
    @Test(
        "names line, column, path and remedy",
        arguments: [
            ComplaintCase(
                "a text that is no JSON",
                "{\n  \"server\": {,}\n}",
                "2:14: A key in double quotes was expected, not `,`."
            ),
            ComplaintCase("an empty file", "", "1:1: The text is empty; a JSON value was expected."),
            ComplaintCase("a list at the root", "[]", "1:1: must be an object, not an array."),
            ComplaintCase("an open comment", "{}\n/* ", "2:1: The comment that begins here is never closed."),
            ComplaintCase(
                "an unknown key near a known one",
                "{\"server\": {\n  \"lisen\": \"127.0.0.1:1\"}}",
                "2:3: server.lisen: There is no such key. Did you mean \"listen\"?"
            ),
            ComplaintCase(
                "an unknown key near none",
                #"{"storage": {"engine": 1}}"#,
                "1:14: storage.engine: There is no such key. Known here: url."
            ),
            ComplaintCase(
                "doubled keys, and what else is wrong",
                "{\"server\": {\"workers\": 0,\n\"workers\": 2, \"drain_ms\": -1},\n\"server\": {}}",
                "1:24: server.workers: must be a whole number from 1 to 256, not 0.",
                "2:1: server.workers: The key stands here again; it stood on line 1 first.",
                "2:27: server.drain_ms: must be a whole number of milliseconds from 0 to 3600000, not -1.",
                "3:1: server: The key stands here again; it stood on line 1 first."
            ),
            ComplaintCase(
                "a null",
                #"{"server": null}"#,
                "1:12: server: must not be null. Leave the key out."
            ),
            ComplaintCase(
                "wrong types",
                #"{"server": [], "networks": {}, "limits": {"sessions": "1"}, "environment": 1}"#,
                "1:12: server: must be an object, not an array.",
                "1:28: networks: must be a list, not an object.",
                "1:55: limits.sessions: must be a whole number, not a string.",
                "1:76: environment: must be a text, not a number. Put it in quotation marks."
            ),
            ComplaintCase(
                "numbers that are not whole, or zero, or absurd",
                #"{"initialization": {"timeout_ms": 0, "min_ready": 1.5, "retry_max_ms": 99999999999999999999}}"#,
                "1:35: initialization.timeout_ms: must be a whole number of milliseconds from 1 to 3600000, not 0.",
                "1:51: initialization.min_ready: must be a whole number, not 1.5.",
                "1:72: initialization.retry_max_ms: must be a whole number of milliseconds, not 99999999999999999999."
            ),
            ComplaintCase(
                "addresses that are none",
                #"{"server": {"listen": "8080", "admin_listen": "[::1]", "trusted_proxies": ["10.0.0.0/33", "::1/128"]}}"#,
                "1:23: server.listen: \"8080\" is no address to listen at. Write host:port, [v6 address]:port or unix:/path.",
                "1:47: server.admin_listen: \"[::1]\" is no address to listen at. Write host:port, [v6 address]:port or unix:/path.",
                "1:76: server.trusted_proxies[0]: \"10.0.0.0/33\" is no IP address or range. Write it like 127.0.0.1, 10.0.0.0/8 or fd00::/8."
            ),
            ComplaintCase(
                "URLs that are none",
                #"{"rewards": {"publisher_callback_url": "ftp://x"}, "storage": {"url": "postgres://u:pw@h/d"}}"#,
                "1:40: rewards.publisher_callback_url: must be an absolute http or https URL.",
                "1:71: storage.url: PostgreSQL is not available in this version. Write \"sqlite:\" and a path."
            ),
            ComplaintCase(
                "a word that is none",
                #"{"environment": "prodution"}"#,
                "1:17: environment: must be one of development, production, not \"prodution\". Did you mean \"production\"?"
            ),
        ]
    )
    func complains(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }

    @Test(
        "inside ad units, too",
        arguments: [
            ComplaintCase(
                "bad money",
                whole(unit: #", "floor": {"amount": "1,50", "currency": "Dollar"}"#),
                "6:23: ad_units[0].floor.amount: \"1,50\" is no decimal number that can be kept exactly. Write it like \"1.50\".",
                "6:43: ad_units[0].floor.currency: must be a currency of three letters, such as USD, not \"Dollar\"."
            ),
            ComplaintCase(
                "money below zero, and half of it",
                whole(
                    waterfall: #"{"id": "l", "network": "gam", "network_unit": "1", "rate": {"amount": -1}}"#
                ),
                "4:60: ad_units[0].waterfall[0].rate.currency: is required.",
                "4:71: ad_units[0].waterfall[0].rate.amount: must not be negative, but is -1."
            ),
            ComplaintCase(
                "money that cannot be kept",
                whole(unit: #", "floor": {"amount": "1e300", "currency": "USD"}"#),
                "6:23: ad_units[0].floor.amount: \"1e300\" is no decimal number that can be kept exactly. Write it like \"1.50\"."
            ),
            ComplaintCase(
                "a unit without format, a line without anything",
                #"{"ad_units": [{"id": "u", "waterfall": [{}]}], "placements": [{"id": "p", "ad_unit": "u"}]}"#,
                "1:15: ad_units[0].format: is required.",
                "1:41: ad_units[0].waterfall[0].id: is required.",
                "1:41: ad_units[0].waterfall[0].network: is required.",
                "1:41: ad_units[0].waterfall[0].network_unit: is required."
            ),
            ComplaintCase(
                "ids that cannot be ids",
                whole(placements: #"{"id": "", "ad_unit": "u"}, {"id": "a\nb", "ad_unit": "u"}"#),
                "8:8: placements[0].id: An id has 1 to 128 bytes and no control characters; this is \"\".",
                "8:36: placements[1].id: An id has 1 to 128 bytes and no control characters; this is \"a\\nb\"."
            ),
            ComplaintCase(
                "bad targeting and caps",
                whole(
                    waterfall: """
                        {"id": "l", "network": "gam", "network_unit": "1",
                        "targeting": {"country": ["Germany"], "language": [], "keys": {"a": [1], "": "x"}},
                        "cap": {"count": 0, "per_ms": 1}, "pacing": {"count": 1}}
                        """
                ),
                "5:27: ad_units[0].waterfall[0].targeting.country[0]: must be a country code of two letters, such as DE, not \"Germany\".",
                "5:51: ad_units[0].waterfall[0].targeting.language: must not be empty.",
                "5:70: ad_units[0].waterfall[0].targeting.keys.a[0]: must be a text, not a number. Put it in quotation marks.",
                "5:74: ad_units[0].waterfall[0].targeting.keys[\"\"]: A key must have 1 to 128 bytes.",
                "6:18: ad_units[0].waterfall[0].cap.count: must be a whole number from 1 to 1000000000, not 0.",
                "6:45: ad_units[0].waterfall[0].pacing.per_ms: is required."
            ),
            ComplaintCase(
                "an empty group",
                whole(waterfall: #"{"group": [], "timeout_ms": 0}"#),
                "4:11: ad_units[0].waterfall[0].group: must not be empty.",
                "4:29: ad_units[0].waterfall[0].timeout_ms: must be a whole number of milliseconds from 1 to 3600000, not 0."
            ),
            ComplaintCase(
                "a reward of nothing",
                whole(unit: #", "reward": {"item": "", "amount": "0"}"#),
                "6:22: ad_units[0].reward.item: must not be empty.",
                "6:36: ad_units[0].reward.amount: must be above zero, not 0."
            ),
        ]
    )
    func complainsInside(_ example: ComplaintCase) {
        #expect(example.complaints(.error) == example.expected)
    }
}
