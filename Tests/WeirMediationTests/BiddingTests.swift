import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("Bidding")
struct BiddingTests {
    private let hall = Hall()

    private func bidding(_ id: LineItemID, _ network: NetworkID, timeout: Int? = nil) -> Rung {
        .line(.line(id, network, timeout: timeout) { $0.isBidding = true })
    }

    private func bidder(_ id: NetworkID, _ amount: String, _ currency: String = "USD") -> RegistryEntry {
        hall.scripted(id) { _ throws(AdapterError) in .fill([.priced(amount, currency)]) }
    }

    private func unit(_ rungs: [Rung], floor: Money? = nil, bidTimeout: Int? = nil) -> AdUnit {
        var unit = AdUnit(id: "u", format: .video)
        unit.waterfall = rungs
        unit.floor = floor
        unit.bidTimeout = bidTimeout.map { .milliseconds($0) }
        return unit
    }

    private static let accept: WaterfallRunner.Accept<Offer> = { offers, _, _, _ in
        offers.first.map { .accepted($0, price: $0.price) }
            ?? .refused(AttemptOutcome(.rejected, .noMarkup, "Nothing there."))
    }

    @Test("the best bid wins before a rated line is asked, and the others are outbid")
    func bestBid() async {
        await hall.ready([bidder("a", "2"), bidder("b", "3"), hall.web("c")])
        let result = await hall.run([
            .ask("rated", "c", rate: .of("2.50")), bidding("low", "a"), bidding("high", "b"),
        ])
        #expect(result.story == ["high fill(fill)", "rated not_attempted(filled_above)", "low rejected(outbid)"])
        #expect(result.winner?.price == .of("3"))
        #expect(result.attempts.map(\.price) == [.of("3"), nil, .of("2")])
        #expect(result.attempts.last?.outcome.message == "a bid 2.00 USD, but high filled at 3.00 USD before its turn.")
        #expect(hall.transport.requests.isEmpty)
    }

    @Test("a rated line that is worth more is asked first; the bid wins when it does not fill")
    func ratedFirst() async {
        await hall.ready([
            bidder("a", "2"),
            hall.scripted("c") { _ throws(AdapterError) in .noFill(NoFill(.noAd, "Nothing.")) },
        ])
        let result = await hall.run([bidding("bid", "a"), .ask("rated", "c", rate: .of("2.50"))])
        #expect(result.story == ["rated no_fill(no_ad)", "bid fill(fill)"])
    }

    @Test("a bid that is refused when its turn comes makes way for the next")
    func refusedBid() async {
        await hall.ready([bidder("a", "9"), bidder("b", "8")])
        let result = await hall.run(unit([bidding("first", "a"), bidding("second", "b")]), timeout: .seconds(1)) {
            offers,
            item,
            _,
            _ in
            item.id == "first"
                ? .refused(AttemptOutcome(.rejected, .noMarkup, "Hollow."))
                : .accepted(offers[0], price: offers[0].price)
        }
        #expect(result.story == ["first rejected(no_markup)", "second fill(fill)"])
    }

    @Test("offers are judged only when their turn comes: of the losers nothing is fetched")
    func lateJudging() async {
        await hall.ready([bidder("a", "9"), bidder("b", "8"), bidder("c", "7")])
        let judged = Diary<LineItemID>()
        _ = await hall.run(
            unit([bidding("three", "c"), bidding("one", "a"), bidding("two", "b")]),
            timeout: .seconds(1)
        ) { offers, item, _, _ in
            judged.note(item.id)
            return .accepted(offers[0], price: offers[0].price)
        }
        #expect(judged.entries == ["one"])
    }

    @Test("T-24: bids below the floor, without a price or in a currency without a rate have no place")
    func refusals() async {
        await hall.ready([
            bidder("low", "0.99"), bidder("pound", "5", "GBP"), bidder("minus", "-1"),
            hall.scripted("mute") { _ throws(AdapterError) in .fill([.hello]) }, bidder("exact", "1.00"),
        ])
        let result = await hall.run(
            unit(
                [
                    bidding("low", "low"), bidding("pound", "pound"), bidding("minus", "minus"),
                    bidding("mute", "mute"), bidding("exact", "exact"),
                ],
                floor: .of("1.00")
            ),
            timeout: .seconds(1),
            accept: Self.accept
        )
        #expect(
            result.story == [
                "low rejected(below_floor)", "pound rejected(no_rate)", "minus bad_response(bad_price)",
                "mute bad_response(missing_price)", "exact fill(fill)",
            ]
        )
        #expect(result.attempts.prefix(3).map(\.price) == [.of("0.99"), .of("5", "GBP"), .of("-1")])
    }

    @Test("the best usable offer of an answer decides about its place")
    func severalOffers() async {
        await hall.ready([
            hall.scripted("a") { _ throws(AdapterError) in
                .fill([.priced("0.50"), .priced("4"), .priced("5", "GBP")])
            },
            bidder("b", "3"),
        ])
        let result = await hall.run(
            unit([bidding("b", "b"), bidding("a", "a")], floor: .of("1.00")),
            timeout: .seconds(1),
            accept: Self.accept
        )
        #expect(result.story == ["a fill(fill)", "b rejected(outbid)"])
    }

    @Test("bids are asked side by side and take at most half of the time; the rated lines have the rest")
    func boundedRound() async {
        let latch = Latch()
        await hall.ready([
            hall.scripted("slow") { _ throws(AdapterError) in
                await latch.wait()
                return .fill([.priced("9")])
            },
            bidder("quick", "1"),
            hall.scripted("rated") { _ throws(AdapterError) in .fill([.hello]) },
        ])
        async let running = hall.run(
            [bidding("slow", "slow", timeout: 900), bidding("quick", "quick"), .ask("rated", "rated", rate: .of("2"))],
            timeout: .milliseconds(1000)
        )
        await hall.asked.wait(for: 2)
        await waitUntil { hall.registry.status("quick").inFlight == 0 }
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .milliseconds(500))
        let result = await running
        #expect(result.story == ["slow timeout(group_timeout)", "rated fill(fill)", "quick rejected(outbid)"])
        #expect(result.attempts[0].outcome.message.contains("within 500 ms, what the round of bids allows"))
        #expect(hall.asked.entries.filter { $0.lineItem.isBidding }.count == 2)
        latch.open()
    }

    @Test("bid_timeout_ms bounds the round, and the bidder is told so")
    func bidTimeout() async throws {
        await hall.ready([bidder("a", "2")])
        _ = await hall.run(
            unit([bidding("a", "a")], bidTimeout: 120),
            timeout: .milliseconds(1000),
            accept: Self.accept
        )
        let ask = try #require(hall.asked.entries.first)
        #expect(ask.deadline.remaining(hall.clock) == .milliseconds(120))
    }

    @Test("a cap's turn is kept by the bid that wins only; breakers hear of every bid")
    func accounts() async {
        await hall.ready([bidder("a", "2"), bidder("b", "3")])
        func capped(_ id: LineItemID, _ network: NetworkID) -> Rung {
            .line(
                .line(id, network) {
                    $0.isBidding = true
                    $0.cap = FrequencyCap(count: 1, window: .seconds(60))
                }
            )
        }
        var request = AdRequest(placement: "p")
        request.user.id = "somebody"
        let rungs = [capped("a", "a"), capped("b", "b")]
        #expect(await hall.run(rungs, request: request).story == ["b fill(fill)", "a rejected(outbid)"])
        #expect(await hall.run(rungs, request: request).story == ["b skipped(cap)", "a fill(fill)"])
        #expect(await hall.run(rungs, request: request).story == ["a skipped(cap)", "b skipped(cap)"])
        #expect(hall.registry.status("a").inFlight == 0)
        #expect(hall.registry.status("a").breaker.state == .closed)
    }

    @Test("who did not bid, was skipped or failed is listed once, before the order")
    func everybodyOnce() async {
        await hall.ready([
            hall.scripted("none") { _ throws(AdapterError) in .noFill(NoFill(.noBid, "No bid.")) },
            hall.scripted("broken") { _ throws(AdapterError) in
                throw AdapterError(.networkError, .http5xx, "It failed.")
            },
            bidder("good", "4"),
        ])
        let result = await hall.run([
            bidding("none", "none"), bidding("gone", "nobody"), bidding("good", "good"), bidding("broken", "broken"),
        ])
        #expect(
            result.story == [
                "none no_fill(no_bid)", "gone skipped(disabled)", "broken network_error(http_5xx)", "good fill(fill)",
            ]
        )
    }

    @Test("bidders that want to be told are reported with everything they offered")
    func bidders() async {
        var offer = Offer.priced("2")
        offer.notices = BidNotices(loss: ["https://a.example/l"])
        let wanted = offer
        await hall.ready([
            hall.scripted("a") { _ throws(AdapterError) in .fill([wanted]) }, bidder("b", "3"),
        ])
        let result = await hall.run([bidding("a", "a"), bidding("b", "b")])
        #expect(result.bidders.map(\.lineItem) == ["a"])
        #expect(result.bidders.first?.offers == [wanted])
        #expect(result.bidders.first?.outcome.reason == .outbid)
    }

    @Test("rated lines of several currencies are compared by their rates (T-24)")
    func convertedRates() throws {
        var rates = CurrencyRates(base: .usDollar)
        let isRate = rates.set(try #require(Currency("EUR")), worth: try #require(ExactDecimal("1.1")))
        #expect(isRate)
        var unit = unit(
            [
                .ask("dollar", "n", rate: .of("1.04")), .ask("euro", "n", rate: .of("0.95", "EUR")),
                .ask("cheap", "n", rate: .of("0.90", "EUR")), .ask("pound", "n", rate: .of("9", "GBP")),
            ],
            floor: .of("1.00")
        )
        unit.order = .rate
        let facts = PlanFacts(rates: rates) { _ in NetworkFacts(adapter: "web") }
        let plan = WaterfallPlan(adUnit: unit, request: AdRequest(placement: "p"), facts: facts)
        // 0.95 EUR is 1.045 USD; 0.90 EUR is 0.99 USD and below the floor; pounds have no rate and come last.
        #expect(plan.lines.map(\.lineItem.id) == ["euro", "dollar", "cheap", "pound"])
        #expect(plan.lines.map { $0.skip?.reason } == [nil, nil, .belowFloor, nil])
        #expect(plan.lines[2].skip?.message == "The rate 0.90 EUR is 0.99 USD, which is below the floor 1.00 USD.")
    }
}
