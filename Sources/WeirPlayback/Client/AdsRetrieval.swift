internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// Gets the ads of one request: its schedule at first, and later the ads of a break that comes again.
struct AdsRetrieval: Sendable {
    /// A schedule, and where the ads of its repeating breaks come from.
    struct Answer: Sendable {
        var schedule: AdSchedule
        /// By the break's place in the schedule.
        var sources: [Int: RepeatingBreak] = [:]
    }

    /// A break with `repeatAfter` as its document has it.
    struct RepeatingBreak: Sendable {
        var adBreak: AdBreak
        /// What relative addresses in it are relative to.
        var baseURL: String?
    }

    let request: AdsRequest
    let transport: AdsTransport
    let clock: any GatewayClock
    let correlator: @Sendable () -> UInt64

    /// Asks for the schedule.
    func first() async -> Result<Answer, AdFailure> {
        guard let container = request.adDisplayContainer else {
            return .failure(invalid("The request has no ad display container to render ads in."))
        }
        guard container.isOnScreen else {
            return .failure(invalid("The ad display container is not on screen yet."))
        }
        switch await document() {
        case .failure(let failure): return .failure(failure)
        case .success(let document):
            let resolution = await resolve(VASTReader.read(document.bytes), baseURL: document.url)
            let schedule = AdSchedule(resolution)
            guard schedule.hasAds else { return .failure(resolution.refusal.map(AdFailure.init) ?? empty) }
            var answer = Answer(schedule: schedule)
            for (place, resolved) in resolution.breaks.enumerated() where resolved.adBreak.repeatAfter != nil {
                answer.sources[place] = RepeatingBreak(adBreak: resolved.adBreak, baseURL: document.url)
            }
            return .success(answer)
        }
    }

    /// Asks for the ads of a break once more, and for those of no other break (VMAP 1.0.1, `AdBreak`).
    ///
    /// A break with an ad tag of its own is asked there, as IMA does. Ads that stood in the schedule itself come from
    /// where the schedule came from. A document that was at hand is all there is: its ads play again, and whatever their
    /// wrappers lead to is asked anew.
    func again(_ repeating: RepeatingBreak) async -> Result<AdSchedule, AdFailure> {
        if case .adTag = repeating.adBreak.source?.content { return .success(await schedule(of: repeating)) }
        if case .document = request.source { return .success(await schedule(of: repeating)) }
        switch await document() {
        case .failure(let failure): return .failure(failure)
        case .success(let document):
            let reading = VASTReader.read(document.bytes)
            guard let fresh = reading.vmap else {
                // What is no schedule is all for this break.
                return .success(AdSchedule(await resolve(reading, baseURL: document.url)))
            }
            let wanted = AdSchedule.Break(id: repeating.adBreak.id, timeOffset: repeating.adBreak.timeOffset, ads: [])
            let candidates = fresh.adBreaks.map { (id: $0.id, timeOffset: $0.timeOffset) }
            guard let place = AdSchedule.place(of: wanted, among: candidates) else { return .success(AdSchedule()) }
            return .success(await schedule(of: RepeatingBreak(adBreak: fresh.adBreaks[place], baseURL: document.url)))
        }
    }

    // MARK: Private parts

    private func schedule(of repeating: RepeatingBreak) async -> AdSchedule {
        let reading = Reading(content: .vmap(VMAPDocument(adBreaks: [repeating.adBreak])))
        return AdSchedule(await resolve(reading, baseURL: repeating.baseURL))
    }

    /// Follows wrappers, and calls the error URLs that are due.
    private func resolve(_ reading: Reading, baseURL: String?) async -> Resolution {
        var options = options
        options.baseURL = baseURL
        let resolution = await VASTResolver().resolve(reading, options: options, clock: clock, fetch: transport.fetch)
        for ping in resolution.pings { transport.call(ping.url) }
        return resolution
    }

    private var options: ResolveOptions {
        var options = ResolveOptions()
        options.macros = request.macros
        options.requiresLinear = true
        options.requiresHideableUI = request.requiresHideableUI
        return options
    }

    private func document() async -> Result<(bytes: [UInt8], url: String?), AdFailure> {
        var url: String
        switch request.source {
        case .document(let text): return .success((Array(text.utf8), nil))
        case .adTag(let tag): url = request.tagURL(tag, correlator: correlator())
        case .placement(let placement):
            guard let gateway = transport.gateway else {
                return .failure(invalid("A placement needs a gateway, and the transport names none."))
            }
            url = request.tagURL(
                gateway + "/v1/vast?placement=" + AdsRequest.encoded(placement.text),
                correlator: correlator()
            )
        }
        let options = options
        url = MacroExpander(context: options.macros, clock: clock).expand(url, use: .request)
        let deadline = Deadline.after(options.hopTimeout, clock: clock)
        switch await transport.fetch(FetchRequest(url: url, deadline: deadline, depth: 0)) {
        case .document(let bytes, let final): return .success((bytes, final ?? url))
        case .empty: return .failure(empty)
        case .failed(_, let message):
            return .failure(AdFailure(stage: .load, code: AdFailure.networkError, message: message))
        }
    }

    private var empty: AdFailure {
        AdFailure(stage: .load, code: AdFailure.emptyResponse, message: "The ad server's answer holds no ads.")
    }

    private func invalid(_ message: String) -> AdFailure {
        AdFailure(stage: .load, code: AdFailure.invalidArguments, message: message)
    }
}
