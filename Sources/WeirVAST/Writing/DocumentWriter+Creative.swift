extension DocumentWriter {
    mutating func writeCreatives(_ creatives: [Creative], isWrapper: Bool) {
        guard !creatives.isEmpty || !isWrapper || !isFour else { return }
        out.begin("Creatives")
        for creative in creatives {
            for part in converts && !isFour ? creative.parts : [creative] { write(part, isWrapper: isWrapper) }
        }
        out.end()
    }

    private mutating func write(_ creative: Creative, isWrapper: Bool) {
        let framework = allows(.v4, "Creative@apiFramework", creative.apiFramework) ? creative.apiFramework : nil
        out.begin(
            "Creative",
            [
                ("id", creative.id), ("sequence", creative.sequence.map { String($0) }),
                (isFour ? "adId" : "AdID", creative.adID), ("apiFramework", framework),
            ]
        )
        if let companions = creative.companionAds { write(companions, isWrapper: isWrapper) }
        if allows(.v4, "CreativeExtensions", list: creative.creativeExtensions) {
            writeCreativeExtensions(creative.creativeExtensions)
        }
        if let linear = creative.linear { write(linear, isWrapper: isWrapper) }
        if let nonLinears = creative.nonLinearAds { write(nonLinears, isWrapper: isWrapper) }
        if allows(.v4, "UniversalAdId", list: creative.universalAdIDs) {
            var ids = creative.universalAdIDs
            if converts, version < .v42, ids.count > 1 {
                leaveOut("more than one UniversalAdId")
                ids = [ids[0]]
            }
            for id in ids {
                // VAST 4.0 repeats the id in an attribute (schema 4.0).
                let value = version == .v4 ? id.value : nil
                out.text("UniversalAdId", [("idRegistry", id.registry), ("idValue", value)], id.value)
            }
        }
        out.end()
    }

    mutating func writeCreativeExtensions(_ extensions: [VASTExtension]) {
        guard !extensions.isEmpty else { return }
        out.begin("CreativeExtensions")
        write("CreativeExtension", extensions)
        out.end()
    }

    private mutating func write(_ linear: Linear, isWrapper: Bool) {
        let offset = allows(.v3, "skipoffset", linear.skipOffset) ? linear.skipOffset.map(text) : nil
        out.begin("Linear", [("skipoffset", offset)])
        if allows(.v3, "Icons", list: linear.icons) {
            out.begin("Icons")
            for icon in linear.icons { write(icon) }
            out.end()
        }
        if !linear.creativeExtensions.isEmpty {
            if !converts || version == .v3 {
                writeCreativeExtensions(linear.creativeExtensions)
            } else {
                leaveOut("CreativeExtensions of a Linear")
            }
        }
        if isFour {
            write(linear.trackingEvents)
            write(linear.adParameters)
            writeDuration(linear)
            writeMediaFiles(linear)
            write(linear.clicks)
        } else {
            writeDuration(linear)
            write(linear.trackingEvents)
            write(linear.adParameters)
            write(linear.clicks)
            writeMediaFiles(linear)
        }
        out.end()
    }

    private mutating func writeDuration(_ linear: Linear) {
        if let duration = linear.duration { out.text("Duration", ClockText.text(duration)) }
    }

    mutating func write(_ parameters: AdParameters?) {
        guard let parameters else { return }
        let encoded = allows(.v3, "AdParameters@xmlEncoded", parameters.isXMLEncoded) ? parameters.isXMLEncoded : nil
        out.opaque("AdParameters", [("xmlEncoded", encoded.map { String($0) })], parameters.text)
    }

    private mutating func write(_ clicks: VideoClicks) {
        guard !clicks.isEmpty else { return }
        out.begin("VideoClicks")
        // Each generation of schemas has an order of its own: before 4.0, in 4.0 and 4.1, since 4.2.
        if !isFour, let url = clicks.clickThrough { write("ClickThrough", url) }
        for url in clicks.clickTracking { write("ClickTracking", url) }
        if version >= .v42, let url = clicks.clickThrough { write("ClickThrough", url) }
        for url in clicks.customClicks { write("CustomClick", url) }
        if isFour, version < .v42, let url = clicks.clickThrough { write("ClickThrough", url) }
        out.end()
    }

    private mutating func writeMediaFiles(_ linear: Linear) {
        let captions = allows(.v41, "ClosedCaptionFiles", list: linear.closedCaptionFiles)
        let mezzanines = allows(.v41, "Mezzanine", list: linear.mezzanines)
        let interactive = allows(.v4, "InteractiveCreativeFile", list: linear.interactiveCreativeFiles)
        guard !linear.mediaFiles.isEmpty || captions || mezzanines || interactive else { return }
        out.begin("MediaFiles")
        if captions {
            out.begin("ClosedCaptionFiles")
            for file in linear.closedCaptionFiles {
                out.opaque("ClosedCaptionFile", [("type", file.type), ("language", file.language)], file.url)
            }
            out.end()
        }
        for file in linear.mediaFiles { write("MediaFile", file) }
        if mezzanines { for mezzanine in linear.mezzanines { write("Mezzanine", mezzanine.file) } }
        if interactive { for file in linear.interactiveCreativeFiles { write(file) } }
        out.end()
    }

    private mutating func write(_ file: InteractiveCreativeFile) {
        let variable = allows(.v41, "variableDuration", file.hasVariableDuration) ? file.hasVariableDuration : nil
        out.opaque(
            "InteractiveCreativeFile",
            [
                ("type", file.type), ("apiFramework", file.apiFramework),
                ("variableDuration", variable.map { String($0) }),
            ],
            file.url
        )
    }

    private mutating func write(_ name: String, _ file: MediaFile) {
        let codec = allows(.v3, "codec", file.codec) ? file.codec : nil
        let least = allows(.v3, "minBitrate", file.minBitrate) ? file.minBitrate : nil
        let most = allows(.v3, "maxBitrate", file.maxBitrate) ? file.maxBitrate : nil
        let size = allows(.v41, "fileSize", file.fileSize) ? file.fileSize : nil
        let mediaType = allows(.v41, "mediaType", file.mediaType) ? file.mediaType : nil
        out.opaque(
            name,
            [
                ("id", file.id), ("delivery", file.delivery?.rawValue), ("type", file.type), ("codec", codec),
                ("bitrate", file.bitrate.map { String($0) }), ("minBitrate", least.map { String($0) }),
                ("maxBitrate", most.map { String($0) }), ("width", file.width.map { String($0) }),
                ("height", file.height.map { String($0) }), ("scalable", file.isScalable.map { String($0) }),
                ("maintainAspectRatio", file.maintainsAspectRatio.map { String($0) }),
                ("apiFramework", file.apiFramework), ("fileSize", size.map { String($0) }), ("mediaType", mediaType),
            ],
            file.url
        )
    }
}

extension Creative {
    /// One creative for each of its kinds: VAST 2 and 3 allow one kind in each.
    fileprivate var parts: [Creative] {
        guard [linear != nil, nonLinearAds != nil, companionAds != nil].count(where: { $0 }) > 1 else { return [self] }
        var parts: [Creative] = []
        if linear != nil {
            var part = self
            (part.nonLinearAds, part.companionAds) = (nil, nil)
            parts.append(part)
        }
        if nonLinearAds != nil {
            var part = self
            (part.linear, part.companionAds) = (nil, nil)
            parts.append(part)
        }
        if companionAds != nil {
            var part = self
            (part.linear, part.nonLinearAds) = (nil, nil)
            parts.append(part)
        }
        return parts
    }
}
