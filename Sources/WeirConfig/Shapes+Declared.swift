internal import WeirJSON
internal import WeirModel

extension Shapes {
    /// The file of a declared network.
    static let networkFile = ObjectShape(
        "network_file",
        at: "the whole file",
        "A network without code: how it is asked, and what its answer means.",
        [
            KeyShape("$schema", .text(), "Tells an editor where the schema is; Weir does not look at it."),
            KeyShape("name", .text(), "What people call the network."),
            KeyShape("documentation", .webURL, "The page of the network that this file follows."),
            KeyShape(
                "version",
                .text(maxBytes: 64),
                fallback: .text("1.0.0"),
                "The file's own version, as answers and metrics show it."
            ),
            KeyShape(
                "preset",
                .word(["vast-tag", "audio-vast", "json", "static", "openrtb"]),
                fallback: .text("json"),
                "What the network speaks."
            ),
            KeyShape(
                "formats",
                .list(of: .word(AdFormat.allCases.map(\.rawValue)), count: 1...AdFormat.allCases.count),
                fallback: .words("the preset's"),
                "What it sells; lines of other ad units are `skipped(format)`."
            ),
            KeyShape("settings", .map(of: .object(declaredSetting)), "What the operator must or may set."),
            KeyShape("url", template, "Where it is asked: an absolute URL, a template."),
            KeyShape("probe_url", template, "Asked once at set-up; any 2xx makes the network ready."),
            KeyShape("request", .object(declaredRequest), "What is sent, beside the URL."),
            KeyShape("reply", .object(declaredReply), fallback: .words("the preset's"), "What the answer means."),
            KeyShape(
                "ads",
                .list(of: .object(houseAd), count: 1...ConfigurationLimits.listElements),
                "The ads of a `static` network."
            ),
            KeyShape("openrtb", .settings, "The settings of the adapter `openrtb`, for that preset."),
        ]
    )

    private static let template = ValueShape.text(maxBytes: 8192)

    /// One setting that a declared network's file asks for.
    static let declaredSetting = ObjectShape(
        "declared_setting",
        at: "settings.NAME",
        "A setting that the file's templates use as `{settings.NAME}`.",
        [
            KeyShape(
                "type",
                .word(["text", "whole", "decimal", "flag", "url"]),
                fallback: .text("text"),
                "What it must be."
            ),
            KeyShape("required", .flag, fallback: .flag(false), "Whether the network is nothing without it."),
            KeyShape(
                "secret",
                .flag,
                fallback: .flag(false),
                "Whether it must be `{\"env\": …}` or `{\"file\": …}`; it is kept out of logs and traces."
            ),
            KeyShape("default", .scalar, "What holds when it is not set."),
            KeyShape("one_of", .list(of: .scalar, count: 1...100), fallback: .words("any"), "The values allowed."),
            KeyShape("description", .text(), "What it is, for the operator."),
        ]
    )

    /// The request of a declared network.
    static let declaredRequest = ObjectShape(
        "declared_request",
        at: "request",
        "What is sent; all texts are templates.",
        [
            KeyShape(
                "method",
                .word(["GET", "POST", "PUT"]),
                fallback: .words("`POST` with a body, else `GET`"),
                "The method."
            ),
            KeyShape(
                "query",
                .map(of: .scalar),
                "Parameters behind the URL; one with a field that has no value is left out."
            ),
            KeyShape("headers", .map(of: .scalar), "Header fields; one with a field that has no value is left out."),
            KeyShape("json", .anything, "A JSON body; a member with a field that has no value is left out."),
            KeyShape("form", .map(of: .scalar), "A form as body; one with a field that has no value is left out."),
            KeyShape(
                "text",
                .text(maxBytes: 8192),
                "Any other body; each of its fields ends in a filter that makes it safe."
            ),
        ]
    )

    /// The reply of a declared network.
    static let declaredReply = ObjectShape(
        "declared_reply",
        at: "reply",
        "What an answer means.",
        [
            KeyShape(
                "format",
                .word(["vast", "json", "any"]),
                fallback: .words("the preset's"),
                "What the body is; `any` takes markup when it begins with `<`, else JSON."
            ),
            KeyShape(
                "no_fill",
                .oneOrMany(.object(declaredCondition), count: 1...50),
                "When any of these holds, the network has nothing to sell."
            ),
            KeyShape("error", .object(declaredError), "When the answer is an error."),
            KeyShape(
                "ads",
                .text(maxBytes: 512),
                fallback: .words("the whole reply"),
                "Path of the ad, or of the list of ads."
            ),
            KeyShape("ad", .object(declaredAd), "Where the parts of an ad stand; paths count from the ad."),
        ]
    )

    private static let tests: [KeyShape] = [
        KeyShape("equals", .scalar, "Holds for this value; `1` and `1.0` are equal."),
        KeyShape("one_of", .list(of: .scalar, count: 1...100), "Holds for one of these values."),
        KeyShape(
            "none_of",
            .list(of: .scalar, count: 1...100),
            "Holds for any value but these; not when it is absent."
        ),
        KeyShape("absent", .flag, "`true` holds when it is absent or `null`, `false` when it is there."),
        KeyShape("empty", .flag, "`true` holds for nothing, an empty text, list or object; `false` for anything else."),
        KeyShape(
            "matches",
            .text(maxBytes: 512),
            "Holds for a text like this; `*` is any text, `?` any character, case does not matter."
        ),
    ]

    private static let subjects: [KeyShape] = [
        KeyShape(
            "status",
            .oneOrMany(.whole(100...599), count: 1...50),
            "Holds for this status, or one of these; needs no test."
        ),
        KeyShape("path", .text(maxBytes: 512), "Looks at this place in the JSON."),
        KeyShape("header", .text(maxBytes: 128), "Looks at this header field of the reply."),
    ]

    /// A question about a reply.
    static let declaredCondition = ObjectShape(
        "declared_condition",
        at: "reply.no_fill[], reply.error.when[]",
        "A question about a reply: what is looked at, and one test.",
        subjects + [
            KeyShape("all", .list(of: .object(declaredPart), count: 1...20), "Holds when all of these hold.")
        ] + tests
    )

    /// A part of a condition.
    static let declaredPart = ObjectShape(
        "declared_part",
        at: "reply.no_fill[].all[]",
        "One of several questions that must all hold.",
        subjects + tests
    )

    /// When a reply is an error.
    static let declaredError = ObjectShape(
        "declared_error",
        at: "reply.error",
        "When the answer is an error, and where its words stand.",
        [
            KeyShape(
                "when",
                .oneOrMany(.object(declaredCondition), count: 1...50),
                required: true,
                "When any of these holds, the answer is `network_error(network_reported)`."
            ),
            KeyShape("code", .textOr(declaredSource), "The network's code for it."),
            KeyShape("message", .textOr(declaredSource), "The network's words for it."),
        ]
    )

    /// Where a value stands.
    static let declaredSource = ObjectShape(
        "declared_source",
        at: "reply.ad.*",
        "Where a value stands; a text alone is a path.",
        sources
    )

    private static let sources: [KeyShape] = [
        KeyShape("path", .text(maxBytes: 512), "This place in the ad's JSON."),
        KeyShape("header", .text(maxBytes: 128), "This header field of the reply."),
        KeyShape("value", .scalar, "This value itself."),
    ]

    /// Where a document stands.
    static let declaredDocument = ObjectShape(
        "declared_document",
        at: "reply.ad.vast",
        "Where the VAST document stands; a text alone is a path.",
        sources + [
            KeyShape("decode", .word(["none", "base64", "url"]), fallback: .text("none"), "How it is wrapped.")
        ]
    )

    /// Where an expiry stands.
    static let declaredExpiry = ObjectShape(
        "declared_expiry",
        at: "reply.ad.expires",
        "How long the ad may wait; a text alone is a path, in seconds.",
        sources + [
            KeyShape(
                "unit",
                .word(["ms", "s", "min", "unix", "unix_ms"]),
                fallback: .text("s"),
                "What its number counts: a time from now, or an instant."
            )
        ]
    )

    /// Where a price stands.
    static let declaredPrice = ObjectShape(
        "declared_price",
        at: "reply.ad.price",
        "The price of the ad; one of `currency` and `default_currency` must be there.",
        [
            KeyShape("amount", .textOr(declaredSource), required: true, "A decimal number, as number or text."),
            KeyShape(
                "currency",
                .textOr(declaredSource),
                "Its currency, in the ad or else in the whole reply; absent in both, the ad is `rejected(currency)`."
            ),
            KeyShape("default_currency", .currency, "The currency when the network says none."),
            KeyShape(
                "unit",
                .word(["cpm", "cents", "micros", "impression"]),
                fallback: .text("cpm"),
                "What the number counts: the price of 1,000 impressions, its hundredths or millionths, or that of one."
            ),
            KeyShape(
                "decimals",
                .whole(0...12),
                fallback: .whole(0),
                "How many of its last digits stand behind the decimal point: 3 for thousandths, 6 with `impression` for millionths of the price of one."
            ),
            KeyShape(
                "optional",
                .flag,
                fallback: .flag(false),
                "Whether an ad without a price is taken at the line item's rate, instead of `bad_response(missing_price)`."
            ),
        ]
    )

    /// Where a reward stands.
    static let declaredReward = ObjectShape(
        "declared_reward",
        at: "reply.ad.reward",
        "What the network promises a viewer.",
        [
            KeyShape("item", .textOr(declaredSource), required: true, "What it is."),
            KeyShape("amount", .textOr(declaredSource), required: true, "How much."),
        ]
    )

    /// Where media stand that come without VAST.
    static let declaredMedia = ObjectShape(
        "declared_media",
        at: "reply.ad.media",
        "Media that come without VAST; Weir writes the document.",
        [
            KeyShape("url", .textOr(declaredSource), required: true, "The file's address."),
            KeyShape("mime", .textOr(declaredSource), fallback: .words("by the address's ending"), "Its type."),
            KeyShape("duration_ms", .textOr(declaredSource), fallback: .words("30 s"), "Its length in milliseconds."),
            KeyShape("duration_s", .textOr(declaredSource), "Its length in seconds, when it is told so."),
            KeyShape("width", .textOr(declaredSource), "Its width."),
            KeyShape("height", .textOr(declaredSource), "Its height."),
            KeyShape("click_through", .textOr(declaredSource), "Where a click leads."),
            KeyShape("impressions", .textOr(declaredSource), "Addresses to be told of the impression: one, or a list."),
            KeyShape("click_tracking", .textOr(declaredSource), "Addresses to be told of a click: one, or a list."),
        ]
    )

    /// Where the parts of an ad stand.
    static let declaredAd = ObjectShape(
        "declared_ad",
        at: "reply.ad",
        "Where the parts of an ad stand; the first of `vast`, `vast_url` and `media` that is there is taken.",
        [
            KeyShape("vast", .textOr(declaredDocument), "The document itself."),
            KeyShape("vast_url", .textOr(declaredSource), "An address that answers with it."),
            KeyShape("media", .object(declaredMedia), "Media without VAST."),
            KeyShape("id", .textOr(declaredSource), "The network's id of the ad."),
            KeyShape("title", .textOr(declaredSource), "Its title, for people."),
            KeyShape("creative_id", .textOr(declaredSource), "The network's id of the creative."),
            KeyShape("deal", .textOr(declaredSource), "The deal it belongs to."),
            KeyShape("advertiser_domains", .textOr(declaredSource), "The advertiser's domains: one, or a list."),
            KeyShape("categories", .textOr(declaredSource), "Its IAB categories: one, or a list."),
            KeyShape("win_url", .textOr(declaredSource), "Addresses called when the ad is taken: one, or a list."),
            KeyShape("billing_url", .textOr(declaredSource), "Addresses called when it is shown."),
            KeyShape("loss_url", .textOr(declaredSource), "Addresses called when it is not taken."),
            KeyShape(
                "price",
                .object(declaredPrice),
                fallback: .words("the line item's rate"),
                "What the network pays."
            ),
            KeyShape("expires", .textOr(declaredExpiry), fallback: .words("the ad unit's"), "How long it may wait."),
            KeyShape("reward", .object(declaredReward), fallback: .words("the ad unit's"), "What a viewer gets."),
            KeyShape(
                "request_id",
                .textOr(declaredSource),
                "Where the ad repeats `{request_id}`; one that repeats another is `rejected(unknown_imp)`."
            ),
        ]
    )

    /// One ad of a static network.
    static let houseAd = ObjectShape(
        "house_ad",
        at: "ads[]",
        "An ad of your own: one of `vast`, `vast_file`, `vast_url` and `media`.",
        [
            KeyShape(
                "network_unit",
                .text(),
                fallback: .words("all units"),
                "The line items' `network_unit` that it is for."
            ),
            KeyShape("vast", .text(maxBytes: ConfigurationLimits.houseAdBytes), "A VAST document."),
            KeyShape("vast_file", .text(), "A file with one, counted from this file."),
            KeyShape("vast_url", .webURL, "An address that answers with one."),
            KeyShape("media", .object(houseMedia), "A media file; Weir writes the document."),
            KeyShape("id", .text(maxBytes: 256), "Its id."),
            KeyShape("title", .text(maxBytes: 256), "Its title, for people."),
        ]
    )

    /// The media of a static network's ad.
    static let houseMedia = ObjectShape(
        "house_media",
        at: "ads[].media",
        "A media file of your own.",
        [
            KeyShape("url", .webURL, required: true, "Its address."),
            KeyShape("mime", .text(maxBytes: 128), fallback: .words("by the address's ending"), "Its type."),
            KeyShape("duration_ms", .milliseconds(1...86_400_000), fallback: .words("30000"), "Its length."),
            KeyShape("width", .whole(1...65_535), "Its width."),
            KeyShape("height", .whole(1...65_535), "Its height."),
            KeyShape("click_through", .webURL, "Where a click leads."),
            KeyShape("impressions", .list(of: .webURL, count: 1...50), "Addresses to be told of the impression."),
            KeyShape("click_tracking", .list(of: .webURL, count: 1...50), "Addresses to be told of a click."),
        ]
    )

    /// Every object shape of a declared network's file, in the order of the docs.
    static let networkFiles = [
        networkFile, declaredSetting, declaredRequest, declaredReply, declaredCondition, declaredPart, declaredError,
        declaredAd, declaredSource, declaredDocument, declaredPrice, declaredExpiry, declaredReward, declaredMedia,
        houseAd, houseMedia,
    ]
}
