/// A schedule of ad breaks (VMAP 1.0.1).
public struct VMAPDocument: Hashable, Sendable {
    /// The `version` attribute as written; empty when absent.
    public var version: String
    /// The namespace URI of the document.
    public var namespace: String?
    /// The breaks in document order.
    public var adBreaks: [AdBreak]
    /// Extensions, verbatim.
    public var extensions: [VASTExtension]

    /// A schedule.
    public init(
        version: String = "1.0",
        namespace: String? = nil,
        adBreaks: [AdBreak] = [],
        extensions: [VASTExtension] = []
    ) {
        self.version = version
        self.namespace = namespace
        self.adBreaks = adBreaks
        self.extensions = extensions
    }
}

/// A scheduled interruption of content (VMAP 1.0.1, `AdBreak`).
public struct AdBreak: Hashable, Sendable {
    /// The sender's id.
    public var id: String?
    /// When it is due.
    public var timeOffset: TimeOffset
    /// `linear`, `nonlinear`, `display` in order of preference.
    public var breakTypes: [String]
    /// How much content time later the same break comes again.
    public var repeatAfter: Duration?
    /// Where the ads come from; `nil`: nowhere, only trackers.
    public var source: AdSource?
    /// `breakStart`, `breakEnd` and `error`.
    public var trackingEvents: [TrackingEvent]
    /// Extensions, verbatim.
    public var extensions: [VASTExtension]

    /// A break.
    public init(
        id: String? = nil,
        timeOffset: TimeOffset,
        breakTypes: [String] = ["linear"],
        repeatAfter: Duration? = nil,
        source: AdSource? = nil,
        trackingEvents: [TrackingEvent] = [],
        extensions: [VASTExtension] = []
    ) {
        self.id = id
        self.timeOffset = timeOffset
        self.breakTypes = breakTypes
        self.repeatAfter = repeatAfter
        self.source = source
        self.trackingEvents = trackingEvents
        self.extensions = extensions
    }
}

/// VMAP's spelling of a cue point (VMAP 1.0.1, `AdBreak`).
public enum TimeOffset: Hashable, Sendable {
    /// Before the content.
    case start
    /// After the content.
    case end
    /// At this content position.
    case time(Duration)
    /// At this percentage of the content, 0 to 100.
    case percent(Double)
    /// At the n-th opportunity, from 1.
    case position(Int)
    /// A text that is none of these; the break cannot be scheduled.
    case unreadable(String)

    /// The content position for content of `duration`; `nil` for what has none.
    public func contentPosition(in duration: Duration?) -> Duration? {
        switch self {
        case .start: .zero
        case .end: duration
        case .time(let time): time
        case .percent(let percent): PlayOffset.percent(percent).position(in: duration)
        case .position, .unreadable: nil
        }
    }
}

/// Where the ads of a break come from (VMAP 1.0.1, `AdSource`).
public struct AdSource: Hashable, Sendable {
    /// The answer, or where it is.
    public enum Content: Hashable, Sendable {
        /// A VAST document inside the schedule.
        case vast(VASTDocument)
        /// A URL that answers with ads.
        case adTag(templateType: String?, uri: String)
        /// Something else than VAST.
        case custom(templateType: String?, data: String)
        /// Nothing: a schema error.
        case empty
    }

    /// The sender's id.
    public var id: String?
    /// Whether several ads may play; absent means yes.
    public var allowsMultipleAds: Bool?
    /// Whether wrappers may be followed; absent: the player chooses.
    public var followsRedirects: Bool?
    /// The answer, or where it is.
    public var content: Content

    /// A source.
    public init(
        id: String? = nil,
        allowsMultipleAds: Bool? = nil,
        followsRedirects: Bool? = nil,
        content: Content
    ) {
        self.id = id
        self.allowsMultipleAds = allowsMultipleAds
        self.followsRedirects = followsRedirects
        self.content = content
    }
}
