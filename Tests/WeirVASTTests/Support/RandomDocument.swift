@testable import WeirVAST

/// Makes documents at random in which every field of the model is used, with texts that try to break out.
struct RandomDocument {
    private var generator: SmallGenerator

    init(seed: UInt64) {
        generator = SmallGenerator(seed: seed)
    }

    private static let pieces = [
        "a", "B", "7", " ", "&", "<", ">", "\"", "'", "]]>", "]]", "<![CDATA[", "&amp;", "é", "漢", "🎬", "\n", "\t",
        "\r",
        "%5B", "[CACHEBUSTING]", "-->", "<!--", "?>", "https://t.test/?a=1&b=2", "</Ad>", "\u{85}", "\u{2028}",
    ]

    mutating func document() -> VASTDocument {
        let version = pick(VASTVersion.allCases)
        return VASTDocument(
            version: version.rawValue,
            namespace: flip() ? "http://www.iab.com/VAST" : nil,
            errors: list(2) { $0.text() },
            ads: list(3) { $0.ad() }
        )
    }

    /// Text as the model holds it: not empty, no white space around it.
    mutating func text() -> String {
        let inner = (0..<Int.random(in: 0...5, using: &generator)).map { _ in pick(Self.pieces) }.joined()
        return pick(["x", "]", "&", "<", "é", "🎬"]) + inner + pick(["y", "]]>", "\"", ">", "0"])
    }

    private mutating func flip() -> Bool { Bool.random(using: &generator) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    private mutating func maybe<Value>(_ make: (inout RandomDocument) -> Value) -> Value? {
        flip() ? make(&self) : nil
    }

    private mutating func list<Value>(_ most: Int, _ make: (inout RandomDocument) -> Value) -> [Value] {
        (0..<Int.random(in: 0...most, using: &generator)).map { _ in make(&self) }
    }

    private mutating func number() -> Int { Int.random(in: 0...99_999, using: &generator) }

    private mutating func time() -> Duration { .milliseconds(Int.random(in: 0...10_000_000, using: &generator)) }

    private mutating func offset() -> PlayOffset {
        flip() ? .time(time()) : .percent(Double(Int.random(in: 0...400, using: &generator)) / 4)
    }

    private mutating func tracked() -> TrackedURL { TrackedURL(id: maybe { $0.text() }, url: text()) }

    private mutating func event() -> TrackingEvent {
        let name = pick(EventName.known.sorted() + ["somethingElse"])
        return TrackingEvent(event: EventName(rawValue: name), offset: maybe { $0.offset() }, url: text())
    }

    private mutating func ad() -> VASTAd {
        VASTAd(
            id: maybe { $0.text() },
            sequence: maybe { $0.number() + 1 },
            isConditional: maybe { $0.flip() },
            adType: maybe { $0.pick([.video, .audio, .hybrid]) },
            content: flip() ? .inLine(inLine()) : .wrapper(wrapper())
        )
    }

    private mutating func fill(_ body: inout some AdBody) {
        body.system = maybe { AdSystem(name: $0.text(), version: $0.maybe { $0.text() }) }
        body.impressions = list(3) { $0.tracked() }
        body.pricing = maybe {
            Pricing(model: $0.maybe { $0.text() }, currency: $0.maybe { $0.text() }, value: $0.text())
        }
        body.errors = list(3) { $0.text() }
        body.viewableImpressions = list(2) {
            ViewableImpression(
                id: $0.maybe { $0.text() },
                viewable: $0.list(2) { $0.text() },
                notViewable: $0.list(2) { $0.text() },
                undetermined: $0.list(2) { $0.text() }
            )
        }
        body.verifications = list(2) { $0.verification() }
        body.extensions = list(2) { $0.extension() }
        body.creatives = list(3) { $0.creative() }
    }

    private mutating func inLine() -> InLine {
        var result = InLine()
        fill(&result)
        result.title = maybe { $0.text() }
        result.adServingID = maybe { $0.text() }
        result.categories = list(2) { Category(authority: $0.maybe { $0.text() }, code: $0.text()) }
        result.description = maybe { $0.text() }
        result.advertiser = maybe { Advertiser(id: $0.maybe { $0.text() }, name: $0.text()) }
        result.survey = maybe { Survey(type: $0.maybe { $0.text() }, url: $0.text()) }
        result.expires = maybe { .seconds($0.number()) }
        return result
    }

    private mutating func wrapper() -> Wrapper {
        var result = Wrapper()
        fill(&result)
        result.followsAdditionalWrappers = maybe { $0.flip() }
        result.allowsMultipleAds = maybe { $0.flip() }
        result.fallsBackOnNoAd = maybe { $0.flip() }
        result.adTagURI = maybe { $0.text() }
        result.blockedCategories = list(2) { Category(authority: $0.maybe { $0.text() }, code: $0.text()) }
        return result
    }

    private mutating func verification() -> Verification {
        var result = Verification()
        result.vendor = maybe { $0.text() }
        result.resources = list(2) {
            VerificationResource(
                kind: $0.flip() ? .javaScript : .executable,
                apiFramework: $0.maybe { $0.text() },
                type: $0.maybe { $0.text() },
                isBrowserOptional: $0.maybe { $0.flip() },
                url: $0.text()
            )
        }
        result.trackingEvents = list(2) { $0.event() }
        result.parameters = maybe { $0.text() }
        return result
    }

    private mutating func `extension`() -> VASTExtension {
        let fields = list(3) { VASTExtension.Field(name: $0.pick(["Key", "AdTitle", "x"]), text: String($0.number())) }
        let content = fields.map { "<\($0.name)>\($0.text)</\($0.name)>" }.joined(separator: "\n ")
        return VASTExtension(
            type: maybe { $0.text() },
            attributes: flip() ? [VASTExtension.Attribute(name: "own", value: text())] : [],
            content: content,
            fields: fields
        )
    }

    private mutating func creative() -> Creative {
        var result = Creative()
        result.id = maybe { $0.text() }
        result.adID = maybe { $0.text() }
        result.sequence = maybe { $0.number() }
        result.apiFramework = maybe { $0.text() }
        result.universalAdIDs = list(2) { UniversalAdID(registry: $0.maybe { $0.text() }, value: $0.text()) }
        result.creativeExtensions = list(2) { $0.extension() }
        result.linear = maybe { $0.linear() }
        result.nonLinearAds = maybe {
            NonLinearAds(nonLinears: $0.list(2) { $0.nonLinear() }, trackingEvents: $0.list(2) { $0.event() })
        }
        result.companionAds = maybe {
            CompanionAds(
                required: $0.maybe { $0.pick([.all, .any, .none]) },
                companions: $0.list(2) { $0.companion() }
            )
        }
        return result
    }

    private mutating func linear() -> Linear {
        var result = Linear()
        result.skipOffset = maybe { $0.offset() }
        result.duration = maybe { $0.time() }
        result.mediaFiles = list(3) { $0.mediaFile() }
        result.mezzanines = list(1) { Mezzanine(file: $0.mediaFile()) }
        result.interactiveCreativeFiles = list(1) {
            InteractiveCreativeFile(
                type: $0.maybe { $0.text() },
                apiFramework: $0.maybe { $0.text() },
                hasVariableDuration: $0.maybe { $0.flip() },
                url: $0.text()
            )
        }
        result.closedCaptionFiles = list(2) {
            ClosedCaptionFile(type: $0.maybe { $0.text() }, language: $0.maybe { $0.text() }, url: $0.text())
        }
        result.adParameters = maybe { AdParameters(isXMLEncoded: $0.maybe { $0.flip() }, text: $0.text()) }
        result.trackingEvents = list(4) { $0.event() }
        result.clicks.clickThrough = maybe { $0.tracked() }
        result.clicks.clickTracking = list(2) { $0.tracked() }
        result.clicks.customClicks = list(2) { $0.tracked() }
        result.icons = list(2) { $0.icon() }
        result.creativeExtensions = list(1) { $0.extension() }
        return result
    }

    private mutating func mediaFile() -> MediaFile {
        var result = MediaFile(url: text(), type: maybe { $0.pick(["video/mp4", "audio/mp3", "x&<\"y"]) })
        result.id = maybe { $0.text() }
        result.delivery = maybe { $0.flip() ? .progressive : .streaming }
        result.width = maybe { $0.number() }
        result.height = maybe { $0.number() }
        result.codec = maybe { $0.text() }
        result.bitrate = maybe { $0.number() }
        result.minBitrate = maybe { $0.number() }
        result.maxBitrate = maybe { $0.number() }
        result.isScalable = maybe { $0.flip() }
        result.maintainsAspectRatio = maybe { $0.flip() }
        result.apiFramework = maybe { $0.text() }
        result.fileSize = maybe { $0.number() }
        result.mediaType = maybe { $0.text() }
        return result
    }

    private mutating func resource() -> DisplayResource {
        DisplayResource(
            kind: pick([.static, .iFrame, .html]),
            creativeType: maybe { $0.text() },
            isXMLEncoded: maybe { $0.flip() },
            value: text()
        )
    }

    private mutating func icon() -> Icon {
        var result = Icon()
        result.program = maybe { $0.text() }
        result.width = maybe { $0.number() }
        result.height = maybe { $0.number() }
        result.xPosition = maybe { $0.text() }
        result.yPosition = maybe { $0.text() }
        result.duration = maybe { $0.time() }
        result.offset = maybe { $0.offset() }
        result.apiFramework = maybe { $0.text() }
        result.pixelRatio = maybe { Double($0.number()) / 8 }
        result.altText = maybe { $0.text() }
        result.hoverText = maybe { $0.text() }
        result.resources = list(3) { $0.resource() }
        result.clickThrough = maybe { $0.tracked() }
        result.clickTracking = list(2) { $0.tracked() }
        result.clickFallbackImages = list(2) {
            var image = IconClickFallbackImage()
            image.width = $0.maybe { $0.number() }
            image.height = $0.maybe { $0.number() }
            image.altText = $0.maybe { $0.text() }
            image.resource = $0.maybe { DisplayResource(kind: .static, creativeType: $0.text(), value: $0.text()) }
            return image
        }
        result.viewTracking = list(2) { $0.text() }
        return result
    }

    private mutating func companion() -> Companion {
        var result = Companion()
        result.id = maybe { $0.text() }
        result.width = maybe { $0.number() }
        result.height = maybe { $0.number() }
        result.assetWidth = maybe { $0.number() }
        result.assetHeight = maybe { $0.number() }
        result.expandedWidth = maybe { $0.number() }
        result.expandedHeight = maybe { $0.number() }
        result.apiFramework = maybe { $0.text() }
        result.adSlotID = maybe { $0.text() }
        result.pixelRatio = maybe { Double($0.number()) / 8 }
        result.renderingMode = maybe { $0.text() }
        result.resources = list(3) { $0.resource() }
        result.adParameters = maybe { AdParameters(text: $0.text()) }
        result.altText = maybe { $0.text() }
        result.clickThrough = maybe { $0.tracked() }
        result.clickTracking = list(2) { $0.tracked() }
        result.trackingEvents = list(2) { $0.event() }
        result.creativeExtensions = list(1) { $0.extension() }
        return result
    }

    private mutating func nonLinear() -> NonLinear {
        var result = NonLinear()
        result.id = maybe { $0.text() }
        result.width = maybe { $0.number() }
        result.height = maybe { $0.number() }
        result.expandedWidth = maybe { $0.number() }
        result.expandedHeight = maybe { $0.number() }
        result.isScalable = maybe { $0.flip() }
        result.maintainsAspectRatio = maybe { $0.flip() }
        result.apiFramework = maybe { $0.text() }
        result.minSuggestedDuration = maybe { $0.time() }
        result.resources = list(2) { $0.resource() }
        result.adParameters = maybe { AdParameters(text: $0.text()) }
        result.clickThrough = maybe { $0.tracked() }
        result.clickTracking = list(2) { $0.tracked() }
        result.creativeExtensions = list(1) { $0.extension() }
        return result
    }
}
