import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("Breaker")
struct BreakerTests {
    let clock = ManualClock()

    private func breaker(failures: Int = 20, isEnabled: Bool = true) -> Breaker {
        var policy = BreakerPolicy()
        policy.failures = failures
        policy.isEnabled = isEnabled
        return Breaker(policy: policy)
    }

    private func record(_ breaker: inout Breaker, _ verdict: Breaker.Verdict, times: Int = 1) {
        for _ in 0..<times {
            if case .ask(let permit) = breaker.admit(now: clock.now) { breaker.record(permit, verdict, now: clock.now) }
        }
    }

    @Test("T-16 opens after the threshold and leaves the network alone until the pause is over")
    func opens() {
        var breaker = breaker()
        record(&breaker, .broken, times: 19)
        #expect(breaker.admit(now: clock.now) == .ask(.ordinary))
        breaker.record(.ordinary, .broken, now: clock.now)
        let retryAt = clock.now.advanced(by: .seconds(30))
        #expect(breaker.admit(now: clock.now) == .leaveAlone(retryAt: retryAt))
        let status = breaker.status(now: clock.now, wall: clock.wallNow)
        #expect(status == BreakerStatus(state: .open, retryAt: clock.wallNow.advanced(by: .seconds(30))))
        clock.advance(by: .milliseconds(29_999))
        #expect(breaker.admit(now: clock.now) == .leaveAlone(retryAt: retryAt))
    }

    @Test("T-16 after the pause exactly one of 50 requests tries; its success closes the breaker")
    func oneTrial() {
        var breaker = breaker(failures: 1)
        record(&breaker, .broken)
        clock.advance(by: .seconds(30))
        let answers = (0..<50).map { _ in breaker.admit(now: clock.now) }
        #expect(answers.count { $0 == .ask(.trial) } == 1)
        #expect(answers.count { $0 == .ask(.ordinary) } == 0)
        #expect(breaker.status(now: clock.now, wall: clock.wallNow).state == .halfOpen)
        breaker.record(.trial, .healthy, now: clock.now)
        #expect(breaker.status(now: clock.now, wall: clock.wallNow).state == .closed)
        #expect(breaker.admit(now: clock.now) == .ask(.ordinary))
    }

    @Test("a trial's failure opens the breaker for another pause")
    func reopens() {
        var breaker = breaker(failures: 1)
        record(&breaker, .broken)
        clock.advance(by: .seconds(30))
        #expect(breaker.admit(now: clock.now) == .ask(.trial))
        breaker.record(.trial, .broken, now: clock.now)
        #expect(breaker.admit(now: clock.now) == .leaveAlone(retryAt: clock.now.advanced(by: .seconds(30))))
    }

    @Test("a trial that said nothing lets the next request try")
    func unknownTrial() {
        var breaker = breaker(failures: 1)
        record(&breaker, .broken)
        clock.advance(by: .seconds(30))
        _ = breaker.admit(now: clock.now)
        breaker.record(.trial, .unknown, now: clock.now)
        #expect(breaker.admit(now: clock.now) == .ask(.trial))
    }

    @Test("a healthy answer in between begins the count anew")
    func inARow() {
        var breaker = breaker(failures: 3)
        for _ in 0..<10 {
            record(&breaker, .broken, times: 2)
            record(&breaker, .healthy)
        }
        #expect(breaker.admit(now: clock.now) == .ask(.ordinary))
    }

    @Test("answers to requests from before it opened neither close it nor prolong the pause")
    func stale() {
        var breaker = breaker(failures: 1)
        record(&breaker, .broken)
        clock.advance(by: .seconds(10))
        breaker.record(.ordinary, .healthy, now: clock.now)
        breaker.record(.ordinary, .broken, now: clock.now)
        clock.advance(by: .seconds(20))
        #expect(breaker.admit(now: clock.now) == .ask(.trial))
    }

    @Test("looking takes no trial")
    func looking() {
        var breaker = breaker(failures: 1)
        record(&breaker, .broken)
        clock.advance(by: .seconds(30))
        #expect(breaker.answer(now: clock.now) == .ask(.trial))
        #expect(breaker.answer(now: clock.now) == .ask(.trial))
    }

    @Test("a breaker that is switched off never opens")
    func off() {
        var breaker = breaker(failures: 1, isEnabled: false)
        record(&breaker, .broken, times: 100)
        #expect(breaker.admit(now: clock.now) == .ask(.ordinary))
    }

    @Test("a threshold of nought or less counts as one", arguments: [0, -5])
    func threshold(failures: Int) {
        var breaker = breaker(failures: failures)
        #expect(breaker.admit(now: clock.now) == .ask(.ordinary))
        breaker.record(.ordinary, .broken, now: clock.now)
        #expect(breaker.admit(now: clock.now) != .ask(.ordinary))
    }

    @Test("no-fills and rejections are healthy; timeouts, network errors and bad responses are not")
    func verdicts() {
        let expected: [AttemptResult: Breaker.Verdict] = [
            .fill: .healthy, .noFill: .healthy, .rejected: .healthy, .timeout: .broken, .networkError: .broken,
            .badResponse: .broken, .crash: .broken, .skipped: .unknown, .notAttempted: .unknown,
        ]
        for result in AttemptResult.allCases {
            for reason in result.reasons {
                let verdict = Breaker.Verdict(AttemptOutcome(result, reason, ""), after: .seconds(1))
                // The end of a process takes all its attempts with it; the supervisor looks after that.
                let isEnding = reason == .exit || reason == .signal
                #expect(verdict == (isEnding ? .unknown : expected[result]), "\(result) \(reason)")
            }
        }
    }

    @Test("a network cut off by the request's deadline after less than 50 ms had no fair chance")
    func fairChance() {
        let cut = AttemptOutcome(.timeout, .deadline, "")
        #expect(Breaker.Verdict(cut, after: .milliseconds(49)) == .unknown)
        #expect(Breaker.Verdict(cut, after: .milliseconds(50)) == .broken)
        let own = AttemptOutcome(.timeout, .lineTimeout, "")
        #expect(Breaker.Verdict(own, after: .milliseconds(1)) == .broken)
    }
}

@Suite("Breakers by placement")
struct PlacementBreakerTests {
    @Test("T-16 a network that fails for one placement still serves another; the status shows which is open")
    func separate() async {
        let hall = Hall()
        await hall.ready([
            hall.scripted("n", change: { $0.breaker.failures = 3 }) { ask throws(AdapterError) in
                guard ask.request.placement == "bad" else { return .fill([.hello]) }
                throw AdapterError(.networkError, .http5xx, "It failed.")
            }
        ])
        for _ in 0..<3 { _ = await hall.run([.ask("l", "n")], request: AdRequest(placement: "bad")) }
        let bad = await hall.run([.ask("l", "n")], request: AdRequest(placement: "bad"))
        #expect(bad.story == ["l skipped(circuit_open)"])
        #expect(bad.attempts.first?.retryAtMilliseconds != nil)
        let good = await hall.run([.ask("l", "n")], request: AdRequest(placement: "good"))
        #expect(good.story == ["l fill(fill)"])
        let status = hall.registry.status("n")
        #expect(status.breaker.state == .open)
        #expect(status.breakers.map(\.placement) == ["bad"])

        hall.clock.advance(by: .seconds(30))
        _ = await hall.run([.ask("l", "n")], request: AdRequest(placement: "bad"))
        #expect(hall.registry.status("n").breaker.state == .open)
        hall.clock.advance(by: .seconds(30))
        #expect(hall.registry.status("n").breakers.count == 1)
    }

    @Test("a breaker that has recovered is forgotten")
    func forgotten() async {
        let hall = Hall()
        let broken = Flag()
        broken.raise()
        await hall.ready([
            hall.scripted("n", change: { $0.breaker.failures = 1 }) { _ throws(AdapterError) in
                guard !broken.isRaised || hall.asked.entries.count > 1 else {
                    throw AdapterError(.networkError, .http5xx, "It failed.")
                }
                return .fill([.hello])
            }
        ])
        _ = await hall.run([.ask("l", "n")])
        #expect(hall.registry.status("n").breakers.count == 1)
        hall.clock.advance(by: .seconds(30))
        #expect(await hall.run([.ask("l", "n")]).story == ["l fill(fill)"])
        #expect(hall.registry.status("n").breakers.isEmpty)
        #expect(hall.registry.status("n").breaker.state == .closed)
    }
}
