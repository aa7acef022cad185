/// The configuration of `weir demo`: sandbox networks that fill, and some in trouble, so that there is something to see.
enum DemoConfiguration {
    /// Names of the placements that are shown in the terminal, one of each format; the rest is for the web player.
    static let placements = ["movie_preroll", "level_end", "morning_radio"]

    /// The file's text for a public port; the admin port is one above, the networks' two.
    static func text(port: Int) -> String {
        let networks = "http://127.0.0.1:\(port + 2)"
        return """
            {
              "server": {"listen": "127.0.0.1:\(port)", "admin_listen": "127.0.0.1:\(port + 1)"},
              "initialization": {"timeout_ms": 10000, "min_ready": 3},
              "storage": {"url": "sqlite::memory:"},
              "environment": "development",
              "test_units": ["weir-test-high", "weir-test-mid", "weir-test-video", "weir-test-rest", "weir-test-rewarded", "weir-test-audio"],
              "networks": [
                {"id": "filmco", "adapter": "vast", "allow_private": ["127.0.0.1"],
                 "settings": {"tag_url": "\(networks)/video?unit={network_unit}&w={width}&h={height}&tmax={remaining_ms}&cb=[CACHEBUSTING]",
                              "probe_url": "\(networks)/health/video"}},
                {"id": "breakco", "adapter": "vast", "allow_private": ["127.0.0.1"],
                 "settings": {"tag_url": "\(networks)/video/custom/vmap?unit={network_unit}"}},
                {"id": "openco", "adapter": "vast", "allow_private": ["127.0.0.1"],
                 "settings": {"tag_url": "\(networks)/video/custom?unit={network_unit}&break=single"}},
                {"id": "deadco", "adapter": "vast", "allow_private": ["127.0.0.1"],
                 "settings": {"tag_url": "\(networks)/hang?unit={network_unit}"}},
                {"id": "slowco", "adapter": "vast", "allow_private": ["127.0.0.1"],
                 "settings": {"tag_url": "\(networks)/slow?ms=900&unit={network_unit}", "probe_url": "\(networks)/health/audio"}},
                {"id": "dryco", "adapter": "vast", "allow_private": ["127.0.0.1"],
                 "settings": {"tag_url": "\(networks)/nofill?unit={network_unit}"}},
                {"id": "bidco", "adapter": "openrtb", "allow_private": ["127.0.0.1"],
                 "settings": {"endpoint": "\(networks)/openrtb?unit={network_unit}"}},
                {"id": "coinco", "adapter": "rewarded", "allow_private": ["127.0.0.1"],
                 "settings": {"load_url": "\(networks)/rewarded?unit={network_unit}&user={user_id}",
                              "probe_url": "\(networks)/health/rewarded"}},
                {"id": "audioco", "adapter": "instream-audio", "allow_private": ["127.0.0.1"],
                 "settings": {"sections_url": "\(networks)/audio?unit={network_unit}&age={user_age}&lang={device_language}",
                              "probe_url": "\(networks)/health/audio"}},
                {"id": "quietco", "adapter": "instream-audio", "allow_private": ["127.0.0.1"],
                 "settings": {"sections_url": "\(networks)/hang?unit={network_unit}"}},
                {"id": "closedco", "adapter": "instream-audio", "allow_private": ["127.0.0.1"],
                 "settings": {"sections_url": "http://127.0.0.1:1/sections?unit={network_unit}"}}
              ],
              "ad_units": [
                {"id": "preroll", "format": "video", "timeout_ms": 1500, "waterfall": [
                  {"id": "slow-high", "network": "slowco", "network_unit": "weir-test-high", "rate": {"amount": "15.00", "currency": "USD"}, "timeout_ms": 200},
                  {"id": "dry-mid", "network": "dryco", "network_unit": "weir-test-mid", "rate": {"amount": "9.00", "currency": "USD"}},
                  {"id": "film-low", "network": "filmco", "network_unit": "weir-test-video", "rate": {"amount": "4.50", "currency": "USD"}},
                  {"id": "film-rest", "network": "filmco", "network_unit": "weir-test-rest", "rate": {"amount": "1.00", "currency": "USD"}}
                ]},
                {"id": "film-breaks", "format": "video", "timeout_ms": 1500, "waterfall": [
                  {"id": "breaks-1", "network": "breakco", "network_unit": "weir-test-video", "rate": {"amount": "4.00", "currency": "USD"}}
                ]},
                {"id": "film-auction", "format": "video", "floor": {"amount": "1.00", "currency": "USD"}, "timeout_ms": 1500, "waterfall": [
                  {"id": "dry-5", "network": "dryco", "network_unit": "weir-test-high", "rate": {"amount": "5.00", "currency": "USD"}},
                  {"id": "film-2", "network": "filmco", "network_unit": "weir-test-video", "rate": {"amount": "2.00", "currency": "USD"}},
                  {"id": "bid", "network": "bidco", "network_unit": "weir-test-video", "bidding": true}
                ]},
                {"id": "film-open", "format": "video", "timeout_ms": 1500, "waterfall": [
                  {"id": "open-1", "network": "openco", "network_unit": "weir-test-video", "rate": {"amount": "4.00", "currency": "USD"}}
                ]},
                {"id": "film-dead", "format": "video", "timeout_ms": 1500, "waterfall": [
                  {"id": "dead-1", "network": "deadco", "network_unit": "weir-test-video", "rate": {"amount": "4.00", "currency": "USD"}}
                ]},
                {"id": "coins", "format": "rewarded", "reward": {"item": "coins", "amount": "10"}, "timeout_ms": 1500, "waterfall": [
                  {"id": "coin-1", "network": "coinco", "network_unit": "weir-test-rewarded", "rate": {"amount": "8.00", "currency": "USD"}}
                ]},
                {"id": "radio", "format": "audio", "timeout_ms": 1500, "waterfall": [
                  {"id": "audio-1", "network": "audioco", "network_unit": "weir-test-audio", "rate": {"amount": "6.00", "currency": "USD"}}
                ]},
                {"id": "radio-hangs", "format": "audio", "timeout_ms": 1500, "waterfall": [
                  {"id": "quiet-1", "network": "quietco", "network_unit": "weir-test-audio", "rate": {"amount": "6.00", "currency": "USD"}}
                ]},
                {"id": "radio-refused", "format": "audio", "timeout_ms": 1500, "waterfall": [
                  {"id": "closed-1", "network": "closedco", "network_unit": "weir-test-audio", "rate": {"amount": "6.00", "currency": "USD"}}
                ]}
              ],
              "placements": [
                {"id": "movie_preroll", "ad_unit": "preroll"},
                {"id": "movie", "ad_unit": "film-breaks", "entitlements": ["custom_ui"]},
                {"id": "movie_custom_ui", "ad_unit": "film-open", "entitlements": ["custom_ui"]},
                {"id": "movie_auction", "ad_unit": "film-auction"},
                {"id": "movie_dead", "ad_unit": "film-dead"},
                {"id": "level_end", "ad_unit": "coins"},
                {"id": "morning_radio", "ad_unit": "radio"},
                {"id": "radio_hangs", "ad_unit": "radio-hangs"},
                {"id": "radio_refused", "ad_unit": "radio-refused"}
              ]
            }
            """
    }
}
