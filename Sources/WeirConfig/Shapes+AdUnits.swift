internal import WeirJSON
internal import WeirModel

extension Shapes {
    private static let usual = AdUnit(id: "", format: .video)
    private static let usualLine = LineItem(id: "", network: "", networkUnit: "")

    /// The VAST versions that ads are served in; `2.0` and `3.0` are the same as `2` and `3`.
    static let vastVersions = ["2", "2.0", "3", "3.0", "4.0", "4.1", "4.2", "4.3"]

    /// What is sold.
    static let adUnit = ObjectShape(
        "ad_unit",
        at: "ad_units[]",
        "What you sell: one format, one waterfall.",
        [
            KeyShape("id", .name, required: true, "What placements, logs and metrics call it."),
            KeyShape("format", .word(AdFormat.allCases.map(\.rawValue)), required: true, "The kind of ad."),
            KeyShape(
                "waterfall",
                .list(of: .either(group, whenKey: "group", otherwise: lineItem), count: 0...ConfigurationLimits.rungs),
                required: true,
                "The line items and groups that are asked, one after another, until one fills."
            ),
            KeyShape("floor", .object(money), "The least you accept, per 1,000 impressions."),
            KeyShape(
                "timeout_ms",
                .milliseconds(1...60_000),
                fallback: .time(usual.timeout),
                "The hard limit of a request that names none itself; no request has more than a minute."
            ),
            KeyShape(
                "vast_version",
                .word(vastVersions),
                fallback: .text(usual.vastVersion),
                "The VAST version of the answer, unless the player asks for another."
            ),
            KeyShape("max_ads", .whole(1...100), fallback: .whole(usual.maxAds), "The most ads of one answer."),
            KeyShape(
                "order",
                .word(WaterfallOrder.allCases.map(\.rawValue)),
                fallback: .text(usual.order.rawValue),
                "`list` asks as written; `rate` asks the best rate first, ties as written."
            ),
            KeyShape(
                "bid_timeout_ms",
                wait,
                fallback: .words("half of the request's time"),
                "The most that collecting bids may take, before the first rated line is asked."
            ),
            KeyShape("reward", .object(reward), "What a viewer is promised; for rewarded units."),
            KeyShape(
                "reward_mode",
                .word(RewardMode.allCases.map(\.rawValue)),
                fallback: .text(usual.rewardMode.rawValue),
                "Whose word grants the reward: the client's, the network's callback, or both together."
            ),
            KeyShape("expires_ms", span, fallback: .time(usual.expires), "How long an ad may wait to be shown."),
            KeyShape(
                "sections",
                .object(sections),
                fallback: .words("all sections, no limits"),
                "The parts of a programme where an audio unit serves, and their limits."
            ),
            KeyShape(
                "separate_categories",
                .flag,
                fallback: .flag(usual.separatesCategories),
                "Whether two networks' ads of one category are kept out of one audio break."
            ),
            KeyShape(
                "blocked_categories",
                .list(of: .text(maxBytes: 128), count: 0...ConfigurationLimits.listElements),
                fallback: .value([]),
                "IAB categories that are refused."
            ),
            KeyShape(
                "require_category",
                .flag,
                fallback: .flag(usual.requiresCategory),
                "Refuses ads that name no category."
            ),
            KeyShape("min_duration_ms", span, fallback: .words("no limit"), "The shortest ad accepted."),
            KeyShape("max_duration_ms", span, fallback: .words("no limit"), "The longest ad accepted."),
        ]
    )

    /// What a viewer is promised.
    static let reward = ObjectShape(
        "reward",
        at: "ad_units[].reward",
        "What a viewer is promised for watching.",
        [
            KeyShape("item", .text(maxBytes: 256), required: true, "What it is, such as `coins`."),
            KeyShape("amount", .decimal, required: true, "How much, exactly: `\"10\"`, `\"0.5\"`."),
            KeyShape(
                "override",
                .flag,
                fallback: .flag(usual.overridesReward),
                "Whether it wins over a reward that the network names."
            ),
        ]
    )

    /// The sections of an audio programme.
    static let sections = ObjectShape(
        "sections",
        at: "ad_units[].sections",
        "Where an audio unit serves; a section that is not listed is not served.",
        AudioSection.allCases.map { part in
            KeyShape(
                part.rawValue,
                .object(part == .midroll ? midroll : section),
                "Serves the \(part.rawValue), within these limits."
            )
        }
    )

    /// The limit of one section.
    static let section = ObjectShape(
        "section",
        at: "ad_units[].sections.*",
        "The limit of one section.",
        sectionLimits
    )

    /// The limit of the mid-rolls.
    static let midroll = ObjectShape(
        "midroll",
        at: "ad_units[].sections.midroll",
        "The limit of each mid-roll.",
        sectionLimits + [
            KeyShape(
                "min_gap_ms",
                span,
                fallback: .words("no limit"),
                "The least content between a mid-roll and the break before or after it."
            )
        ]
    )

    private static let sectionLimits = [
        KeyShape("max_ads", .whole(1...100), fallback: .words("no limit"), "The most ads."),
        KeyShape("max_duration_ms", span, fallback: .words("no limit"), "The longest the section may be."),
    ]

    /// A price.
    static let money = ObjectShape(
        "money",
        at: "every price",
        "A price of 1,000 impressions, exact to a millionth; what lies beyond is cut off.",
        [
            KeyShape("amount", .money, required: true, "The amount as decimal text, such as `\"12.50\"`."),
            KeyShape("currency", .currency, required: true, "Three letters of ISO 4217, such as `USD`."),
        ]
    )

    /// One line of a waterfall.
    static let lineItem = ObjectShape(
        "line_item",
        at: "ad_units[].waterfall[]",
        "One line of a waterfall: a network's unit at a rate.",
        [
            KeyShape("id", .name, required: true, "What answers, logs and metrics call it; unique in its ad unit."),
            KeyShape("network", .name, required: true, "The `id` of the network that is asked."),
            KeyShape("network_unit", .text(maxBytes: 1024), required: true, "The unit as the network spells it."),
            KeyShape("rate", .object(money), "The price that places it, per 1,000 impressions."),
            KeyShape(
                "bidding",
                .flag,
                fallback: .flag(usualLine.isBidding),
                "Whether it names a price for each request: it is asked first and takes its place by its bid."
            ),
            KeyShape("timeout_ms", wait, fallback: .words("the network's"), "The most it may take."),
            KeyShape("enabled", .flag, fallback: .flag(usualLine.isEnabled), "`false` leaves it out."),
            KeyShape("targeting", .object(targeting), fallback: .words("everybody"), "Who it is for."),
            KeyShape("cap", .object(cap), fallback: .words("no limit"), "How often one user may get it."),
            KeyShape("pacing", .object(cap), fallback: .words("no limit"), "How often it may be asked in all."),
            KeyShape(
                "requires_consent",
                .flag,
                fallback: .flag(usualLine.requiresConsent),
                "Whether it needs consent where the GDPR applies."
            ),
        ]
    )

    /// Lines asked side by side.
    static let group = ObjectShape(
        "group",
        at: "ad_units[].waterfall[]",
        "Line items asked side by side; the best price wins, ties as written.",
        [
            KeyShape(
                "group",
                .list(of: .object(lineItem), count: 1...ConfigurationLimits.rungs),
                required: true,
                "The line items."
            ),
            KeyShape("timeout_ms", wait, fallback: .words("what is left"), "The most they may take together."),
        ]
    )

    /// Who a line is for.
    static let targeting = ObjectShape(
        "targeting",
        at: "ad_units[].waterfall[].targeting",
        "Who a line is for: every list that is there must hold the request's value.",
        [
            KeyShape("country", few(.country), "Countries, two letters each."),
            KeyShape("os", few(.text(maxBytes: 64)), "Operating systems, such as `ios`."),
            KeyShape("app_bundle", few(.text(maxBytes: 256)), "App bundles."),
            KeyShape("language", few(.language), "Device languages, two letters each."),
            KeyShape("keys", .keyValues, "Your own keys; one of the values of each must be there."),
        ]
    )

    private static func few(_ shape: ValueShape) -> ValueShape {
        .list(of: shape, count: 1...ConfigurationLimits.listElements)
    }

    /// So many times in so long.
    static let cap = ObjectShape(
        "cap",
        at: "cap and pacing of a line item",
        "So many times in so long.",
        [
            KeyShape("count", .whole(1...1_000_000_000), required: true, "How many times."),
            KeyShape("per_ms", span, required: true, "In how long."),
        ]
    )

    /// A spot that is asked for.
    static let placement = ObjectShape(
        "placement",
        at: "placements[]",
        "A spot that apps and players ask for.",
        [
            KeyShape("id", .name, required: true, "What requests call it."),
            KeyShape("ad_unit", .name, required: true, "The `id` of the ad unit that serves it."),
            KeyShape(
                "entitlements",
                .list(of: .word(Entitlement.allCases.map(\.rawValue)), count: 0...Entitlement.allCases.count),
                fallback: .value([]),
                "`custom_ui` lets the app draw the controls itself."
            ),
            KeyShape(
                "require_hideable_ui",
                .flag,
                fallback: .flag(false),
                "Refuses ads that insist on their own controls."
            ),
        ]
    )
}
