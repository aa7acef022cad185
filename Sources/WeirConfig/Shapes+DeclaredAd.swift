internal import WeirJSON
internal import WeirModel

extension Shapes {
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
}
