public import WeirAdapterKit
public import WeirJSON
internal import WeirModel
public import WeirTime

extension AdAsk {
    /// An ask as case files spell it: the body of `POST /v1/ads`, and beside it `network_unit`, `format`, `ad_unit`,
    /// `line_item`, `request_id`, `floor`, `remaining_ms`, `max_ads`, `min_duration_ms`, `max_duration_ms`,
    /// `blocked_categories`, `sections`, `reward`.
    ///
    /// What is absent has a plain default; what is of the wrong type counts as absent (a case file's is refused before).
    public init(_ body: JSONValue, clock: any GatewayClock) {
        var adUnit = AdUnit(
            id: AdUnitID(body["ad_unit"]?.string ?? "unit"),
            format: body["format"]?.string.flatMap(AdFormat.init) ?? .video
        )
        adUnit.floor = body["floor"].flatMap { floor in
            guard let currency = floor["currency"]?.string.flatMap(Currency.init) else { return nil }
            let amount = floor["amount"].flatMap { $0.string ?? $0.number?.text }
            return Money(amount: amount ?? "", currency: currency)
        }
        adUnit.reward = body["reward"].flatMap { reward in
            guard let item = reward["item"]?.string,
                let amount = reward["amount"].flatMap({ $0.string ?? $0.number?.text }).flatMap(ExactDecimal.init)
            else { return nil }
            return Reward(item: item, amount: amount)
        }
        adUnit.maxAds = body["max_ads"]?.int ?? adUnit.maxAds
        adUnit.minDuration = body["min_duration_ms"]?.int.map { .milliseconds($0) }
        adUnit.maxDuration = body["max_duration_ms"]?.int.map { .milliseconds($0) }
        adUnit.blockedCategories = Set((body["blocked_categories"]?.array ?? []).compactMap(\.string))
        adUnit.sections = body["sections"].flatMap(SectionLimits.init(caseBody:))
        let request = AdRequest(caseBody: body)
        self.init(
            requestID: RequestID(body["request_id"]?.string ?? "request-1"),
            request: request,
            adUnit: adUnit,
            lineItem: LineItem(
                id: LineItemID(body["line_item"]?.string ?? "line"),
                network: "network",
                networkUnit: body["network_unit"]?.string ?? "network-unit"
            ),
            deadline: .after(.milliseconds(body["remaining_ms"]?.int ?? 1000), clock: clock),
            isTest: request.isTest
        )
    }
}

extension AdRequest {
    fileprivate init(caseBody body: JSONValue) {
        self.init(placement: PlacementID(body["placement"]?.string ?? "placement"))
        app.bundle = body["app"]?["bundle"]?.string
        app.version = body["app"]?["version"]?.string
        device = Device(caseBody: body["device"] ?? [:])
        user.id = body["user"]?["id"]?.string
        user.age = body["user"]?["age"]?.int
        user.gender = body["user"]?["gender"]?.string
        user.customData = body["user"]?["custom_data"]?.string
        consent = body["consent"].map(Consent.init(caseBody:))
        content.url = body["content"]?["url"]?.string
        content.duration = body["content"]?["duration_ms"]?.int.map { .milliseconds($0) }
        content.language = body["content"]?["language"]?.string
        player.width = body["player"]?["width"]?.int
        player.height = body["player"]?["height"]?.int
        player.isMuted = body["player"]?["muted"]?.bool
        player.mimes = body["player"]?["mimes"]?.array?.compactMap(\.string) ?? []
        player.maxBitrate = body["player"]?["max_bitrate_kbps"]?.int
        player.companions = body["player"]?["companions"]?.array.map { places in
            places.map { place in
                CompanionPlace(
                    id: place["id"]?.string,
                    width: place["width"]?.int ?? 0,
                    height: place["height"]?.int ?? 0
                )
            }
        }
        midpoints = body["midpoints"].flatMap(Midpoints.init(caseBody:))
        isTest = body["test"]?.bool ?? false
        for member in body["targeting"]?.object?.members ?? [] {
            targeting[member.key] = member.value.array?.compactMap(\.string) ?? [member.value.string ?? ""]
        }
    }
}

extension SectionLimits {
    fileprivate init?(caseBody body: JSONValue) {
        guard let members = body.object?.members else { return nil }
        var limits: [AudioSection: SectionLimit] = [:]
        for member in members {
            guard let section = AudioSection(rawValue: member.key) else { continue }
            limits[section] = SectionLimit(
                maxAds: member.value["max_ads"]?.int,
                maxDuration: member.value["max_duration_ms"]?.int.map { .milliseconds($0) }
            )
        }
        self.init(limits)
    }
}

extension AdRequest.Device {
    fileprivate init(caseBody body: JSONValue) {
        self.init()
        userAgent = body["ua"]?.string
        ip = body["ip"]?.string
        os = body["os"]?.string
        osVersion = body["os_version"]?.string
        language = body["language"]?.string
        advertisingID = body["ifa"]?.string
        limitsTracking = body["lmt"]?.bool
        country = body["country"]?.string
    }
}

extension AdRequest.Consent {
    fileprivate init(caseBody body: JSONValue) {
        self.init()
        gdpr = body["gdpr"]?.bool
        tcf = body["tcf"]?.string
        gpp = body["gpp"]?.string
        gppSections = body["gpp_sid"]?.array?.compactMap(\.int) ?? []
        usPrivacy = body["us_privacy"]?.string
        coppa = body["coppa"]?.bool
    }
}

extension AdRequest.Midpoints {
    fileprivate init?(caseBody body: JSONValue) {
        if let seconds = body["seconds"]?.array {
            self = .positions(seconds.compactMap(\.int).map { .seconds($0) })
        } else if let percent = body["percent"]?.array {
            self = .percent(percent.compactMap { ($0.number?.text).flatMap(ExactDecimal.init) })
        } else {
            return nil
        }
    }
}
