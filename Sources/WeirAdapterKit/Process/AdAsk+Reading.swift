package import WeirJSON
internal import WeirModel
package import WeirTime

extension AdAsk {
    /// The ask of a message, in the adapter's process, or of a case file, which spells it alike.
    ///
    /// The gateway wrote the one, and the other was looked through before, so nothing here complains: what is absent or
    /// of another type is not known. Case files may write amounts as numbers, and one value of targeting without a list.
    package init(wire body: JSONValue, deadline: Deadline) {
        var unit = AdUnit(
            id: AdUnitID(body["ad_unit"]?.string ?? ""),
            format: body["format"]?.string.flatMap(AdFormat.init) ?? .video
        )
        unit.maxAds = body["max_ads"]?.int ?? unit.maxAds
        unit.floor = body["floor"].flatMap(Money.init(wire:))
        unit.minDuration = body["min_duration_ms"]?.milliseconds
        unit.maxDuration = body["max_duration_ms"]?.milliseconds
        unit.blockedCategories = Set(body["blocked_categories"]?.texts ?? [])
        unit.reward = body["reward"].flatMap(Reward.init(wire:))
        unit.sections = body["sections"]?.object.map(SectionLimits.init(wire:))
        var request = AdRequest(placement: PlacementID(body["placement"]?.string ?? ""))
        request.read(wire: body)
        self.init(
            requestID: RequestID(body["request_id"]?.string ?? ""),
            request: request,
            adUnit: unit,
            lineItem: LineItem(
                id: LineItemID(body["line_item"]?.string ?? ""),
                network: "",
                networkUnit: body["network_unit"]?.string ?? ""
            ),
            deadline: deadline,
            isTest: body["test"]?.bool ?? false
        )
    }
}

extension AdRequest {
    fileprivate mutating func read(wire body: JSONValue) {
        app.bundle = body["app"]?["bundle"]?.string
        app.version = body["app"]?["version"]?.string
        if let device = body["device"] { self.device = Device(wire: device) }
        user.id = body["user"]?["id"]?.string
        user.age = body["user"]?["age"]?.int
        user.gender = body["user"]?["gender"]?.string
        user.customData = body["user"]?["custom_data"]?.string
        consent = body["consent"].map(Consent.init(wire:))
        content.url = body["content"]?["url"]?.string
        content.duration = body["content"]?["duration_ms"]?.milliseconds
        content.language = body["content"]?["language"]?.string
        if let player = body["player"] { self.player = Player(wire: player) }
        midpoints = body["midpoints"].flatMap(Midpoints.init(wire:))
        isTest = body["test"]?.bool ?? false
        for member in body["targeting"]?.object?.members ?? [] { targeting[member.key] = member.value.textOrTexts }
    }
}

extension AdRequest.Device {
    fileprivate init(wire body: JSONValue) {
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
    fileprivate init(wire body: JSONValue) {
        self.init()
        gdpr = body["gdpr"]?.bool
        tcf = body["tcf"]?.string
        gpp = body["gpp"]?.string
        gppSections = body["gpp_sid"]?.array?.compactMap(\.int) ?? []
        usPrivacy = body["us_privacy"]?.string
        coppa = body["coppa"]?.bool
    }
}

extension AdRequest.Player {
    fileprivate init(wire body: JSONValue) {
        self.init()
        width = body["width"]?.int
        height = body["height"]?.int
        isMuted = body["muted"]?.bool
        mimes = body["mimes"]?.texts ?? []
        maxBitrate = body["max_bitrate_kbps"]?.int
        companions = body["companions"]?.array?.compactMap { place in
            guard let width = place["width"]?.int, let height = place["height"]?.int else { return nil }
            return AdRequest.CompanionPlace(id: place["id"]?.string, width: width, height: height)
        }
    }
}

extension AdRequest.Midpoints {
    fileprivate init?(wire body: JSONValue) {
        let numbers = { (list: [JSONValue]) in list.compactMap { ($0.number?.text).flatMap(ExactDecimal.init) } }
        if let seconds = body["seconds"]?.array {
            self = .positions(numbers(seconds).compactMap { $0.micros.map { .microseconds($0) } })
        } else if let percent = body["percent"]?.array {
            self = .percent(numbers(percent))
        } else {
            return nil
        }
    }
}

extension SectionLimits {
    fileprivate init(wire body: JSONObject) {
        var limits: [AudioSection: SectionLimit] = [:]
        for member in body.members {
            guard let section = AudioSection(rawValue: member.key) else { continue }
            limits[section] = SectionLimit(
                maxAds: member.value["max_ads"]?.int,
                maxDuration: member.value["max_duration_ms"]?.milliseconds
            )
        }
        self.init(limits)
    }
}

extension Reward {
    fileprivate init?(wire body: JSONValue) {
        guard let item = body["item"]?.string, let amount = body["amount"]?.decimalText.flatMap(ExactDecimal.init)
        else {
            return nil
        }
        self.init(item: item, amount: amount)
    }
}

extension Money {
    fileprivate init?(wire body: JSONValue) {
        guard let amount = body["amount"]?.decimalText, let currency = body["currency"]?.string.flatMap(Currency.init)
        else {
            return nil
        }
        self.init(amount: amount, currency: currency)
    }
}

extension JSONValue {
    fileprivate var milliseconds: Duration? { int.map { .milliseconds($0) } }

    fileprivate var texts: [String] { array?.compactMap(\.string) ?? [] }

    fileprivate var textOrTexts: [String] { string.map { [$0] } ?? texts }

    fileprivate var decimalText: String? { string ?? number?.text }
}
