package import WeirAdapterKit
package import WeirModel
package import WeirTime

/// Walks a plan: asks line by line, each under its share of the deadline, until the answer is complete or all are spent.
package struct WaterfallRunner: Sendable {
    /// Judges a line item's offers by the deadline of its attempt, which it must keep.
    package typealias Accept<Ad: Sendable> =
        @Sendable ([Offer], LineItem, NetworkHandle, Deadline) async -> Acceptance<Ad>

    /// Puts fills together into one answer, called for one fill after another; those of a group come best price first.
    package typealias Gather<Ad: Sendable> = @Sendable (Ad, LineItem) -> Gathered

    /// A line item is not begun with less than this left: no network could answer.
    package static let leastShare: Duration = .milliseconds(5)

    let clock: any GatewayClock
    let caps: any CapCounting
    let onLate: @Sendable (NetworkID) -> Void
    let onNoFill: @Sendable (NoFill, NetworkHandle) -> Void
    let onLosses: @Sendable ([String], NetworkHandle) -> Void

    /// A runner.
    ///
    /// - Parameters:
    ///   - clock: The time.
    ///   - caps: Frequency caps and pacing.
    ///   - onLate: Told of every answer that came after its attempt had been given up; the answer itself is dropped.
    ///   - onNoFill: Told of every no-fill, whose error URLs are owed a call.
    ///   - onLosses: Told of loss notices that are owed because no bid of an answer could be used.
    package init(
        clock: any GatewayClock,
        caps: any CapCounting,
        onLate: @escaping @Sendable (NetworkID) -> Void = { _ in },
        onNoFill: @escaping @Sendable (NoFill, NetworkHandle) -> Void = { _, _ in },
        onLosses: @escaping @Sendable ([String], NetworkHandle) -> Void = { _, _ in }
    ) {
        self.clock = clock
        self.caps = caps
        self.onLate = onLate
        self.onNoFill = onNoFill
        self.onLosses = onLosses
    }

    /// Asks until an ad is there, all line items are spent, or the time is up.
    ///
    /// Bids are collected first, side by side and within their share of the time; each is judged when its turn comes.
    /// When the task is cancelled, what is under way ends at once and nothing is begun any more.
    ///
    /// - Parameters:
    ///   - plan: Whom to ask, in which order.
    ///   - seed: What all asks have in common.
    ///   - lineup: The networks of the same moment as the plan.
    ///   - arrival: From which `start` of the attempts counts.
    ///   - deadline: When the answer must be there, whatever is still under way.
    ///   - gather: Decides what of a fill goes into the answer; without it the first fill is the answer.
    ///   - accept: Turns offers into an ad or refuses them; a refusal goes on to the next line.
    /// - Returns: Every line item exactly once, in the order of the plan, and the winner.
    package func run<Ad: Sendable>(
        _ plan: WaterfallPlan,
        seed: AskSeed,
        lineup: NetworkLineup,
        arrival: ContinuousClock.Instant,
        deadline: Deadline,
        gather: @escaping Gather<Ad> = { _, _ in .taken(isComplete: true) },
        accept: @escaping Accept<Ad>
    ) async -> WaterfallResult<Ad> {
        let walk = Walk(
            runner: self,
            person: plan.person,
            seed: seed,
            lineup: lineup,
            arrival: arrival,
            deadline: deadline,
            prices: plan.prices,
            gather: { gather(Self.typed($0), $1) },
            accept: { await accept($0, $1, $2, $3).erased }
        )
        var result = WaterfallResult<Walk.Ad>(attempts: [])
        result.attempts.reserveCapacity(plan.steps.count + plan.bids.count)
        // Without bids the order is the plan's: most waterfalls need no more.
        let bids = plan.bids.isEmpty ? [] : await walk.collectBids(plan, into: &result)
        for entry in bids.isEmpty ? plan.steps.indices.map({ .step($0) }) : walk.order(plan.steps, bids) {
            switch entry {
            case .bid(let number): await walk.take(bids[number], into: &result)
            case .step(let number): await walk.take(plan.steps[number], into: &result)
            }
        }
        // The line-up keeps its adapters from being torn down while this request may ask them.
        withExtendedLifetime(lineup) {}
        return Self.result(of: result)
    }

    /// The result with ads as `accept` made them.
    ///
    /// Not inlined: its values would lie in the memory of a task that waits for a network.
    @inline(never)
    private static func result<Ad: Sendable>(of walk: WaterfallResult<Walk.Ad>) -> WaterfallResult<Ad> {
        WaterfallResult(
            attempts: walk.attempts,
            bidders: walk.bidders,
            winner: walk.winner.map {
                .init(ad: typed($0.ad), lineItem: $0.lineItem, network: $0.network, price: $0.price)
            },
            completedBy: walk.completedBy
        )
    }

    /// An ad comes back as what `accept` made it.
    private static func typed<Ad: Sendable>(_ ad: Walk.Ad) -> Ad {
        guard let ad = ad as? Ad else { preconditionFailure("An ad has changed its type on its way.") }
        return ad
    }
}

extension Acceptance {
    /// The same for a walk that knows nothing of the ad.
    fileprivate var erased: Acceptance<Walk.Ad> {
        switch self {
        case .accepted(let ad, let price): .accepted(ad, price: price)
        case .refused(let outcome): .refused(outcome)
        }
    }
}

/// One walk down one waterfall.
///
/// A reference, because every function that waits would keep a copy of it otherwise.
final class Walk: Sendable {
    typealias Ad = LineAttempt.Ad

    let runner: WaterfallRunner
    let person: String?
    let seed: AskSeed
    let lineup: NetworkLineup
    let arrival: ContinuousClock.Instant
    let deadline: Deadline
    let prices: PriceRule
    let gather: WaterfallRunner.Gather<Ad>
    let accept: WaterfallRunner.Accept<Ad>

    init(
        runner: WaterfallRunner,
        person: String?,
        seed: AskSeed,
        lineup: NetworkLineup,
        arrival: ContinuousClock.Instant,
        deadline: Deadline,
        prices: PriceRule,
        gather: @escaping WaterfallRunner.Gather<Ad>,
        accept: @escaping WaterfallRunner.Accept<Ad>
    ) {
        self.runner = runner
        self.person = person
        self.seed = seed
        self.lineup = lineup
        self.arrival = arrival
        self.deadline = deadline
        self.prices = prices
        self.gather = gather
        self.accept = accept
    }

    /// Why nobody is asked any more; `nil` while somebody may be.
    func reasonToStop(_ completedBy: LineItemID?) -> ((NetworkID) -> AttemptOutcome)? {
        if let completedBy {
            return { AttemptOutcome(.notAttempted, .filledAbove, "\($0) was not asked: \(completedBy) filled.") }
        }
        if Task.isCancelled {
            return { AttemptOutcome(.notAttempted, .deadline, "\($0) was not asked: the caller went away.") }
        }
        guard deadline.remaining(runner.clock) >= WaterfallRunner.leastShare else {
            return { AttemptOutcome(.notAttempted, .deadline, "\($0) was not asked: the request's time was up.") }
        }
        return nil
    }

    /// Takes one step, unless nobody is asked any more.
    func take(_ step: WaterfallPlan.Step, into result: inout WaterfallResult<Ad>) async {
        if let reason = reasonToStop(result.completedBy) { return pass(step, reason, &result) }
        switch step {
        case .line(let line): gatherFills([line], await finish([line], nil), into: &result)
        case .group(let lines, let timeout):
            let group = timeout.map { Deadline.after($0, clock: runner.clock) }
            gatherFills(lines, await finish(lines, group), into: &result)
        }
    }

    @inline(never)
    private func pass(
        _ step: WaterfallPlan.Step,
        _ reason: (NetworkID) -> AttemptOutcome,
        _ result: inout WaterfallResult<Ad>
    ) {
        result.attempts += step.lines.map { $0.attempt($0.skip ?? reason($0.lineItem.network)) }
    }

    /// Lets the fills of one step into the answer, the best price first, until that is complete; keeps the turns of those
    /// that are in it and gives the others' back.
    ///
    /// Not inlined: all its values would lie in the memory of a task that waits for a network.
    @inline(never)
    func gatherFills(
        _ lines: [WaterfallPlan.Line],
        _ finished: [LineAttempt.Finished],
        into result: inout WaterfallResult<Ad>
    ) {
        var finished = finished
        var waiting = finished.indices.filter { finished[$0].fill != nil }
        var last: (lineItem: LineItemID, price: Money?)?
        // Nobody hears the answer to a cancelled request: it is no fill that counts for a cap.
        while !Task.isCancelled, result.completedBy == nil,
            let place = GroupContest.winner(waiting.map { finished[$0].fill?.price }, prices)
        {
            let index = waiting.remove(at: place)
            guard let fill = finished[index].fill else { continue }
            let item = lines[index].lineItem
            switch gather(fill.ad, item) {
            case .taken(let isComplete):
                finished[index].reservation.map(runner.caps.commit)
                result.winner =
                    result.winner
                    ?? .init(ad: fill.ad, lineItem: item, network: item.network, price: fill.price)
                if isComplete { result.completedBy = item.id }
                last = (item.id, fill.price)
            case .left(let outcome):
                finished[index].reservation.map(runner.caps.release)
                finished[index].attempt.outcome = outcome
            }
        }
        for index in waiting {
            finished[index].reservation.map(runner.caps.release)
            guard let last else { continue }
            finished[index].attempt.outcome.message = GroupContest.loss(
                lines[index].lineItem.network,
                price: finished[index].fill?.price,
                to: last.lineItem,
                at: last.price,
                prices
            )
        }
        for (line, finished) in zip(lines, finished) { keep(finished, of: line, into: &result) }
    }

    /// Writes an attempt down, and who wants to be told what became of its bids.
    func keep(
        _ finished: LineAttempt.Finished,
        of line: WaterfallPlan.Line,
        into result: inout WaterfallResult<Ad>
    ) {
        result.attempts.append(finished.attempt)
        guard let handle = lineup[line.lineItem.network], finished.offers.contains(where: { !$0.notices.isEmpty })
        else { return }
        result.bidders.append(
            Bidder(
                lineItem: line.lineItem.id,
                handle: handle,
                offers: finished.offers,
                outcome: finished.attempt.outcome
            )
        )
    }

    /// Tries lines side by side; a single one, as most are, in a small piece of the task's memory.
    private func finish(_ lines: [WaterfallPlan.Line], _ group: Deadline?) async -> [LineAttempt.Finished] {
        lines.count == 1 ? [await attempt(lines[0], group).run()] : await finishSideBySide(lines, group)
    }

    /// Tries lines side by side; a single one that can be asked needs no task of its own.
    @inline(never)
    private func finishSideBySide(
        _ lines: [WaterfallPlan.Line],
        _ group: Deadline?
    ) async -> [LineAttempt.Finished] {
        let attempts = lines.map { attempt($0, group) }
        var finished: [LineAttempt.Finished?] = attempts.map { _ in nil }
        let asking = attempts.indices.filter { lines[$0].skip == nil }
        for index in attempts.indices where lines[index].skip != nil || asking.count == 1 {
            finished[index] = await attempts[index].run()
        }
        guard asking.count > 1 else { return finished.compactMap(\.self) }
        await withTaskGroup(of: (Int, LineAttempt.Finished).self) { tasks in
            for index in asking {
                tasks.addTask { (index, await attempts[index].run()) }
            }
            for await (index, outcome) in tasks { finished[index] = outcome }
        }
        return finished.compactMap(\.self)
    }

    func attempt(_ line: WaterfallPlan.Line, _ group: Deadline?) -> LineAttempt {
        LineAttempt(
            runner: runner,
            line: line,
            person: person,
            seed: seed,
            handle: lineup[line.lineItem.network],
            arrival: arrival,
            group: group,
            deadline: deadline,
            accept: accept
        )
    }
}
