internal import WeirJSON
internal import WeirModel

/// The known keys of the configuration file, table by table.
enum Shapes {
    /// The whole file.
    static let root = ObjectShape(
        "configuration",
        at: "the whole file",
        "The configuration of one Weir gateway.",
        [
            KeyShape("$schema", .text(), "Tells an editor where the schema is; Weir does not look at it."),
            KeyShape("server", .object(server), "The doors: addresses, and what one client may cost."),
            KeyShape("initialization", .object(initialization), "How adapters are started."),
            KeyShape("storage", .object(storage), "Where decisions are kept."),
            KeyShape(
                "environment",
                .word(Environment.allCases.map(\.rawValue)),
                fallback: .text(Environment.development.rawValue),
                "`development` asks networks for test ads and warns of live units; `production` refuses test units."
            ),
            KeyShape(
                "test_units",
                .list(of: .text(), count: 0...ConfigurationLimits.listElements),
                fallback: .value(.array(wellKnownTestUnits.map { .string($0) })),
                "The networks' units that are for tests only."
            ),
            KeyShape(
                "networks",
                .list(of: .object(network), count: 0...ConfigurationLimits.networks),
                fallback: .value([]),
                "The networks that are asked for ads."
            ),
            KeyShape(
                "ad_units",
                .list(of: .object(adUnit), count: 0...ConfigurationLimits.adUnits),
                fallback: .value([]),
                "What you sell: each has one format and one waterfall."
            ),
            KeyShape(
                "placements",
                .list(of: .object(placement), count: 0...ConfigurationLimits.placements),
                fallback: .value([]),
                "The spots that apps and players ask for."
            ),
            KeyShape("currency", .object(currency), "What currencies are worth in one another."),
            KeyShape("rewards", .object(rewards), "How rewards are earned, and how they reach you."),
            KeyShape("limits", .object(limits), "How much one request or session may cost."),
            KeyShape(
                "beacons",
                .object(beacons),
                "How beacons, the calls that Weir owes to trackers, are kept and sent."
            ),
        ]
    )

    /// Test units that everybody knows (S2.3): the sample rewarded unit of AdMob's documentation.
    static let wellKnownTestUnits = ["ca-app-pub-3940256099942544/1712485313"]

    /// Where decisions are kept.
    static let storage = ObjectShape(
        "storage",
        at: "storage",
        "Where decisions are kept.",
        [
            KeyShape(
                "url",
                .storageURL,
                fallback: .text(defaultStorageURL),
                "`sqlite:` and a path, or `sqlite::memory:` to forget everything at the end."
            )
        ]
    )

    /// Exchange rates.
    static let currency = ObjectShape(
        "currency",
        at: "currency",
        "What currencies are worth in one another, so that prices, rates and floors can be compared.",
        [
            KeyShape(
                "base",
                .currency,
                fallback: .text(Currency.usDollar.code),
                "The currency that rates are given in."
            ),
            KeyShape("file", .text(), fallback: .words("no rates"), "The file of rates; read again when it changes."),
            KeyShape(
                "max_age_ms",
                span,
                fallback: .time(CurrencySettings().maxAge),
                "After so long rates are called stale; they count all the same."
            ),
        ]
    )

    /// Used when the file does not name one.
    static let defaultStorageURL = "sqlite:var/weir.db"

    /// Every object shape, in the order of the docs.
    static let all = [
        root, server, initialization, storage, network, breaker, process, adUnit, lineItem, group, money, targeting,
        cap,
        reward, sections, section, midroll, placement, currency, rewards, rewardLimits, rewardCallback, rewardScheme,
        schemeSignature, schemeReplies, schemeReply, limits, beacons,
    ]
}
