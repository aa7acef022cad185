internal import WeirTime

/// One resolution: the rules of a document's ads (VAST 4.3 §3.3.1 pods and stand-alone ads, §3.19 wrappers).
///
/// A reference, because every function that waits would keep a copy of the options otherwise.
final class ResolveRun: Sendable {
    let options: ResolveOptions
    let clock: any GatewayClock
    let fetch: @Sendable (FetchRequest) async -> FetchResult
    let started: ContinuousClock.Instant
    /// How many documents may still be fetched, by all tasks of the resolution.
    private let fetchesLeft: Lock<Int>

    init(
        options: ResolveOptions,
        clock: any GatewayClock,
        fetch: @escaping @Sendable (FetchRequest) async -> FetchResult
    ) {
        self.options = options
        self.clock = clock
        self.fetch = fetch
        started = clock.now
        fetchesLeft = Lock(options.maxFetches)
    }

    /// Whether one more document may be fetched.
    func takeFetch() -> Bool {
        fetchesLeft.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    /// Resolves the first document.
    func resolve(_ document: VASTDocument, isDAAST: Bool) async -> Resolution {
        var chain = ResolveChain()
        chain.baseURL = options.baseURL
        chain.allowsMultipleAds = options.allowsMultipleAds
        chain.isDAAST = isDAAST
        if let url = options.baseURL { chain.visit(url) }
        var resolution = Resolution()
        var record = ResolveRecord()
        let outcome = await resolve(document, chain, &record)
        resolution.take(record)
        resolution.ads = outcome.ads.numberedAsPod(document.isPod && outcome.ads.count == 1)
        resolution.buffet = outcome.buffet
        resolution.refusal = outcome.ads.isEmpty ? outcome.refusal : nil
        return resolution
    }

    /// Resolves a document at the end of a chain.
    ///
    /// What is noted on the way goes into one record from the first document to the last: records that were handed back
    /// and put together level by level would be copied at each of them.
    func resolve(
        _ document: VASTDocument,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) async -> ResolveOutcome {
        var chain = chain
        chain.version = document.version
        guard !document.ads.isEmpty else { return noAd(document, chain, &record) }
        let plan = LevelPlan(document, allowsMultipleAds: chain.allowsMultipleAds, isLenient: options.reading.isLenient)
        record.diagnostics += plan.diagnostics
        let firstPing = record.pings.count
        let outcome =
            plan.pod.isEmpty ? await playOne(plan, chain, &record) : await playPod(plan, chain, &record)
        for ad in plan.ignored {
            record.verdicts.append(
                Verdict(
                    adID: ad.id,
                    depth: chain.depth,
                    outcome: .ignored,
                    message: "Only one stand-alone ad is allowed here."
                )
            )
        }
        return outcome.ads.isEmpty ? without(outcome, document, chain, pingsFrom: firstPing, &record) : outcome
    }

    /// A document none of whose ads can be used; `firstPing` is where the record told of it first.
    @inline(never)
    private func without(
        _ outcome: ResolveOutcome,
        _ document: VASTDocument,
        _ chain: ResolveChain,
        pingsFrom firstPing: Int,
        _ record: inout ResolveRecord
    ) -> ResolveOutcome {
        var outcome = outcome
        let refusal =
            outcome.refusal
            ?? Refusal(
                reason: .wrapperFailed,
                code: .noAdAfterWrappers,
                message: "No ad of the document may be used here."
            )
        outcome.refusal = refusal
        record.pings += pings(document.errors, .noAdAfterWrappers)
        let outer = chain.errorURLs
        if !record.pings[firstPing...].contains(where: { outer.contains($0.template) }) {
            record.pings += pings(outer, .noAdAfterWrappers)
        }
        return outcome
    }

    /// A document without ads: its own error URLs and those of all wrappers get 303.
    private func noAd(
        _ document: VASTDocument,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) -> ResolveOutcome {
        var outcome = ResolveOutcome()
        record.pings += pings(document.errors + chain.errorURLs, .noAdAfterWrappers)
        let refusal: (Refusal.Reason, String) =
            chain.depth > 0
            ? (.wrapperFailed, "The document behind the last of \(chain.depth) wrappers has no ad.")
            : document.errors.isEmpty
                ? (.emptyVAST, "The tag answered with an empty VAST document.")
                : (.noAd, "The tag answered that it has no ad.")
        outcome.refusal = Refusal(reason: refusal.0, code: .noAdAfterWrappers, message: refusal.1)
        return outcome
    }

    /// Stand-alone ads are alternatives: the first that can be used is used, the rest are the buffet.
    private func playOne(
        _ plan: LevelPlan,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) async -> ResolveOutcome {
        var outcome = ResolveOutcome()
        var rest = plan.standAlone[...]
        while let ad = rest.popFirst() {
            let tried = await resolve(ad, chain, &record)
            if !tried.ads.isEmpty {
                outcome.ads = tried.ads
                outcome.buffet = tried.buffet
                outcome.refusal = nil
                break
            }
            outcome.refusal = outcome.refusal ?? tried.refusal
            guard tried.allowsFallback ?? options.fallsBackOnNoAd else { break }
        }
        if chain.allowsMultipleAds { addBuffet(rest, chain, to: &outcome, &record) }
        return outcome
    }

    /// A pod: its ads side by side; one that fails is replaced by a stand-alone ad where its wrapper allows.
    private func playPod(
        _ plan: LevelPlan,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) async -> ResolveOutcome {
        var outcome = ResolveOutcome()
        let tried = await resolveSideBySide(plan.pod, chain)
        var rest = plan.standAlone[...]
        for (slot, noted) in tried {
            record += noted
            if !slot.ads.isEmpty {
                outcome.ads += slot.ads
                outcome.buffet += slot.buffet
                continue
            }
            outcome.refusal = outcome.refusal ?? slot.refusal
            guard slot.allowsFallback ?? options.fallsBackOnNoAd else { continue }
            while let ad = rest.popFirst() {
                let stand = await resolve(ad, chain, &record)
                outcome.ads += stand.ads
                if !stand.ads.isEmpty { break }
            }
        }
        addBuffet(rest, chain, to: &outcome, &record)
        return outcome
    }

    /// Each of the ads with a record of its own, as they are put together in order afterwards.
    private func resolveSideBySide(
        _ ads: [VASTAd],
        _ chain: ResolveChain
    ) async -> [(ResolveOutcome, ResolveRecord)] {
        if ads.count > 1, ads.contains(where: { $0.isWrapper }) { return await resolveAtOnce(ads, chain) }
        var outcomes: [(ResolveOutcome, ResolveRecord)] = []
        for ad in ads { outcomes.append(await resolveAlone(ad, chain)) }
        return outcomes
    }

    @inline(never)
    private func resolveAtOnce(_ ads: [VASTAd], _ chain: ResolveChain) async -> [(ResolveOutcome, ResolveRecord)] {
        await withTaskGroup(of: (Int, (ResolveOutcome, ResolveRecord)).self) { group in
            for (index, ad) in ads.enumerated() {
                group.addTask { [self] in (index, await resolveAlone(ad, chain)) }
            }
            var outcomes = [(ResolveOutcome, ResolveRecord)](
                repeating: (ResolveOutcome(), ResolveRecord()),
                count: ads.count
            )
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func resolveAlone(_ ad: VASTAd, _ chain: ResolveChain) async -> (ResolveOutcome, ResolveRecord) {
        var record = ResolveRecord()
        let outcome = await resolve(ad, chain, &record)
        return (outcome, record)
    }

    /// Complete ads that were not needed; wrappers that were not needed are not asked.
    private func addBuffet(
        _ rest: ArraySlice<VASTAd>,
        _ chain: ResolveChain,
        to outcome: inout ResolveOutcome,
        _ record: inout ResolveRecord
    ) {
        for ad in rest {
            guard let inLine = ad.inLine else {
                let message = "The wrapper was not needed and was not asked."
                let verdict = Verdict(adID: ad.id, depth: chain.depth, outcome: .ignored, message: message)
                record.verdicts.append(verdict)
                continue
            }
            // What is wrong with an ad that nobody needed is nobody's concern.
            var unheard = ResolveRecord()
            guard let spare = judge(ad, inLine, chain, &unheard).ads.first else { continue }
            outcome.buffet.append(spare)
            let message = "The ad was not needed; it may stand in for another."
            record.verdicts.append(
                Verdict(adID: ad.id, depth: chain.depth, outcome: .spare, message: message)
            )
        }
    }

    /// Resolves one `Ad`.
    private func resolve(
        _ ad: VASTAd,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) async -> ResolveOutcome {
        ad.isWrapper ? await follow(ad, chain, &record) : judge(ad, chain, &record)
    }

    /// Judges an ad that is no wrapper.
    ///
    /// Not inlined: the whole ad would lie in the task's memory at each level of a chain.
    @inline(never)
    private func judge(_ ad: VASTAd, _ chain: ResolveChain, _ record: inout ResolveRecord) -> ResolveOutcome {
        if let inLine = ad.inLine { return judge(ad, inLine, chain, &record) }
        let message = "The ad has neither <InLine> nor <Wrapper>."
        return refused(ad, Refusal(reason: .noMarkup, code: .schema, message: message), chain, own: [], &record)
    }

    private func judge(
        _ ad: VASTAd,
        _ inLine: InLine,
        _ chain: ResolveChain,
        _ record: inout ResolveRecord
    ) -> ResolveOutcome {
        let (wrappers, links) = chain.unfolded
        var resolved = ResolvedAd(
            id: ad.id,
            sequence: ad.sequence,
            adType: inLine.effectiveType(declared: ad.adType, isDAAST: chain.isDAAST),
            inLine: WrapperMerge.merge(inLine, behind: wrappers),
            wrapperChain: links,
            version: chain.version
        )
        if let refusal = AdJudge(options: options).refusal(of: resolved, blockedByWrappers: chain.blockedCategories) {
            return refused(ad, refusal, chain, own: inLine.errors, &record)
        }
        let age = clock.now - (chain.arrival ?? started)
        if let expires = resolved.expires, age > .zero, age >= expires {
            let message = "The ad has expired \(ClockText.text(expires)) after it was sent."
            let refusal = Refusal(reason: .noAd, code: .undefined, message: message)
            return refused(ad, refusal, chain, own: inLine.errors, &record)
        }
        if let selector = options.selector, case .files(let files) = selector.select(from: resolved.mediaFiles) {
            resolved.mediaFiles = files
        }
        var outcome = ResolveOutcome()
        outcome.ads = [resolved]
        let message = chain.depth == 0 ? "The ad is complete." : "The ad is complete, behind \(chain.depth) wrappers."
        record.verdicts.append(Verdict(adID: ad.id, depth: chain.depth, outcome: .used, message: message))
        return outcome
    }

    /// An ad that cannot be used: its own error URLs and those of all wrappers get the code.
    func refused(
        _ ad: VASTAd,
        _ refusal: Refusal,
        _ chain: ResolveChain,
        own: [String],
        _ record: inout ResolveRecord
    ) -> ResolveOutcome {
        var outcome = ResolveOutcome()
        outcome.refusal = refusal
        record.pings += pings(chain.errorURLs + own, refusal.code)
        record.verdicts.append(
            Verdict(
                adID: ad.id,
                depth: chain.depth,
                outcome: .refused,
                code: refusal.code,
                message: refusal.message
            )
        )
        return outcome
    }

    /// The URLs with their macros filled.
    func pings(_ urls: [String], _ code: VASTErrorCode, message: String = "") -> [ErrorPing] {
        guard !urls.isEmpty else { return [] }
        let expander = MacroExpander(context: options.macros.setting(error: code, message: message), clock: clock)
        return urls.map { ErrorPing(url: expander.expand($0, use: .error), template: $0, code: code) }
    }
}

extension Resolution {
    /// Takes over what was noted; the same URL is not told the same code twice.
    mutating func take(_ record: ResolveRecord) {
        var seen: Set<ErrorPing> = []
        for ping in record.pings {
            let key = ErrorPing(url: "", template: ping.template, code: ping.code)
            if seen.insert(key).inserted { pings.append(ping) }
        }
        chain += record.hops
        verdicts += record.verdicts
        diagnostics += record.diagnostics
    }
}

extension [ResolvedAd] {
    /// Several ads are a pod, numbered in play order; one alone is not, unless it was a pod of one.
    func numberedAsPod(_ isPodOfOne: Bool = false) -> [ResolvedAd] {
        guard count > 1 || isPodOfOne else { return self }
        return enumerated().map { index, ad in
            var ad = ad
            ad.pod = PodPlace(position: index + 1, total: count)
            return ad
        }
    }
}

extension VASTDocument {
    /// Whether some ad has a place in a pod.
    var isPod: Bool { ads.contains { $0.sequence != nil } }
}
