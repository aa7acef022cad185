internal import WeirTime

/// The wrappers that lead to a document, and what they allow there.
struct ResolveChain: Sendable {
    /// Outermost first.
    var wrappers: [Wrapper] = []
    var links: [WrapperLink] = []
    /// Where the document came from.
    var baseURL: String?
    /// URLs asked so far, before macros were filled: the same one again is a loop.
    var visited: Set<String> = []
    /// Whether wrappers in the document may be followed.
    var followsWrappers = true
    /// Whether the document may bring more than one ad: no wrapper on the way may forbid it.
    var allowsMultipleAds = true
    /// When the document arrived.
    var arrival: ContinuousClock.Instant?
    /// Whether the document is DAAST, whose ads are sound.
    var isDAAST = false
    /// The version of the document.
    var version = ""

    var depth: Int { wrappers.count }
    var errorURLs: [String] { wrappers.flatMap(\.errors) }

    /// The chain to the document behind one more wrapper.
    func appending(_ wrapper: Wrapper, ad: VASTAd, url: String, key: String) -> ResolveChain {
        var chain = self
        chain.wrappers.append(wrapper)
        chain.links.append(
            WrapperLink(
                adID: ad.id,
                system: wrapper.system,
                creativeIDs: wrapper.creatives.compactMap(\.id),
                url: url
            )
        )
        chain.baseURL = url
        chain.visited.insert(key)
        chain.followsWrappers = followsWrappers && wrapper.followsAdditionalWrappers != false
        chain.allowsMultipleAds = allowsMultipleAds && wrapper.allowsMultipleAds == true
        return chain
    }
}

/// What one document or one ad came to.
struct ResolveOutcome: Sendable {
    var ads: [ResolvedAd] = []
    var buffet: [ResolvedAd] = []
    var record = ResolveRecord()
    /// Why there is no ad.
    var refusal: Refusal?
    /// Whether other ads of the same document may take its place: the wrapper's `fallbackOnNoAd`.
    var allowsFallback: Bool?
    /// Why the document could not be fetched, when that was it.
    var fetchFailure: FetchFailure?
}

/// Everything noted on the way, in the order in which it arose.
struct ResolveRecord: Sendable {
    var pings: [ErrorPing] = []
    var hops: [Hop] = []
    var verdicts: [Verdict] = []
    var diagnostics: [Diagnostic] = []

    static func += (left: inout ResolveRecord, right: ResolveRecord) {
        left.pings += right.pings
        left.hops += right.hops
        left.verdicts += right.verdicts
        left.diagnostics += right.diagnostics
    }
}
