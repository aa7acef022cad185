internal import WeirAdapterKit
internal import WeirMediation
internal import WeirModel
internal import WeirRewards
internal import WeirTime
internal import WeirVAST

/// Turns one offer into served ads, or into the reason why not.
struct OfferExamination: Sendable {
    let acceptance: AdAcceptance
    let source: OfferSource
    /// The offer's place in the network's answer.
    var number = 0

    private var clock: any GatewayClock { acceptance.foundations.clock }
    private var adUnit: AdUnit { acceptance.adUnit }

    /// Reads, resolves and checks.
    func examine(_ offer: Offer) async -> OfferVerdict {
        if let refusal = refusal(of: offer) { return OfferVerdict(refusal: refusal) }
        var options = options
        if !offer.categories.isEmpty { options.requiresCategory = false }
        var bytes: [UInt8]
        switch offer.markup {
        case .document(let document): bytes = document
        case .url(let url):
            options.baseURL = url
            switch await fetch(FetchRequest(url: url, deadline: source.deadline, depth: 0)) {
            case .document(let document, _): bytes = document
            case .empty: bytes = []
            case .failed(let failure, let message):
                return OfferVerdict(refusal: Self.outcome(of: failure, message))
            }
        }
        guard !bytes.isEmpty else {
            return OfferVerdict(refusal: AttemptOutcome(.rejected, .noMarkup, "The network's offer holds no document."))
        }
        let reading = VASTReader.read(bytes)
        let resolution = await resolve(reading, &options)
        let pings = resolution.pings.map(\.url)
        if let refusal = resolution.refusal, resolution.ads.isEmpty {
            return OfferVerdict(refusal: AttemptOutcome(refusal), pings: pings)
        }
        var verdict = OfferVerdict(ads: served(offer, resolution.ads, resolution.breaks) { $0.ads }, pings: pings)
        if verdict.ads.count == 1, options.baseURL == nil {
            verdict.ads[0].untouched = UntouchedDocument(bytes, reading: reading, ad: verdict.ads[0].ad)
        }
        verdict.breaks = resolution.breaks.map(ServedBreak.init)
        // Stand-alone ads that were not needed.
        verdict.spares = served(offer, resolution.buffet, resolution.breaks) { $0.buffet }
        return verdict
    }

    /// Follows wrappers, with the values for macros in their addresses.
    ///
    /// A document of complete ads needs those values for error URLs alone: only when there are some it is gone through
    /// once more with them, which fetches nothing.
    private func resolve(_ reading: Reading, _ options: inout ResolveOptions) async -> Resolution {
        let isComplete = reading.vast?.ads.allSatisfy { $0.wrapper == nil } ?? false
        if !isComplete { options.macros = macros }
        let resolution = await VASTResolver().resolve(reading, options: options, clock: clock) { await fetch($0) }
        if !isComplete || resolution.pings.isEmpty { return resolution }
        options.macros = macros
        return await VASTResolver().resolve(reading, options: options, clock: clock) { await fetch($0) }
    }

    private func refusal(of offer: Offer) -> AttemptOutcome? {
        if let refusal = offer.refusal { return refusal }
        if let price = offer.price, let refusal = acceptance.prices.refusal(of: price) { return refusal }
        return blocked(offer)
    }

    /// A bid says its categories beside the document; those are refused like the document's own.
    private func blocked(_ offer: Offer) -> AttemptOutcome? {
        let blocked = adUnit.blockedCategories.map { Category(code: $0) }
        guard
            let category = offer.categories.first(where: { code in blocked.contains { $0.matches(Category(code: code)) }
            })
        else { return nil }
        return AttemptOutcome(
            .rejected,
            .blockedCategory,
            "The network's offer is of the blocked category \(category.prefix(64))."
        )
    }

    /// Ads as they are served: those without a schedule, or those of each of its breaks.
    private func served(
        _ offer: Offer,
        _ alone: [ResolvedAd],
        _ breaks: [BreakResolution],
        _ ads: (BreakResolution) -> [ResolvedAd]
    ) -> [ServedAd] {
        guard !breaks.isEmpty else { return alone.map { served($0, offer, at: nil, slot: offer.slot) } }
        return breaks.enumerated().flatMap { index, resolved in
            let offset = BreakOffset(resolved.adBreak.timeOffset, content: acceptance.request.content.duration)
            return ads(resolved).map { ad in
                var ad = served(ad, offer, at: offset, slot: AudioSlot(offset))
                ad.breakIndex = index
                return ad
            }
        }
    }

    @inline(never)
    private func served(_ ad: ResolvedAd, _ offer: Offer, at offset: BreakOffset?, slot: AudioSlot?) -> ServedAd {
        let expires = offer.expires ?? ad.expires
        let reward = adUnit.overridesReward ? adUnit.reward ?? offer.reward : offer.reward ?? adUnit.reward
        return ServedAd(
            held: HeldAd(ad),
            vastVersion: acceptance.call.vastVersion ?? adUnit.vastVersion,
            network: source.network.id,
            lineItem: source.lineItem.id,
            price: offer.price ?? source.lineItem.rate,
            offerID: offer.id,
            offerTitle: offer.title,
            offer: number,
            offerCreativeID: offer.creativeID,
            offerDomain: offer.advertiserDomains.first,
            offerCategories: offer.categories,
            reward: reward,
            presentationToken: adUnit.format == .rewarded ? token(expires, reward) : nil,
            expires: expires,
            slot: slot,
            breakOffset: offset,
            controls: offer.controls,
            pod: (ad.pod?.position ?? 1, ad.pod?.total ?? 1),
            isTest: acceptance.isTest
        )
    }

    /// The proof that this ad was handed out, to whom, and what it promises.
    ///
    /// It names the user although consent may keep the id from networks: it goes to the publisher's own app, which sent
    /// the id, and comes back to Weir. Without the id nobody could be given the reward.
    private func token(_ expires: Duration?, _ reward: Reward?) -> String {
        var token = PresentationToken(
            request: acceptance.call.requestID,
            adUnit: adUnit.id,
            user: acceptance.viewer.user.id ?? "",
            expires: clock.wallNow.advanced(by: min(expires ?? adUnit.expires, adUnit.expires))
        )
        token.placement = acceptance.placement.id.text
        token.network = source.network.id.text
        token.lineItem = source.lineItem.id.text
        token.customData = acceptance.viewer.user.customData
        token.reward = reward
        token.device = acceptance.viewer.device.rewardMark
        return acceptance.foundations.tokens.text(token)
    }

    // MARK: Fetching

    private func fetch(_ request: FetchRequest) async -> FetchResult {
        let call = OutboundRequest(url: request.url, headers: acceptance.deviceHeaders)
        let lineItem = source.lineItem.id
        do {
            let reply = try await source.transport.send(call, deadline: request.deadline)
            acceptance.trace?.record(lineItem: lineItem, request: call, reply: reply)
            switch reply.status {
            case 204: return .empty
            case 200..<300: return reply.body.isEmpty ? .empty : .document(reply.body, url: request.url)
            default: return .failed(.status(reply.status), message: "The address answered \(reply.status).")
            }
        } catch {
            acceptance.trace?.record(lineItem: lineItem, request: call, failure: error)
            return .failed(FetchFailure(error.kind), message: error.message)
        }
    }

    private static func outcome(of failure: FetchFailure, _ message: String) -> AttemptOutcome {
        switch failure {
        case .timeout: AttemptOutcome(.timeout, .lineTimeout, message)
        case .refusedAddress: AttemptOutcome(.networkError, .addressRefused, message)
        case .tooLarge: AttemptOutcome(.badResponse, .tooLarge, message)
        case .network, .status, .cancelled: AttemptOutcome(.rejected, .wrapperFailed, message)
        }
    }
}

extension FetchFailure {
    /// What a transport's failure means to the resolver.
    fileprivate init(_ kind: TransportError.Kind) {
        switch kind {
        case .timeout: self = .timeout
        case .addressRefused: self = .refusedAddress
        case .tooLarge: self = .tooLarge
        case .cancelled: self = .cancelled
        case .connectionRefused, .dns, .tls, .reset, .badEncoding, .saturated: self = .network
        }
    }
}

extension ServedBreak {
    /// A break as it was resolved, without its ads.
    fileprivate init(_ resolved: BreakResolution) {
        self.init(
            id: resolved.adBreak.id,
            timeOffset: resolved.adBreak.timeOffset,
            repeatAfter: resolved.adBreak.repeatAfter,
            trackingEvents: resolved.adBreak.trackingEvents,
            refusal: resolved.refusal
        )
    }
}

extension BreakOffset {
    /// A VMAP time offset; one that cannot be placed stands before the content.
    fileprivate init(_ offset: TimeOffset, content: Duration?) {
        switch offset {
        // The whole of the content is its end, however long it is.
        case .end, .percent(100): self = .end
        case .start, .position, .unreadable: self = .start
        case .time, .percent:
            self = offset.contentPosition(in: content).map { $0 == .zero ? .start : .position($0) } ?? .start
        }
    }
}

extension AudioSlot {
    /// The section of a break in an audio programme.
    fileprivate init(_ offset: BreakOffset) {
        switch offset {
        case .start: self.init(.preroll)
        case .position(let point): self.init(.midroll, point: point)
        case .end: self.init(.postroll)
        }
    }
}

extension AttemptOutcome {
    /// The resolver's refusal in the words of the decision log.
    fileprivate init(_ refusal: Refusal) {
        // The raw values are the same closed list; a reason that is not in it would be a fault of ours.
        let reason = Reason(rawValue: refusal.reason.rawValue) ?? .noMarkup
        let results: [AttemptResult] = [.noFill, .badResponse, .rejected, .timeout]
        let result = results.first { $0.reasons.contains(reason) } ?? .rejected
        self.init(result, reason, refusal.message)
    }
}
