internal import WeirJSON
internal import WeirRewards

/// What stands under `rewards`.
extension Shapes {
    private static let usual = RewardSettings()
    private static let privateRanges = ValueShape.list(
        of: .addressRange,
        count: 0...ConfigurationLimits.listElements
    )

    /// How rewards are earned, and how they reach the publisher.
    static let rewards = ObjectShape(
        "rewards",
        at: "rewards",
        "How rewards are earned, and how they reach you.",
        [
            KeyShape(
                "publisher_callback_url",
                .webURL,
                "Where your server is told of each granted reward; without a query."
            ),
            KeyShape(
                "allow_private",
                privateRanges,
                fallback: .value([]),
                "Addresses inside private ranges that your server may have."
            ),
            KeyShape(
                "late_reward_grace_ms",
                .milliseconds(0...ConfigurationLimits.spanMilliseconds),
                fallback: .time(usual.lateRewardGrace),
                "How long after the end of a session a network's verification still counts."
            ),
            KeyShape(
                "delivery_timeout_ms",
                wait,
                fallback: .time(usual.deliveryTimeout),
                "How long your server may take to answer one callback."
            ),
            KeyShape(
                "retry_initial_ms",
                wait,
                fallback: .time(usual.retry.initial),
                "The gap after a failed callback; each is twice the last, spread by a quarter."
            ),
            KeyShape("retry_max_ms", span, fallback: .time(usual.retry.longest), "The longest such gap."),
            KeyShape(
                "give_up_ms",
                span,
                fallback: .time(usual.retry.giveUp),
                "How long after the grant a callback is tried; then it is on the list of the dead."
            ),
            KeyShape(
                "keys_file",
                .text(),
                fallback: .words("`weir-keys.json` beside the database"),
                "Where Weir's own keys are kept, for the owner's eyes only; every process of one database needs the same."
            ),
            KeyShape(
                "key_rotation_ms",
                span,
                fallback: .time(usual.keyRotation),
                "How old a signing key may be before the next one is published."
            ),
            KeyShape(
                "alarm_ms",
                span,
                fallback: .time(usual.alarm),
                "A view that has begun and was not called back for so long raises an alarm."
            ),
            KeyShape("limits", .object(rewardLimits), fallback: .words("no limits"), "How many rewards are too many."),
            KeyShape(
                "network_numbers",
                .keyValues,
                fallback: .words("made from the id"),
                "The number that stands for a network in callbacks to you, such as AdMob's ids of ad sources."
            ),
            KeyShape(
                "callbacks",
                .list(of: .object(rewardCallback), count: 0...ConfigurationLimits.networks),
                fallback: .value([]),
                "Who may send server-side verification to `/v1/ssv/{network}`."
            ),
            KeyShape(
                "schemes",
                .list(of: .object(rewardScheme), count: 0...ConfigurationLimits.listElements),
                fallback: .value([]),
                "Schemes of your own, for networks that Weir does not know."
            ),
        ]
    )

    /// How many rewards are too many.
    static let rewardLimits = ObjectShape(
        "reward_limits",
        at: "rewards.limits",
        "How many rewards are too many; what comes on top is refused with `over_limit_…`.",
        [
            KeyShape("user", .object(cap), "Rewards of one user."),
            KeyShape("device", .object(cap), "Rewards of one device, told by its advertising id or address."),
            KeyShape("placement", .object(cap), "Rewards of one placement, all users together."),
        ]
    )

    /// One sender of callbacks.
    static let rewardCallback = ObjectShape(
        "reward_callback",
        at: "rewards.callbacks[]",
        "One sender of server-side verification.",
        [
            KeyShape("network", .name, required: true, "Its name in the address `/v1/ssv/{network}`."),
            KeyShape(
                "scheme",
                .name,
                required: true,
                "How it signs: \(BuiltInSchemes.all.map { "`\($0.id)`" }.joined(separator: ", ")), or one of `schemes`."
            ),
            KeyShape("secret", .secret, "What is shared with the network; AdMob has none."),
            KeyShape(
                "parameters",
                .keyValues,
                fallback: .words("the scheme's"),
                "Your own names of parameters by field, where the network lets you choose; `signature` is one too."
            ),
            KeyShape(
                "ad_units",
                .keyValues,
                fallback: .words("none"),
                "Your ad unit by the network's; AdMob needs it, because Google signs for every publisher with one key."
            ),
            KeyShape(
                "check_reward",
                .flag,
                fallback: .flag(true),
                "Refuses a signed item or amount that is not what was promised."
            ),
            KeyShape(
                "keys_url",
                .webURL,
                fallback: .words("Google's"),
                "Where AdMob's verifier keys are published."
            ),
            KeyShape("keys_file", .text(), "A file of verifier keys, in place of `keys_url`."),
            KeyShape(
                "allow_private",
                privateRanges,
                fallback: .value([]),
                "Addresses inside private ranges that the server of `keys_url` may have."
            ),
        ]
    )

    /// A scheme of the publisher's own.
    static let rewardScheme = ObjectShape(
        "reward_scheme",
        at: "rewards.schemes[]",
        "How a network that Weir does not know signs, words and repeats its callbacks.",
        [
            KeyShape("id", .name, required: true, "What `callbacks[].scheme` calls it."),
            KeyShape(
                "fields",
                .keyValues,
                required: true,
                "The parameter of each field: \(RewardScheme.Role.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."
            ),
            KeyShape("signature", .object(schemeSignature), required: true, "How it signs."),
            KeyShape("replies", .object(schemeReplies), "What it wants to hear."),
            KeyShape("plus_is_blank", .flag, fallback: .flag(false), "Whether `+` in a query means a blank."),
            KeyShape(
                "epoch_timestamp",
                .flag,
                fallback: .flag(false),
                "Whether `timestamp` counts from 1970; then old and future ones are refused."
            ),
            KeyShape("test_transaction", .text(maxBytes: 256), "The transaction of its tests, which grant nothing."),
            KeyShape("retries", .text(maxBytes: 1024), "How it repeats callbacks, for people."),
        ]
    )

    /// How a scheme signs.
    static let schemeSignature = ObjectShape(
        "scheme_signature",
        at: "rewards.schemes[].signature",
        "A digest over parameters and the shared secret, in hexadecimal.",
        [
            KeyShape("parameter", .text(maxBytes: 128), required: true, "The parameter that carries the digest."),
            KeyShape("digest", .word(Digest.allCases.map(\.rawValue)), required: true, "The algorithm."),
            KeyShape(
                "text",
                .text(maxBytes: 1024),
                "What is digested: `{field}`, `{parameter}`, `{secret}`; `{name?}` may be missing."
            ),
            KeyShape(
                "sorted",
                .word(["name=value", "value"]),
                "In place of `text`: all other parameters in alphabetical order."
            ),
            KeyShape("join", .text(maxBytes: 16), fallback: .words("nothing"), "What stands between them."),
        ]
    )

    /// What a network wants to hear.
    static let schemeReplies = ObjectShape(
        "scheme_replies",
        at: "rewards.schemes[].replies",
        "What the network wants to hear.",
        [
            KeyShape("accepted", .object(schemeReply), fallback: .words("200"), "To what was accepted."),
            KeyShape(
                "duplicate",
                .object(schemeReply),
                fallback: .words("as `accepted`"),
                "To what was accepted before."
            ),
            KeyShape("refused", .object(schemeReply), fallback: .words("403"), "To what is refused for ever."),
        ]
    )

    /// One reply.
    static let schemeReply = ObjectShape(
        "scheme_reply",
        at: "rewards.schemes[].replies.*",
        "One reply.",
        [
            KeyShape("status", .whole(200...499), required: true, "The status."),
            KeyShape(
                "body",
                .text(maxBytes: 1024),
                fallback: .words("empty"),
                "The body; `{transaction}` may stand in it."
            ),
        ]
    )
}
