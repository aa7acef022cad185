import Testing
import WeirMediation
import WeirModel
import WeirTime

@Suite("WaterfallPlan")
struct WaterfallPlanTests {
    static let ready = NetworkFacts(adapter: "vast", adapterVersion: "1.0.0")

    private func item(_ id: LineItemID, rate: Money? = nil, change: (inout LineItem) -> Void = { _ in }) -> LineItem {
        var item = LineItem(id: id, network: "gam", networkUnit: "unit")
        item.rate = rate
        change(&item)
        return item
    }

    private func unit(_ rungs: [Rung], change: (inout AdUnit) -> Void = { _ in }) -> AdUnit {
        var unit = AdUnit(id: "preroll", format: .video)
        unit.waterfall = rungs
        change(&unit)
        return unit
    }

    /// The skip of a plan with one line.
    private func skip(
        _ item: LineItem,
        facts: NetworkFacts? = ready,
        isInitialized: Bool = true,
        remaining: @escaping (CapKey, FrequencyCap) -> Int = { _, cap in cap.count },
        unit change: (inout AdUnit) -> Void = { _ in },
        request changeRequest: (inout AdRequest) -> Void = { _ in }
    ) -> AttemptOutcome? {
        var request = AdRequest(placement: "p")
        changeRequest(&request)
        let plan = WaterfallPlan(
            adUnit: unit([.line(item)], change: change),
            request: request,
            facts: PlanFacts(isInitialized: isInitialized, remaining: remaining) { _ in facts }
        )
        return plan.lines[0].skip
    }

    private func order(_ unit: AdUnit) -> [LineItemID] {
        WaterfallPlan(adUnit: unit, request: AdRequest(placement: "p"), facts: PlanFacts { _ in Self.ready })
            .lines.map(\.lineItem.id)
    }

    // MARK: Order

    @Test("list order is the configuration's, groups opened in place")
    func listOrder() {
        let unit = unit([
            .line(item("a", rate: .of("1"))), .group([item("b", rate: .of("9")), item("c")], timeout: nil),
            .line(item("d", rate: .of("5"))),
        ])
        #expect(order(unit) == ["a", "b", "c", "d"])
    }

    @Test("by rate the best comes first, a group by its best, equal rates as configured, no rate last")
    func rateOrder() {
        let unit = unit(
            [
                .line(item("none")), .line(item("one", rate: .of("1"))), .line(item("two", rate: .of("2"))),
                .group([item("g0"), item("g3", rate: .of("3"))], timeout: nil),
                .line(item("two again", rate: .of("2.000000"))), .line(item("none again")),
            ]
        ) { $0.order = .rate }
        #expect(order(unit) == ["g0", "g3", "two", "two again", "one", "none", "none again"])
    }

    @Test("rates in other currencies than the floor's come last, as configured")
    func mixedCurrencies() {
        let rungs: [Rung] = [
            .line(item("eur", rate: .of("9", "EUR"))), .line(item("usd", rate: .of("1"))),
            .line(item("jpy", rate: .of("900", "JPY"))), .line(item("usd2", rate: .of("2"))),
        ]
        #expect(
            order(
                unit(rungs) {
                    $0.order = .rate
                    $0.floor = .of("0.1")
                }
            ) == ["usd2", "usd", "eur", "jpy"]
        )
        #expect(order(unit(rungs) { $0.order = .rate }) == ["eur", "usd", "jpy", "usd2"], "the first rate's currency")
    }

    // MARK: Rules

    @Test("a line without anything against it is asked")
    func nothingAgainst() {
        #expect(skip(item("a")) == nil)
    }

    @Test("disabled lines, disabled networks, unknown adapters and unknown networks are skipped with their sentence")
    func disabled() {
        #expect(skip(item("a") { $0.isEnabled = false })?.reason == .disabled)
        var facts = Self.ready
        facts.state = .disabled
        facts.unavailability = Unavailability(.unknownAdapter, "no adapter is called vsat; did you mean vast?")
        #expect(
            skip(item("a"), facts: facts)
                == AttemptOutcome(.skipped, .unknownAdapter, "gam: no adapter is called vsat; did you mean vast?")
        )
        facts.unavailability = Unavailability(.disabled, "disabled by an operator")
        #expect(skip(item("a"), facts: facts)?.message == "gam: disabled by an operator.")
        #expect(skip(item("a"), facts: nil)?.reason == .disabled)
    }

    @Test("an adapter that does not load the unit's format is skipped")
    func format() {
        var facts = Self.ready
        facts.formats = [.video, .rewarded]
        let outcome = skip(item("a"), facts: facts, unit: { $0.format = .audio })
        #expect(outcome?.reason == .format)
        #expect(outcome?.message == "preroll is audio, the adapter vast loads rewarded, video only.")
    }

    @Test(
        "S2.33 before the end of the initialization nobody waits, after it a network that is not ready is asked",
        arguments: [AdapterState.starting, .timedOut, .failed]
    )
    func readiness(state: AdapterState) {
        var facts = Self.ready
        facts.state = state
        #expect(skip(item("a"), facts: facts, isInitialized: false)?.reason == .notReady)
        #expect(skip(item("a"), facts: facts, isInitialized: true) == nil)
        facts.asksBeforeReady = false
        #expect(skip(item("a"), facts: facts, isInitialized: true)?.reason == .notReady)
        facts.state = .ready
        #expect(skip(item("a"), facts: facts, isInitialized: false) == nil)
    }

    @Test("T-20 a network that was replaced is asked by requests that began before, and by nobody once it has stopped")
    func goingAway() {
        var facts = Self.ready
        facts.state = .draining
        #expect(skip(item("a"), facts: facts) == nil)
        facts.state = .stopped
        #expect(skip(item("a"), facts: facts)?.reason == .notReady)
    }

    @Test("a line that needs consent is skipped under the GDPR without a TCF string only")
    func consent() {
        let item = item("a") { $0.requiresConsent = true }
        #expect(skip(item) == nil)
        #expect(skip(item, request: { $0.consent = ConsentFilterTests.consent(gdpr: true) })?.reason == .consent)
        #expect(skip(item, request: { $0.consent = ConsentFilterTests.consent(gdpr: true, tcf: "CO") }) == nil)
        #expect(skip(item, request: { $0.consent = ConsentFilterTests.consent(gdpr: false) }) == nil)
    }

    @Test("every list of the targeting must hold the request's value")
    func targeting() {
        var targeting = Targeting()
        targeting.countries = ["DE", "FR"]
        targeting.systems = ["ios"]
        targeting.keys = ["genre": ["drama", "crime"], "empty": []]
        let item = item("a") { $0.targeting = targeting }
        let fits: (inout AdRequest) -> Void = {
            $0.device.country = "de"
            $0.device.os = "iOS"
            $0.targeting = ["genre": ["comedy", "crime"]]
        }
        #expect(skip(item, request: fits) == nil)
        #expect(
            skip(
                item,
                request: {
                    fits(&$0)
                    $0.device.country = "US"
                }
            )?.message == "The country US is not in [DE, FR]."
        )
        #expect(
            skip(
                item,
                request: {
                    fits(&$0)
                    $0.device.os = nil
                }
            )?.message == "The request does not say its operating system; wanted is one of [ios]."
        )
        #expect(
            skip(
                item,
                request: {
                    fits(&$0)
                    $0.targeting = ["genre": ["Drama"]]
                }
            )
                == AttemptOutcome(
                    .skipped,
                    .targeting,
                    "targeting.genre [Drama] has nothing in common with [drama, crime]."
                )
        )
        #expect(
            skip(
                item,
                request: {
                    fits(&$0)
                    $0.targeting = [:]
                }
            )?.reason == .targeting
        )
    }

    @Test("a rate below the floor is skipped; no rate and other currencies leave it to the offer's price")
    func floor() {
        let floor: (inout AdUnit) -> Void = { $0.floor = .of("1.00") }
        #expect(skip(item("a", rate: .of("0.9999999")), unit: floor)?.reason == .belowFloor)
        #expect(skip(item("a", rate: .of("1.00")), unit: floor) == nil)
        #expect(skip(item("a"), unit: floor) == nil)
        #expect(skip(item("a", rate: .of("0.01", "EUR")), unit: floor) == nil)
    }

    @Test("a spent cap skips for the person, spent pacing for everybody; without a person a cap cannot apply")
    func caps() {
        let capped = item("a") { $0.cap = FrequencyCap(count: 3, window: .seconds(86_400)) }
        let none: (CapKey, FrequencyCap) -> Int = { _, _ in 0 }
        #expect(
            skip(capped, remaining: none, request: { $0.user.id = "u" })
                == AttemptOutcome(.skipped, .cap, "All 3 in 86400.0 s are spent for this user.")
        )
        #expect(skip(capped, remaining: none) == nil)
        let paced = item("a") { $0.pacing = FrequencyCap(count: 10, window: .seconds(1)) }
        #expect(skip(paced, remaining: none)?.reason == .pacing)
        #expect(skip(paced, remaining: { key, _ in key.person == nil ? 1 : 0 }) == nil)
    }

    @Test("an open breaker skips with the time of the next try, a saturated network skips")
    func breaker() {
        var facts = Self.ready
        facts.breakerRetryAt = WallTime(milliseconds: 0)
        let plan = WaterfallPlan(
            adUnit: unit([.line(item("a"))]),
            request: AdRequest(placement: "p"),
            facts: PlanFacts { _ in facts }
        )
        #expect(plan.lines[0].skip?.reason == .circuitOpen)
        #expect(plan.lines[0].retryAt == WallTime(milliseconds: 0))
        facts.breakerRetryAt = nil
        facts.isSaturated = true
        #expect(skip(item("a"), facts: facts)?.reason == .saturated)
    }

    @Test("a line's time-out is its own, else its network's")
    func timeouts() {
        var facts = Self.ready
        facts.timeout = .milliseconds(800)
        let plan = WaterfallPlan(
            adUnit: unit([.line(item("a")), .line(item("b") { $0.timeout = .milliseconds(400) })]),
            request: AdRequest(placement: "p"),
            facts: PlanFacts { _ in facts }
        )
        #expect(plan.lines.map(\.timeout) == [.milliseconds(800), .milliseconds(400)])
    }

    @Test("an explanation gives one sentence for every rule up to the one that decided")
    func explanation() throws {
        var targeting = Targeting()
        targeting.countries = ["DE", "FR"]
        var request = AdRequest(placement: "p")
        request.device.country = "DE"
        let unit = unit([
            .line(item("a") { $0.targeting = targeting }),
            .line(
                item("b") {
                    $0.targeting = targeting
                    $0.targeting?.countries = ["US"]
                }
            ),
        ])
        let facts = PlanFacts { _ in Self.ready }
        let plan = WaterfallPlan(adUnit: unit, request: request, facts: facts, explains: true)
        #expect(plan.lines[0].findings.allSatisfy { $0.isPassed })
        #expect(
            plan.lines[0].findings.map(\.rule) == [
                "enabled", "format", "consent", "targeting", "floor", "readiness", "cap", "pacing", "breaker", "load",
            ]
        )
        #expect(plan.lines[0].findings[3].sentence == "country DE is in [DE, FR].")
        let decided = try #require(plan.lines[1].findings.last)
        #expect(decided == .init(rule: "targeting", isPassed: false, sentence: "The country DE is not in [US]."))
        #expect(plan.notes.count == 2)
        let silent = WaterfallPlan(adUnit: unit, request: request, facts: facts)
        #expect(silent.lines.allSatisfy { $0.findings.isEmpty } && silent.notes.isEmpty)
        #expect(silent.lines.map(\.skip) == plan.lines.map(\.skip), "explaining decides nothing")
    }

    @Test("whatever the ad unit and the networks, every line item stands in the plan exactly once")
    func total() {
        for seed in UInt64(1)...500 {
            var random = SplitMix(seed: seed)
            let unit = RandomWaterfall.unit(&random)
            let facts = RandomWaterfall.facts(&random)
            let request = AdRequest(placement: "p")
            let plan = WaterfallPlan(adUnit: unit, request: request, facts: PlanFacts { facts[$0] ?? nil })
            let ids = plan.lines.map(\.lineItem.id)
            #expect(ids.sorted() == unit.lineItems.map(\.id).sorted(), "seed \(seed)")
            let again = WaterfallPlan(adUnit: unit, request: request, facts: PlanFacts { facts[$0] ?? nil })
            #expect(again.lines.map(\.lineItem.id) == ids, "seed \(seed)")
            for (earlier, later) in zip(plan.steps, plan.steps.dropFirst()) where unit.order == .rate {
                let rates = [earlier, later].map { $0.lines.compactMap(\.lineItem.rate?.micros).max() ?? .min }
                #expect(rates[0] >= rates[1], "seed \(seed)")
            }
        }
    }
}

/// Waterfalls and networks that nobody would configure.
enum RandomWaterfall {
    static let networks: [NetworkID] = ["n0", "n1", "n2", "n3", "n4"]

    static func unit(_ random: inout SplitMix) -> AdUnit {
        var unit = AdUnit(id: "u", format: .video)
        unit.order = Bool.random(using: &random) ? .list : .rate
        unit.floor = Bool.random(using: &random) ? .of("1.00") : nil
        unit.timeout = .milliseconds(Int.random(in: 0...2000, using: &random))
        var count = 0
        unit.waterfall = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            func line() -> LineItem {
                count += 1
                return item("l\(count)", &random)
            }
            guard Int.random(in: 0..<3, using: &random) == 0 else { return .line(line()) }
            let lines = (0..<Int.random(in: 0...4, using: &random)).map { _ in line() }
            let timeout =
                Bool.random(using: &random) ? nil : Duration.milliseconds(Int.random(in: 0...500, using: &random))
            return .group(lines, timeout: timeout)
        }
        return unit
    }

    private static func item(_ id: String, _ random: inout SplitMix) -> LineItem {
        var item = LineItem(
            id: LineItemID(id),
            network: networks[Int.random(in: networks.indices, using: &random)],
            networkUnit: id
        )
        item.isEnabled = Int.random(in: 0..<8, using: &random) > 0
        item.rate = Bool.random(using: &random) ? nil : .of("\(Int.random(in: 0...3, using: &random))")
        item.timeout = Bool.random(using: &random) ? nil : .milliseconds(Int.random(in: 0...600, using: &random))
        return item
    }

    static func facts(_ random: inout SplitMix) -> [NetworkID: NetworkFacts?] {
        Dictionary(
            uniqueKeysWithValues: networks.map { id in
                guard Int.random(in: 0..<6, using: &random) > 0 else { return (id, nil) }
                return (
                    id,
                    NetworkFacts(
                        adapter: "x",
                        state: AdapterState.allCases.randomElement(using: &random) ?? .ready,
                        isSaturated: Int.random(in: 0..<8, using: &random) == 0
                    )
                )
            }
        )
    }
}
