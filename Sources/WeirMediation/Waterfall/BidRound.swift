internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// A bid that waits for its turn.
struct WaitingBid: Sendable {
    let line: WaterfallPlan.Line
    let attempt: LineAttempt
    let loaded: LineAttempt.Loaded
    /// Its best price.
    let price: Money
    /// The same in millionths of the ad unit's currency.
    let worth: Int64
}

/// The round of bids: asked side by side before anybody else, judged one by one when their turns come.
extension Walk {
    /// The part of what is left of a request's time that collecting bids may take, unless the ad unit says otherwise:
    /// one half, so that the other is there for wrappers and for the rated lines.
    private static var share: Int { 2 }

    /// Asks everybody who bids; those who did not, or whose bids have no place, are written down at once.
    func collectBids(
        _ plan: WaterfallPlan,
        into result: inout WaterfallResult<Ad>
    ) async -> [WaitingBid] {
        if let reason = reasonToStop(nil) {
            result.attempts += plan.bids.map { $0.attempt($0.skip ?? reason($0.lineItem.network)) }
            return []
        }
        let time = plan.bidTimeout ?? deadline.remaining(runner.clock) / Self.share
        let attempts = plan.bids.map { attempt($0, .after(time, clock: runner.clock)) }
        var waiting: [WaitingBid] = []
        for (index, begun) in await begin(attempts).enumerated() {
            let line = plan.bids[index]
            switch begun {
            case .finished(let finished): keep(finished, of: line, into: &result)
            case .loaded(let loaded):
                switch place(loaded, line, attempts[index]) {
                case .waiting(let bid): waiting.append(bid)
                case .over(let finished): keep(finished, of: line, into: &result)
                }
            }
        }
        return waiting
    }

    /// The order in which bids and steps are taken.
    func order(_ steps: [WaterfallPlan.Step], _ bids: [WaitingBid]) -> [HybridOrder.Entry] {
        HybridOrder.entries(
            steps: steps.map { step in
                HybridOrder.Rank(
                    position: step.lines.first?.position ?? 0,
                    worth: step.lines.lazy.compactMap(\.worth).max()
                )
            },
            bids: bids.map { HybridOrder.Rank(position: $0.line.position, worth: $0.worth) }
        )
    }

    /// Takes a bid whose turn has come: has it judged, or says what it lost against.
    @inline(never)
    func takeBid(_ number: Int, of bids: [WaitingBid], into result: inout WaterfallResult<Ad>) async {
        let bid = bids[number]
        if let outcome = loss(of: bid, to: result) {
            keep(bid.attempt.drop(bid.loaded, outcome, price: bid.price), of: bid.line, into: &result)
        } else {
            gatherFills([bid.line], [await bid.attempt.judge(bid.loaded)], into: &result)
        }
    }

    private func begin(_ attempts: [LineAttempt]) async -> [LineAttempt.Begun] {
        var begun: [LineAttempt.Begun?] = attempts.map { _ in nil }
        await withTaskGroup(of: (Int, LineAttempt.Begun).self) { tasks in
            for (index, attempt) in attempts.enumerated() {
                tasks.addTask { (index, await attempt.begin()) }
            }
            for await (index, answer) in tasks { begun[index] = answer }
        }
        return begun.compactMap(\.self)
    }

    private enum Place {
        case waiting(WaitingBid)
        case over(LineAttempt.Finished)
    }

    /// The place of an answer: its best offer that may stand at all decides.
    private func place(
        _ loaded: LineAttempt.Loaded,
        _ line: WaterfallPlan.Line,
        _ attempt: LineAttempt
    ) -> Place {
        var best: (price: Money, worth: Int64)?
        var refusal: (outcome: AttemptOutcome, price: Money?)?
        for offer in loaded.offers {
            guard let price = offer.price else {
                let sentence = "\(line.lineItem.network) bids without a price."
                refusal = refusal ?? (AttemptOutcome(.badResponse, .missingPrice, sentence), nil)
                continue
            }
            if let outcome = prices.refusal(ofBid: price) {
                refusal = refusal ?? (outcome, price)
            } else if let worth = prices.worth(price), worth > best?.worth ?? .min {
                best = (price, worth)
            }
        }
        if let best {
            return .waiting(
                WaitingBid(line: line, attempt: attempt, loaded: loaded, price: best.price, worth: best.worth)
            )
        }
        return .over(attempt.end(loaded, refusal?.outcome, price: refusal?.price))
    }

    /// Why a bid is not judged any more; `nil` while it is.
    private func loss(of bid: WaitingBid, to result: WaterfallResult<Ad>) -> AttemptOutcome? {
        let network = bid.line.lineItem.network
        if let completedBy = result.completedBy {
            let winning = result.winner.flatMap { $0.lineItem.id == completedBy ? $0.price : nil }
            let rival = winning.map { "\(completedBy) filled at \($0)" } ?? "\(completedBy) filled"
            return AttemptOutcome(.rejected, .outbid, "\(network) bid \(bid.price), but \(rival) before its turn.")
        }
        guard reasonToStop(nil) != nil else { return nil }
        let why = Task.isCancelled ? "the caller went away" : "the request's time was up"
        return AttemptOutcome(.timeout, .deadline, "\(network) bid \(bid.price), but \(why) before its turn.")
    }
}
