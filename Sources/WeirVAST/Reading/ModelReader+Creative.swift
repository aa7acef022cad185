extension ModelReader {
    mutating func readCreatives(_ node: Int) -> [Creative] {
        var result: [Creative] = []
        for child in tree.children(of: node) {
            guard tag(of: child) == .creative else {
                unknown(child)
                continue
            }
            result.append(readCreative(child))
        }
        return result
    }

    private mutating func readCreative(_ node: Int) -> Creative {
        var creative = Creative()
        creative.id = attribute(.id, node)
        creative.adID = attribute(.adId, node) ?? attribute(.adID, node)
        creative.sequence = integer(.sequence, node)
        creative.apiFramework = attribute(.apiFramework, node)
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .universalAdID: if let id = readUniversalAdID(child) { creative.universalAdIDs.append(id) }
            case .creativeExtensions:
                creative.creativeExtensions.append(contentsOf: readExtensions(child, .creativeExtension))
            case .linear where creative.linear == nil: creative.linear = readLinear(child)
            case .nonLinearAds where creative.nonLinearAds == nil: creative.nonLinearAds = readNonLinearAds(child)
            case .companionAds where creative.companionAds == nil: creative.companionAds = readCompanionAds(child)
            case .linear, .nonLinearAds, .companionAds:
                warn(.duplicateElement, at: child, "A <Creative> holds one <\(tree.name(of: child).text)>; ignored.")
            default: unknown(child)
            }
        }
        if creative.universalAdIDs.isEmpty, isInsideInLine(node) { missing("UniversalAdId", in: node, since: .v4) }
        return creative
    }

    /// The text wins over the `idValue` of VAST 4.0.
    private mutating func readUniversalAdID(_ node: Int) -> UniversalAdID? {
        guard let value = nonEmptyText(node) ?? attribute(.idValue, node), !value.isEmpty else { return nil }
        return UniversalAdID(registry: attribute(.idRegistry, node), value: value)
    }

    private mutating func readLinear(_ node: Int) -> Linear {
        var linear = Linear()
        linear.skipOffset = playOffset(.skipoffset, node)
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .duration:
                if let text = nonEmptyText(child) { linear.duration = time(text, at: child, of: "Duration") }
            case .mediaFiles: readMediaFiles(child, into: &linear)
            case .adParameters: linear.adParameters = readAdParameters(child)
            case .trackingEvents: linear.trackingEvents.append(contentsOf: readTracking(child))
            case .videoClicks: readClicks(child, into: &linear.clicks)
            case .adInteractions where isDAAST || lenient: readClicks(child, into: &linear.clicks)
            case .creativeExtensions:
                linear.creativeExtensions.append(contentsOf: readExtensions(child, .creativeExtension))
            case .icons: linear.icons.append(contentsOf: readIcons(child))
            default: unknown(child)
            }
        }
        if isInsideInLine(node) {
            if linear.duration == nil { missing("Duration", in: node) }
            if linear.mediaFiles.isEmpty { missing("MediaFile", in: node) }
        }
        return linear
    }

    /// Whether the creative belongs to a complete ad and not to a wrapper.
    private func isInsideInLine(_ node: Int) -> Bool {
        var current = Int(tree.nodes[node].parent)
        while current >= 0 {
            if tree.nodes[current].tag == .wrapper { return false }
            if tree.nodes[current].tag == nil, tree.name(of: current).miscasedTag == .wrapper { return false }
            current = Int(tree.nodes[current].parent)
        }
        return true
    }

    mutating func readAdParameters(_ node: Int) -> AdParameters {
        AdParameters(isXMLEncoded: boolean(.xmlEncoded, node), text: tree.trimmedText(of: node))
    }

    mutating func readTracking(_ node: Int) -> [TrackingEvent] {
        var result: [TrackingEvent] = []
        for child in tree.children(of: node) {
            guard tag(of: child) == .tracking else {
                unknown(child)
                continue
            }
            guard let url = url(child) else { continue }
            let event = EventName(rawValue: attribute(.event, child) ?? "")
            if event.rawValue.isEmpty {
                require(.event, of: child)
            } else if !event.isKnown {
                let message = "The event \(quoted(event.rawValue)) is not known; it never happens."
                once(.unknownEvent, key: event.rawValue, at: child, message)
            }
            result.append(TrackingEvent(event: event, offset: playOffset(.offset, child), url: url))
        }
        return result
    }

    private mutating func readClicks(_ node: Int, into clicks: inout VideoClicks) {
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .clickThrough: clicks.clickThrough = trackedURL(child) ?? clicks.clickThrough
            case .clickTracking: if let url = trackedURL(child) { clicks.clickTracking.append(url) }
            case .customClick: if let url = trackedURL(child) { clicks.customClicks.append(url) }
            default: unknown(child)
            }
        }
    }

    private mutating func readMediaFiles(_ node: Int, into linear: inout Linear) {
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .mediaFile: if let file = readMediaFile(child) { linear.mediaFiles.append(file) }
            case .mezzanine:
                if let file = readMediaFile(child) { linear.mezzanines.append(Mezzanine(file: file)) }
            case .interactiveCreativeFile:
                guard let url = url(child) else { continue }
                linear.interactiveCreativeFiles.append(
                    InteractiveCreativeFile(
                        type: attribute(.type, child),
                        apiFramework: attribute(.apiFramework, child),
                        hasVariableDuration: boolean(.variableDuration, child),
                        url: url
                    )
                )
            case .closedCaptionFiles: readCaptions(child, into: &linear)
            default: unknown(child)
            }
        }
    }

    private mutating func readCaptions(_ node: Int, into linear: inout Linear) {
        for child in tree.children(of: node) {
            guard tag(of: child) == .closedCaptionFile else {
                unknown(child)
                continue
            }
            guard let url = url(child) else { continue }
            linear.closedCaptionFiles.append(
                ClosedCaptionFile(type: attribute(.type, child), language: attribute(.language, child), url: url)
            )
        }
    }

    private mutating func readMediaFile(_ node: Int) -> MediaFile? {
        guard let url = url(node) else { return nil }
        var file = MediaFile(url: url, type: attribute(.type, node))
        file.id = attribute(.id, node)
        file.width = integer(.width, node)
        file.height = integer(.height, node)
        file.codec = attribute(.codec, node)
        file.bitrate = integer(.bitrate, node)
        file.minBitrate = integer(.minBitrate, node)
        file.maxBitrate = integer(.maxBitrate, node)
        file.isScalable = boolean(.scalable, node)
        file.maintainsAspectRatio = boolean(.maintainAspectRatio, node)
        file.apiFramework = attribute(.apiFramework, node)
        file.fileSize = integer(.fileSize, node)
        file.mediaType = attribute(.mediaType, node)
        readDelivery(node, into: &file)
        checkType(of: file, node)
        return file
    }

    private mutating func readDelivery(_ node: Int, into file: inout MediaFile) {
        require(.delivery, of: node)
        guard let text = attribute(.delivery, node) else { return }
        file.delivery = MediaFile.Delivery(rawValue: lenient ? text.lowercased() : text)
        if file.delivery == nil {
            warn(.badValue, at: node, "delivery is \(quoted(text)), neither progressive nor streaming.")
        }
    }

    private mutating func checkType(of file: MediaFile, _ node: Int) {
        require(.type, of: node)
        let written = file.type ?? ""
        let canonical = MIMEType.canonical(written)
        if canonical != written, canonical != MIMEType.hls {
            let type = written.lowercased()
            if canonical != type {
                once(.mimeAlias, key: type, at: node, "The type \(quoted(type)) is better known as \(canonical).")
            }
        }
        if !canonical.hasPrefix("audio/"), !isDAAST {
            require(.width, of: node)
            require(.height, of: node)
        }
    }
}
