/// The elements that VAST, DAAST and VMAP know.
enum Tag: String, CaseIterable {
    case vast = "VAST"
    case daast = "DAAST"
    case vmap = "VMAP"
    case vast1 = "VideoAdServingTemplate"
    case ad = "Ad"
    case inLine = "InLine"
    case wrapper = "Wrapper"
    case adSystem = "AdSystem"
    case adTitle = "AdTitle"
    case adServingID = "AdServingId"
    case impression = "Impression"
    case category = "Category"
    case description = "Description"
    case advertiser = "Advertiser"
    case pricing = "Pricing"
    case survey = "Survey"
    case expires = "Expires"
    case error = "Error"
    case viewableImpression = "ViewableImpression"
    case viewable = "Viewable"
    case notViewable = "NotViewable"
    case viewUndetermined = "ViewUndetermined"
    case adVerifications = "AdVerifications"
    case verification = "Verification"
    case javaScriptResource = "JavaScriptResource"
    case executableResource = "ExecutableResource"
    case verificationParameters = "VerificationParameters"
    case extensions = "Extensions"
    case `extension` = "Extension"
    case blockedAdCategories = "BlockedAdCategories"
    case adTagURI = "VASTAdTagURI"
    case oldAdTagURL = "VASTAdTagURL"
    case daastAdTagURI = "DAASTAdTagURI"
    case url = "URL"
    case creatives = "Creatives"
    case creative = "Creative"
    case universalAdID = "UniversalAdId"
    case creativeExtensions = "CreativeExtensions"
    case creativeExtension = "CreativeExtension"
    case linear = "Linear"
    case nonLinearAds = "NonLinearAds"
    case nonLinear = "NonLinear"
    case companionAds = "CompanionAds"
    case companion = "Companion"
    case duration = "Duration"
    case mediaFiles = "MediaFiles"
    case mediaFile = "MediaFile"
    case mezzanine = "Mezzanine"
    case interactiveCreativeFile = "InteractiveCreativeFile"
    case closedCaptionFiles = "ClosedCaptionFiles"
    case closedCaptionFile = "ClosedCaptionFile"
    case adParameters = "AdParameters"
    case trackingEvents = "TrackingEvents"
    case tracking = "Tracking"
    case videoClicks = "VideoClicks"
    case adInteractions = "AdInteractions"
    case clickThrough = "ClickThrough"
    case clickTracking = "ClickTracking"
    case customClick = "CustomClick"
    case icons = "Icons"
    case icon = "Icon"
    case staticResource = "StaticResource"
    case iFrameResource = "IFrameResource"
    case htmlResource = "HTMLResource"
    case iconClicks = "IconClicks"
    case iconClickThrough = "IconClickThrough"
    case iconClickTracking = "IconClickTracking"
    case iconClickFallbackImages = "IconClickFallbackImages"
    case iconClickFallbackImage = "IconClickFallbackImage"
    case iconViewTracking = "IconViewTracking"
    case altText = "AltText"
    case companionClickThrough = "CompanionClickThrough"
    case companionClickTracking = "CompanionClickTracking"
    case nonLinearClickThrough = "NonLinearClickThrough"
    case nonLinearClickTracking = "NonLinearClickTracking"
    case adBreak = "AdBreak"
    case adSource = "AdSource"
    case vastAdData = "VASTAdData"
    case vastData = "VASTData"
    case vmapAdTagURI = "AdTagURI"
    case customAdData = "CustomAdData"
}

/// The attributes that VAST, DAAST and VMAP know.
enum Key: String, CaseIterable {
    case version, id, sequence, conditionalAd, adType, authority, model, currency, type, vendor, apiFramework
    case browserOptional, followAdditionalWrappers, allowMultipleAds, fallbackOnNoAd, adId, adID = "AdID"
    case idRegistry, idValue, skipoffset, xmlEncoded, event, offset, delivery, width, height, codec, bitrate
    case minBitrate, maxBitrate, scalable, maintainAspectRatio, fileSize, mediaType, variableDuration, language
    case program, xPosition, yPosition, duration, pxratio, altText, hoverText, creativeType, required, assetWidth
    case assetHeight, expandedWidth, expandedHeight, adSlotId, renderingMode, minSuggestedDuration, timeOffset
    case breakType, breakId, repeatAfter, followRedirects, templateType
    /// The schema of 4.0 spells it so.
    case adSlotID4 = "adSlotID"
}

/// One name met in a document, looked up once.
struct XMLName {
    /// The local name as written.
    var text: String
    /// The element of that name, if there is one.
    var tag: Tag?
    /// The attribute of that name, if there is one.
    var key: Key?
    /// The element of that name in another case.
    var miscasedTag: Tag?
    /// The attribute of that name in another case.
    var miscasedKey: Key?

    /// The name in these bytes.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let known = KnownNames.shared.find(bytes) {
            self = known
            return
        }
        self.init(plain: String(decoding: bytes, as: UTF8.self))
        let lowercased = text.lowercased()
        miscasedTag = KnownNames.lowercasedTags[lowercased]
        miscasedKey = KnownNames.lowercasedKeys[lowercased]
    }

    fileprivate init(plain text: String) {
        self.text = text
    }
}

/// Every name that is known, in its own case, found by its bytes without making a string.
private struct KnownNames {
    static let shared = KnownNames()

    static let lowercasedTags = Dictionary(
        Tag.allCases.map { ($0.rawValue.lowercased(), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    static let lowercasedKeys = Dictionary(
        Key.allCases.map { ($0.rawValue.lowercased(), $0) },
        // `adId` and `adSlotId` stand before the spellings of older versions.
        uniquingKeysWith: { first, _ in first }
    )

    /// Open addressing; four times as many slots as names.
    private var slots: [(bytes: [UInt8], name: XMLName)?] = Array(repeating: nil, count: 1024)

    private init() {
        for text in Set(Tag.allCases.map(\.rawValue) + Key.allCases.map(\.rawValue)) {
            var name = XMLName(plain: text)
            name.tag = Tag(rawValue: text)
            name.key = Key(rawValue: text)
            if name.tag == nil { name.miscasedTag = Self.lowercasedTags[text.lowercased()] }
            if name.key == nil { name.miscasedKey = Self.lowercasedKeys[text.lowercased()] }
            let bytes = Array(text.utf8)
            var slot = bytes.withUnsafeBufferPointer(Self.slot)
            while slots[slot] != nil { slot = (slot + 1) % slots.count }
            slots[slot] = (bytes, name)
        }
    }

    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLName? {
        var slot = Self.slot(bytes)
        while let entry = slots[slot] {
            if entry.bytes.elementsEqual(bytes) { return entry.name }
            slot = (slot + 1) % slots.count
        }
        return nil
    }

    /// FNV-1a.
    private static func slot(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int((hash ^ hash >> 15) & 1023)
    }
}
