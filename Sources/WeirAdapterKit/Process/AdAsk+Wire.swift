internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// An ask as JSON for an adapter's process: the body of `POST /v1/ads`, and beside it what the core adds.
///
/// What is not known is left out. The line's rate is not there: it is nobody's business but the operator's.
extension AdAsk {
    /// The ask as JSON.
    package var wire: [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.member("request_id", requestID.text)
            json.member("placement", request.placement.text)
            json.member("ad_unit", adUnit.id.text)
            json.member("format", adUnit.format.rawValue)
            json.member("line_item", lineItem.id.text)
            json.member("network_unit", lineItem.networkUnit)
            json.member("test", isTest)
            write(adUnit, to: &json)
            json.write(request.app)
            json.write(request.device)
            json.write(request.user)
            if let consent = request.consent { json.write(consent) }
            json.write(request.content)
            json.write(request.player)
            if let midpoints = request.midpoints { json.write(midpoints) }
            if !request.targeting.isEmpty {
                json.object("targeting") { json in
                    for key in request.targeting.keys.sorted() { json.member(key, request.targeting[key] ?? []) }
                }
            }
        }
        return json.bytes
    }

    private func write(_ unit: AdUnit, to json: inout JSONWriter) {
        json.member("max_ads", unit.maxAds)
        json.known("floor", unit.floor)
        json.known("min_duration_ms", unit.minDuration?.milliseconds)
        json.known("max_duration_ms", unit.maxDuration?.milliseconds)
        if !unit.blockedCategories.isEmpty { json.member("blocked_categories", unit.blockedCategories.sorted()) }
        if let reward = unit.reward {
            json.object("reward") { json in
                json.member("item", reward.item)
                json.member("amount", reward.amount.description)
            }
        }
        guard let limits = unit.sections?.limits else { return }
        json.object("sections") { json in
            for section in AudioSection.allCases {
                guard let limit = limits[section] else { continue }
                json.object(section.rawValue) { json in
                    json.known("max_ads", limit.maxAds)
                    json.known("max_duration_ms", limit.maxDuration?.milliseconds)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ app: AdRequest.App) {
        guard app != AdRequest.App() else { return }
        object("app") { json in
            json.known("bundle", app.bundle)
            json.known("version", app.version)
        }
    }

    fileprivate mutating func write(_ device: AdRequest.Device) {
        guard device != AdRequest.Device() else { return }
        object("device") { json in
            json.known("ua", device.userAgent)
            json.known("ip", device.ip)
            json.known("os", device.os)
            json.known("os_version", device.osVersion)
            json.known("language", device.language)
            json.known("ifa", device.advertisingID)
            json.known("lmt", device.limitsTracking)
            json.known("country", device.country)
        }
    }

    fileprivate mutating func write(_ user: AdRequest.User) {
        guard user != AdRequest.User() else { return }
        object("user") { json in
            json.known("id", user.id)
            json.known("age", user.age)
            json.known("gender", user.gender)
            json.known("custom_data", user.customData)
        }
    }

    fileprivate mutating func write(_ consent: AdRequest.Consent) {
        object("consent") { json in
            json.known("gdpr", consent.gdpr)
            json.known("tcf", consent.tcf)
            json.known("gpp", consent.gpp)
            if !consent.gppSections.isEmpty {
                json.array("gpp_sid") { json in for section in consent.gppSections { json.int(section) } }
            }
            json.known("us_privacy", consent.usPrivacy)
            json.known("coppa", consent.coppa)
        }
    }

    fileprivate mutating func write(_ content: AdRequest.Content) {
        guard content != AdRequest.Content() else { return }
        object("content") { json in
            json.known("url", content.url)
            json.known("duration_ms", content.duration?.milliseconds)
            json.known("language", content.language)
        }
    }

    fileprivate mutating func write(_ player: AdRequest.Player) {
        guard player != AdRequest.Player() else { return }
        object("player") { json in
            json.known("width", player.width)
            json.known("height", player.height)
            json.known("muted", player.isMuted)
            if !player.mimes.isEmpty { json.member("mimes", player.mimes) }
            json.known("max_bitrate_kbps", player.maxBitrate)
            guard let places = player.companions else { return }
            json.array("companions") { json in
                for place in places {
                    json.object { json in
                        json.known("id", place.id)
                        json.member("width", place.width)
                        json.member("height", place.height)
                    }
                }
            }
        }
    }

    /// Milliseconds are exact in three decimals of a second; no float is involved.
    fileprivate mutating func write(_ midpoints: AdRequest.Midpoints) {
        object("midpoints") { json in
            switch midpoints {
            case .positions(let positions):
                json.array("seconds") { json in
                    for position in positions {
                        let (whole, rest) = position.milliseconds.quotientAndRemainder(dividingBy: 1000)
                        json.raw("\(whole).\(String(rest + 1000).dropFirst())".utf8)
                    }
                }
            case .percent(let percent):
                json.array("percent") { json in for value in percent { json.raw(value.description.utf8) } }
            }
        }
    }

    fileprivate mutating func known(_ key: String, _ value: String?) {
        if let value { member(key, value) }
    }

    fileprivate mutating func known(_ key: String, _ value: (some BinaryInteger)?) {
        if let value { member(key, value) }
    }

    fileprivate mutating func known(_ key: String, _ value: Bool?) {
        if let value { member(key, value) }
    }

    fileprivate mutating func known(_ key: String, _ value: Money?) {
        guard let value else { return }
        object(key) { json in
            json.member("amount", value.amount)
            json.member("currency", value.currency.code)
        }
    }
}
