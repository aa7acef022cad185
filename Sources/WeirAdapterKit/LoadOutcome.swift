public import WeirModel

/// What a network's answer means.
public enum LoadOutcome: Sendable, Hashable {
    /// The network offers ads; the gateway decides whether they are ads indeed.
    case fill([Offer])
    /// The network answered properly and has nothing to sell.
    case noFill(NoFill)
}

/// A network's proper "nothing to sell".
public struct NoFill: Sendable, Hashable {
    /// A reason of ``WeirModel/AttemptResult/noFill``.
    public var reason: Reason
    /// One sentence.
    public var message: String
    /// The network's own code, as it sent it.
    public var networkCode: String?
    /// The network's own words, as it sent them.
    public var networkMessage: String?
    /// Error URLs of the empty answer, each owed one ping with code 303 (VAST 4.3 §3.2.1).
    public var errorURLs: [String]

    /// A no-fill; `reason` must be one of `AttemptResult.noFill.reasons`.
    public init(
        _ reason: Reason,
        _ message: String,
        networkCode: String? = nil,
        networkMessage: String? = nil,
        errorURLs: [String] = []
    ) {
        precondition(AttemptResult.noFill.reasons.contains(reason), "\(reason.rawValue) is no reason for a no-fill")
        self.reason = reason
        self.message = message
        self.networkCode = networkCode
        self.networkMessage = networkMessage
        self.errorURLs = errorURLs
    }
}

/// What an adapter hands up as a fill: becomes an ad once the gateway has accepted it.
public struct Offer: Sendable, Hashable {
    /// Where the ad's VAST, DAAST or VMAP is.
    public enum Markup: Sendable, Hashable {
        /// The document itself.
        case document([UInt8])
        /// An address that answers with it; fetched like a wrapper.
        case url(String)
    }

    /// The document, or where to get it.
    public var markup: Markup
    /// The network's id of the ad.
    public var id: String?
    /// Title for people.
    public var title: String?
    /// CPM; `nil` leaves the line item's rate to stand for it.
    public var price: Money?
    /// What the network promises a viewer.
    public var reward: Reward?
    /// How long the ad may wait to be shown; `nil` takes the ad unit's.
    public var expires: Duration?
    /// Where it stands in an audio programme; `nil` is a pre-roll, or wherever a VMAP says.
    public var slot: AudioSlot?
    /// What a listener may do while it plays.
    public var controls: AudioControls?
    /// Who bids, inside the network; for the record.
    public var seat: String?
    /// The deal it belongs to; for the record.
    public var deal: String?
    /// The network's id of the creative, for a document that has none.
    public var creativeID: String?
    /// The advertiser's domains, for a document that names no advertiser.
    public var advertiserDomains: [String] = []
    /// The creative's IAB categories, beside those in the document.
    public var categories: [String] = []
    /// Whom the bidder wants told what becomes of it.
    public var notices = BidNotices()
    /// Why it cannot be used, though others of the same answer can; it only gets its loss notice.
    public var refusal: AttemptOutcome?

    /// An offer of `markup` and nothing else known.
    public init(markup: Markup) {
        self.markup = markup
    }
}

/// A place in an audio programme.
public struct AudioSlot: Sendable, Hashable {
    /// The section.
    public var section: AudioSection
    /// The content position of a mid-roll.
    public var point: Duration?

    /// A place; `point` for mid-rolls only.
    public init(_ section: AudioSection, point: Duration? = nil) {
        self.section = section
        self.point = point
    }
}

/// What a listener may do while an audio ad plays (S4.51–S4.55).
public struct AudioControls: Sendable, Hashable {
    /// Whether the listener may seek.
    public var allowsSeek = false
    /// Whether the listener may skip.
    public var allowsSkip = false
    /// Whether the listener may pause.
    public var allowsPause = true
    /// Whether the listener may change the track.
    public var allowsTrackChange = false
    /// Text to show while it plays.
    public var adText: String?

    /// Pausing only.
    public init() {}
}
