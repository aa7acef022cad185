import Synchronization
import Testing
import WeirTime

@testable import WeirRuntime

@Suite("Sleep and timers")
struct SleepTests {
    @Test("a sleep never ends early", arguments: [1, 2, 3, 7, 20])
    func neverEarly(milliseconds: Int) async throws {
        try await withLoop { loop in
            try await loop.perform {
                let clock = RuntimeClock()
                for step in 0..<5 {
                    let end = clock.now.advanced(by: .milliseconds(milliseconds) + .microseconds(137 * step))
                    try await clock.sleep(until: end)
                    #expect(clock.now >= end)
                }
            }
        }
    }

    @Test("a thousand sleepers wake in the order of their instants")
    func order() async throws {
        let woken = Notes<Int>()
        try await withLoop { loop in
            let start = ContinuousClock.now.advanced(by: .seconds(2))
            await withTaskGroup(of: Void.self) { group in
                for place in (0..<1000).shuffled() {
                    group.addTask(executorPreference: loop) {
                        try? await loop.sleep(until: start.advanced(by: .microseconds(place * 20)))
                        woken.add(place)
                    }
                }
            }
        }
        let inOrder = woken.all == Array(0..<1000)
        #expect(inOrder)
    }

    @Test("a past instant does not suspend for long")
    func past() async throws {
        try await withLoop { loop in
            try await loop.perform { try await loop.sleep(until: .now.advanced(by: .seconds(-5))) }
        }
    }

    @Test("cancelling from another thread wakes the sleeper with CancellationError")
    func cancelElsewhere() async throws {
        try await withLoop { loop in
            let sleeper = Task(executorPreference: loop) {
                try await loop.sleep(until: .now.advanced(by: .seconds(600)))
            }
            await loop.perform {}
            sleeper.cancel()
            await #expect(throws: CancellationError.self) { try await sleeper.value }
            let left = await loop.perform { () async -> Int in loop.sleepers.count }
            #expect(left == 0)
        }
    }

    @Test("cancelling on the loop, or before the sleep, wakes it too")
    func cancelOnLoop() async throws {
        try await withLoop { loop in
            await loop.perform {
                let sleeper = Task(executorPreference: loop) {
                    try await loop.sleep(until: .now.advanced(by: .seconds(600)))
                }
                await Task.yield()
                sleeper.cancel()
                await #expect(throws: CancellationError.self) { try await sleeper.value }
                let early = Task(executorPreference: loop) {
                    try await loop.sleep(until: .now.advanced(by: .seconds(600)))
                }
                early.cancel()
                await #expect(throws: CancellationError.self) { try await early.value }
            }
        }
    }

    @Test("a thread that is not the loop's may sleep on it")
    func sleepFromElsewhere() async throws {
        try await withLoop { loop in
            let end = ContinuousClock.now.advanced(by: .milliseconds(3))
            try await loop.sleep(until: end)
            #expect(ContinuousClock.now >= end)
        }
    }

    @Test("the clock names the running loop, and works without one")
    func clock() async throws {
        let clock = RuntimeClock()
        #expect(clock.taskExecutor == nil)
        let end = clock.now.advanced(by: .milliseconds(2))
        try await clock.sleep(until: end)
        #expect(clock.now >= end)
        try await withLoop { loop in
            let same = await loop.perform { () async -> Bool in (clock.taskExecutor as? EventLoop) === loop }
            #expect(same)
        }
    }

    @Test("a race on the loop leaves a stubborn operation behind, and its late value is heard")
    func race() async throws {
        let late = Notes<Int>()
        try await withLoop { loop in
            let answer = await loop.perform { () async -> Int? in
                await WeirTime.race(
                    until: .after(.milliseconds(5), clock: RuntimeClock()),
                    clock: RuntimeClock(),
                    late: { late.add($0) }
                ) {
                    let end = ContinuousClock.now.advanced(by: .milliseconds(40))
                    while ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
                    return 7
                }
            }
            #expect(answer == nil)
            while late.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(late.all == [7])
    }

    @Test("a timer goes off once, not early, and not after it was cancelled")
    func oneShot() async throws {
        try await withLoop { loop in
            let count = Tally()
            let start = ContinuousClock.now
            try await loop.perform {
                let timer = LoopTimer(loop: loop) { count.add() }
                timer.schedule(after: .milliseconds(5))
                let other = LoopTimer(loop: loop) { count.add(100) }
                other.schedule(after: .milliseconds(1))
                other.cancel()
                while count.value == 0 {
                    try await loop.sleep(until: .now.advanced(by: .milliseconds(1)))
                }
                #expect(ContinuousClock.now >= start.advanced(by: .milliseconds(5)))
                try await loop.sleep(until: .now.advanced(by: .milliseconds(20)))
                withExtendedLifetime((timer, other)) {}
            }
            #expect(count.value == 1)
        }
    }

    @Test("a repeating timer goes on until it is dropped")
    func repeating() async throws {
        try await withLoop { loop in
            let count = Tally()
            let atDrop = try await loop.perform { () async throws -> Int in
                let timer = LoopTimer(loop: loop) { count.add() }
                timer.schedule(after: .zero, repeating: .milliseconds(1))
                while count.value < 3 {
                    try await loop.sleep(until: .now.advanced(by: .milliseconds(1)))
                }
                return withExtendedLifetime(timer) { count.value }
            }
            try await loop.perform { try await loop.sleep(until: .now.advanced(by: .milliseconds(20))) }
            #expect(count.value == atDrop)
        }
    }

    @Test("a timer may let go of itself in its own action")
    func dropInside() async throws {
        try await withLoop { loop in
            let box = Box()
            await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
                loop.submit {
                    box.timer = LoopTimer(loop: loop) {
                        box.timer = nil
                        done.resume()
                    }
                    box.timer?.schedule(after: .milliseconds(1))
                }
            }
        }
    }
}

/// Confined to the loop by the test.
private final class Box: @unchecked Sendable {
    var timer: LoopTimer?
}
