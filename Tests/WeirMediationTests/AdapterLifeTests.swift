import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("AdapterLife")
struct AdapterLifeTests {
    let clock = ManualClock()
    let failure = SetUpFailure(reason: "no luck", remedy: "Try harder.")

    private func step(
        _ life: inout AdapterLife,
        _ event: AdapterLife.Event,
        chance: Double = 1
    ) -> [AdapterLife.Command] {
        life.handle(event, now: clock.now, wall: clock.wallNow, chance: chance)
    }

    private func started() -> AdapterLife {
        var life = AdapterLife(configuration: InitializationConfiguration())
        _ = step(&life, .start)
        return life
    }

    @Test("a start sets up and arms the time-out of 10 s")
    func start() {
        var life = AdapterLife(configuration: InitializationConfiguration())
        let commands = step(&life, .start)
        #expect(commands == [.setUp, .start(.timeout, at: clock.now.advanced(by: .seconds(10)))])
        #expect(life.state == .starting)
        #expect(step(&life, .start) == [])
        #expect(life.attempts == 1)
    }

    @Test("a success makes it ready, with latency and date")
    func success() {
        var life = started()
        clock.advance(by: .milliseconds(120))
        #expect(step(&life, .setUpEnded(.success(.init()))) == [.cancel(.timeout)])
        #expect(life.state == .ready)
        #expect(life.latency == .milliseconds(120))
        #expect(life.readyAt == clock.wallNow)
        #expect(!life.isLate)
    }

    @Test("a time-out lets the set-up go on, and a late success is ready and late")
    func lateSuccess() {
        var life = started()
        clock.advance(by: .seconds(10))
        #expect(step(&life, .timer(.timeout)) == [])
        #expect(life.state == .timedOut)
        #expect(life.isSettingUp)
        clock.advance(by: .seconds(4))
        _ = step(&life, .setUpEnded(.success(.init())))
        #expect(life.state == .ready)
        #expect(life.isLate)
        #expect(life.latency == .seconds(14))
    }

    @Test("a break-down is failed, starting and ready again, after a pause that grows with their number (T-15)")
    func crashes() {
        var life = started()
        _ = step(&life, .setUpEnded(.success(.init())))
        var pauses: [Duration] = []
        for _ in 0..<(AdapterLife.crashLimit - 1) {
            clock.advance(by: .seconds(1))
            let commands = step(&life, .crashed(failure))
            #expect(life.state == .failed)
            guard case .start(.retry, let due) = commands.last else {
                Issue.record("no retry: \(commands)")
                return
            }
            pauses.append(clock.now.duration(to: due))
            clock.advance(by: clock.now.duration(to: due))
            let again = step(&life, .timer(.retry))
            #expect(again == [.setUp, .start(.timeout, at: clock.now.advanced(by: .seconds(10)))])
            #expect(life.state == .starting)
            _ = step(&life, .setUpEnded(.success(.init())))
            #expect(life.state == .ready)
            #expect(!life.isLate)
            #expect(life.failure == nil)
        }
        #expect(pauses == [500, 1000, 2000, 4000].map { .milliseconds($0) })
        clock.advance(by: .seconds(1))
        #expect(step(&life, .crashed(failure)) == [])
        #expect(life.state == .disabled)
        #expect(life.unavailability?.message.hasPrefix("disabled (crash_loop): it broke down 5 times") == true)
        #expect(step(&life, .timer(.retry)) == [])
    }

    @Test("five break-downs in more than a minute are no loop")
    func slowCrashes() {
        var life = started()
        _ = step(&life, .setUpEnded(.success(.init())))
        for _ in 0..<20 {
            clock.advance(by: .seconds(20))
            _ = step(&life, .crashed(failure))
            #expect(life.state == .failed)
            clock.advance(by: .seconds(1))
            _ = step(&life, .timer(.retry))
            _ = step(&life, .setUpEnded(.success(.init())))
            #expect(life.state == .ready)
        }
    }

    @Test("break-downs in the set-up count, too: the fifth is the last")
    func crashesInSetUp() {
        var life = started()
        for number in 1...AdapterLife.crashLimit {
            #expect(step(&life, .crashed(failure)) == [], "the set-up itself tells the rest")
            _ = step(&life, .setUpEnded(.failure(failure)))
            #expect(life.state == (number < AdapterLife.crashLimit ? .failed : .disabled))
            clock.advance(by: .seconds(5))
            _ = step(&life, .timer(.retry))
        }
        #expect(!life.isSettingUp)
        #expect(step(&life, .retire) == [.cancel(.timeout), .cancel(.retry)])
        #expect(step(&life, .drained) == [.tearDown])
    }

    @Test("plain failures of a set-up are no loop, however many; a break-down after the end changes nothing")
    func failuresAreNoCrashes() {
        var life = started()
        for _ in 0..<10 {
            _ = step(&life, .setUpEnded(.failure(failure)))
            #expect(life.state == .failed)
            _ = step(&life, .timer(.retry))
        }
        _ = step(&life, .retire)
        #expect(step(&life, .crashed(failure)) == [])
        #expect(life.state == .draining)
    }

    @Test("a failure tries again after 0.5, 1, 2, 4 … at most 30 s")
    func backOff() {
        var life = started()
        var pauses: [Duration] = []
        for _ in 0..<9 {
            let commands = step(&life, .setUpEnded(.failure(failure)))
            guard case .start(.retry, let due) = commands.last else {
                Issue.record("no retry: \(commands)")
                return
            }
            pauses.append(clock.now.duration(to: due))
            #expect(life.state == .failed)
            clock.advance(by: clock.now.duration(to: due))
            #expect(step(&life, .timer(.retry)) == [.setUp])
            #expect(life.state == .failed, "no flicker while it tries again")
        }
        #expect(pauses == [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000].map { .milliseconds($0) })
        #expect(life.attempts == 10)
    }

    @Test("jitter takes at most a fifth of a pause away", arguments: [(0.0, 400), (0.5, 450), (1.0, 500), (7, 500)])
    func jitter(chance: Double, milliseconds: Int) {
        let configuration = InitializationConfiguration()
        let pause = configuration.pause(afterFailures: 1, chance: chance)
        #expect(abs((pause - .milliseconds(milliseconds)).microseconds) <= 1)
    }

    @Test("absurd numbers of failures do not overflow", arguments: [Int.min, 0, 64, Int.max])
    func absurdFailures(count: Int) {
        let pause = InitializationConfiguration().pause(afterFailures: count, chance: 1)
        #expect(pause >= .milliseconds(500) && pause <= .seconds(30))
    }

    @Test("a failure that is not retryable stays failed")
    func finalFailure() {
        var life = started()
        let commands = step(&life, .setUpEnded(.failure(SetUpFailure(reason: "a", remedy: "b", isRetryable: false))))
        #expect(commands == [.cancel(.timeout)])
        #expect(life.state == .failed)
        #expect(step(&life, .timer(.retry)) == [])
    }

    @Test("a success after failures clears the error and keeps the count of tries")
    func recovery() {
        var life = started()
        _ = step(&life, .setUpEnded(.failure(failure)))
        #expect(life.failure == failure)
        clock.advance(by: .milliseconds(500))
        _ = step(&life, .timer(.retry))
        clock.advance(by: .milliseconds(70))
        _ = step(&life, .setUpEnded(.success(.init())))
        #expect(life.state == .ready)
        #expect(life.failure == nil)
        #expect(life.attempts == 2)
        #expect(life.latency == .milliseconds(70))
    }

    @Test("an idle life that retires is torn down exactly once, when it is drained")
    func retire() {
        var life = started()
        _ = step(&life, .setUpEnded(.success(.init())))
        #expect(step(&life, .retire) == [.cancel(.timeout), .cancel(.retry)])
        #expect(life.state == .draining)
        #expect(step(&life, .retire) == [])
        #expect(step(&life, .drained) == [.tearDown])
        #expect(step(&life, .drained) == [])
        #expect(step(&life, .tornDown) == [])
        #expect(life.state == .stopped)
        #expect(step(&life, .tornDown) == [])
    }

    @Test("a life that retires during its set-up is torn down only when the set-up has ended")
    func retireWhileSettingUp() {
        var life = started()
        let commands = step(&life, .retire)
        #expect(commands.contains(.cancelSetUp))
        #expect(commands.last == .start(.patience, at: clock.now.advanced(by: .seconds(1))))
        #expect(step(&life, .drained) == [])
        #expect(!life.isLeftBehind)
        _ = step(&life, .timer(.patience))
        #expect(life.isLeftBehind)
        #expect(step(&life, .setUpEnded(.success(.init()))) == [.cancel(.patience), .tearDown])
        #expect(!life.isLeftBehind)
        #expect(life.state == .draining)
    }

    @Test("a life that never began is stopped without a tear-down")
    func neverBegun() {
        var life = AdapterLife(configuration: InitializationConfiguration())
        _ = step(&life, .retire)
        #expect(step(&life, .drained) == [])
        #expect(life.state == .stopped)
    }

    @Test("any series of events leaves exactly one tear-down at most, and stopped is the end")
    func randomEvents() {
        for seed in UInt64(1)...2000 {
            var random = SplitMix(seed: seed)
            var life = AdapterLife(configuration: InitializationConfiguration())
            var tearDowns = 0
            var setUps = 0
            for _ in 0..<40 {
                let events: [AdapterLife.Event] = [
                    .start, .setUpEnded(.success(.init())), .setUpEnded(.failure(failure)), .timer(.timeout),
                    .timer(.retry), .timer(.patience), .retire, .drained, .tornDown,
                ]
                let wasStopped = life.state == .stopped
                let wasSettingUp = life.isSettingUp
                let commands = step(&life, events[Int(random.next() % UInt64(events.count))])
                tearDowns += commands.count { $0 == .tearDown }
                if commands.contains(.setUp) {
                    setUps += 1
                    #expect(!wasSettingUp, "seed \(seed): two set-ups at once")
                    #expect(tearDowns == 0, "seed \(seed): a set-up after the tear-down")
                }
                if commands.contains(.tearDown) {
                    #expect(!life.isSettingUp, "seed \(seed): a tear-down beside a set-up")
                }
                if wasStopped {
                    #expect(life.state == .stopped && commands.isEmpty, "seed \(seed): life after the end")
                }
            }
            #expect(tearDowns <= 1, "seed \(seed)")
            #expect(setUps == life.attempts, "seed \(seed)")
        }
    }
}

/// A small deterministic generator, so that a failing run can be repeated from its seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
