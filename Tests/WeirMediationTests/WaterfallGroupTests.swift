import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("WaterfallRunner, groups and limits", .timeLimit(.minutes(10)))
struct WaterfallGroupTests {
    /// Networks whose lines are called after what they pay and when: `2.50@100` fills at 2.50 USD after 100 ms.
    private func hall() async -> Hall {
        let hall = Hall()
        await hall.ready([
            hall.scripted("n") { ask throws(AdapterError) in
                let parts = ask.lineItem.networkUnit.split(separator: "@")
                if parts.count == 2, let delay = Int(parts[1]) {
                    do { try await hall.clock.sleep(for: .milliseconds(delay)) } catch {
                        throw AdapterError(.networkError, .reset, "Cancelled.")
                    }
                }
                switch parts[0] {
                case "none": return .noFill(NoFill(.noBid, "No bid."))
                case "plain": return .fill([.hello])
                default:
                    let price = parts[0].split(separator: " ")
                    return .fill([.priced(String(price[0]), price.count > 1 ? String(price[1]) : "USD")])
                }
            }
        ])
        return hall
    }

    private func group(_ ids: [String], timeout: Int? = nil, lineTimeout: Int? = nil) -> Rung {
        .group(
            ids.map { .line(LineItemID($0), "n", timeout: lineTimeout) },
            timeout: timeout.map { .milliseconds($0) }
        )
    }

    @Test("a group asks side by side and waits for all; the best price wins")
    func bestPrice() async {
        let hall = await hall()
        async let run = hall.run([group(["1.00@10", "2.50@100", "2.00@50"]), .ask("plain", "n")])
        await hall.clock.sleepers(6)
        for (step, left) in [(10, 2), (40, 1), (50, 0)] {
            hall.clock.advance(by: .milliseconds(step))
            await hall.loads("n", left)
        }
        let result = await run
        #expect(result.winner?.lineItem.id == "2.50@100")
        #expect(result.winner?.price == .of("2.50"))
        #expect(
            result.story == [
                "1.00@10 fill(fill)", "2.50@100 fill(fill)", "2.00@50 fill(fill)", "plain not_attempted(filled_above)",
            ]
        )
        #expect(result.starts == [0, 0, 0, nil])
        #expect(
            result.attempts.map(\.outcome.message).prefix(3) == [
                "n filled at 1.00 USD, but 2.50@100 pays more: 2.50 USD.", "n filled.",
                "n filled at 2.00 USD, but 2.50@100 pays more: 2.50 USD.",
            ]
        )
    }

    @Test("ties go by list order, a price beats none, other currencies cannot be compared")
    func ties() async {
        let hall = await hall()
        #expect(await hall.run([group(["2.00", "2", "1"])]).winner?.lineItem.id == "2.00")
        #expect(await hall.run([group(["plain", "0.01"])]).winner?.lineItem.id == "0.01")
        #expect(await hall.run([group(["1 EUR", "9 USD"])]).winner?.lineItem.id == "1 EUR")
        #expect(await hall.run([group(["plain", "none"])]).winner?.lineItem.id == "plain")
        #expect(await hall.run([group(["none", "none"])]).winner == nil)
        #expect(await hall.run([group([])]).attempts.isEmpty)
    }

    @Test("a group's time is up: who has not answered is cut with group_timeout, the best of the others wins")
    func groupTimeout() async {
        let hall = await hall()
        async let run = hall.run([group(["1@10", "9@400", "none@20"], timeout: 200)])
        await hall.clock.sleepers(6)
        hall.clock.advance(by: .milliseconds(20))
        await hall.loads("n", 1)
        hall.clock.advance(by: .milliseconds(180))
        let result = await run
        #expect(result.story == ["1@10 fill(fill)", "9@400 timeout(group_timeout)", "none@20 no_fill(no_bid)"])
        #expect(result.attempts[1].latency == .milliseconds(200))
        #expect(result.winner?.lineItem.id == "1@10")
    }

    @Test("the earliest of line, group and request limit gives the reason")
    func reasons() async {
        for (line, group, total, reason) in [
            (100, 200, 1000, "line_timeout"), (300, 200, 1000, "group_timeout"), (300, 200, 150, "deadline"),
            (200, 200, 200, "line_timeout"), (300, 200, 200, "group_timeout"),
        ] {
            let hall = await hall()
            async let run = hall.run(
                [self.group(["1@5000"], timeout: group, lineTimeout: line)],
                timeout: .milliseconds(total)
            )
            await hall.clock.sleepers(2)
            hall.clock.advance(by: .milliseconds(min(line, group, total)))
            #expect(await run.story == ["1@5000 timeout(\(reason))"])
        }
    }

    @Test("when a group does not fill, the next rung is asked")
    func groupThenLine() async {
        let hall = await hall()
        let result = await hall.run([group(["none", "none"]), .ask("plain", "n")])
        #expect(result.story == ["none no_fill(no_bid)", "none no_fill(no_bid)", "plain fill(fill)"])
    }

    // MARK: Caps

    private func capped(_ id: LineItemID, _ count: Int) -> LineItem {
        .line(id, "n") { $0.cap = FrequencyCap(count: count, window: .seconds(86_400)) }
    }

    private var user: AdRequest {
        var request = AdRequest(placement: "p")
        request.user.id = "u-1"
        return request
    }

    @Test("T-29 a cap of three and 50 requests side by side: exactly three fills, and the next day three more")
    func cap() async {
        let hall = await hall()
        for _ in 0..<2 {
            let fills = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 {
                    group.addTask { await hall.run([.line(capped("plain", 3))], request: user).winner != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(fills == 3)
            hall.clock.advance(by: .seconds(86_400))
        }
    }

    @Test("no-fills, refusals and lost contests give their turn back")
    func turnGivenBack() async {
        let hall = await hall()
        for _ in 0..<3 {
            #expect(await hall.run([.line(capped("none", 1))], request: user).story == ["none no_fill(no_bid)"])
        }
        let refuse: WaterfallRunner.Accept<Offer> = { _, _, _, _ in
            .refused(AttemptOutcome(.rejected, .mime, "Wrong type."))
        }
        for _ in 0..<3 {
            let result = await hall.run([.line(capped("plain", 1))], request: user, accept: refuse)
            #expect(result.story == ["plain rejected(mime)"])
        }
        for _ in 0..<3 {
            let result = await hall.run(
                [.group([capped("1", 1), .line("2", "n")], timeout: nil)],
                request: user
            )
            #expect(result.story == ["1 fill(fill)", "2 fill(fill)"])
            #expect(result.winner?.lineItem.id == "2")
        }
        #expect(await hall.run([.line(capped("1", 1))], request: user).story == ["1 fill(fill)"])
        #expect(await hall.run([.line(capped("1", 1))], request: user).story == ["1 skipped(cap)"])
    }

    @Test("a cap counts the person of the request as it came in, though consent keeps the id from the network")
    func capWithoutConsent() async {
        let hall = await hall()
        var request = user
        request.consent = ConsentFilterTests.consent(gdpr: true)
        #expect(await hall.run([.line(capped("plain", 1))], request: request).winner != nil)
        #expect(await hall.run([.line(capped("plain", 1))], request: request).story == ["plain skipped(cap)"])
        #expect(hall.asked.entries.allSatisfy { $0.request.user.id == nil })
    }

    @Test("pacing limits asks, whether they fill or not")
    func pacing() async {
        let hall = await hall()
        let line = LineItem.line("none", "n") { $0.pacing = FrequencyCap(count: 2, window: .seconds(1)) }
        for _ in 0..<2 { #expect(await hall.run([.line(line)]).story == ["none no_fill(no_bid)"]) }
        #expect(await hall.run([.line(line)]).story == ["none skipped(pacing)"])
        hall.clock.advance(by: .seconds(1))
        #expect(await hall.run([.line(line)]).story == ["none no_fill(no_bid)"])
    }

    // MARK: Breaker and load

    @Test("T-16 after 20 failures the network is skipped with retry_at, then one of 50 requests tries")
    func breaker() async {
        let isBroken = Diary<Void>()
        let hall = Hall()
        let gate = Latch()
        await hall.ready([
            hall.scripted("n") { _ throws(AdapterError) in
                if isBroken.entries.isEmpty { throw AdapterError(.networkError, .http5xx, "500.") }
                await gate.wait()
                return .fill([.hello])
            }
        ])
        for _ in 0..<20 { #expect(await hall.run([.ask("a", "n")]).story == ["a network_error(http_5xx)"]) }
        let skipped = await hall.run([.ask("a", "n")])
        #expect(skipped.story == ["a skipped(circuit_open)"])
        #expect(skipped.attempts[0].retryAtMilliseconds == hall.clock.wallNow.milliseconds + 30_000)
        #expect(skipped.attempts[0].latency == .zero)
        #expect(hall.asked.entries.count == 20)

        isBroken.note(())
        hall.clock.advance(by: .seconds(30))
        let trial = Task { await hall.run([.ask("a", "n")]) }
        await hall.asked.wait(for: 21)
        for _ in 0..<49 { #expect(await hall.run([.ask("a", "n")]).story == ["a skipped(circuit_open)"]) }
        #expect(hall.registry.status("n").breaker.state == .halfOpen)
        gate.open()
        #expect(await trial.value.story == ["a fill(fill)"])
        #expect(hall.registry.status("n").breaker.state == .closed)
        #expect(hall.asked.entries.count == 21)
        #expect(await hall.run([.ask("a", "n")]).story == ["a fill(fill)"])
    }

    @Test("T-16 20 timeouts open the breaker, 20 no-fills and 20 rejections do not")
    func whatOpens() async {
        let hall = await hall()
        for _ in 0..<20 { _ = await hall.run([.ask("none", "n")]) }
        for _ in 0..<20 {
            _ = await hall.run([.ask("plain", "n")]) { _, _, _, _ in
                .refused(AttemptOutcome(.rejected, .mime, "Wrong type."))
            }
        }
        #expect(hall.registry.status("n").breaker.state == .closed)
        for _ in 0..<20 {
            async let run = hall.run([.ask("1@5000", "n")], timeout: .milliseconds(100))
            await hall.clock.sleepers(2)
            hall.clock.advance(by: .milliseconds(100))
            #expect(await run.story == ["1@5000 timeout(deadline)"])
            await hall.loads("n", 0)
        }
        #expect(hall.registry.status("n").breaker.state == .open)
    }

    @Test("a network with max_in_flight under way is saturated")
    func saturated() async {
        let latch = Latch()
        let hall = Hall()
        await hall.ready([
            hall.scripted("n", change: { $0.maxInFlight = 2 }) { _ throws(AdapterError) in
                await latch.wait()
                return .fill([.hello])
            }
        ])
        let tasks = (0..<2).map { _ in Task { await hall.run([.ask("a", "n")]) } }
        await hall.asked.wait(for: 2)
        #expect(await hall.run([.ask("a", "n")]).story == ["a skipped(saturated)"])
        latch.open()
        for task in tasks { #expect(await task.value.winner != nil) }
        #expect(await hall.run([.ask("a", "n")]).story == ["a fill(fill)"])
    }

    @Test("an adapter that never ends its loads is not asked for ever more")
    func loadsLeftBehind() async {
        let latch = Latch()
        let hall = Hall()
        await hall.ready([
            hall.scripted("n", change: { $0.breaker.isEnabled = false }) { _ throws(AdapterError) in
                await latch.wait()
                return .fill([.hello])
            }
        ])
        for index in 1...NetworkHandle.maxLoadsLeftBehind {
            async let run = hall.run([.ask("a", "n", timeout: 10)])
            await hall.asked.wait(for: index)
            await hall.clock.sleepers(1)
            hall.clock.advance(by: .milliseconds(10))
            #expect(await run.story == ["a timeout(line_timeout)"])
        }
        #expect(await hall.run([.ask("a", "n", timeout: 10)]).story == ["a skipped(saturated)"])
        latch.open()
        await hall.late.wait(for: NetworkHandle.maxLoadsLeftBehind)
        #expect(hall.registry.status("n").inFlight == 0)
    }

    // MARK: Whatever comes

    @Test("whatever the waterfall and the answers, every line item stands in the attempts exactly once")
    func total() async {
        for seed in UInt64(1)...200 {
            let hall = Hall()
            await hall.ready(
                RandomWaterfall.networks.dropLast().map { id in
                    hall.scripted(id) { ask throws(AdapterError) in
                        switch ask.lineItem.networkUnit.utf8.reduce(Int(seed), { $0 &* 31 &+ Int($1) }) % 6 {
                        case 0: return .fill([.priced("2")])
                        case 1: return .noFill(NoFill(.noAd, "Nothing."))
                        case 2: throw AdapterError(.crash, .exit, "Exit 1.")
                        case 3: throw AdapterError(.skipped, .missingField, "No age.")
                        case 4: return .fill([])
                        default: throw AdapterError(.timeout, .lineTimeout, "Too slow.")
                        }
                    }
                }
            )
            var random = SplitMix(seed: seed)
            let unit = RandomWaterfall.unit(&random)
            let result = await hall.run(unit, timeout: unit.timeout) { offers, _, _, _ in
                offers.first.map { .accepted($0, price: $0.price) }
                    ?? .refused(AttemptOutcome(.rejected, .noMarkup, "Nothing there."))
            }
            #expect(result.attempts.map(\.lineItem).sorted() == unit.lineItems.map(\.id).sorted(), "seed \(seed)")
            let fills = result.attempts.filter { $0.outcome.result == .fill }
            #expect((result.winner == nil) == fills.isEmpty, "seed \(seed)")
            for id in RandomWaterfall.networks.dropLast() {
                #expect(hall.registry.status(id).inFlight == 0, "seed \(seed)")
            }
        }
    }
}

extension Hall {
    /// Waits until so many loads of a network are under way, and lets those that have ended be heard.
    func loads(_ network: NetworkID, _ count: Int) async {
        await waitUntil { registry.status(network).inFlight == count }
        for _ in 0..<200 { await Task.yield() }
    }
}
