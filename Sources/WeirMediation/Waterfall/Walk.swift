internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

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

    /// Takes a step, unless nobody is asked any more.
    ///
    /// Not inlined, as what is about bids is not: a walk that waits holds the memory of what it is at alone.
    @inline(never)
    func takeStep(_ number: Int, of steps: [WaterfallPlan.Step], into result: inout WaterfallResult<Ad>) async {
        if let reason = reasonToStop(result.completedBy) { return pass(steps[number], reason, &result) }
        let lines = steps[number].lines
        gatherFills(lines, await finish(lines, group(of: steps[number])), into: &result)
    }

    /// When a group has to have ended.
    private func group(of step: WaterfallPlan.Step) -> Deadline? {
        guard case .group(_, let timeout?) = step else { return nil }
        return .after(timeout, clock: runner.clock)
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
