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

    /// Every object shape of a declared network's file, in the order of the docs.
    static let networkFiles = [
        networkFile, declaredSetting, declaredRequest, declaredReply, declaredCondition, declaredPart, declaredError,
        declaredAd, declaredSource, declaredDocument, declaredPrice, declaredExpiry, declaredReward, declaredMedia,
        houseAd, houseMedia,
    ]
}
