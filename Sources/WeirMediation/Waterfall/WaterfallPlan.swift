package import WeirModel
package import WeirTime

/// The order in which one request asks, and whom it does not ask and why: decided before anybody is asked.
///
/// Pure, total and deterministic: every line item of the ad unit stands in it exactly once.
package struct WaterfallPlan: Sendable {
    /// What was decided about one line item; a reference, because every function that waits for its network holds it.
    package final class Line: Sendable {
        /// The line item.
        package let lineItem: LineItem
        /// The adapter's kind.
        package let adapter: String
        /// The adapter's version; `nil` when there is no adapter.
        package let adapterVersion: String?
        /// The most its attempt may take.
        package let timeout: Duration
        /// Why it is not asked; `nil` when it is.
        package let skip: AttemptOutcome?
        /// When the breaker lets the next request through.
        package let retryAt: WallTime?
        /// The rules that were looked at, the deciding one last; empty unless an explanation was asked for.
        package let findings: [Finding]
        /// The place of its rung in the configuration.
        package let position: Int
        /// What its rate is worth, in millionths of the ad unit's currency; `nil` without a comparable rate.
        package let worth: Int64?

        /// Decides about one line item: the first rule that says no decides.
        fileprivate init(
            _ item: LineItem,
            _ adUnit: AdUnit,
            _ request: AdRequest,
            _ facts: PlanFacts,
            _ prices: PriceRule,
            position: Int,
            explains: Bool
        ) {
            let network = facts.network(item.network)
            (skip, findings) = LineExamination(
                item: item,
                adUnit: adUnit,
                request: request,
                facts: facts,
                prices: prices,
                network: network,
                explains: explains
            ).run()
            lineItem = item
            adapter = network?.adapter ?? ""
            adapterVersion = network?.adapterVersion
            timeout = item.timeout ?? network?.timeout ?? .milliseconds(1000)
            retryAt = skip?.reason == .circuitOpen ? network?.breakerRetryAt : nil
            self.position = position
            worth = item.rate.flatMap(prices.worth)
        }

        /// The same decision, every sentence as `change` has it.
        private init(_ line: Line, _ change: (String) -> String) {
            lineItem = line.lineItem
            adapter = line.adapter
            adapterVersion = line.adapterVersion
            timeout = line.timeout
            skip = line.skip.map { skip in
                var skip = skip
                skip.message = change(skip.message)
                return skip
            }
            retryAt = line.retryAt
            findings = line.findings.map {
                Finding(rule: $0.rule, isPassed: $0.isPassed, sentence: change($0.sentence))
            }
            position = line.position
            worth = line.worth
        }

        /// The same decision in other words.
        package func reworded(_ change: (String) -> String) -> Line { Line(self, change) }
    }

    /// What one rule said about one line item.
    package struct Finding: Sendable, Hashable {
        /// The rule's stable name, such as `targeting`.
        package var rule: String
        /// Whether the line item may be asked as far as this rule goes.
        package var isPassed: Bool
        /// One sentence.
        package var sentence: String

        /// A finding.
        package init(rule: String, isPassed: Bool, sentence: String) {
            self.rule = rule
            self.isPassed = isPassed
            self.sentence = sentence
        }
    }

    /// One step of the waterfall.
    package enum Step: Sendable {
        /// A line item on its own.
        case line(Line)
        /// Line items that are asked side by side.
        case group([Line], timeout: Duration?)

        /// Its lines in order.
        package var lines: [Line] {
            switch self {
            case .line(let line): [line]
            case .group(let lines, _): lines
            }
        }
    }

    /// The line items that bid, as configured: asked side by side before the first step.
    package var bids: [Line]
    /// The most that this may take; `nil` is half of the request's time.
    package var bidTimeout: Duration?
    /// The rated steps in the order asked.
    package var steps: [Step]
    /// How prices are compared.
    package var prices: PriceRule
    /// How the order came about, and what could not be compared; empty unless an explanation was asked for.
    package var notes: [String]
    /// Whose turns frequency caps count, taken from the request as it came in; `nil` when it names nobody.
    package var person: String?

    /// Every line in the order asked; those that bid come first, because only their bids place them.
    package var lines: [Line] { bids + steps.flatMap(\.lines) }

    /// Plans a waterfall.
    ///
    /// - Parameters:
    ///   - adUnit: The ad unit to fill.
    ///   - request: The caller's request as it came in.
    ///   - facts: What is known of networks and counters.
    ///   - explains: Whether to keep the sentence of every rule, for `/v1/explain`.
    package init(adUnit: AdUnit, request: AdRequest, facts: PlanFacts, explains: Bool = false) {
        let prices = PriceRule(adUnit, rates: facts.rates)
        let order = RungOrder(adUnit, prices)
        func line(_ item: LineItem, _ position: Int) -> Line {
            Line(item, adUnit, request, facts, prices, position: position, explains: explains)
        }
        self.prices = prices
        bids = order.bids.flatMap { placed in placed.rung.lineItems.map { line($0, placed.position) } }
        bidTimeout = adUnit.bidTimeout
        steps = order.rungs.map { placed in
            switch placed.rung {
            case .line(let item): .line(line(item, placed.position))
            case .group(let items, let timeout): .group(items.map { line($0, placed.position) }, timeout: timeout)
            }
        }
        person = CapKey.person(in: request)
        notes = explains ? [order.explanation, "consent: \(ConsentFilter(request).explanation)."] : []
    }
}

/// What a plan is made from besides the ad unit and the request.
package struct PlanFacts {
    /// Whether the initialization of the process is over.
    package var isInitialized: Bool
    /// What is known of a network; `nil` when it is not configured.
    package var network: (NetworkID) -> NetworkFacts?
    /// What currencies are worth in one another.
    package var rates: CurrencyRates
    /// How many turns are left under a cap; reads only.
    package var remaining: (CapKey, FrequencyCap) -> Int

    /// Facts; without `remaining`, no cap was ever touched.
    package init(
        isInitialized: Bool = true,
        rates: CurrencyRates = CurrencyRates(base: .usDollar),
        remaining: @escaping (CapKey, FrequencyCap) -> Int = { _, cap in cap.count },
        network: @escaping (NetworkID) -> NetworkFacts?
    ) {
        self.isInitialized = isInitialized
        self.rates = rates
        self.network = network
        self.remaining = remaining
    }

    /// The facts of now for a placement, which has breakers of its own.
    package init(lineup: NetworkLineup, caps: any CapCounting, placement: PlacementID, clock: any GatewayClock) {
        let wall = clock.wallNow
        self.init(
            isInitialized: lineup.isInitialized,
            rates: lineup.catalog.rates,
            remaining: { caps.remaining($0, $1, now: wall) },
            network: { lineup[$0]?.facts(for: placement) }
        )
    }
}
