extension DisplayResource: Packable {
    static var blank: DisplayResource { DisplayResource(kind: .static, value: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&kind)
        packer.pass(&creativeType)
        packer.pass(&isXMLEncoded)
        packer.pass(&value)
    }
}

extension Icon: Packable {
    static var blank: Icon { Icon() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&program)
        packer.pass(&width)
        packer.pass(&height)
        packer.pass(&xPosition)
        packer.pass(&yPosition)
        packer.pass(&duration)
        packer.pass(&offset)
        packer.pass(&apiFramework)
        packer.pass(&pixelRatio)
        packer.pass(&altText)
        packer.pass(&hoverText)
        packer.pass(&resources)
        packer.pass(&clickThrough)
        packer.pass(&clickTracking)
        packer.pass(&clickFallbackImages)
        packer.pass(&viewTracking)
    }
}

extension IconClickFallbackImage: Packable {
    static var blank: IconClickFallbackImage { IconClickFallbackImage() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&width)
        packer.pass(&height)
        packer.pass(&altText)
        packer.pass(&resource)
    }
}

extension CompanionAds: Packable {
    static var blank: CompanionAds { CompanionAds() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&required, or: .all) { $0.pass(&$1) }
        packer.pass(&companions)
    }
}

extension Companion: Packable {
    static var blank: Companion { Companion() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&width)
        packer.pass(&height)
        packer.pass(&assetWidth)
        packer.pass(&assetHeight)
        packer.pass(&expandedWidth)
        packer.pass(&expandedHeight)
        packer.pass(&apiFramework)
        packer.pass(&adSlotID)
        packer.pass(&pixelRatio)
        packer.pass(&renderingMode)
        packer.pass(&resources)
        packer.pass(&adParameters)
        packer.pass(&altText)
        packer.pass(&clickThrough)
        packer.pass(&clickTracking)
        packer.pass(&trackingEvents)
        packer.pass(&creativeExtensions)
    }
}

extension NonLinearAds: Packable {
    static var blank: NonLinearAds { NonLinearAds() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&nonLinears)
        packer.pass(&trackingEvents)
    }
}

extension NonLinear: Packable {
    static var blank: NonLinear { NonLinear() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&width)
        packer.pass(&height)
        packer.pass(&expandedWidth)
        packer.pass(&expandedHeight)
        packer.pass(&isScalable)
        packer.pass(&maintainsAspectRatio)
        packer.pass(&apiFramework)
        packer.pass(&minSuggestedDuration)
        packer.pass(&resources)
        packer.pass(&adParameters)
        packer.pass(&clickThrough)
        packer.pass(&clickTracking)
        packer.pass(&creativeExtensions)
    }
}
