/// What an icon, companion or non-linear ad shows (VAST 4.3 §3.15).
public struct DisplayResource: Hashable, Sendable {
    /// How it is shown.
    public enum Kind: String, Hashable, Sendable {
        /// An image or script at a URL.
        case `static` = "StaticResource"
        /// A page at a URL, in a frame.
        case iFrame = "IFrameResource"
        /// HTML, inside the document.
        case html = "HTMLResource"
    }

    /// How it is shown.
    public var kind: Kind
    /// The MIME type of a static resource.
    public var creativeType: String?
    /// `xmlEncoded` of HTML (3.0).
    public var isXMLEncoded: Bool?
    /// The URL or the HTML.
    public var value: String

    /// A resource.
    public init(kind: Kind, creativeType: String? = nil, isXMLEncoded: Bool? = nil, value: String) {
        self.kind = kind
        self.creativeType = creativeType
        self.isXMLEncoded = isXMLEncoded
        self.value = value
    }
}

/// An icon over a linear ad (VAST 4.3 §3.11).
public struct Icon: Hashable, Sendable {
    /// Which programme it belongs to, such as AdChoices.
    public var program: String?
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    /// `left`, `right` or pixels.
    public var xPosition: String?
    /// `top`, `bottom` or pixels.
    public var yPosition: String?
    /// How long it is shown.
    public var duration: Duration?
    /// When it appears.
    public var offset: PlayOffset?
    /// The API that it needs.
    public var apiFramework: String?
    /// The pixel ratio that it was made for.
    public var pixelRatio: Double?
    /// A text in its place (4.3).
    public var altText: String?
    /// A text on hovering (4.3).
    public var hoverText: String?
    /// What is shown.
    public var resources: [DisplayResource] = []
    /// Where a click leads.
    public var clickThrough: TrackedURL?
    /// What is called on a click.
    public var clickTracking: [TrackedURL] = []
    /// Images for devices without a browser (4.2+).
    public var clickFallbackImages: [IconClickFallbackImage] = []
    /// What is called when it is shown.
    public var viewTracking: [String] = []

    /// An icon without content.
    public init() {}
}

/// What an icon's click shows where no browser can open (VAST 4.3 §3.11.6.1).
public struct IconClickFallbackImage: Hashable, Sendable {
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    /// A text in its place.
    public var altText: String?
    /// The image.
    public var resource: DisplayResource?

    /// An image without content.
    public init() {}
}

/// Creatives beside the content, and how many of them must be shown (VAST 4.3 §3.13).
public struct CompanionAds: Hashable, Sendable {
    /// How many must be shown for the ad to be used.
    public enum Requirement: String, Hashable, Sendable {
        /// Every one.
        case all
        /// At least one.
        case any
        /// None need be.
        case none
    }

    /// How many must be shown.
    public var required: Requirement?
    /// The companions in document order.
    public var companions: [Companion]

    /// Companions.
    public init(required: Requirement? = nil, companions: [Companion] = []) {
        self.required = required
        self.companions = companions
    }
}

/// A creative beside the content (VAST 4.3 §3.13.1).
public struct Companion: Hashable, Sendable {
    /// The sender's id.
    public var id: String?
    /// Pixels of the slot.
    public var width: Int?
    /// Pixels of the slot.
    public var height: Int?
    /// Pixels of the asset.
    public var assetWidth: Int?
    /// Pixels of the asset.
    public var assetHeight: Int?
    /// Pixels when expanded.
    public var expandedWidth: Int?
    /// Pixels when expanded.
    public var expandedHeight: Int?
    /// The API that it needs.
    public var apiFramework: String?
    /// The slot on the page that it is meant for.
    public var adSlotID: String?
    /// The pixel ratio that it was made for.
    public var pixelRatio: Double?
    /// `default`, `end-card` or `concurrent` (4.1+).
    public var renderingMode: String?
    /// What is shown, best first.
    public var resources: [DisplayResource] = []
    /// A text for the resource.
    public var adParameters: AdParameters?
    /// A text in its place.
    public var altText: String?
    /// Where a click leads.
    public var clickThrough: TrackedURL?
    /// What is called on a click.
    public var clickTracking: [TrackedURL] = []
    /// What is called when it is shown.
    public var trackingEvents: [TrackingEvent] = []
    /// Extensions, verbatim.
    public var creativeExtensions: [VASTExtension] = []

    /// A companion without content.
    public init() {}
}

/// Non-linear ads and the trackers that they share (VAST 4.3 §3.12).
public struct NonLinearAds: Hashable, Sendable {
    /// Variations of the ad.
    public var nonLinears: [NonLinear]
    /// What is called while one is shown.
    public var trackingEvents: [TrackingEvent]

    /// Non-linear ads.
    public init(nonLinears: [NonLinear] = [], trackingEvents: [TrackingEvent] = []) {
        self.nonLinears = nonLinears
        self.trackingEvents = trackingEvents
    }
}

/// An ad that lies over the content (VAST 4.3 §3.12.1).
public struct NonLinear: Hashable, Sendable {
    /// The sender's id.
    public var id: String?
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    /// Pixels when expanded.
    public var expandedWidth: Int?
    /// Pixels when expanded.
    public var expandedHeight: Int?
    /// Whether it may be scaled.
    public var isScalable: Bool?
    /// Whether scaling must keep the aspect ratio.
    public var maintainsAspectRatio: Bool?
    /// The API that it needs.
    public var apiFramework: String?
    /// How long it should be shown at least.
    public var minSuggestedDuration: Duration?
    /// What is shown.
    public var resources: [DisplayResource] = []
    /// A text for the resource.
    public var adParameters: AdParameters?
    /// Where a click leads.
    public var clickThrough: TrackedURL?
    /// What is called on a click.
    public var clickTracking: [TrackedURL] = []
    /// Extensions, verbatim (3.0).
    public var creativeExtensions: [VASTExtension] = []

    /// A non-linear ad without content.
    public init() {}
}
