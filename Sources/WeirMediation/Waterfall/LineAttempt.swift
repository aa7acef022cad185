internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// One try of one line item: takes its turn, asks, has the offers judged, and settles all accounts.
///
/// It knows nothing of an ad but that it is one: code that is generic over another room's type would find the type's
/// facts out at run time, over and over.
struct LineAttempt: Sendable {
    typealias Ad = any Sendable

    /// What became of it.
    struct Finished: Sendable {
        var attempt: Attempt
        /// The ad and its price, when it filled.
        var fill: (ad: Ad, price: Money?)?
        /// The turn under the frequency cap, still to be kept or given back.
        var reservation: CapReservation?
        /// What the network offered, for the notices it wants.
        var offers: [Offer] = []
    }

    /// A network's answer that nobody has judged yet, with all accounts open.
    struct Loaded: Sendable {
        fileprivate var handle: NetworkHandle
        fileprivate var permit: Breaker.Permit
        fileprivate var turns: Turns
        fileprivate var answer: Answer
        fileprivate var limit: AttemptLimit
        fileprivate var start: ContinuousClock.Instant
        /// How long the answer took.
        fileprivate var latency: Duration

        /// What is offered and can be used as far as the adapter could tell; empty for any other answer.
        var offers: [Offer] {
            if case .offers(let offers) = answer { return offers.filter { $0.refusal == nil } }
            return []
        }

        /// Whether the network offered anything at all.
        var isOffer: Bool {
            if case .offers = answer { return true }
            return false
        }
    }

    /// What became of the first half.
    enum Begun: Sendable {
        case finished(Finished)
        case loaded(Loaded)
    }

    let runner: WaterfallRunner
    let line: WaterfallPlan.Line
    let person: String?
    let seed: AskSeed
    let handle: NetworkHandle?
    let arrival: ContinuousClock.Instant
    let group: Deadline?
    let deadline: Deadline
    let accept: @Sendable ([Offer], LineItem, NetworkHandle, Deadline) async -> Acceptance<Ad>

    private var item: LineItem { line.lineItem }
    private var clock: any GatewayClock { runner.clock }

    /// The whole try at once.
    func run() async -> Finished {
        switch await begin() {
        case .finished(let finished): finished
        // Following wrappers is part of the attempt: it keeps the same limit.
        case .loaded(let loaded): await judge(loaded, loaded.limit)
        }
    }

    /// The first half: takes its turns and asks.
    func begin() async -> Begun {
        if let skip = line.skip { return .finished(unasked(skip, retryAt: line.retryAt)) }
        guard let handle, let adapter = handle.adapter else {
            let outcome = AttemptOutcome(.skipped, .disabled, "\(item.network) has just been removed or disabled.")
            return .finished(unasked(outcome))
        }
        switch takeTurns() {
        case .refused(let outcome): return .finished(unasked(outcome))
        case .taken(let turns):
            switch handle.admit(for: seed.request.placement) {
            case .refuse(let outcome, let retryAt):
                turns.giveBack(runner.caps)
                return .finished(unasked(outcome, retryAt: retryAt))
            case .ask(let permit):
                return .loaded(await ask(handle, adapter, permit, turns))
            }
        }
    }

    /// The second half for a bid whose turn has come: has its offers judged within the line's own time, or what is left.
    func judge(_ bid: Loaded) async -> Finished {
        await judge(bid, limit(group: nil))
    }

    /// The other end of a bid: it is not judged any more, and this is why.
    ///
    /// The network did answer.
    func drop(_ bid: Loaded, _ outcome: AttemptOutcome, price: Money?) -> Finished {
        settle(
            bid,
            .refused(outcome),
            outcome,
            latency: bid.latency,
            price: price,
            // A bid whose turn never came was in time all the same.
            isPrompt: outcome.result == .timeout
        )
    }

    /// The end of an answer that has no place in the order of bids: the network's own verdict, or why none of its offers
    /// may stand.
    func end(_ loaded: Loaded, _ refusal: AttemptOutcome?, price: Money?) -> Finished {
        if case .verdict(let outcome) = loaded.answer {
            let refined = loaded.limit.refine(outcome, of: item.network, now: clock.now)
            return settle(loaded, .refused(refined), cancelled(refined), latency: loaded.latency, price: nil)
        }
        let outcome = refusal ?? AttemptOutcome(.rejected, .noMarkup, "\(item.network) bids nothing that can be used.")
        return drop(loaded, outcome, price: price)
    }

    @inline(never)
    private func unasked(_ outcome: AttemptOutcome, retryAt: WallTime? = nil) -> Finished {
        Finished(attempt: line.attempt(outcome, retryAt: retryAt))
    }

    // MARK: Turns

    fileprivate struct Turns: Sendable {
        var cap: CapReservation?
        var pacing: CapReservation?

        func giveBack(_ caps: any CapCounting) {
            if let cap { caps.release(cap) }
            if let pacing { caps.release(pacing) }
        }
    }

    private enum TurnAnswer {
        case taken(Turns)
        case refused(AttemptOutcome)
    }

    /// Reserves before asking, so that requests side by side cannot pass a cap together.
    @inline(never)
    private func takeTurns() -> TurnAnswer {
        var turns = Turns()
        guard item.cap != nil || item.pacing != nil else { return .taken(turns) }
        let wall = clock.wallNow
        if let cap = item.cap, let person {
            let key = CapKey(adUnit: seed.adUnit.id, lineItem: item.id, person: person)
            turns.cap = runner.caps.reserve(key, cap, now: wall)
            guard turns.cap != nil else {
                return .refused(AttemptOutcome(.skipped, .cap, LineExamination.spent(cap, "this user")))
            }
        }
        if let pacing = item.pacing {
            let key = CapKey(adUnit: seed.adUnit.id, lineItem: item.id, person: nil)
            turns.pacing = runner.caps.reserve(key, pacing, now: wall)
            guard turns.pacing != nil else {
                turns.giveBack(runner.caps)
                return .refused(AttemptOutcome(.skipped, .pacing, LineExamination.spent(pacing, "this line item")))
            }
        }
        return .taken(turns)
    }

    // MARK: Asking

    private func ask(
        _ handle: NetworkHandle,
        _ adapter: any NetworkAdapter,
        _ permit: Breaker.Permit,
        _ turns: Turns
    ) async -> Loaded {
        let start = clock.now
        let limit = limit(group: group)
        let answer = await load(limit, handle, adapter)
        return Loaded(
            handle: handle,
            permit: permit,
            turns: turns,
            answer: answer,
            limit: limit,
            start: start,
            latency: start.duration(to: clock.now)
        )
    }

    private func limit(group: Deadline?) -> AttemptLimit {
        var limit = AttemptLimit(now: clock.now, own: line.timeout, group: group, whole: deadline)
        if item.isBidding { limit.groupName = "the round of bids" }
        return limit
    }

    private func judge(_ loaded: Loaded, _ limit: AttemptLimit) async -> Finished {
        let start = clock.now
        let answer = await judge(loaded.answer, limit, loaded.handle)
        let end = clock.now
        return settle(
            loaded,
            answer,
            verdict(answer, limit, end),
            latency: loaded.latency + start.duration(to: end),
            price: bestPrice(loaded)
        )
    }

    private func bestPrice(_ loaded: Loaded) -> Money? { loaded.offers.lazy.compactMap(\.price).first }

    /// Tells breaker, caps and pacing what came of it, and writes the attempt down.
    @inline(never)
    private func settle(
        _ loaded: Loaded,
        _ answer: Acceptance<Ad>,
        _ outcome: AttemptOutcome,
        latency: Duration,
        price: Money?,
        isPrompt: Bool = false
    ) -> Finished {
        let verdict = isPrompt ? .healthy : Breaker.Verdict(outcome, after: latency)
        let isWorthless = Task.isCancelled && outcome.result != .fill
        loaded.handle.record(loaded.permit, isWorthless ? .unknown : verdict, for: seed.request.placement)

        let wasAsked = outcome.result != .skipped
        if let pacing = loaded.turns.pacing {
            if wasAsked { runner.caps.commit(pacing) } else { runner.caps.release(pacing) }
        }
        var finished = Finished(
            attempt: line.attempt(
                outcome,
                start: wasAsked ? arrival.duration(to: loaded.start) : nil,
                latency: wasAsked ? latency : .zero
            )
        )
        finished.attempt.price = price
        if case .offers(let offers) = loaded.answer { finished.offers = offers }
        if case .accepted(let ad, let price) = answer {
            finished.fill = (ad, price ?? item.rate)
            // Where the network named no price, the line's rate stands for it, and is told as that.
            if finished.attempt.price != nil { finished.attempt.price = price }
            finished.reservation = loaded.turns.cap
        } else if let cap = loaded.turns.cap {
            runner.caps.release(cap)
        }
        return finished
    }

    private func verdict(
        _ answer: Acceptance<Ad>,
        _ limit: AttemptLimit,
        _ now: ContinuousClock.Instant
    ) -> AttemptOutcome {
        switch answer {
        case .accepted: AttemptOutcome(.fill, .fill, "\(item.network) filled.")
        case .refused(let outcome): cancelled(limit.refine(outcome, of: item.network, now: now))
        }
    }

    /// What a refusal is called when nobody waits for the answer any more.
    private func cancelled(_ outcome: AttemptOutcome) -> AttemptOutcome {
        guard Task.isCancelled, outcome.result != .skipped else { return outcome }
        return AttemptOutcome(.timeout, .deadline, "The caller went away before \(item.network) had answered.")
    }

    /// What came back from the adapter.
    fileprivate enum Answer: Sendable {
        case offers([Offer])
        case verdict(AttemptOutcome)

        /// Whether the network has answered; an adapter that ends because it was cancelled has no answer.
        var isFromNetwork: Bool {
            switch self {
            case .offers: true
            case .verdict(let outcome): outcome.result == .noFill
            }
        }
    }

    /// Where the transport keeps the deadline, nobody else needs to; any other adapter may ignore it and is raced.
    private func load(_ limit: AttemptLimit, _ handle: NetworkHandle, _ adapter: any NetworkAdapter) async -> Answer {
        let ask = AdAsk(
            requestID: seed.requestID,
            request: seed.request,
            adUnit: seed.adUnit,
            lineItem: item,
            deadline: limit.deadline,
            isTest: seed.isTest,
            traceParent: seed.traceParent,
            trace: seed.trace
        )
        if handle.isBoundedByTransport {
            let answer = await load(ask, adapter, handle)
            handle.loadEnded(wasLeftBehind: false)
            return answer
        }
        return await raced(ask, limit, handle, adapter)
    }

    /// Leaves a load behind that does not keep its deadline.
    @inline(never)
    private func raced(
        _ ask: AdAsk,
        _ limit: AttemptLimit,
        _ handle: NetworkHandle,
        _ adapter: any NetworkAdapter
    ) async -> Answer {
        let lease = LoadLease(handle)
        let onLate = runner.onLate
        let network = item.network
        let answer: Answer? = await race(
            until: limit.deadline,
            clock: clock,
            late: { (answer: Answer) in if answer.isFromNetwork { onLate(network) } }
        ) {
            let answer = await load(ask, adapter, handle)
            lease.end()
            return answer
        }
        guard let answer else {
            lease.leave()
            return .verdict(limit.timeout(of: network))
        }
        return answer
    }

    private func load(_ ask: AdAsk, _ adapter: any NetworkAdapter, _ handle: NetworkHandle) async -> Answer {
        do throws(AdapterError) {
            switch try await adapter.load(ask) {
            case .fill(let offers): return .offers(offers)
            case .noFill(let noFill):
                runner.onNoFill(noFill, handle)
                return .verdict(AttemptOutcome(noFill))
            }
        } catch {
            if !error.lossURLs.isEmpty { runner.onLosses(error.lossURLs, handle) }
            return .verdict(error.outcome)
        }
    }

    /// Has offers judged within the same deadline: following wrappers is part of the attempt.
    private func judge(_ answer: Answer, _ limit: AttemptLimit, _ handle: NetworkHandle) async -> Acceptance<Ad> {
        switch answer {
        case .verdict(let outcome): .refused(outcome)
        case .offers(let offers): await accept(offers, item, handle, limit.deadline)
        }
    }
}

extension AttemptOutcome {
    /// A network's proper "nothing to sell".
    fileprivate init(_ noFill: NoFill) {
        self.init(
            .noFill,
            noFill.reason,
            noFill.message,
            networkCode: noFill.networkCode,
            networkMessage: noFill.networkMessage
        )
    }
}

extension WaterfallPlan.Line {
    /// The line in the decision log.
    func attempt(
        _ outcome: AttemptOutcome,
        start: Duration? = nil,
        latency: Duration = .zero,
        retryAt: WallTime? = nil
    ) -> Attempt {
        Attempt(
            lineItem: lineItem.id,
            network: lineItem.network,
            adapter: adapter,
            adapterVersion: adapterVersion,
            outcome: outcome,
            start: start,
            latency: latency,
            retryAtMilliseconds: retryAt?.milliseconds,
            rate: lineItem.rate
        )
    }
}
