internal import WeirTime

/// The wrappers that lead to a document, and what they allow there.
///
/// Chains that part share what they have in common, so that one more wrapper costs no copy of those before it.
struct ResolveChain: Sendable {
    /// One wrapper of the chain, and the one before it.
    private final class Step: Sendable {
        /// The ad that holds the wrapper: a reference, where the wrapper itself would be a copy.
        let ad: VASTAd
        let url: String
        let before: Step?

        init(ad: VASTAd, url: String, before: Step?) {
            self.ad = ad
            self.url = url
            self.before = before
        }

        var wrapper: Wrapper { ad.wrapper ?? Wrapper() }
    }

    /// URLs asked so far, before macros were filled.
    private final class Visit: Sendable {
        let key: String
        let before: Visit?

        init(key: String, before: Visit?) {
            self.key = key
            self.before = before
        }
    }

    private var last: Step?
    private var lastVisit: Visit?
    /// How many wrappers lead here.
    private(set) var depth = 0
    /// Where the document came from.
    var baseURL: String?
    /// Whether wrappers in the document may be followed.
    var followsWrappers = true
    /// Whether the document may bring more than one ad: no wrapper on the way may forbid it.
    var allowsMultipleAds = true
    /// Categories that wrappers on the way block.
    private(set) var blockedCategories: [Category] = []
    /// When the document arrived.
    private(set) var arrival: ContinuousClock.Instant?
    /// How long each document behind a wrapper took, outermost first.
    private var latencies: [Duration] = []
    /// Whether the document is DAAST, whose ads are sound.
    var isDAAST = false
    /// The version of the document.
    var version = ""

    /// The wrappers, and what an ad behind them tells of them; outermost first.
    var unfolded: (wrappers: [Wrapper], links: [WrapperLink]) {
        guard depth > 0 else { return ([], []) }
        var wrappers: [Wrapper] = []
        var links: [WrapperLink] = []
        wrappers.reserveCapacity(depth)
        links.reserveCapacity(depth)
        for (index, step) in steps.enumerated() {
            let wrapper = step.wrapper
            wrappers.append(wrapper)
            links.append(
                WrapperLink(
                    adID: step.ad.id,
                    system: wrapper.system,
                    creativeIDs: wrapper.creatives.compactMap { $0.id },
                    url: step.url,
                    latency: index < latencies.count ? latencies[index] : nil
                )
            )
        }
        return (wrappers, links)
    }

    /// The error URLs of all wrappers, outermost first.
    var errorURLs: [String] { depth == 0 ? [] : steps.flatMap { $0.wrapper.errors } }

    private var steps: [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(depth)
        var step = last
        while let current = step {
            steps.append(current)
            step = current.before
        }
        steps.reverse()
        return steps
    }

    /// Whether a URL was asked on the way: the same one again is a loop.
    func hasVisited(_ key: String) -> Bool {
        var visit = lastVisit
        while let current = visit {
            if current.key == key { return true }
            visit = current.before
        }
        return false
    }

    /// Notes a URL, before its macros are filled.
    mutating func visit(_ key: String) { lastVisit = Visit(key: key, before: lastVisit) }

    /// Notes that the document has come.
    mutating func arrive(at instant: ContinuousClock.Instant, after latency: Duration) {
        arrival = instant
        if latencies.count < depth { latencies.append(latency) }
    }

    /// The chain to the document behind one more wrapper.
    func appending(_ wrapper: Wrapper, ad: VASTAd, url: String, key: String) -> ResolveChain {
        var chain = self
        chain.last = Step(ad: ad, url: url, before: last)
        chain.depth += 1
        chain.baseURL = url
        chain.visit(key)
        chain.followsWrappers = followsWrappers && wrapper.followsAdditionalWrappers != false
        chain.allowsMultipleAds = allowsMultipleAds && wrapper.allowsMultipleAds == true
        if !wrapper.blockedCategories.isEmpty { chain.blockedCategories += wrapper.blockedCategories }
        return chain
    }
}

/// What one document or one ad came to.
struct ResolveOutcome: Sendable {
    var ads: [ResolvedAd] = []
    var buffet: [ResolvedAd] = []
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
