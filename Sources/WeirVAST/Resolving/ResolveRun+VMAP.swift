internal import WeirTime

extension ResolveRun {
    /// Resolves every break of a schedule, side by side (VMAP 1.0.1).
    func resolve(_ document: VMAPDocument) async -> Resolution {
        var resolution = Resolution()
        let outcomes = await withTaskGroup(of: (Int, ResolveOutcome, ResolveRecord).self) { group in
            for (index, adBreak) in document.adBreaks.enumerated() {
                group.addTask { [self] in
                    var record = ResolveRecord()
                    let outcome = await resolve(adBreak, &record)
                    return (index, outcome, record)
                }
            }
            var outcomes = [(ResolveOutcome, ResolveRecord)](
                repeating: (ResolveOutcome(), ResolveRecord()),
                count: document.adBreaks.count
            )
            for await (index, outcome, record) in group { outcomes[index] = (outcome, record) }
            return outcomes
        }
        for (adBreak, (outcome, record)) in zip(document.adBreaks, outcomes) {
            var result = BreakResolution(adBreak: adBreak)
            result.ads = outcome.ads.numberedAsPod()
            result.buffet = outcome.buffet
            result.refusal = outcome.ads.isEmpty ? outcome.refusal : nil
            resolution.breaks.append(result)
            resolution.take(record)
        }
        resolution.ads = resolution.breaks.flatMap(\.ads)
        resolution.buffet = resolution.breaks.flatMap(\.buffet)
        if resolution.ads.isEmpty {
            resolution.refusal =
                resolution.breaks.lazy.compactMap(\.refusal).first
                ?? Refusal(reason: .noAd, code: .noAdAfterWrappers, message: "The schedule has no ad breaks with ads.")
        }
        return resolution
    }

    private func resolve(_ adBreak: AdBreak, _ record: inout ResolveRecord) async -> ResolveOutcome {
        guard adBreak.isSchedulable else {
            let message = "The break's time offset cannot be read."
            var outcome = ResolveOutcome()
            outcome.refusal = Refusal(reason: .badVAST, code: .vmapSchema, message: message)
            record.pings += pings(adBreak.errorURLs, .vmapSchema, message: message)
            return outcome
        }
        guard let source = adBreak.source else { return ResolveOutcome() }
        var chain = ResolveChain()
        chain.baseURL = options.baseURL
        chain.allowsMultipleAds = source.allowsMultipleAds ?? true
        chain.followsWrappers = source.followsRedirects ?? true
        var outcome: ResolveOutcome
        switch source.content {
        case .vast(let document): outcome = await resolve(document, chain, &record)
        case .adTag(_, let uri): outcome = await load(uri, chain, &record)
        case .custom:
            let message = "The break's ads are in a format of its own."
            outcome = ResolveOutcome()
            outcome.refusal = Refusal(reason: .badVAST, code: .vmapTemplateType, message: message)
        case .empty:
            outcome = ResolveOutcome()
            outcome.refusal = Refusal(reason: .badVAST, code: .vmapSchema, message: "The break names no ads.")
        }
        guard outcome.ads.isEmpty, let refusal = outcome.refusal else { return outcome }
        let code = outcome.vmapCode(record.hops.first) ?? refusal.code
        record.pings += pings(adBreak.errorURLs, code, message: refusal.message)
        return outcome
    }

    private func load(
        _ uri: String,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) async -> ResolveOutcome {
        guard let target = URIReference.webURL(uri, base: chain.baseURL) else {
            var outcome = ResolveOutcome()
            let message = "The break's URL cannot be asked."
            outcome.refusal = Refusal(reason: .badVAST, code: .vmapFetch, message: message)
            return outcome
        }
        let url = MacroExpander(context: options.macros, clock: clock).expand(target, use: .request)
        var next = chain
        next.visit(target)
        return await load(url, next, adID: nil, &record)
    }
}

extension AdBreak {
    /// Whether its offset says when it is due.
    var isSchedulable: Bool {
        if case .unreadable = timeOffset { return false }
        return true
    }

    /// The URLs of its `error` event.
    var errorURLs: [String] { trackingEvents.filter { $0.event.rawValue == "error" }.map(\.url) }
}

extension ResolveOutcome {
    /// VMAP's own codes for an answer that could not be had, given the break's first hop (VMAP 1.0.1, error table).
    fileprivate func vmapCode(_ hop: Hop?) -> VASTErrorCode? {
        guard let hop, hop.depth == 0, hop.result == .failed else { return nil }
        switch fetchFailure {
        case .timeout: return .vmapTimeout
        case .status, .network, .refusedAddress, .tooLarge, .cancelled: return .vmapFetch
        case nil: return .vmapResponseParsing
        }
    }
}
