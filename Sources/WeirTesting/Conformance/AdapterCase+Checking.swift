internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// What a case may say: a member with a slip in its name would say nothing, and nobody would notice.
extension AdapterCase {
    /// Complains about members of an ask that nobody reads, and of another type than is read.
    static func check(ask field: JSONField) {
        let others = ["test", "floor", "blocked_categories", "sections", "midpoints", "targeting", "reward"]
        refuse(field, known: texts + wholes + others + parts.keys.sorted())
        for key in texts { _ = field.optionalString(key) }
        for key in wholes { _ = field.optionalInt(key) }
        _ = field.optionalBool("test")
        _ = field.strings("blocked_categories")
        for key in ["sections", "midpoints", "targeting"] { _ = field.optionalObject(key) }
        for key in ["floor", "reward"] {
            field.optionalObject(key).map { refuse($0, known: [key == "floor" ? "currency" : "item", "amount"]) }
        }
        for (key, part) in parts.sorted(by: { $0.key < $1.key }) {
            guard let field = field.optionalObject(key) else { continue }
            refuse(field, known: part.texts + part.wholes + part.flags + part.others)
            for key in part.texts { _ = field.optionalString(key) }
            for key in part.wholes { _ = field.optionalInt(key) }
            for key in part.flags { _ = field.optionalBool(key) }
        }
    }

    /// Complains about members of an expected request that are none: what they say would never be looked at, or always
    /// be absent.
    static func check(expect field: JSONField) {
        refuse(field, known: ["method", "url", "query", "headers", "body"])
        for key in ["query", "headers"] { _ = field.optionalObject(key) }
    }

    /// Refuses a setting that an adapter does not know, as the configuration does.
    ///
    /// A process says itself which settings it wants.
    ///
    /// - Throws: ``SettingsError`` for the first such setting.
    static func check(settings: JSONValue, _ factory: AdapterFactory) throws(SettingsError) {
        guard factory.descriptor.kind != "process", let object = settings.object else { return }
        let texts = settings.scalars().compactMap(\.value.string)
        let unknown = object.keys.first { key in
            // Templates of the settings may name others.
            !factory.settings.contains(key) && !texts.contains { $0.contains("{settings.\(key)") }
        }
        guard let unknown else { return }
        let hint =
            NearestName.of(unknown, among: factory.settings).map { "Did you mean `\($0)`?" }
            ?? (factory.settings.isEmpty ? "It has none." : "It knows: \(factory.settings.joined(separator: ", ")).")
        let path = JSONPath.root.key("settings").key(unknown).description
        throw SettingsError(path: path, message: "is no setting of this adapter. \(hint)")
    }

    /// Complains about members of an outcome that no adapter could ever give, and about verdicts outside of the closed
    /// lists.
    static func check(outcome field: JSONField) {
        refuse(
            field,
            known: [
                "result", "reason", "message", "network_code", "network_message", "offers", "error_urls", "loss", "log",
                "settings_error",
            ]
        )
        let verdict = field.member("result")?.value.string.flatMap(unmatched)
        let result = verdict.flatMap(AttemptResult.init(rawValue:))
        if let verdict, result == nil {
            let known = AttemptResult.allCases.map(\.rawValue)
            field.complain(
                about: "result",
                "must be one of \(known.joined(separator: ", "))",
                hint: NearestName.of(verdict, among: known).map { "Did you mean `\($0)`?" }
            )
        }
        if let result, let reason = field.member("reason")?.value.string.flatMap(unmatched) {
            let known = result.reasons.map(\.rawValue).sorted()
            if !known.contains(reason) {
                field.complain(about: "reason", "is none of \(result.rawValue): \(known.joined(separator: ", "))")
            }
        }
        // An expected list may be a matcher's text as well.
        guard let offers = field.member("offers"), offers.value.array != nil else { return }
        for offer in offers.elements() ?? [] { check(offer: offer) }
    }

    private static func check(offer field: JSONField) {
        guard let object = field.value.object else { return }
        let others = [
            "win_url": "win", "billing_url": "billing", "loss_url": "loss", "expires": "expires_in_ms", "media": "vast",
        ]
        for key in object.keys where !offerMembers.contains(key) {
            let meant = others[key] ?? NearestName.of(key, among: offerMembers)
            field.problems.note(
                JSONProblem(
                    kind: .unknownKey,
                    path: field.path.key(key),
                    message: "is no member of an offer",
                    hint: meant.map { "Did you mean `\($0)`?" }
                        ?? "Known here: \(offerMembers.joined(separator: ", "))."
                )
            )
        }
    }

    private static func refuse(_ field: JSONField, known: [String]) {
        guard let object = field.value.object else { return }
        for key in object.keys where !known.contains(key) {
            field.problems.note(
                JSONProblem(
                    kind: .unknownKey,
                    path: field.path.key(key),
                    message: "is not a known key",
                    hint: NearestName.of(key, among: known).map { "Did you mean `\($0)`?" }
                        ?? "Known here: \(known.sorted().joined(separator: ", "))."
                )
            )
        }
    }

    /// A text that stands for itself; `nil` for one that matches others.
    private static func unmatched(_ text: String) -> String? { text.hasPrefix("$") ? nil : text }

    /// The members of ``WeirAdapterKit/Offer`` as cases spell them.
    private static let offerMembers = [
        "vast", "vast_url", "id", "title", "price", "reward", "expires_in_ms", "section", "point_ms", "seat", "deal",
        "creative_id", "advertiser_domains", "categories", "win", "billing", "loss", "refusal", "allow_seek",
        "allow_skip", "allow_pause", "allow_track_change", "ad_text",
    ]

    private static let texts = ["placement", "ad_unit", "format", "line_item", "network_unit", "request_id"]
    private static let wholes = ["max_ads", "min_duration_ms", "max_duration_ms", "remaining_ms"]

    /// An object inside of an ask.
    private struct Part {
        var texts: [String] = []
        var wholes: [String] = []
        var flags: [String] = []
        var others: [String] = []
    }

    private static let parts = [
        "app": Part(texts: ["bundle", "version"]),
        "device": Part(texts: ["ua", "ip", "os", "os_version", "language", "ifa", "country"], flags: ["lmt"]),
        "user": Part(texts: ["id", "gender", "custom_data"], wholes: ["age"]),
        "consent": Part(texts: ["tcf", "gpp", "us_privacy"], flags: ["gdpr", "coppa"], others: ["gpp_sid"]),
        "content": Part(texts: ["url", "language"], wholes: ["duration_ms"]),
        "player": Part(
            wholes: ["width", "height", "max_bitrate_kbps"],
            flags: ["muted"],
            others: ["mimes", "companions"]
        ),
    ]
}
