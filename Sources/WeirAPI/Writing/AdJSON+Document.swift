package import WeirJSON
internal import WeirTime
package import WeirVAST

extension JSONWriter {
    /// Writes an ad of a document as docs/api.md shows ads; what only a served ad has is `null`.
    package mutating func ad(_ ad: ResolvedAd, markup: String) {
        object { json in
            json.facts(ad)
            json.markup(markup)
            json.nullMember("test")
            json.playback(ad, files: ad.mediaFiles) { $0.place(ad.pod) }
            json.tracking(ad)
            json.display(ad)
            json.provenance(ad)
        }
    }

    /// Writes one `Ad` of a document that was only read: its own trackers, and where it points when it is a wrapper.
    package mutating func ad(_ ad: VASTAd, of document: VASTDocument) {
        var resolved = ResolvedAd(
            id: ad.id,
            sequence: ad.sequence,
            adType: ad.adType ?? .video,
            inLine: ad.inLine ?? InLine(ad.wrapper ?? Wrapper()),
            version: document.version
        )
        resolved.linear = resolved.inLine.creatives.lazy.compactMap(\.linear).first
        resolved.mediaFiles = resolved.linear?.mediaFiles ?? []
        var alone = document
        alone.ads = [ad]
        object { json in
            json.facts(resolved)
            json.markup(VASTWriter.write(alone).text)
            json.nullMember("test")
            json.member("sequence", ad.sequence)
            json.key("wrapper")
            if let wrapper = ad.wrapper { json.wrapper(wrapper) } else { json.null() }
            json.playback(resolved, files: resolved.mediaFiles) { $0.place(nil) }
            json.tracking(resolved)
            json.display(resolved)
            json.provenance(resolved)
        }
    }

    private mutating func place(_ pod: PodPlace?) {
        member("position", pod?.position)
        member("total", pod?.total)
        nullMember("max_duration_ms")
        nullMember("time_offset_ms")
    }

    private mutating func facts(_ ad: ResolvedAd) {
        member("id", ad.id)
        member("title", ad.title)
        member("system", ad.system?.name)
        member("creative_id", ad.creativeID)
        member("advertiser", ad.advertiser?.name)
        member("duration_ms", ad.duration?.milliseconds)
        key("price")
        if let pricing = ad.pricing {
            object { json in
                json.member("amount", pricing.value)
                json.member("currency", pricing.currency)
                json.member("model", pricing.model)
            }
        } else {
            null()
        }
        nullMember("network")
        nullMember("line_item")
    }

    mutating func markup(_ text: String) { markup(Array(text.utf8)) }

    /// Writes a document that is UTF-8.
    mutating func markup(_ document: [UInt8]) {
        object("markup") { json in
            json.member("kind", "vast")
            json.key("vast")
            document.withUnsafeBufferPointer { json.string(utf8: $0) }
        }
    }

    private mutating func wrapper(_ wrapper: Wrapper) {
        object { json in
            json.member("ad_tag_uri", wrapper.adTagURI)
            json.member("follow_additional_wrappers", wrapper.followsAdditionalWrappers)
            json.member("allow_multiple_ads", wrapper.allowsMultipleAds)
            json.member("fallback_on_no_ad", wrapper.fallsBackOnNoAd)
            json.member("blocked_ad_categories", wrapper.blockedCategories.map(\.code))
        }
    }
}

extension InLine {
    /// What a wrapper itself says, in the shape of an ad.
    fileprivate init(_ wrapper: Wrapper) {
        self.init()
        system = wrapper.system
        impressions = wrapper.impressions
        pricing = wrapper.pricing
        errors = wrapper.errors
        viewableImpressions = wrapper.viewableImpressions
        verifications = wrapper.verifications
        extensions = wrapper.extensions
        creatives = wrapper.creatives
    }
}
