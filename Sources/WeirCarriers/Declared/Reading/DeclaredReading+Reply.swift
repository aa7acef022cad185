internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

extension DeclaredReading {
    /// The reply half: the file's, or the preset's when the file has none.
    func reply(_ preset: DeclaredPreset) -> ReplyMapping {
        let written = root.member("reply")
        // What the preset says complains about nothing: it is tested.
        let usual = JSONField(.object(preset.reply), problems: JSONProblems())
        // A file with a reply says everything itself: half of it in two places could be read by nobody.
        func part(_ key: String) -> JSONField? { (written ?? usual).member(key) }
        let format =
            (written?.member("format") ?? usual.member("format"))?.value.string.flatMap(ReplyMapping.Format.init)
            ?? .vast
        var reply = ReplyMapping(format: format)
        reply.noFill = conditions(part("no_fill"))
        reply.failure = part("error").map(failure)
        reply.ads = part("ads").flatMap { path($0, isList: true) }
        if let ad = part("ad") {
            reply.ad = adMapping(ad)
        } else if format == .json, let written {
            written.complain(about: "ad", "is required: it says where an ad's parts stand.", kind: .missing)
        }
        if format == .vast, let written {
            for key in ["ads", "ad"] where written.value[key] != nil {
                written.complain(
                    about: key,
                    "is read from JSON only, and the format is vast.",
                    hint: "Write \"format\": \"json\" or \"any\"."
                )
            }
        }
        return reply
    }

    // MARK: Conditions

    private func failure(_ field: JSONField) -> ReplyMapping.Failure {
        ReplyMapping.Failure(
            when: conditions(field.member("when")),
            code: field.member("code").flatMap(source),
            message: field.member("message").flatMap(source)
        )
    }

    private func conditions(_ field: JSONField?) -> [ReplyCondition] {
        guard let field else { return [] }
        guard let elements = field.value.array else { return condition(field).map { [$0] } ?? [] }
        return elements.enumerated().compactMap { index, element in
            condition(JSONField(element, path: field.path.index(index), problems: field.problems))
        }
    }

    private func condition(_ field: JSONField) -> ReplyCondition? {
        guard let object = field.value.object else { return nil }
        let subjects = ["status", "path", "header", "all"].filter { object[$0] != nil }
        guard subjects.count == 1, let subject = subjects.first else {
            field.complain("must look at one of status, path, header or all.")
            return nil
        }
        switch subject {
        case "status":
            let codes = object["status"]?.array?.compactMap(\.int) ?? [object["status"]?.int].compactMap { $0 }
            return .status(Set(codes))
        case "all":
            return .all(conditions(field.member("all")))
        default:
            guard let source = source(field), let test = test(field, object) else { return nil }
            return .value(source, test)
        }
    }

    private func test(_ field: JSONField, _ object: JSONObject) -> ReplyTest? {
        let names = ["equals", "one_of", "none_of", "absent", "empty", "matches"]
        let tests = names.filter { object[$0] != nil }
        guard tests.count == 1, let name = tests.first else {
            field.complain(
                tests.isEmpty ? "says what is looked at, but no test." : "has more than one test.",
                hint: "Write one of \(names.joined(separator: ", "))."
            )
            return nil
        }
        switch name {
        case "equals": return .isOneOf([object["equals"] ?? .null])
        case "one_of": return .isOneOf(object["one_of"]?.array ?? [])
        case "none_of": return .isNoneOf(object["none_of"]?.array ?? [])
        case "absent": return .isAbsent(object["absent"]?.bool ?? true)
        case "empty": return .isEmpty(object["empty"]?.bool ?? true)
        default: return .matches(ReplyPattern(object["matches"]?.string ?? ""))
        }
    }

    // MARK: Paths

    /// A path, whose mistakes are noted.
    func path(_ field: JSONField, isList: Bool = false) -> ReplyPath? {
        guard let text = field.value.string else { return nil }
        do throws(DeclaredFilter.Unreadable) {
            let path = try ReplyPath(text)
            if path.hasEach, !isList {
                field.complain(
                    "leads to several values with [*], and one is read here.",
                    hint: "Write [0] for the first."
                )
            }
            return path
        } catch {
            field.complain(error.message, hint: error.hint)
            return nil
        }
    }

    /// A source: a path as text, or an object with `path`, `header` or `value`.
    func source(_ field: JSONField) -> ReplySource? { source(field, isList: false) }

    /// A source of one value or of several.
    private func list(_ field: JSONField) -> ReplySource? { source(field, isList: true) }

    private func source(_ field: JSONField, isList: Bool) -> ReplySource? {
        if field.value.string != nil { return path(field, isList: isList).map(ReplySource.path) }
        guard let object = field.value.object else { return nil }
        let kinds = ["path", "header", "value"].filter { object[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first else {
            field.complain("must have one of path, header or value.")
            return nil
        }
        switch kind {
        case "path": return field.member("path").flatMap { path($0, isList: isList) }.map(ReplySource.path)
        case "header": return object["header"]?.string.map(ReplySource.header)
        default: return object["value"].map(ReplySource.constant)
        }
    }

    // MARK: The ad

    private func adMapping(_ field: JSONField) -> AdMapping {
        var ad = AdMapping()
        ad.vast = field.member("vast").flatMap(document)
        ad.vastURL = field.member("vast_url").flatMap(source)
        ad.media = field.member("media").flatMap(media)
        if ["vast", "vast_url", "media"].allSatisfy({ field.value[$0] == nil }) {
            field.complain("does not say where the ad is.", hint: "Add vast, vast_url or media.")
        }
        ad.id = field.member("id").flatMap(source)
        ad.title = field.member("title").flatMap(source)
        ad.requestID = field.member("request_id").flatMap(source)
        ad.creativeID = field.member("creative_id").flatMap(source)
        ad.deal = field.member("deal").flatMap(source)
        ad.advertiserDomains = field.member("advertiser_domains").flatMap(list)
        ad.categories = field.member("categories").flatMap(list)
        ad.notices.win = field.member("win_url").flatMap(list)
        ad.notices.billing = field.member("billing_url").flatMap(list)
        ad.notices.loss = field.member("loss_url").flatMap(list)
        ad.price = field.member("price").flatMap(price)
        ad.expires = field.member("expires").flatMap(expiry)
        ad.reward = field.member("reward").flatMap(reward)
        return ad
    }

    private func document(_ field: JSONField) -> AdMapping.Document? {
        source(field).map { source in
            AdMapping.Document(
                source: source,
                decoding: field.value["decode"]?.string.flatMap(AdMapping.Decoding.init) ?? .none
            )
        }
    }

    private func price(_ field: JSONField) -> PriceMapping? {
        guard let amount = field.member("amount").flatMap(source) else { return nil }
        var price = PriceMapping(amount: amount)
        price.currency = field.member("currency").flatMap(source)
        price.defaultCurrency = field.value["default_currency"]?.string.flatMap(Currency.init)
        price.unit = field.value["unit"]?.string.flatMap(PriceMapping.Unit.init) ?? .cpm
        price.decimals = field.value["decimals"]?.int ?? 0
        price.isOptional = field.value["optional"]?.bool ?? false
        if field.value["currency"] == nil, field.value["default_currency"] == nil {
            field.complain(
                about: "currency",
                "is required: a price without a currency is no price.",
                hint: "Say where it stands, or write \"default_currency\": \"USD\" when the network's page says so.",
                kind: .missing
            )
        }
        return price
    }

    private func expiry(_ field: JSONField) -> ExpiryMapping? {
        source(field).map { source in
            ExpiryMapping(
                source: source,
                unit: field.value["unit"]?.string.flatMap(ExpiryMapping.Unit.init) ?? .seconds
            )
        }
    }

    private func reward(_ field: JSONField) -> AdMapping.Reward? {
        guard let item = field.member("item").flatMap(source), let amount = field.member("amount").flatMap(source)
        else {
            return nil
        }
        return AdMapping.Reward(item: item, amount: amount)
    }

    private func media(_ field: JSONField) -> MediaMapping? {
        guard let url = field.member("url").flatMap(source) else { return nil }
        var media = MediaMapping(url: url)
        media.mime = field.member("mime").flatMap(source)
        media.duration =
            field.member("duration_ms").flatMap(source).map { .init(source: $0, isSeconds: false) }
            ?? field.member("duration_s").flatMap(source).map { .init(source: $0, isSeconds: true) }
        media.width = field.member("width").flatMap(source)
        media.height = field.member("height").flatMap(source)
        media.clickThrough = field.member("click_through").flatMap(source)
        media.impressions = field.member("impressions").flatMap(list)
        media.clickTracking = field.member("click_tracking").flatMap(list)
        return media
    }
}
