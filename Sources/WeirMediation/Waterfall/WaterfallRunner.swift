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
            case .bid(let number): await walk.takeBid(number, of: bids, into: &result)
            case .step(let number): await walk.takeStep(number, of: plan.steps, into: &result)
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
