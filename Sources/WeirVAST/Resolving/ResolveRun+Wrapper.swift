internal import WeirTime

extension ResolveRun {
    /// Where a wrapper leads: to a URL at the end of a longer chain, or nowhere.
    private enum Lead {
        case document(url: String, ResolveChain)
        case nowhere(ResolveOutcome)
    }

    /// Follows the wrapper that `ad` is to its document.
    ///
    /// Wrappers are large values: they are looked at before and after the document is waited for, never kept meanwhile.
    func follow(_ ad: VASTAd, _ chain: ResolveChain, _ record: inout ResolveRecord) async -> ResolveOutcome {
        let firstVerdict = record.verdicts.count
        var outcome: ResolveOutcome
        switch lead(ad, chain, &record) {
        case .nowhere(let refused): outcome = refused
        case .document(let url, let next): outcome = await load(url, next, adID: ad.id, &record)
        }
        outcome.allowsFallback = ad.wrapper?.fallsBackOnNoAd
        if outcome.ads.isEmpty, let refusal = outcome.refusal,
            !record.verdicts[firstVerdict...].contains(where: { $0.adID == ad.id && $0.depth == chain.depth })
        {
            record.verdicts.append(
                Verdict(
                    adID: ad.id,
                    depth: chain.depth,
                    outcome: .refused,
                    code: refusal.code,
                    message: refusal.message
                )
            )
        }
        return outcome
    }

    /// Where the wrapper leads.
    ///
    /// Not inlined, like ``open(_:from:asked:_:adID:_:)``: what it looks at would lie in the task's memory at each level.
    @inline(never)
    private func lead(_ ad: VASTAd, _ chain: ResolveChain, _ record: inout ResolveRecord) -> Lead {
        guard let wrapper = ad.wrapper else { return .nowhere(ResolveOutcome()) }
        guard chain.followsWrappers else {
            let message = "An outer wrapper does not allow another one."
            var outcome = ResolveOutcome()
            outcome.refusal = Refusal(reason: .wrapperFailed, code: .noAdAfterWrappers, message: message)
            record.verdicts.append(Verdict(adID: ad.id, depth: chain.depth, outcome: .ignored, message: message))
            return .nowhere(outcome)
        }
        func refused(_ reason: Refusal.Reason, _ code: VASTErrorCode, _ message: String) -> Lead {
            let refusal = Refusal(reason: reason, code: code, message: message)
            return .nowhere(self.refused(ad, refusal, chain, own: wrapper.errors, &record))
        }
        guard chain.depth < options.wrapperDepth else {
            let message = "More than \(options.wrapperDepth) wrappers lead to the ad."
            return refused(.wrapperLimit, .wrapperLimit, message)
        }
        guard let uri = wrapper.adTagURI, let target = URIReference.absoluteURL(uri, base: chain.baseURL) else {
            return refused(.wrapperFailed, .wrapper, "The wrapper names no URL that can be asked.")
        }
        guard !chain.hasVisited(target.text) else {
            return refused(.wrapperLimit, .wrapperLimit, "The wrappers lead round in a circle.")
        }
        guard target.isWeb else {
            return refused(.wrapperFailed, .wrapperFetch, "The wrapper's URL is not http or https.")
        }
        let url = requestURL(target.text, wrapper, chain)
        return .document(url: url, chain.appending(wrapper, ad: ad, url: url, key: target.text))
    }

    /// The URL with its request macros filled; blocked categories are those of all wrappers so far.
    private func requestURL(_ url: String, _ wrapper: Wrapper, _ chain: ResolveChain) -> String {
        guard MacroExpander.mayHoldMacros(url) else { return url }
        var context = options.macros
        let blocked = options.blockedCategories + chain.blockedCategories + wrapper.blockedCategories
        if !blocked.isEmpty {
            context["BLOCKEDADCATEGORIES"] = .list(blocked.flatMap(\.codes).map(\.code))
        }
        return MacroExpander(context: context, clock: clock).expand(url, use: .request)
    }

    /// Fetches and resolves the document at the end of `chain`.
    func load(
        _ url: String,
        _ chain: ResolveChain,
        adID: String?,
        _ record: inout ResolveRecord
    ) async -> ResolveOutcome {
        let begin = clock.now
        let result = await fetched(url, depth: chain.depth)
        switch open(result, from: url, asked: begin, chain, adID: adID, &record) {
        case .document(let document, let next): return await resolve(document, next, &record)
        case .dead(let outcome): return outcome
        }
    }

    /// What is at the end of a chain: a document, or nothing.
    private enum Opened {
        case document(VASTDocument, ResolveChain)
        case dead(ResolveOutcome)
    }

    /// Reads what came and notes the hop.
    @inline(never)
    private func open(
        _ result: FetchResult,
        from url: String,
        asked begin: ContinuousClock.Instant,
        _ chain: ResolveChain,
        adID: String?,
        _ record: inout ResolveRecord
    ) -> Opened {
        let now = clock.now
        var hop = Hop(url: url, adID: adID, depth: chain.depth, latency: now - begin, result: .document)
        var next = chain
        next.arrive(at: now, after: now - begin)
        switch result {
        case .document(let bytes, let final):
            next.baseURL = final ?? url
            return open(VASTReader.read(bytes, options: options.reading), next, hop, &record)
        case .empty:
            hop.result = .empty
            hop.reason = "The answer is empty."
            let message = "\(url) answered nothing."
            return dead(hop, .wrapperFailed, .noAdAfterWrappers, message, next, nil, &record)
        case .failed(let failure, let message):
            hop.result = .failed
            hop.reason = message
            let isTimeUp = options.deadline.map { $0.hasPassed(clock) } ?? false
            let reason: Refusal.Reason = isTimeUp && failure == .timeout ? .deadline : .wrapperFailed
            return dead(hop, reason, .wrapperFetch, message, next, failure, &record)
        }
    }

    private func open(
        _ reading: Reading,
        _ chain: ResolveChain,
        _ hop: Hop,
        _ record: inout ResolveRecord
    ) -> Opened {
        var hop = hop
        switch reading.content {
        case .vast(let document), .daast(let document):
            var chain = chain
            if case .daast = reading.content { chain.isDAAST = true }
            record.hops.append(hop)
            record.diagnostics += reading.diagnostics
            return .document(document, chain)
        case .vmap:
            let message = "The document is a schedule (VMAP), not VAST."
            hop.result = .failed
            hop.reason = message
            return dead(hop, .wrapperFailed, .schema, message, chain, nil, &record)
        case .unreadable(let failure):
            hop.result = failure.reason == .empty ? .empty : .failed
            hop.reason = failure.message
            record.diagnostics += reading.diagnostics
            return dead(hop, .wrapperFailed, failure.errorCode, failure.message, chain, nil, &record)
        }
    }

    /// A chain that ends without a document: all its wrappers get the code.
    private func dead(
        _ hop: Hop,
        _ reason: Refusal.Reason,
        _ code: VASTErrorCode,
        _ message: String,
        _ chain: ResolveChain,
        _ failure: FetchFailure?,
        _ record: inout ResolveRecord
    ) -> Opened {
        var outcome = ResolveOutcome()
        outcome.refusal = Refusal(reason: reason, code: code, message: message)
        outcome.fetchFailure = failure
        record.hops.append(hop)
        record.pings += pings(chain.errorURLs, code)
        return .dead(outcome)
    }

    /// The answer, or a failure when the hop's or the resolution's time is up.
    private func fetched(_ url: String, depth: Int) async -> FetchResult {
        guard !Task.isCancelled else { return .failed(.cancelled, message: "The request was cancelled.") }
        guard takeFetch() else {
            return .failed(.refusedAddress, message: "More than \(options.maxFetches) documents would be needed.")
        }
        var deadline = Deadline.after(options.hopTimeout, clock: clock)
        if let total = options.deadline { deadline = min(deadline, total) }
        guard !deadline.hasPassed(clock) else {
            return .failed(.timeout, message: "No time was left to ask \(url).")
        }
        let request = FetchRequest(url: url, deadline: deadline, depth: depth)
        let fetch = fetch
        let result = await race(until: deadline, clock: clock, immediately: true) { await fetch(request) }
        return result ?? .failed(.timeout, message: "\(url) did not answer in time.")
    }
}
