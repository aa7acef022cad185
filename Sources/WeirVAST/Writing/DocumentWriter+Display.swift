extension DocumentWriter {
    mutating func write(_ icon: Icon) {
        let ratio = allows(.v4, "Icon@pxratio", icon.pixelRatio) ? icon.pixelRatio : nil
        let alternative = allows(.v43, "Icon@altText", icon.altText) ? icon.altText : nil
        let hover = allows(.v43, "Icon@hoverText", icon.hoverText) ? icon.hoverText : nil
        out.begin(
            "Icon",
            [
                ("program", icon.program), ("width", icon.width.map { String($0) }),
                ("height", icon.height.map { String($0) }), ("xPosition", icon.xPosition),
                ("yPosition", icon.yPosition), ("duration", icon.duration.map(ClockText.text)),
                ("offset", icon.offset.map(text)), ("apiFramework", icon.apiFramework),
                ("pxratio", ratio.map(decimal)), ("altText", alternative), ("hoverText", hover),
            ]
        )
        write(icon.resources)
        writeClicks(of: icon)
        for url in icon.viewTracking { out.opaque("IconViewTracking", url) }
        out.end()
    }

    private mutating func writeClicks(of icon: Icon) {
        let images = allows(.v42, "IconClickFallbackImages", list: icon.clickFallbackImages)
        guard images || icon.clickThrough != nil || !icon.clickTracking.isEmpty else { return }
        out.begin("IconClicks")
        if images {
            out.begin("IconClickFallbackImages")
            for image in icon.clickFallbackImages { write(image) }
            out.end()
        }
        if isFour, let url = icon.clickThrough { out.opaque("IconClickThrough", idUnlessConverting(url), url.url) }
        for url in icon.clickTracking {
            out.opaque("IconClickTracking", isFour ? [("id", url.id)] : idUnlessConverting(url), url.url)
        }
        if !isFour, let url = icon.clickThrough { out.opaque("IconClickThrough", idUnlessConverting(url), url.url) }
        out.end()
    }

    /// Where the schema gives a URL no id, one that was there all the same is kept only when nothing is converted.
    private func idUnlessConverting(_ url: TrackedURL) -> [(String, String?)] { [("id", converts ? nil : url.id)] }

    private mutating func write(_ image: IconClickFallbackImage) {
        let size = [("width", image.width.map { String($0) }), ("height", image.height.map { String($0) })]
        out.begin("IconClickFallbackImage", size)
        if let text = image.altText { out.text("AltText", text) }
        if let resource = image.resource { write([resource]) }
        out.end()
    }

    /// VAST 2 and 3 allow one resource (their schemas have a choice).
    private mutating func write(_ resources: [DisplayResource]) {
        var resources = resources
        if converts, !isFour, resources.count > 1 {
            leaveOut("more than one resource")
            resources = Array(resources.prefix(1))
        }
        for resource in resources {
            let encoded = converts && version != .v3 ? nil : resource.isXMLEncoded
            out.opaque(
                resource.kind.rawValue,
                [("creativeType", resource.creativeType), ("xmlEncoded", encoded.map { String($0) })],
                resource.value
            )
        }
    }

    mutating func write(_ ads: CompanionAds, isWrapper: Bool) {
        let required = allows(.v3, "CompanionAds@required", ads.required) ? ads.required?.rawValue : nil
        out.begin("CompanionAds", [("required", required)])
        for companion in ads.companions { write(companion, isWrapper: isWrapper) }
        out.end()
    }

    private mutating func write(_ companion: Companion, isWrapper: Bool) {
        out.begin("Companion", attributes(of: companion))
        write(companion.resources)
        if isFour {
            write(companion.adParameters)
            if let text = companion.altText { out.text("AltText", text) }
            writeClicks(of: companion, isWrapper: isWrapper)
            writeCreativeExtensions(companion.creativeExtensions)
            write(companion.trackingEvents)
        } else {
            if allows(.v3, "CreativeExtensions", list: companion.creativeExtensions) {
                writeCreativeExtensions(companion.creativeExtensions)
            }
            write(companion.trackingEvents)
            writeClicks(of: companion, isWrapper: isWrapper)
            if let text = companion.altText { out.text("AltText", text) }
            write(companion.adParameters)
        }
        out.end()
    }

    private mutating func attributes(of companion: Companion) -> [(String, String?)] {
        let assetWidth = allows(.v3, "assetWidth", companion.assetWidth) ? companion.assetWidth : nil
        let assetHeight = allows(.v3, "assetHeight", companion.assetHeight) ? companion.assetHeight : nil
        let slot = allows(.v3, "adSlotId", companion.adSlotID) ? companion.adSlotID : nil
        let ratio = allows(.v4, "Companion@pxratio", companion.pixelRatio) ? companion.pixelRatio : nil
        let mode = allows(.v41, "renderingMode", companion.renderingMode) ? companion.renderingMode : nil
        return [
            ("id", companion.id), ("width", companion.width.map { String($0) }),
            ("height", companion.height.map { String($0) }), ("assetWidth", assetWidth.map { String($0) }),
            ("assetHeight", assetHeight.map { String($0) }),
            ("expandedWidth", companion.expandedWidth.map { String($0) }),
            ("expandedHeight", companion.expandedHeight.map { String($0) }),
            ("apiFramework", companion.apiFramework),
            // The schema of 4.0 spells this one attribute its own way.
            (version == .v4 ? "adSlotID" : "adSlotId", slot),
            ("pxratio", ratio.map(decimal)), ("renderingMode", mode),
        ]
    }

    /// In 3.0 trackers of clicks stand in wrappers only; players know them elsewhere too, so served ads keep them.
    private mutating func writeClicks(of companion: Companion, isWrapper: Bool) {
        if let url = companion.clickThrough { out.opaque("CompanionClickThrough", idUnlessConverting(url), url.url) }
        let first: VASTVersion = isWrapper || serves ? .v3 : .v4
        guard allows(first, "CompanionClickTracking", list: companion.clickTracking) else { return }
        for (index, url) in companion.clickTracking.enumerated() {
            // VAST 4 requires an id.
            let id = url.id ?? (converts && isFour ? String(index + 1) : nil)
            out.opaque("CompanionClickTracking", [("id", id)], url.url)
        }
    }

    mutating func write(_ ads: NonLinearAds, isWrapper: Bool) {
        out.begin("NonLinearAds")
        write(ads.trackingEvents)
        for nonLinear in ads.nonLinears { write(nonLinear, isTracker: converts && isFour && isWrapper) }
        out.end()
    }

    /// In a wrapper since VAST 4 only its trackers of clicks are left of a non-linear ad.
    private mutating func write(_ ad: NonLinear, isTracker: Bool) {
        if isTracker {
            out.begin("NonLinear")
            for url in ad.clickTracking { write("NonLinearClickTracking", url) }
            out.end()
            return
        }
        out.begin(
            "NonLinear",
            [
                ("id", ad.id), ("width", ad.width.map { String($0) }), ("height", ad.height.map { String($0) }),
                ("expandedWidth", ad.expandedWidth.map { String($0) }),
                ("expandedHeight", ad.expandedHeight.map { String($0) }),
                ("scalable", ad.isScalable.map { String($0) }),
                ("maintainAspectRatio", ad.maintainsAspectRatio.map { String($0) }),
                ("minSuggestedDuration", ad.minSuggestedDuration.map(ClockText.text)),
                ("apiFramework", ad.apiFramework),
            ]
        )
        write(ad.resources)
        if !isFour, allows(.v3, "CreativeExtensions", list: ad.creativeExtensions) {
            writeCreativeExtensions(ad.creativeExtensions)
        }
        if isFour { write(ad.adParameters) }
        let tracks = allows(.v3, "NonLinearClickTracking", list: ad.clickTracking)
        if tracks, !isFour {
            for url in ad.clickTracking { out.opaque("NonLinearClickTracking", idUnlessConverting(url), url.url) }
        }
        if let url = ad.clickThrough { out.opaque("NonLinearClickThrough", idUnlessConverting(url), url.url) }
        if tracks, isFour { for url in ad.clickTracking { write("NonLinearClickTracking", url) } }
        if !isFour { write(ad.adParameters) }
        if isFour, !ad.creativeExtensions.isEmpty {
            if converts {
                leaveOut("CreativeExtensions of a NonLinear")
            } else {
                writeCreativeExtensions(ad.creativeExtensions)
            }
        }
        out.end()
    }

    private func decimal(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int64(value)) : String(value)
    }
}
