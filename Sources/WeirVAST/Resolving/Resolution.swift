/// What a document resolves to, and why.
public struct Resolution: Hashable, Sendable {
    /// The ads in play order.
    ///
    /// A pod by sequence, or one stand-alone ad; of a schedule, those of all its breaks.
    public var ads: [ResolvedAd] = []
    /// Stand-alone ads that were not needed and may stand in for one that fails.
    public var buffet: [ResolvedAd] = []
    /// The breaks of a schedule, in document order.
    public var breaks: [BreakResolution] = []
    /// Error URLs that are due, each with its code, in the order in which they arose.
    public var pings: [ErrorPing] = []
    /// The documents that were fetched, outer ones first.
    public var chain: [Hop] = []
    /// For each `Ad` met: whether it is in, and why not.
    public var verdicts: [Verdict] = []
    /// Why there is no ad; `nil` when there is one.
    public var refusal: Refusal?
    /// Remarks about the documents and about what was decided.
    public var diagnostics: [Diagnostic] = []

    /// A resolution without ads.
    public init() {}
}

/// The ads of one scheduled break.
public struct BreakResolution: Hashable, Sendable {
    /// The break as it was scheduled.
    public var adBreak: AdBreak
    /// Its ads in play order.
    public var ads: [ResolvedAd] = []
    /// Stand-alone ads that were not needed.
    public var buffet: [ResolvedAd] = []
    /// Why it has no ad.
    public var refusal: Refusal?

    /// A break without ads.
    public init(adBreak: AdBreak) {
        self.adBreak = adBreak
    }
}

/// One error URL that is due.
public struct ErrorPing: Hashable, Sendable {
    /// The URL to call, with its macros filled.
    public var url: String
    /// The URL as the document has it.
    public var template: String
    /// The code that it reports.
    public var code: VASTErrorCode

    /// A ping.
    public init(url: String, template: String, code: VASTErrorCode) {
        self.url = url
        self.template = template
        self.code = code
    }
}

/// One document that was fetched on the way.
public struct Hop: Hashable, Sendable {
    /// What came of it.
    public enum Result: String, Hashable, Sendable {
        /// A document.
        case document
        /// Nothing.
        case empty
        /// It could not be fetched or read.
        case failed
    }

    /// The URL that was asked.
    public var url: String
    /// The id of the ad whose wrapper led there.
    public var adID: String?
    /// How many wrappers led there.
    public var depth: Int
    /// How long it took.
    public var latency: Duration
    /// What came of it.
    public var result: Result
    /// One sentence when it was no document.
    public var reason: String?

    /// A hop.
    public init(
        url: String,
        adID: String? = nil,
        depth: Int,
        latency: Duration,
        result: Result,
        reason: String? = nil
    ) {
        self.url = url
        self.adID = adID
        self.depth = depth
        self.latency = latency
        self.result = result
        self.reason = reason
    }
}

/// Whether one `Ad` is in, and why.
public struct Verdict: Hashable, Sendable {
    /// What was decided.
    public enum Outcome: String, Hashable, Sendable {
        /// It plays.
        case used
        /// It may stand in for another.
        case spare
        /// It was not needed or not allowed here, and nothing was wrong with it.
        case ignored
        /// It cannot be used.
        case refused
    }

    /// The ad's id.
    public var adID: String?
    /// How many wrappers lead to it.
    public var depth: Int
    /// What was decided.
    public var outcome: Outcome
    /// The code reported, if one was.
    public var code: VASTErrorCode?
    /// One sentence.
    public var message: String

    /// A verdict.
    public init(adID: String?, depth: Int, outcome: Outcome, code: VASTErrorCode? = nil, message: String) {
        self.adID = adID
        self.depth = depth
        self.outcome = outcome
        self.code = code
        self.message = message
    }
}

/// Why there is no ad: a reason of the gateway's closed list and one sentence.
public struct Refusal: Hashable, Sendable {
    /// The kind of refusal; raw values are the gateway's attempt reasons.
    public enum Reason: String, Hashable, Sendable {
        /// Nothing arrived.
        case emptyBody = "empty_body"
        /// A VAST document without ads.
        case emptyVAST = "empty_vast"
        /// A proper answer that says there is no ad.
        case noAd = "no_ad"
        /// The answer is not a VAST document that can be read.
        case badVAST = "bad_vast"
        /// The answer's encoding cannot be read.
        case badEncoding = "bad_encoding"
        /// The answer is too large.
        case tooLarge = "too_large"
        /// There is an ad, and nothing in it to show.
        case noMarkup = "no_markup"
        /// No media file fits the player.
        case mime
        /// The category is blocked.
        case blockedCategory = "blocked_category"
        /// A category is required and missing.
        case missingCategory = "missing_category"
        /// The ad needs its own user interface.
        case uiNotHideable = "ui_not_hideable"
        /// The duration does not fit.
        case duration
        /// Too many wrappers.
        case wrapperLimit = "wrapper_limit"
        /// A wrapper leads to nothing.
        case wrapperFailed = "wrapper_failed"
        /// The time was up.
        case deadline
    }

    /// The kind of refusal.
    public var reason: Reason
    /// The code that error URLs got.
    public var code: VASTErrorCode
    /// One sentence for people.
    public var message: String

    /// A refusal.
    public init(reason: Reason, code: VASTErrorCode, message: String) {
        self.reason = reason
        self.code = code
        self.message = message
    }
}
