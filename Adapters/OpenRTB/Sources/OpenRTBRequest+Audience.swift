internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// Who asks, on which device, under which rules. Personal data is gone already where consent demands it.
extension OpenRTBRequest {
    /// OpenRTB 2.6 §3.2.13.
    func site(_ request: AdRequest) -> JSONObject {
        var site = JSONObject()
        site["id"] = profile.siteID.map { .string($0) }
        site["domain"] = (profile.siteDomain ?? request.content.url.flatMap(host)).map { .string($0) }
        site["page"] = request.content.url.map { .string($0) }
        site["publisher"] = profile.publisherID.map { ["id": .string($0)] }
        site["content"] = filled(content(request.content))
        return site
    }

    /// OpenRTB 2.6 §3.2.14.
    func app(_ request: AdRequest) -> JSONObject {
        var app = JSONObject()
        app["id"] = profile.appID.map { .string($0) }
        app["name"] = profile.appName.map { .string($0) }
        app["bundle"] = request.app.bundle.map { .string($0) }
        app["ver"] = request.app.version.map { .string($0) }
        app["storeurl"] = profile.appStoreURL.map { .string($0) }
        app["publisher"] = profile.publisherID.map { ["id": .string($0)] }
        app["content"] = filled(content(request.content))
        return app
    }

    /// OpenRTB 2.6 §3.2.16.
    private func content(_ content: AdRequest.Content) -> JSONObject {
        var object = JSONObject()
        object["url"] = content.url.map { .string($0) }
        object["len"] = content.duration.map { .int($0.milliseconds / 1000) }
        object["language"] = content.language.map { .string($0) }
        return object
    }

    /// OpenRTB 2.6 §3.2.18.
    func device(_ device: AdRequest.Device) -> JSONObject {
        var object = JSONObject()
        object["ua"] = device.userAgent.map { .string($0) }
        if let ip = device.ip { object[ip.utf8.contains(UInt8(ascii: ":")) ? "ipv6" : "ip"] = .string(ip) }
        object["os"] = device.os.map { .string($0) }
        object["osv"] = device.osVersion.map { .string($0) }
        object["devicetype"] = device.os.flatMap(deviceType).map { .int($0) }
        object["language"] = device.language.map { .string($0) }
        object["ifa"] = device.advertisingID.map { .string($0) }
        if let limits = device.limitsTracking {
            object["lmt"] = limits ? 1 : 0
            object["dnt"] = limits ? 1 : 0
        }
        object["geo"] = device.country.flatMap(CountryCode.alpha3).map { ["country": .string($0)] }
        return object
    }

    /// OpenRTB 2.6 §3.2.20; the consent string also where 2.5 has it.
    func user(_ request: AdRequest, _ clock: any GatewayClock) -> JSONObject {
        var object = JSONObject()
        object["id"] = request.user.id.map { .string($0) }
        if let age = request.user.age, let year = Int(clock.wallNow.rfc3339.prefix(4)), (0...130).contains(age) {
            object["yob"] = .int(year - age)
        }
        switch request.user.gender?.lowercased() {
        case nil, "": break
        case "male", "m": object["gender"] = "M"
        case "female", "f": object["gender"] = "F"
        default: object["gender"] = "O"
        }
        if let tcf = request.consent?.tcf {
            object["consent"] = .string(tcf)
            object["ext"] = ["consent": .string(tcf)]
        }
        return object
    }

    /// OpenRTB 2.6 §3.2.3; everything but `coppa` also where 2.5 has it.
    func regulations(_ consent: AdRequest.Consent?) -> JSONObject {
        guard let consent else { return JSONObject() }
        var rules = JSONObject()
        rules["gdpr"] = consent.gdpr.map { $0 ? 1 : 0 }
        rules["us_privacy"] = consent.usPrivacy.map { .string($0) }
        rules["gpp"] = consent.gpp.map { .string($0) }
        if !consent.gppSections.isEmpty { rules["gpp_sid"] = .array(consent.gppSections.map { .int($0) }) }
        let extensions = rules
        rules["coppa"] = consent.coppa.map { $0 ? 1 : 0 }
        rules["ext"] = filled(extensions)
        return rules
    }
}

/// AdCOM, device types: 1 mobile or tablet, 2 personal computer, 3 connected TV.
private func deviceType(_ system: String) -> Int? {
    switch system.lowercased() {
    case "ios", "ipados", "android", "harmonyos": 1
    case "windows", "macos", "os x", "linux", "chromeos": 2
    case "tvos", "androidtv", "android tv", "roku", "tizen", "webos", "fireos", "vidaa": 3
    default: nil
    }
}

/// The host of a web address, without port and user information.
private func host(_ url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = (authority.split(separator: "@").last ?? authority).prefix { $0 != ":" }
    return host.isEmpty ? nil : host.lowercased()
}
