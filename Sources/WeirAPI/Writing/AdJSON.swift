internal import WeirAdapterKit
internal import WeirGateway
internal import WeirJSON
internal import WeirModel
internal import WeirTime
internal import WeirVAST

extension JSONWriter {
    /// Writes one ad as docs/api.md shows it.
    mutating func ad(_ served: ServedAd, in response: AdResponse) {
        ad(served, of: response.adUnit, expiresAt: response.expiresAt)
    }

    /// Writes one ad of a session that holds no more of the answer than this.
    mutating func ad(_ served: ServedAd, of adUnit: AdUnit, expiresAt: WallTime?) {
        let ad = served.ad
        object { json in
            json.member("id", ad.id ?? served.offerID)
            json.member("title", ad.title ?? served.offerTitle)
            json.member("system", ad.system?.name)
            json.member("creative_id", ad.creativeID ?? served.offerCreativeID)
            json.member("advertiser", ad.advertiser?.name ?? served.offerDomain)
            json.member("duration_ms", ad.duration?.milliseconds)
            json.money("price", served.price)
            json.member("network", served.network.text)
            json.member("line_item", served.lineItem.text)
            if let markup = served.markup() { json.markup(markup) }
            json.member("test", served.isTest)
            json.playback(ad, files: served.mediaFiles) { json in
                json.member("position", served.pod.position)
                json.member("total", served.pod.total)
                json.member("max_duration_ms", adUnit.longestPod(served.slot)?.milliseconds)
                json.member("time_offset_ms", served.timeOffset)
            }
            json.tracking(ad)
            json.display(ad)
            json.provenance(ad)
            switch adUnit.format {
            case .video: break
            case .audio: json.audio(served)
            case .rewarded: json.rewarded(served, adUnit, expiresAt)
            }
        }
    }

    /// How the ad plays; `pod` writes its place in the pod.
    mutating func playback(_ ad: ResolvedAd, files: [MediaFile], pod: (inout JSONWriter) -> Void) {
        member("ad_type", ad.adType.rawValue)
        member("skippable", ad.isSkippable)
        member("skip_offset_ms", ad.skipOffset?.milliseconds)
        member("ui_hideable", ad.isUIHideable)
        object("pod", pod)
        array("media_files") { json in
            for file in files { json.mediaFile(file) }
        }
        member("click_through", ad.clickThrough)
    }

    private mutating func mediaFile(_ file: MediaFile) {
        object { json in
            json.member("url", file.url)
            json.member("mime", file.type)
            json.member("width", file.width)
            json.member("height", file.height)
            json.member("bitrate_kbps", file.bitrate ?? file.maxBitrate ?? file.minBitrate)
            json.member("delivery", (file.delivery ?? .progressive).rawValue)
            json.member("codec", file.codec)
        }
    }

    /// What is called when.
    mutating func tracking(_ ad: ResolvedAd) {
        object("tracking") { json in
            let events = ad.trackingEvents.filter(\.event.isKnown)
                .map { (name: $0.event.current.rawValue, url: $0.url) }
            var place = 0
            // Sorting is stable: the URLs of one event keep their order.
            let sorted = events.sorted { $0.name < $1.name }
            while place < sorted.count {
                let name = sorted[place].name
                json.array(name) { json in
                    while place < sorted.count, sorted[place].name == name {
                        json.string(sorted[place].url)
                        place += 1
                    }
                }
            }
        }
        member("click_tracking", ad.clickTracking)
        member("impressions", ad.impressions)
        member("errors", ad.errors)
    }

    private mutating func audio(_ served: ServedAd) {
        let controls = served.controls
        member("section", (served.slot?.section ?? .preroll).rawValue)
        // Without a word from the network: a listener may pause, and skip when the document says so.
        member("allow_seek", controls?.allowsSeek ?? false)
        member("allow_skip", controls?.allowsSkip ?? served.ad.isSkippable)
        member("allow_pause", controls?.allowsPause ?? true)
        member("allow_track_change", controls?.allowsTrackChange ?? false)
        member("ad_text", controls?.adText)
    }

    private mutating func rewarded(_ served: ServedAd, _ adUnit: AdUnit, _ expiresAt: WallTime?) {
        key("reward")
        if let reward = served.reward {
            object { json in
                json.member("item", reward.item)
                json.member("amount", reward.amount.description)
            }
        } else {
            null()
        }
        member("expires_at", expiresAt?.rfc3339)
        object("ssv") { $0.member("enabled", adUnit.rewardMode != .client) }
        member("presentation_token", served.presentationToken)
    }
}

extension AdUnit {
    /// The longest that a pod may be: what its section allows, else so many ads of the longest kind; `nil` is no limit.
    fileprivate func longestPod(_ slot: AudioSlot?) -> Duration? {
        guard format == .audio else { return maxDuration.map { $0 * maxAds } }
        let limit = sections?.limits[slot?.section ?? .preroll]
        if let longest = limit?.maxDuration { return longest }
        guard let maxAds = limit?.maxAds, let maxDuration else { return nil }
        return maxDuration * maxAds
    }
}

extension ServedAd {
    /// IMA's spelling of where a break stands: 0 before the content, -1 after it; `nil` for what has no such place.
    fileprivate var timeOffset: Int64? {
        switch breakOffset {
        case nil: slot.flatMap(\.timeOffset)
        case .start: 0
        case .position(let position): position.milliseconds
        case .end: -1
        }
    }
}

extension AudioSlot {
    fileprivate var timeOffset: Int64? {
        switch section {
        case .preroll: 0
        case .midroll: point?.milliseconds ?? 0
        case .pauseroll: nil
        case .postroll: -1
        }
    }
}
