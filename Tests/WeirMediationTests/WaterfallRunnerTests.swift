import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("WaterfallRunner", .timeLimit(.minutes(10)))
struct WaterfallRunnerTests {
    private static func reply(_ request: OutboundRequest) -> StubTransport.Reply {
        if request.url.contains("hang") { return .hang }
        if request.url.contains("none") { return .response(InboundResponse(status: 204)) }
        if request.url.contains("broken") { return .response(InboundResponse(status: 500)) }
        if request.url.contains("after20") { return .delayed(.milliseconds(20), .response(.text("<VAST/>"))) }
        return .response(.text("<VAST/>"))
    }

    @Test("T-7 four hanging lines of 400 ms under 1000 ms: cut at 400, 400 and 200 ms, the fourth is not begun")
    func hardDeadline() async {
        let hall = Hall(answer: Self.reply)
        await hall.ready([hall.web("n")])
        async let run = hall.run((1...4).map { .ask(LineItemID("hang\($0)"), "n", timeout: 400) })
        for step in [400, 400, 200] {
            await hall.clock.sleepers(1)
            hall.clock.advance(by: .milliseconds(step))
        }
        let result = await run
        #expect(
            result.story == [
                "hang1 timeout(line_timeout)", "hang2 timeout(line_timeout)", "hang3 timeout(deadline)",
                "hang4 not_attempted(deadline)",
            ]
        )
        #expect(result.latencies == [400, 400, 200, 0])
        #expect(result.starts == [0, 400, 800, nil])
        #expect(result.winner == nil)
        #expect(hall.clock.elapsed == .milliseconds(1000))
        #expect(hall.transport.requests.count == 3)
        #expect(
            result.attempts.map(\.outcome.message) == [
                "n did not answer within 400 ms, its own limit.", "n did not answer within 400 ms, its own limit.",
                "n did not answer within 200 ms, all that was left of the request's time.",
                "n was not asked: the request's time was up.",
            ]
        )
    }

    @Test("T-7 the same with adapters that ignore deadline and cancellation")
    func hardDeadlineStubborn() async {
        let latch = Latch()
        let hall = Hall()
        await hall.ready([
            hall.scripted("n") { _ throws(AdapterError) in
                await latch.wait()
                return .fill([.hello])
            }
        ])
        async let run = hall.run((1...4).map { .ask(LineItemID("l\($0)"), "n", timeout: 400) })
        for (index, step) in [400, 400, 200].enumerated() {
            await hall.asked.wait(for: index + 1)
            await hall.clock.sleepers(1)
            hall.clock.advance(by: .milliseconds(step))
        }
        let result = await run
        #expect(
            result.story == [
                "l1 timeout(line_timeout)", "l2 timeout(line_timeout)", "l3 timeout(deadline)",
                "l4 not_attempted(deadline)",
            ]
        )
        #expect(result.latencies == [400, 400, 200, 0])
        #expect(hall.registry.status("n").inFlight == 3, "they really are under way")
        #expect(hall.late.entries.isEmpty)
        latch.open()
        await hall.late.wait(for: 3)
        #expect(hall.late.entries == ["n", "n", "n"])
        #expect(hall.registry.status("n").inFlight == 0)
    }

    @Test("T-8 a hanging head is cut at 300 ms and the next line fills")
    func slowHead() async {
        let hall = Hall(answer: Self.reply)
        await hall.ready([hall.web("a"), hall.web("b")])
        async let run = hall.run([.ask("hang", "a", timeout: 300), .ask("after20", "b")])
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .milliseconds(300))
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .milliseconds(20))
        let result = await run
        #expect(result.story == ["hang timeout(line_timeout)", "after20 fill(fill)"])
        #expect(result.starts == [0, 300] && result.latencies == [300, 20])
        #expect(result.winner?.lineItem.id == "after20" && result.winner?.network == "b")
    }

    @Test("T-9 the second network is told what the first has left")
    func budget() async {
        let hall = Hall(answer: Self.reply)
        await hall.ready([hall.web("n")])
        async let run = hall.run([.ask("hang", "n", timeout: 300), .ask("b", "n")], timeout: .milliseconds(800))
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .milliseconds(300))
        _ = await run
        #expect(hall.transport.requests.map(\.url) == ["https://n.test/hang?left=300", "https://n.test/b?left=500"])
    }

    @Test("T-13 each network is asked once, and nobody below a fill")
    func singleAsk() async {
        let hall = Hall(answer: Self.reply)
        await hall.ready([hall.web("n"), hall.web("m")])
        let result = await hall.run([.ask("none", "n"), .ask("a", "m"), .ask("b", "n")])
        #expect(result.story == ["none no_fill(http_204)", "a fill(fill)", "b not_attempted(filled_above)"])
        #expect(result.attempts[2].outcome.message == "n was not asked: a filled.")
        #expect(hall.transport.requests.count == 2)
    }

    @Test("T-22 every outcome stands in the attempts in order, with reason, sentence and the network's own words")
    func why() async {
        let hall = Hall(answer: Self.reply)
        await hall.ready([
            hall.web("n"),
            hall.scripted("reports") { _ throws(AdapterError) in
                throw AdapterError(
                    .networkError,
                    .networkReported,
                    "It said so.",
                    networkCode: "17",
                    networkMessage: "mood"
                )
            },
            hall.scripted("missing") { _ throws(AdapterError) in throw AdapterError(.skipped, .missingField, "No age.")
            },
            hall.scripted("crash") { _ throws(AdapterError) in throw AdapterError(.crash, .signal, "Signal 11.") },
            hall.scripted("empty") { _ throws(AdapterError) in .noFill(NoFill(.noAd, "Nothing.", networkCode: "3")) },
            hall.scripted("hollow") { _ throws(AdapterError) in .fill([]) },
        ])
        var disabled = LineItem.line("off", "n")
        disabled.isEnabled = false
        let result = await hall.run([
            .ask("none", "n"), .ask("broken", "n"), .ask("reports", "reports"), .ask("missing", "missing"),
            .line(disabled), .ask("crash", "crash"), .ask("empty", "empty"), .ask("hollow", "hollow"),
            .ask("nobody", "nobody"), .ask("ok", "n"), .line(disabled), .ask("below", "n"),
        ])
        #expect(
            result.story == [
                "none no_fill(http_204)", "broken network_error(http_5xx)", "reports network_error(network_reported)",
                "missing skipped(missing_field)", "off skipped(disabled)", "crash crash(signal)",
                "empty no_fill(no_ad)",
                "hollow rejected(no_markup)", "nobody skipped(disabled)", "ok fill(fill)", "off skipped(disabled)",
                "below not_attempted(filled_above)",
            ]
        )
        #expect(result.attempts.allSatisfy { !$0.outcome.message.isEmpty })
        #expect(result.attempts[2].outcome.networkCode == "17" && result.attempts[2].outcome.networkMessage == "mood")
        #expect(result.attempts[6].outcome.networkCode == "3")
        #expect(result.attempts[3].start == nil, "it was never asked")
        #expect(result.attempts[0].adapter == "web" && result.attempts[0].adapterVersion == "2.0.0")
    }

    @Test("a refusal by the gateway goes on to the next line, within the same attempt")
    func refusal() async {
        let hall = Hall()
        await hall.ready([hall.web("n")])
        async let run = hall.run([.ask("a", "n"), .ask("b", "n")]) { offers, item, _, deadline in
            guard item.id == "a" else { return .accepted(offers[0], price: nil) }
            try? await hall.clock.sleep(for: .milliseconds(70))
            return .refused(AttemptOutcome(.badResponse, .badVAST, "Not well-formed."))
        }
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .milliseconds(70))
        let result = await run
        #expect(result.story == ["a bad_response(bad_vast)", "b fill(fill)"])
        #expect(result.latencies == [70, 0])
    }

    @Test("resolving wrappers lies under the attempt's deadline, and its timeout gets the limit that caused it")
    func acceptDeadline() async {
        let hall = Hall()
        await hall.ready([hall.web("n")])
        async let run = hall.run([.ask("a", "n", timeout: 5000)]) { _, _, _, deadline in
            try? await hall.clock.sleep(until: deadline.instant)
            return .refused(AttemptOutcome(.timeout, .lineTimeout, "The wrapper did not answer."))
        }
        await hall.clock.sleepers(1)
        hall.clock.advance(by: .seconds(1))
        #expect(await run.story == ["a timeout(deadline)"])
    }

    @Test("without a price the line's rate stands for it; with one the price counts")
    func price() async {
        let hall = Hall()
        await hall.ready([
            hall.scripted("n") { ask throws(AdapterError) in
                .fill([ask.lineItem.id == "a" ? .hello : .priced("3")])
            }
        ])
        #expect(await hall.run([.ask("a", "n", rate: .of("2"))]).winner?.price == .of("2"))
        #expect(await hall.run([.ask("b", "n", rate: .of("2"))]).winner?.price == .of("3"))
        #expect(await hall.run([.ask("a", "n")]).winner?.price == nil)
    }

    @Test("S2.33 a network that is not ready is still asked once the initialization is complete, not before")
    func notReady() async {
        let latch = Latch()
        let hall = Hall()
        hall.registry.configure(
            [.entry("n", ScriptedAdapter(onSetUp: { _ throws(SetUpFailure) in await latch.wait() }))],
            catalog: .empty()
        )
        await hall.clock.sleepers(1)
        let early = await hall.run([.ask("a", "n")])
        #expect(early.story == ["a skipped(not_ready)"])
        #expect(early.latencies == [0])
        hall.clock.advance(by: .seconds(10))
        await hall.registry.waitUntilInitialized()
        #expect(hall.registry.status("n").state == .timedOut)
        #expect(await hall.run([.ask("a", "n")]).story == ["a fill(fill)"])
        latch.open()
    }

    @Test("a cancelled request ends at once, begins nothing any more and says nothing about the network's health")
    func cancelled() async {
        let hall = Hall(answer: Self.reply)
        await hall.ready([hall.web("n") { $0.breaker.failures = 1 }])
        let task = Task { await hall.run([.ask("hang", "n"), .ask("b", "n")]) }
        await hall.clock.sleepers(1)
        task.cancel()
        let result = await task.value
        #expect(result.story == ["hang timeout(deadline)", "b not_attempted(deadline)"])
        #expect(result.attempts[1].outcome.message == "n was not asked: the caller went away.")
        #expect(hall.registry.status("n").breaker.state == .closed)
        #expect(hall.registry.status("n").inFlight == 0)
        #expect(hall.transport.requests.count == 1)
    }

    @Test("a cancelled request leaves a stubborn adapter behind, and an adapter that obeys is not counted as late")
    func cancelledStubborn() async {
        let latch = Latch()
        let hall = Hall()
        await hall.ready([
            hall.scripted("stubborn") { _ throws(AdapterError) in
                await latch.wait()
                return .noFill(NoFill(.noAd, "Nothing."))
            },
            hall.scripted("obedient") { _ throws(AdapterError) in
                do { try await hall.clock.sleep(for: .seconds(100)) } catch {
                    throw AdapterError(.networkError, .reset, "Cancelled.")
                }
                return .fill([.hello])
            },
        ])
        let tasks = ["stubborn", "obedient"].map { id in
            Task { await hall.run([.ask("a", NetworkID(id), timeout: 500)]) }
        }
        await hall.asked.wait(for: 2)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value.winner == nil) }
        latch.open()
        await hall.late.wait(for: 1)
        #expect(hall.late.entries == ["stubborn"])
    }
}
