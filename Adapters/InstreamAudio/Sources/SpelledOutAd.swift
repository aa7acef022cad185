internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirVAST

/// An ad that a network describes in JSON, turned into the VAST it stands for.
struct SpelledOutAd {
    /// The most companions of one ad.
    static let companionCount = 20

    /// The most addresses of one list.
    static let addressCount = 50

    /// The longest ad: six hours.
    static let longest = 21_600_000

    /// The ad.
    let vast: VASTAd
    /// What had to be left out of it.
    private(set) var remarks: [String] = []

    /// Reads an ad; `nil` when what it must have is missing, which the field's problems tell.
    init?(_ field: JSONField, of network: NetworkID, allowsSkip: Bool) {
        guard let url = field.requiredString("url"), let mime = field.requiredString("mime", maxBytes: 128),
            let milliseconds = field.requiredInt("duration_ms", range: 1...Self.longest)
        else { return nil }
        guard url.isWebAddress else {
            field.complain(about: "url", "must be an http or https URL")
            return nil
        }
        var linear = Linear()
        linear.duration = .milliseconds(milliseconds)
        linear.skipOffset = allowsSkip ? .time(.zero) : nil
        var file = MediaFile(url: url, type: mime)
        file.delivery = .progressive
        linear.mediaFiles = [file]
        for (event, urls) in field.optionalObject("tracking")?.members() ?? [] {
            linear.trackingEvents += Self.addresses(urls).map {
                TrackingEvent(event: EventName(rawValue: event), url: $0)
            }
        }
        linear.clicks.clickThrough = Self.address(field, "click_through").map { TrackedURL(url: $0) }
        var media = Creative()
        media.sequence = 1
        media.linear = linear
        let id = field.value["id"]?.string ?? field.value["id"]?.number?.text
        // Such an ad has no creative id of its own; its id is what tells a repeat.
        media.id = id
        var inLine = InLine()
        inLine.system = AdSystem(name: network.text)
        inLine.title = id
        inLine.impressions = Self.addresses(field.member("impressions")).map { TrackedURL(url: $0) }
        inLine.creatives = [media]
        let companions = Self.companions(field, &remarks)
        if !companions.isEmpty {
            var beside = Creative()
            beside.companionAds = CompanionAds(companions: companions)
            inLine.creatives.append(beside)
        }
        vast = VASTAd(id: id, adType: .audio, content: .inLine(inLine))
    }

    /// The companions; one that cannot be used is left out, the ad is served without it.
    private static func companions(_ field: JSONField, _ remarks: inout [String]) -> [Companion] {
        var companions: [Companion] = []
        for (index, value) in (field.value["companions"]?.array ?? []).prefix(companionCount).enumerated() {
            let problems = JSONProblems()
            let path = field.path.key("companions").index(index)
            if let companion = companion(JSONField(value, path: path, problems: problems)), problems.isEmpty {
                companions.append(companion)
            } else {
                remarks.append(
                    problems.list.first.map { "\($0.path) \($0.message)" } ?? "\(path).static_resource is no address"
                )
            }
        }
        return companions
    }

    private static func companion(_ field: JSONField) -> Companion? {
        guard let field = field.object(), let width = field.requiredInt("width", range: 1...10_000),
            let height = field.requiredInt("height", range: 1...10_000),
            let resource = address(field, "static_resource")
        else { return nil }
        var companion = Companion()
        companion.id = field.value["id"]?.string ?? field.value["id"]?.number?.text
        companion.width = width
        companion.height = height
        companion.resources = [
            DisplayResource(kind: .static, creativeType: imageType(resource), value: resource)
        ]
        companion.clickThrough = address(field, "click_through").map { TrackedURL(url: $0) }
        companion.clickTracking = addresses(field.member("click_tracking")).map { TrackedURL(url: $0) }
        companion.trackingEvents = addresses(field.member("creative_view")).map {
            TrackingEvent(event: .creativeView, url: $0)
        }
        return companion
    }

    /// The address `key`; `nil` when it is absent or none.
    private static func address(_ field: JSONField, _ key: String) -> String? {
        field.value[key]?.string.flatMap { $0.isWebAddress ? $0 : nil }
    }

    /// The addresses of a list, or of a single text; what is no address is nobody to call.
    private static func addresses(_ field: JSONField?) -> [String] {
        guard let value = field?.value else { return [] }
        return (value.array ?? [value]).prefix(addressCount).compactMap(\.string).filter(\.isWebAddress)
    }

    /// What an image's name says of its type.
    private static func imageType(_ url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [
            ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
            ".webp": "image/webp",
        ]
        .first { path.hasSuffix($0.key) }?.value
    }
}
