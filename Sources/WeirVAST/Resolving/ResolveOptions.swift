public import WeirTime

/// How wrappers are followed and which ads are acceptable.
public struct ResolveOptions: Sendable {
    /// How documents behind wrappers are read.
    public var reading: ReadOptions = .lenient
    /// The URL that the first document came from; relative URIs in it are resolved against it.
    public var baseURL: String?
    /// Wrappers that may come before a complete ad (VAST 4.3 §2.3.5.1 recommends five).
    public var wrapperDepth = 5
    /// Documents that one resolution may fetch in all: pods of wrappers multiply.
    public var maxFetches = 100
    /// Time for one document; the players in use give 4 to 5 seconds.
    public var hopTimeout: Duration = .seconds(5)
    /// When everything must be done; nothing is fetched after it.
    public var deadline: Deadline?
    /// Whether the first document may bring more than one ad.
    public var allowsMultipleAds = true
    /// What a wrapper without `fallbackOnNoAd` means; true asks the next stand-alone ad of the same document.
    public var fallsBackOnNoAd = true
    /// Categories that no ad may have, besides those that wrappers block.
    public var blockedCategories: [Category] = []
    /// Whether an ad without a category is refused (204).
    public var requiresCategory = false
    /// Whether an ad without a linear creative is refused (201).
    public var requiresLinear = false
    /// Whether an ad whose user interface may not be hidden is refused.
    public var requiresHideableUI = false
    /// Durations that fit (202); an ad of unknown duration fits.
    public var durations: ClosedRange<Duration>?
    /// What the player can play (403); `nil`: anything.
    public var selector: MediaSelector?
    /// Where companions can be shown; an ad whose required ones have no place is refused (602), unless this is `nil`.
    public var companions: CompanionSelector?
    /// Values for macros in the URLs that are fetched and in error URLs.
    public var macros = MacroContext()

    /// The default options.
    public init() {}
}

/// A document that the resolver needs.
public struct FetchRequest: Hashable, Sendable {
    /// The absolute URL, with its macros filled.
    public var url: String
    /// When the answer is no longer of use.
    public var deadline: Deadline
    /// How many wrappers lead to it, from 1; 0 for the ad tag of a VMAP break.
    public var depth: Int

    /// A request.
    public init(url: String, deadline: Deadline, depth: Int) {
        self.url = url
        self.deadline = deadline
        self.depth = depth
    }
}

/// What came of fetching a document.
public enum FetchResult: Hashable, Sendable {
    /// A body; `url` is where it came from in the end, if redirects were followed.
    case document([UInt8], url: String? = nil)
    /// 204, or a body without content.
    case empty
    /// Nothing usable.
    case failed(FetchFailure, message: String)
}

/// Why a document could not be fetched.
public enum FetchFailure: Hashable, Sendable {
    /// It took too long.
    case timeout
    /// No connection, or one that broke.
    case network
    /// An HTTP status other than success.
    case status(Int)
    /// The address, scheme or a redirect is not allowed.
    case refusedAddress
    /// More bytes than allowed.
    case tooLarge
    /// The caller has gone away.
    case cancelled
}
