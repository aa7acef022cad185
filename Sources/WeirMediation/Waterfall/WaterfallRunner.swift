package import WeirAdapterKit
package import WeirModel
package import WeirTime

/// Walks a plan: asks line by line, each under its share of the deadline, until one fills or all are spent.
package struct WaterfallRunner: Sendable {
    /// Judges a line item's offers by the deadline of its attempt, which it must keep.
    package typealias Accept<Ad: Sendable> =
        @Sendable ([Offer], LineItem, NetworkHandle, Deadline) async -> Acceptance<Ad>

    /// A line item is not begun with less than this left: no network could answer.
    package static let leastShare: Duration = .milliseconds(5)

    let clock: any GatewayClock
    let caps: any CapCounting
    let onLate: @Sendable (NetworkID) -> Void
    let onNoFill: @Sendable (NoFill, NetworkHandle) -> Void

    /// A runner.
    ///
    /// - Parameters:
    ///   - clock: The time.
    ///   - caps: Frequency caps and pacing.
    ///   - onLate: Told of every answer that came after its attempt had been given up; the answer itself is dropped.
    ///   - onNoFill: Told of every no-fill, whose error URLs are owed a call.
    package init(
        clock: any GatewayClock,
        caps: any CapCounting,
        onLate: @escaping @Sendable (NetworkID) -> Void = { _ in },
        onNoFill: @escaping @Sendable (NoFill, NetworkHandle) -> Void = { _, _ in }
    ) {
        self.clock = clock
        self.caps = caps
        self.onLate = onLate
        self.onNoFill = onNoFill
    }

    /// Asks until an ad is there, all line items are spent, or the time is up.
    ///
    /// When the task is cancelled, what is under way ends at once and nothing is begun any more.
    ///
    /// - Parameters:
    ///   - plan: Whom to ask, in which order.
    ///   - seed: What all asks have in common.
    ///   - lineup: The networks of the same moment as the plan.
    ///   - arrival: From which `start` of the attempts counts.
    ///   - deadline: When the answer must be there, whatever is still under way.
    ///   - accept: Turns offers into an ad or refuses them; a refusal goes on to the next line.
    /// - Returns: Every line item exactly once, in the order of the plan, and the winner.
    package func run<Ad: Sendable>(
        _ plan: WaterfallPlan,
        seed: AskSeed,
        lineup: NetworkLineup,
        arrival: ContinuousClock.Instant,
        deadline: Deadline,
        accept: @escaping Accept<Ad>
    ) async -> WaterfallResult<Ad> {
        let walk = Walk(
            runner: self,
            person: plan.person,
            seed: seed,
            lineup: lineup,
            arrival: arrival,
            deadline: deadline,
            accept: accept
        )
        var result = WaterfallResult<Ad>(attempts: [])
        result.attempts.reserveCapacity(plan.steps.count)
        for step in plan.steps {
            if let reason = walk.reasonToStop(result.winner) {
                result.attempts += step.lines.map { $0.attempt($0.skip ?? reason($0.lineItem.network)) }
            } else {
                switch step {
                case .line(let line): await walk.take([line], group: nil, into: &result)
                case .group(let lines, let timeout):
                    await walk.take(lines, group: timeout.map { .after($0, clock: clock) }, into: &result)
                }
            }
        }
        // The line-up keeps its adapters from being torn down while this request may ask them.
        withExtendedLifetime(lineup) {}
        return result
    }
}

/// One walk down one waterfall.
private struct Walk<Ad: Sendable>: Sendable {
    let runner: WaterfallRunner
    let person: String?
    let seed: AskSeed
    let lineup: NetworkLineup
    let arrival: ContinuousClock.Instant
    let deadline: Deadline
    let accept: WaterfallRunner.Accept<Ad>

    /// Why nobody is asked any more; `nil` while somebody may be.
    func reasonToStop(_ winner: WaterfallResult<Ad>.Winner?) -> ((NetworkID) -> AttemptOutcome)? {
        if let winner {
            return { AttemptOutcome(.notAttempted, .filledAbove, "\($0) was not asked: \(winner.lineItem.id) filled.") }
        }
        if Task.isCancelled {
            return { AttemptOutcome(.notAttempted, .deadline, "\($0) was not asked: the caller went away.") }
        }
        guard deadline.remaining(runner.clock) >= WaterfallRunner.leastShare else {
            return { AttemptOutcome(.notAttempted, .deadline, "\($0) was not asked: the request's time was up.") }
        }
        return nil
    }

    /// Takes one step: tries its lines side by side, picks the winner, keeps its turn and gives the others' back.
    func take(
        _ lines: [WaterfallPlan.Line],
        group: Deadline?,
        into result: inout WaterfallResult<Ad>
    ) async {
        var finished = await finish(lines, group)
        let filled = finished.indices.filter { finished[$0].fill != nil }
        // Nobody hears the answer to a cancelled request: it is no fill that counts for a cap.
        let place = Task.isCancelled ? nil : GroupContest.winner(filled.map { finished[$0].fill?.price })
        for (position, index) in filled.enumerated() {
            guard let fill = finished[index].fill else { continue }
            if position == place {
                finished[index].reservation.map(runner.caps.commit)
                let item = lines[index].lineItem
                result.winner = .init(ad: fill.ad, lineItem: item, network: item.network, price: fill.price)
            } else {
                finished[index].reservation.map(runner.caps.release)
                guard let place, let winning = finished[filled[place]].fill else { continue }
                finished[index].attempt.outcome.message = GroupContest.loss(
                    lines[index].lineItem.network,
                    price: fill.price,
                    to: lines[filled[place]].lineItem.id,
                    at: winning.price
                )
            }
        }
        result.attempts += finished.map(\.attempt)
    }

    /// Tries lines side by side; a single one that can be asked needs no task of its own.
    private func finish(_ lines: [WaterfallPlan.Line], _ group: Deadline?) async -> [LineAttempt<Ad>.Finished] {
        let attempts = lines.map { attempt($0, group) }
        var finished: [LineAttempt<Ad>.Finished?] = attempts.map { _ in nil }
        let asking = attempts.indices.filter { lines[$0].skip == nil }
        for index in attempts.indices where lines[index].skip != nil || asking.count == 1 {
            finished[index] = await attempts[index].run()
        }
        guard asking.count > 1 else { return finished.compactMap(\.self) }
        await withTaskGroup(of: (Int, LineAttempt<Ad>.Finished).self) { tasks in
            for index in asking {
                tasks.addTask { (index, await attempts[index].run()) }
            }
            for await (index, outcome) in tasks { finished[index] = outcome }
        }
        return finished.compactMap(\.self)
    }

    private func attempt(_ line: WaterfallPlan.Line, _ group: Deadline?) -> LineAttempt<Ad> {
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
