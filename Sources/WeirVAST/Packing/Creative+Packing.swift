extension Creative: Packable {
    static var blank: Creative { Creative() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&adID)
        packer.pass(&sequence)
        packer.pass(&apiFramework)
        packer.pass(&universalAdIDs)
        packer.pass(&creativeExtensions)
        packer.pass(&linear)
        packer.pass(&nonLinearAds)
        packer.pass(&companionAds)
    }
}

extension UniversalAdID: Packable {
    static var blank: UniversalAdID { UniversalAdID(value: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&registry)
        packer.pass(&value)
    }
}

extension Linear: Packable {
    static var blank: Linear { Linear() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&skipOffset)
        packer.pass(&duration)
        packer.pass(&mediaFiles)
        packer.pass(&mezzanines, of: Mezzanine(file: .blank)) { packer, master in master.file.pass(&packer) }
        packer.pass(&interactiveCreativeFiles)
        packer.pass(&closedCaptionFiles)
        packer.pass(&adParameters)
        packer.pass(&trackingEvents)
        packer.pass(&clicks.clickThrough)
        packer.pass(&clicks.clickTracking)
        packer.pass(&clicks.customClicks)
        packer.pass(&icons)
        packer.pass(&creativeExtensions)
    }
}

extension PlayOffset: Packable {
    static var blank: PlayOffset { .time(.zero) }

    mutating func pass(_ packer: inout AdPacker) {
        var kind = 0
        var (time, percent, text) = (Duration.zero, 0.0, "")
        switch self {
        case .time(let value): time = value
        case .percent(let value): (kind, percent) = (1, value)
        case .unreadable(let value): (kind, text) = (2, value)
        }
        packer.pass(&kind)
        switch kind {
        case 0:
            packer.pass(&time)
            self = .time(time)
        case 1:
            packer.pass(&percent)
            self = .percent(percent)
        default:
            packer.pass(&text)
            self = .unreadable(text)
        }
    }
}

extension MediaFile: Packable {
    static var blank: MediaFile { MediaFile(url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&url)
        packer.pass(&delivery, or: .progressive) { $0.pass(&$1) }
        packer.pass(&type)
        packer.pass(&width)
        packer.pass(&height)
        packer.pass(&codec)
        packer.pass(&bitrate)
        packer.pass(&minBitrate)
        packer.pass(&maxBitrate)
        packer.pass(&isScalable)
        packer.pass(&maintainsAspectRatio)
        packer.pass(&apiFramework)
        packer.pass(&fileSize)
        packer.pass(&mediaType)
    }
}

extension InteractiveCreativeFile: Packable {
    static var blank: InteractiveCreativeFile { InteractiveCreativeFile(url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&type)
        packer.pass(&apiFramework)
        packer.pass(&hasVariableDuration)
        packer.pass(&url)
    }
}

extension ClosedCaptionFile: Packable {
    static var blank: ClosedCaptionFile { ClosedCaptionFile(url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&type)
        packer.pass(&language)
        packer.pass(&url)
    }
}

extension AdParameters: Packable {
    static var blank: AdParameters { AdParameters(text: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&isXMLEncoded)
        packer.pass(&text)
    }
}

extension TrackingEvent: Packable {
    static var blank: TrackingEvent { TrackingEvent(event: .start, url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&event)
        packer.pass(&offset)
        packer.pass(&url)
    }
}
