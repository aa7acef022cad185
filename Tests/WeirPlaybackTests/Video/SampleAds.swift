import WeirPlayback
import WeirVAST

/// Ads for tests, made by hand.
enum SampleAds {
    /// One ad with a tracker for each event, named `https://t.test/ID/EVENT`.
    static func ad(
        _ id: String,
        seconds: Int? = 12,
        skip: PlayOffset? = nil,
        hideable: String? = nil,
        landing: String? = "https://shop.test/",
        icons: [Icon] = [],
        companions: [Companion] = []
    ) -> ResolvedAd {
        var linear = Linear()
        linear.duration = seconds.map { .seconds($0) }
        linear.skipOffset = skip
        var file = MediaFile(url: "https://media.test/\(id).mp4", type: "video/mp4")
        file.bitrate = 800
        linear.mediaFiles = [file]
        let events: [EventName] = [
            .loaded, .creativeView, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .skip, .pause,
            .resume, .mute, .unmute, .playerExpand, .playerCollapse, .notUsed, .closeLinear,
        ]
        linear.trackingEvents = events.map { TrackingEvent(event: $0, url: "https://t.test/\(id)/\($0.rawValue)") }
        linear.clicks.clickThrough = landing.map { TrackedURL(url: $0) }
        linear.clicks.clickTracking = [TrackedURL(url: "https://t.test/\(id)/click")]
        linear.icons = icons
        var creative = Creative()
        creative.id = "c-\(id)"
        creative.linear = linear
        var inLine = InLine()
        inLine.title = "Ad \(id)"
        inLine.impressions = [TrackedURL(url: "https://t.test/\(id)/impression")]
        inLine.errors = ["https://t.test/\(id)/error?code=[ERRORCODE]"]
        inLine.creatives = [creative]
        if !companions.isEmpty {
            var beside = Creative()
            beside.companionAds = CompanionAds(companions: companions)
            inLine.creatives.append(beside)
        }
        if let hideable {
            inLine.extensions = [
                VASTExtension(
                    type: "uiSettings",
                    content: "<UiHideable>\(hideable)</UiHideable>",
                    fields: [VASTExtension.Field(name: "UiHideable", text: hideable)]
                )
            ]
        }
        return ResolvedAd(id: id, inLine: inLine)
    }

    /// A plain pod before the content.
    static func pod(_ ads: ResolvedAd..., buffet: [ResolvedAd] = []) -> AdSchedule {
        let keys = ads.indices.map { AdKey($0) }
        let spares = buffet.indices.map { AdKey(ads.count + $0) }
        return AdSchedule(
            ads: ads + buffet,
            breaks: [AdSchedule.Break(timeOffset: .start, ads: keys, buffet: spares)]
        )
    }

    /// One ad at each offset, named after its place.
    static func breaks(_ offsets: TimeOffset..., repeatAfter: Duration? = nil) -> AdSchedule {
        AdSchedule(
            ads: offsets.indices.map { ad("b\($0)") },
            breaks: offsets.enumerated().map { place, offset in
                AdSchedule.Break(
                    id: "break-\(place)",
                    timeOffset: offset,
                    repeatAfter: repeatAfter,
                    ads: [AdKey(place)],
                    trackingEvents: ["breakStart", "breakEnd", "error"].map {
                        TrackingEvent(event: EventName(rawValue: $0), url: "https://t.test/break-\(place)/\($0)")
                    }
                )
            }
        )
    }
}
