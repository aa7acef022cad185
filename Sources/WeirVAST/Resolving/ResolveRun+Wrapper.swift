internal import WeirTime

extension ResolveRun {
    /// Follows one wrapper to its document.
    func follow(_ wrapper: Wrapper, of ad: VASTAd, _ chain: ResolveChain) async -> ResolveOutcome {
        var outcome = await followed(wrapper, of: ad, chain)
        outcome.allowsFallback = wrapper.fallsBackOnNoAd
        if outcome.ads.isEmpty, let refusal = outcome.refusal,
            !outcome.record.verdicts.contains(where: { $0.adID == ad.id && $0.depth == chain.depth })
        {
            outcome.record.verdicts.append(
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

    private func followed(_ wrapper: Wrapper, of ad: VASTAd, _ chain: ResolveChain) async -> ResolveOutcome {
        guard chain.followsWrappers else {
            let message = "An outer wrapper does not allow another one."
            var outcome = ResolveOutcome()
            outcome.refusal = Refusal(reason: .wrapperFailed, code: .noAdAfterWrappers, message: message)
            outcome.record.verdicts = [
                Verdict(adID: ad.id, depth: chain.depth, outcome: .ignored, message: message)
            ]
            return outcome
        }
        guard chain.depth < options.wrapperDepth else {
            return limitReached(wrapper, ad, chain, "More than \(options.wrapperDepth) wrappers lead to the ad.")
        }
        guard let uri = wrapper.adTagURI, let target = URIReference.absoluteURL(uri, base: chain.baseURL) else {
            let message = "The wrapper names no URL that can be asked."
            let refusal = Refusal(reason: .wrapperFailed, code: .wrapper, message: message)
            return refused(ad, refusal, chain, own: wrapper.errors)
        }
        guard !chain.hasVisited(target.text) else {
            return limitReached(wrapper, ad, chain, "The wrappers lead round in a circle.")
        }
        guard target.isWeb else {
            let message = "The wrapper's URL is not http or https."
            let refusal = Refusal(reason: .wrapperFailed, code: .wrapperFetch, message: message)
            return refused(ad, refusal, chain, own: wrapper.errors)
        }
        let url = requestURL(target.text, wrapper, chain)
        let next = chain.appending(wrapper, ad: ad, url: url, key: target.text)
        return await load(url, next, adID: ad.id)
    }

    private func limitReached(
        _ wrapper: Wrapper,
        _ ad: VASTAd,
        _ chain: ResolveChain,
        _ message: String
    ) -> ResolveOutcome {
        let refusal = Refusal(reason: .wrapperLimit, code: .wrapperLimit, message: message)
        return refused(ad, refusal, chain, own: wrapper.errors)
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
    func load(_ url: String, _ chain: ResolveChain, adID: String?) async -> ResolveOutcome {
        let begin = clock.now
        let result = await fetched(url, depth: chain.depth)
        let now = clock.now
        var hop = Hop(url: url, adID: adID, depth: chain.depth, latency: now - begin, result: .document)
        var next = chain
        next.arrive(at: now, after: now - begin)
        switch result {
        case .document(let bytes, let final):
            next.baseURL = final ?? url
            let reading = VASTReader.read(bytes, options: options.reading)
            return await resolve(reading, next, hop)
        case .empty:
            hop.result = .empty
            hop.reason = "The answer is empty."
            return dead(
                hop,
                Refusal(reason: .wrapperFailed, code: .noAdAfterWrappers, message: "\(url) answered nothing."),
                next
            )
        case .failed(let failure, let message):
            hop.result = .failed
            hop.reason = message
            let isTimeUp = options.deadline.map { $0.hasPassed(clock) } ?? false
            let reason: Refusal.Reason = isTimeUp && failure == .timeout ? .deadline : .wrapperFailed
            return dead(hop, Refusal(reason: reason, code: .wrapperFetch, message: message), next, failure)
        }
    }

    private func resolve(_ reading: Reading, _ chain: ResolveChain, _ hop: Hop) async -> ResolveOutcome {
        var hop = hop
        var chain = chain
        switch reading.content {
        case .vast(let document), .daast(let document):
            if case .daast = reading.content { chain.isDAAST = true }
            var outcome = await resolve(document, chain)
            outcome.record.hops.insert(hop, at: 0)
            outcome.record.diagnostics.insert(contentsOf: reading.diagnostics, at: 0)
            return outcome
        case .vmap:
            hop.result = .failed
            hop.reason = "The document is a schedule (VMAP), not VAST."
            let refusal = Refusal(reason: .wrapperFailed, code: .schema, message: hop.reason ?? "")
            return dead(hop, refusal, chain)
        case .unreadable(let failure):
            hop.result = failure.reason == .empty ? .empty : .failed
            hop.reason = failure.message
            let refusal = Refusal(reason: .wrapperFailed, code: failure.errorCode, message: failure.message)
            var outcome = dead(hop, refusal, chain)
            outcome.record.diagnostics = reading.diagnostics
            return outcome
        }
    }

    /// A chain that ends without a document: all its wrappers get the code.
    private func dead(
        _ hop: Hop,
        _ refusal: Refusal,
        _ chain: ResolveChain,
        _ failure: FetchFailure? = nil
    ) -> ResolveOutcome {
        var outcome = ResolveOutcome()
        outcome.refusal = refusal
        outcome.fetchFailure = failure
        outcome.record.hops = [hop]
        outcome.record.pings = pings(chain.errorURLs, refusal.code)
        return outcome
    }

    /// The answer, or a failure when the hop's or the resolution's time is up.
    private func fetched(_ url: String, depth: Int) async -> FetchResult {
        guard !Task.isCancelled else { return .failed(.cancelled, message: "The request was cancelled.") }
        guard budget.take() else {
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
