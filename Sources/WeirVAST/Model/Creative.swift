/// The thing shown or heard (VAST 4.3 §3.7).
///
/// The schema allows one of linear, non-linear and companion; real documents mix them, so each has its own place.
public struct Creative: Hashable, Sendable {
    /// The ad server's id.
    public var id: String?
    /// The id in a registry (`adId`; `AdID` before VAST 4).
    public var adID: String?
    /// The order among the creatives of one ad.
    public var sequence: Int?
    /// The API that the creative needs.
    public var apiFramework: String?
    /// Ids that are the same everywhere (4.0+).
    public var universalAdIDs: [UniversalAdID] = []
    /// Extensions, verbatim.
    public var creativeExtensions: [VASTExtension] = []
    /// Replaces the content for a while.
    public var linear: Linear?
    /// Lies over the content.
    public var nonLinearAds: NonLinearAds?
    /// Stands beside the content.
    public var companionAds: CompanionAds?

    /// An empty creative.
    public init() {}
}

/// An id of a creative that is the same everywhere (VAST 4.3 §3.7.1).
public struct UniversalAdID: Hashable, Sendable {
    /// Whose registry it is.
    public var registry: String?
    /// The id.
    public var value: String

    /// An id in a registry.
    public init(registry: String? = nil, value: String) {
        self.registry = registry
        self.value = value
    }
}

/// An ad that replaces the content for a while, or a wrapper's trackers for one (VAST 4.3 §3.8).
public struct Linear: Hashable, Sendable {
    /// When the viewer may skip; `nil`: never.
    public var skipOffset: PlayOffset?
    /// How long it plays; `nil` when unknown.
    public var duration: Duration?
    /// What to play, as offered.
    public var mediaFiles: [MediaFile] = []
    /// The master file for transcoding (4.0+).
    public var mezzanines: [Mezzanine] = []
    /// Code that makes it interactive (4.0+).
    public var interactiveCreativeFiles: [InteractiveCreativeFile] = []
    /// Captions (4.1+).
    public var closedCaptionFiles: [ClosedCaptionFile] = []
    /// A text for interactive code.
    public var adParameters: AdParameters?
    /// What is called while it plays.
    public var trackingEvents: [TrackingEvent] = []
    /// Where a click leads and who is told.
    public var clicks = VideoClicks()
    /// Icons over it, such as AdChoices (3.0+).
    public var icons: [Icon] = []
    /// Extensions, verbatim; since VAST 4 they belong to the creative.
    public var creativeExtensions: [VASTExtension] = []

    /// A linear without content.
    public init() {}
}

/// A point in an ad: a time or a share of its duration.
public enum PlayOffset: Hashable, Sendable {
    /// After this much playing time.
    case time(Duration)
    /// After this percentage of the duration.
    case percent(Double)
    /// A text that is neither; kept as written.
    case unreadable(String)

    /// The point in an ad of `duration`; `nil` when that cannot be told.
    public func position(in duration: Duration?) -> Duration? {
        switch self {
        case .time(let time): return time
        case .unreadable: return nil
        case .percent(let percent):
            guard let duration, percent.isFinite, percent >= 0, percent <= 100 else { return nil }
            return .milliseconds(Int64((Double(duration.wholeMilliseconds) * percent / 100).rounded()))
        }
    }
}

/// A text for interactive code (VAST 4.3 §3.8.2).
public struct AdParameters: Hashable, Sendable {
    /// Whether the text is itself XML-encoded.
    public var isXMLEncoded: Bool?
    /// The text; may be empty.
    public var text: String

    /// A text for interactive code.
    public init(isXMLEncoded: Bool? = nil, text: String) {
        self.isXMLEncoded = isXMLEncoded
        self.text = text
    }
}

/// One URL to call when something happens in playback (VAST 4.3 §3.14).
public struct TrackingEvent: Hashable, Sendable {
    /// What happens.
    public var event: EventName
    /// For `progress`: when.
    public var offset: PlayOffset?
    /// The URL with its macros, trimmed.
    public var url: String

    /// A URL for an event.
    public init(event: EventName, offset: PlayOffset? = nil, url: String) {
        self.event = event
        self.offset = offset
        self.url = url
    }
}

/// Where a click on a linear or non-linear ad leads and who is told (VAST 4.3 §3.10).
public struct VideoClicks: Hashable, Sendable {
    /// The landing page.
    public var clickThrough: TrackedURL?
    /// What is called on a click.
    public var clickTracking: [TrackedURL] = []
    /// What is called on other clicks.
    public var customClicks: [TrackedURL] = []

    /// No clicks at all.
    public init() {}

    /// Whether there is nothing in it.
    public var isEmpty: Bool { clickThrough == nil && clickTracking.isEmpty && customClicks.isEmpty }
}
