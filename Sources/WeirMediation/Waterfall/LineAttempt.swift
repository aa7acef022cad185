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

    func run() async -> Finished {
        if let skip = line.skip { return unasked(skip, retryAt: line.retryAt) }
        guard let handle, let adapter = handle.adapter else {
            return unasked(AttemptOutcome(.skipped, .disabled, "\(item.network) has just been removed or disabled."))
        }
        switch takeTurns() {
        case .refused(let outcome): return unasked(outcome)
        case .taken(let turns):
            switch handle.admit() {
            case .refuse(let outcome, let retryAt):
                turns.giveBack(runner.caps)
                return unasked(outcome, retryAt: retryAt)
            case .ask(let permit):
                return await ask(handle, adapter, permit, turns)
            }
        }
    }

    private func unasked(_ outcome: AttemptOutcome, retryAt: WallTime? = nil) -> Finished {
        Finished(attempt: line.attempt(outcome, retryAt: retryAt))
    }

    // MARK: Turns

    private struct Turns {
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
    ) async -> Finished {
        let start = clock.now
        let limit = AttemptLimit(now: start, own: line.timeout, group: group, whole: deadline)
        let answer = await judge(await load(limit, handle, adapter), limit, handle)
        let end = clock.now
        let latency = start.duration(to: end)
        let outcome = verdict(answer, limit, end)
        let isWorthless = Task.isCancelled && outcome.result != .fill
        handle.record(permit, isWorthless ? .unknown : Breaker.Verdict(outcome, after: latency))

        let wasAsked = outcome.result != .skipped
        if let pacing = turns.pacing {
            if wasAsked { runner.caps.commit(pacing) } else { runner.caps.release(pacing) }
        }
        var finished = Finished(
            attempt: line.attempt(
                outcome,
                start: wasAsked ? arrival.duration(to: start) : nil,
                latency: wasAsked ? latency : .zero
            )
        )
        if case .accepted(let ad, let price) = answer {
            finished.fill = (ad, price ?? item.rate)
            finished.reservation = turns.cap
        } else if let cap = turns.cap {
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
        case .refused(let outcome) where Task.isCancelled && outcome.result != .skipped:
            AttemptOutcome(.timeout, .deadline, "The caller went away before \(item.network) had answered.")
        case .refused(let outcome): limit.refine(outcome, of: item.network, now: now)
        }
    }

    /// What came back from the adapter.
    private enum Answer: Sendable {
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
