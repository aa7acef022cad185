internal import WeirJSON
internal import WeirModel
package import WeirTime

/// A field that a template may name.
package enum TemplateField: Sendable, Hashable {
    /// One with a fixed name.
    case named(Name)
    /// A key of the request's own `targeting`.
    case targeting(String)
    /// A setting of the network.
    case setting(String)

    /// The fields of docs/configuration.md that have a fixed name.
    package enum Name: String, CaseIterable, Sendable {
        case networkUnit = "network_unit"
        case placement
        case adUnit = "ad_unit"
        case requestID = "request_id"
        case width
        case height
        case muted
        case mimes
        case ip
        case ua
        case ifa
        case lmt
        case os
        case osVersion = "os_version"
        case country
        case deviceLanguage = "device_language"
        case appBundle = "app_bundle"
        case appVersion = "app_version"
        case userID = "user_id"
        case userAge = "user_age"
        case userGender = "user_gender"
        case customData = "custom_data"
        case contentURL = "content_url"
        case contentDuration = "content_duration_ms"
        case contentLanguage = "content_language"
        case gdpr
        case tcf
        case gpp
        case gppSections = "gpp_sid"
        case usPrivacy = "us_privacy"
        case coppa
        case test
        case floor
        case floorCurrency = "floor_currency"
        case maxAds = "max_ads"
        case minDuration = "min_duration_ms"
        case maxDuration = "max_duration_ms"
        case remaining = "remaining_ms"
        case cachebusting
        case now
    }

    /// The field of that spelling; `nil` when nobody knows it.
    package init?(_ name: String) {
        if let known = Name(rawValue: name) {
            self = .named(known)
        } else if name.hasPrefix("targeting."), name.utf8.count > 10 {
            self = .targeting(String(name.dropFirst(10)))
        } else if name.hasPrefix("settings."), name.utf8.count > 9 {
            self = .setting(String(name.dropFirst(9)))
        } else {
            return nil
        }
    }

    /// What an author who wrote the unknown field `name` most likely meant, as a sentence.
    ///
    /// The nearest spelling; else the fields that hold the word, as `language` stands in two; else where all stand.
    package static func hint(for name: String) -> String {
        let known = Name.allCases.map(\.rawValue)
        if let nearest = NearestName.of(name, among: known) { return "Did you mean {\(nearest)}?" }
        let word = name.lowercased()
        let related = known.filter { $0.contains(word) || ($0.utf8.count > 3 && word.contains($0)) }
        guard !related.isEmpty, word.utf8.count > 1 else {
            return "The fields stand in docs/configuration.md, under Templates."
        }
        return "Did you mean \(related.prefix(6).map { "{\($0)}" }.joined(separator: " or "))?"
    }

    /// The spelling between the braces.
    package var name: String {
        switch self {
        case .named(let name): name.rawValue
        case .targeting(let key): "targeting.\(key)"
        case .setting(let key): "settings.\(key)"
        }
    }

    /// Eight random digits, new for each call (VAST 4.2 §6).
    package static func cachebuster() -> String { String(Int.random(in: 10_000_000...99_999_999)) }

    /// The value in an ask; `nil` when the ask does not say.
    package func value(in ask: AdAsk, settings: [String: String], clock: any GatewayClock) -> String? {
        switch self {
        case .targeting(let key): ask.request.targeting[key]?.joined(separator: ",")
        case .setting(let key): settings[key]
        case .named(let name): name.requestValue(ask.request) ?? name.askValue(ask, clock: clock)
        }
    }
}

extension TemplateField.Name {
    /// The fields that the caller's request fills.
    fileprivate func requestValue(_ request: AdRequest) -> String? {
        switch self {
        case .placement: request.placement.text
        case .width: request.player.width.map(String.init)
        case .height: request.player.height.map(String.init)
        case .muted: request.player.isMuted.map(flag)
        case .mimes: request.player.mimes.isEmpty ? nil : request.player.mimes.joined(separator: ",")
        case .ip: request.device.ip
        case .ua: request.device.userAgent
        case .ifa: request.device.advertisingID
        case .lmt: request.device.limitsTracking.map(flag)
        case .os: request.device.os
        case .osVersion: request.device.osVersion
        case .country: request.device.country
        case .deviceLanguage: request.device.language
        case .appBundle: request.app.bundle
        case .appVersion: request.app.version
        case .userID: request.user.id
        case .userAge: request.user.age.map(String.init)
        case .userGender: request.user.gender
        case .customData: request.user.customData
        case .contentURL: request.content.url
        case .contentDuration: request.content.duration.map { String($0.milliseconds) }
        case .contentLanguage: request.content.language
        case .gdpr, .tcf, .gpp, .gppSections, .usPrivacy, .coppa: request.consent.flatMap(consentValue)
        case .networkUnit, .adUnit, .requestID, .test, .floor, .floorCurrency, .maxAds, .minDuration, .maxDuration,
            .remaining, .cachebusting, .now:
            nil
        }
    }

    private func consentValue(_ consent: AdRequest.Consent) -> String? {
        switch self {
        case .gdpr: consent.gdpr.map(flag)
        case .tcf: consent.tcf
        case .gpp: consent.gpp
        case .gppSections:
            consent.gppSections.isEmpty ? nil : consent.gppSections.map(String.init).joined(separator: ",")
        case .usPrivacy: consent.usPrivacy
        case .coppa: consent.coppa.map(flag)
        default: nil
        }
    }

    /// The fields that the ask itself fills.
    fileprivate func askValue(_ ask: AdAsk, clock: any GatewayClock) -> String? {
        switch self {
        case .networkUnit: ask.lineItem.networkUnit
        case .adUnit: ask.adUnit.id.text
        case .requestID: ask.requestID.text
        case .test: flag(ask.isTest)
        case .floor: ask.adUnit.floor?.amount
        case .floorCurrency: ask.adUnit.floor?.currency.code
        case .maxAds: String(ask.adUnit.maxAds)
        case .minDuration: ask.adUnit.minDuration.map { String($0.milliseconds) }
        case .maxDuration: ask.adUnit.maxDuration.map { String($0.milliseconds) }
        case .remaining: String(ask.deadline.remaining(clock).milliseconds)
        case .cachebusting: TemplateField.cachebuster()
        case .now: String(clock.wallNow.milliseconds)
        default: nil
        }
    }
}

private func flag(_ value: Bool) -> String { value ? "1" : "0" }
