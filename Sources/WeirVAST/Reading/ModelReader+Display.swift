extension ModelReader {
    mutating func readIcons(_ node: Int) -> [Icon] {
        var result: [Icon] = []
        for child in tree.children(of: node) {
            guard tag(of: child) == .icon else {
                unknown(child)
                continue
            }
            result.append(readIcon(child))
        }
        return result
    }

    private mutating func readIcon(_ node: Int) -> Icon {
        var icon = Icon()
        icon.program = attribute(.program, node)
        icon.width = integer(.width, node)
        icon.height = integer(.height, node)
        icon.xPosition = attribute(.xPosition, node)
        icon.yPosition = attribute(.yPosition, node)
        icon.duration = time(.duration, node)
        icon.offset = playOffset(.offset, node)
        icon.apiFramework = attribute(.apiFramework, node)
        icon.pixelRatio = decimal(.pxratio, node)
        icon.altText = attribute(.altText, node)
        icon.hoverText = attribute(.hoverText, node)
        for child in tree.children(of: node) {
            let tag = tag(of: child)
            if let resource = readResource(tag, child) {
                icon.resources.append(resource)
                continue
            }
            switch tag {
            case .iconClicks: readIconClicks(child, into: &icon)
            case .iconViewTracking: if let url = url(child) { icon.viewTracking.append(url) }
            case .staticResource, .iFrameResource, .htmlResource: break
            default: unknown(child)
            }
        }
        return icon
    }

    private mutating func readIconClicks(_ node: Int, into icon: inout Icon) {
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .iconClickThrough: icon.clickThrough = trackedURL(child) ?? icon.clickThrough
            case .iconClickTracking: if let url = trackedURL(child) { icon.clickTracking.append(url) }
            case .iconClickFallbackImages:
                for image in tree.children(of: child) {
                    if tag(of: image) == .iconClickFallbackImage {
                        icon.clickFallbackImages.append(readFallbackImage(image))
                    } else {
                        unknown(image)
                    }
                }
            default: unknown(child)
            }
        }
    }

    private mutating func readFallbackImage(_ node: Int) -> IconClickFallbackImage {
        var image = IconClickFallbackImage()
        image.width = integer(.width, node)
        image.height = integer(.height, node)
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .altText: image.altText = tree.trimmedText(of: child)
            case .staticResource: image.resource = readResource(.staticResource, child)
            default: unknown(child)
            }
        }
        return image
    }

    /// The resource in an element, if it is one and not empty.
    private mutating func readResource(_ tag: Tag?, _ node: Int) -> DisplayResource? {
        let kind: DisplayResource.Kind
        switch tag {
        case .staticResource: kind = .static
        case .iFrameResource: kind = .iFrame
        case .htmlResource: kind = .html
        default: return nil
        }
        guard let value = url(node) else { return nil }
        return DisplayResource(
            kind: kind,
            creativeType: attribute(.creativeType, node),
            isXMLEncoded: boolean(.xmlEncoded, node),
            value: value
        )
    }

    mutating func readCompanionAds(_ node: Int) -> CompanionAds {
        var result = CompanionAds()
        if let text = attribute(.required, node), !text.isEmpty {
            result.required = CompanionAds.Requirement(rawValue: lenient ? text.lowercased() : text)
            if result.required == nil {
                warn(.badValue, at: node, "required is \(quoted(text)), not all, any or none.")
            }
        }
        for child in tree.children(of: node) {
            guard tag(of: child) == .companion else {
                unknown(child)
                continue
            }
            result.companions.append(readCompanion(child))
        }
        return result
    }

    private mutating func readCompanion(_ node: Int) -> Companion {
        var companion = Companion()
        companion.id = attribute(.id, node)
        companion.width = integer(.width, node)
        companion.height = integer(.height, node)
        companion.assetWidth = integer(.assetWidth, node)
        companion.assetHeight = integer(.assetHeight, node)
        companion.expandedWidth = integer(.expandedWidth, node)
        companion.expandedHeight = integer(.expandedHeight, node)
        companion.apiFramework = attribute(.apiFramework, node)
        companion.adSlotID = attribute(.adSlotId, node) ?? attribute(.adSlotID4, node)
        companion.pixelRatio = decimal(.pxratio, node)
        companion.renderingMode = attribute(.renderingMode, node)
        require(.width, of: node)
        require(.height, of: node)
        for child in tree.children(of: node) {
            let tag = tag(of: child)
            if let resource = readResource(tag, child) {
                companion.resources.append(resource)
                continue
            }
            switch tag {
            case .adParameters: companion.adParameters = readAdParameters(child)
            case .altText: companion.altText = tree.trimmedText(of: child)
            case .companionClickThrough: companion.clickThrough = trackedURL(child) ?? companion.clickThrough
            case .companionClickTracking: if let url = trackedURL(child) { companion.clickTracking.append(url) }
            case .trackingEvents: companion.trackingEvents.append(contentsOf: readTracking(child))
            case .creativeExtensions:
                companion.creativeExtensions.append(contentsOf: readExtensions(child, .creativeExtension))
            case .staticResource, .iFrameResource, .htmlResource: break
            default: unknown(child)
            }
        }
        return companion
    }

    mutating func readNonLinearAds(_ node: Int) -> NonLinearAds {
        var result = NonLinearAds()
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .nonLinear: result.nonLinears.append(readNonLinear(child))
            case .trackingEvents: result.trackingEvents.append(contentsOf: readTracking(child))
            default: unknown(child)
            }
        }
        return result
    }

    private mutating func readNonLinear(_ node: Int) -> NonLinear {
        var result = NonLinear()
        result.id = attribute(.id, node)
        result.width = integer(.width, node)
        result.height = integer(.height, node)
        result.expandedWidth = integer(.expandedWidth, node)
        result.expandedHeight = integer(.expandedHeight, node)
        result.isScalable = boolean(.scalable, node)
        result.maintainsAspectRatio = boolean(.maintainAspectRatio, node)
        result.apiFramework = attribute(.apiFramework, node)
        result.minSuggestedDuration = time(.minSuggestedDuration, node)
        for child in tree.children(of: node) {
            let tag = tag(of: child)
            if let resource = readResource(tag, child) {
                result.resources.append(resource)
                continue
            }
            switch tag {
            case .adParameters: result.adParameters = readAdParameters(child)
            case .nonLinearClickThrough: result.clickThrough = trackedURL(child) ?? result.clickThrough
            case .creativeExtensions:
                result.creativeExtensions.append(contentsOf: readExtensions(child, .creativeExtension))
            case .nonLinearClickTracking: if let url = trackedURL(child) { result.clickTracking.append(url) }
            case .staticResource, .iFrameResource, .htmlResource: break
            default: unknown(child)
            }
        }
        return result
    }
}
