package import WeirModel
package import WeirTime

/// The order in which one request asks, and whom it does not ask and why: decided before anybody is asked.
///
/// Pure, total and deterministic: every line item of the ad unit stands in it exactly once.
package struct WaterfallPlan: Sendable {
    /// What was decided about one line item.
    package struct Line: Sendable {
        /// The line item.
        package var lineItem: LineItem
        /// The adapter's kind.
        package var adapter: String
        /// The adapter's version; `nil` when there is no adapter.
        package var adapterVersion: String?
        /// The most its attempt may take.
        package var timeout: Duration
        /// Why it is not asked; `nil` when it is.
        package var skip: AttemptOutcome?
        /// When the breaker lets the next request through.
        package var retryAt: WallTime?
        /// The rules that were looked at, the deciding one last; empty unless an explanation was asked for.
        package var findings: [Finding]
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

    /// The steps in the order asked.
    package var steps: [Step]
    /// How the order came about, and what could not be compared; empty unless an explanation was asked for.
    package var notes: [String]
    /// Whose turns frequency caps count, taken from the request as it came in; `nil` when it names nobody.
    package var person: String?

    /// Every line in the order asked.
    package var lines: [Line] { steps.flatMap(\.lines) }

    /// Plans a waterfall.
    ///
    /// - Parameters:
    ///   - adUnit: The ad unit to fill.
    ///   - request: The caller's request as it came in.
    ///   - facts: What is known of networks and counters.
    ///   - explains: Whether to keep the sentence of every rule, for `/v1/explain`.
    package init(adUnit: AdUnit, request: AdRequest, facts: PlanFacts, explains: Bool = false) {
        let order = RungOrder(adUnit)
        steps = order.sorted(adUnit.waterfall).map { rung in
            switch rung {
            case .line(let item):
                .line(Line(item, adUnit, request, facts, explains: explains))
            case .group(let items, let timeout):
                .group(items.map { Line($0, adUnit, request, facts, explains: explains) }, timeout: timeout)
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
    /// How many turns are left under a cap; reads only.
    package var remaining: (CapKey, FrequencyCap) -> Int

    /// Facts; without `remaining`, no cap was ever touched.
    package init(
        isInitialized: Bool = true,
        remaining: @escaping (CapKey, FrequencyCap) -> Int = { _, cap in cap.count },
        network: @escaping (NetworkID) -> NetworkFacts?
    ) {
        self.isInitialized = isInitialized
        self.network = network
        self.remaining = remaining
    }

    /// The facts of now.
    package init(lineup: NetworkLineup, caps: any CapCounting, clock: any GatewayClock) {
        let wall = clock.wallNow
        self.init(
            isInitialized: lineup.isInitialized,
            remaining: { caps.remaining($0, $1, now: wall) },
            network: { lineup[$0]?.facts() }
        )
    }
}

extension WaterfallPlan.Line {
    /// Decides about one line item: the first rule that says no decides.
    fileprivate init(
        _ item: LineItem,
        _ adUnit: AdUnit,
        _ request: AdRequest,
        _ facts: PlanFacts,
        explains: Bool
    ) {
        let network = facts.network(item.network)
        let (skip, findings) = LineExamination(
            item: item,
            adUnit: adUnit,
            request: request,
            facts: facts,
            network: network,
            explains: explains
        ).run()
        self.init(
            lineItem: item,
            adapter: network?.adapter ?? "",
            adapterVersion: network?.adapterVersion,
            timeout: item.timeout ?? network?.timeout ?? .milliseconds(1000),
            skip: skip,
            retryAt: skip?.reason == .circuitOpen ? network?.breakerRetryAt : nil,
            findings: findings
        )
    }
}
