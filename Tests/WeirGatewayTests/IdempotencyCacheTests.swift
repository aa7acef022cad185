import Testing
import WeirTesting
import WeirTime

@testable import WeirGateway

@Suite("IdempotencyCache", .timeLimit(.minutes(10)))
struct IdempotencyCacheTests {
    private let clock = ManualClock()
    private let counter = Counter()

    /// Says how often something was made.
    private final class Counter: Sendable {
        private let count = Lock(0)
        var value: Int { count.withLock { $0 } }

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("a repeat gets the first answer until ten minutes have passed")
    func lifetime() async {
        let cache = IdempotencyCache<Int>(clock: clock)
        #expect(await cache.answer(to: "k") { counter.next() } == 1)
        clock.advance(by: .milliseconds(599_999))
        #expect(await cache.answer(to: "k") { counter.next() } == 1)
        #expect(await cache.answer(to: "other") { counter.next() } == 2)
        clock.advance(by: .milliseconds(1))
        #expect(await cache.answer(to: "k") { counter.next() } == 3)
        #expect(await cache.answer(to: "other") { counter.next() } == 2)
    }

    @Test("a failure is not remembered")
    func failure() async {
        let cache = IdempotencyCache<Int>(clock: clock)
        #expect(await cache.answer(to: "k") { nil } == nil)
        #expect(await cache.answer(to: "k") { counter.next() } == 1)
    }

    @Test("a repeat waits for the first, however long that takes")
    func waits() async {
        let cache = IdempotencyCache<Int>(clock: clock)
        async let first = cache.answer(to: "k") {
            try? await clock.sleep(for: .seconds(1000))
            return counter.next()
        }
        await clock.sleepers(1)
        async let second = cache.answer(to: "k") { counter.next() }
        // A third comes when an answer of the same age would have been forgotten.
        clock.advance(by: .seconds(700))
        async let third = cache.answer(to: "k") { counter.next() }
        clock.advance(by: .seconds(300))
        #expect(await [first, second, third] == [1, 1, 1])
        #expect(counter.value == 1)
    }

    @Test("a repeat that waited for a failure tries itself")
    func triesItself() async {
        let cache = IdempotencyCache<Int>(clock: clock)
        async let first = cache.answer(to: "k") {
            try? await clock.sleep(for: .seconds(1))
            return nil
        }
        await clock.sleepers(1)
        async let second = cache.answer(to: "k") { counter.next() }
        clock.advance(by: .seconds(1))
        #expect(await first == nil)
        #expect(await second == 1)
    }

    @Test("a repeat that waits ends at once when it is cancelled, and the others wait on")
    func cancellation() async {
        let cache = IdempotencyCache<Int>(clock: clock)
        let clock = clock
        async let first = cache.answer(to: "k") {
            try? await clock.sleep(for: .seconds(1))
            return 1
        }
        await clock.sleepers(1)
        let gone = Task { await cache.answer(to: "k") { 2 } }
        async let patient = cache.answer(to: "k") { 3 }
        gone.cancel()
        // The clock stands still: only the cancellation can end it.
        #expect(await gone.value == nil)
        clock.advance(by: .seconds(1))
        #expect(await first == 1)
        #expect(await patient == 1)
    }

    @Test("the oldest answers go when it is full, the newest stay")
    func bound() async {
        let cache = IdempotencyCache<Int>(clock: clock)
        for index in 0...IdempotencyCache<Int>.limit { _ = await cache.answer(to: "\(index)") { counter.next() } }
        let count = IdempotencyCache<Int>.limit + 1
        #expect(await cache.answer(to: "\(count - 1)") { counter.next() } == count)
        #expect(await cache.answer(to: "0") { counter.next() } == count + 1)
    }
}

@Suite("IdempotencyMemory")
struct IdempotencyMemoryTests {
    private typealias Memory = IdempotencyMemory<String, String>
    private let now = ContinuousClock.now

    private func memory(limit: Int = 3, sizeLimit: Int = 100) -> Memory {
        Memory(limit: limit, sizeLimit: sizeLimit, lifetime: .seconds(10))
    }

    private func name(_ claim: Memory.Claim) -> String {
        switch claim {
        case .answered(let answer): answer
        case .pending: "pending"
        case .mine: "mine"
        case .full: "full"
        }
    }

    @Test("the bound holds for keys that are still being answered: one more is not remembered")
    func pendingBound() {
        var memory = memory()
        for key in ["a", "b", "c"] { #expect(name(memory.claim(key, now: now)) == "mine") }
        #expect(name(memory.claim("d", now: now)) == "full")
        #expect(name(memory.claim("a", now: now)) == "pending")
        #expect(memory.count == 3)
        #expect(memory.settle("b", "B", size: 1, now: now).isEmpty)
        #expect(name(memory.claim("d", now: now)) == "mine")
        #expect(name(memory.claim("b", now: now)) == "full")
        #expect(memory.count == 3)
    }

    @Test("a key that is being answered never expires and keeps its waiters")
    func pendingStays() {
        var memory = memory()
        _ = memory.claim("a", now: now)
        #expect(memory.join("a", 1, "waiter") == .none)
        let later = now.advanced(by: .seconds(1000))
        #expect(name(memory.claim("a", now: later)) == "pending")
        #expect(memory.join("a", 2, "another") == .none)
        #expect(memory.settle("a", "A", size: 1, now: later) == ["waiter", "another"])
        #expect(name(memory.claim("a", now: later.advanced(by: .milliseconds(9999)))) == "A")
        #expect(name(memory.claim("a", now: later.advanced(by: .seconds(10)))) == "mine")
    }

    @Test("a waiter that leaves is not told; leaving twice is nothing")
    func leaving() {
        var memory = memory()
        _ = memory.claim("a", now: now)
        _ = memory.join("a", 1, "one")
        _ = memory.join("a", 2, "two")
        #expect(memory.leave("a", 1) == "one")
        #expect(memory.leave("a", 1) == nil)
        #expect(memory.leave("b", 1) == nil)
        #expect(memory.settle("a", nil, size: 0, now: now) == ["two"])
        #expect(memory.join("a", 3, "three") == .some(nil))
    }

    @Test("answers are bounded by their bytes; one that is too large alone is not kept")
    func bytes() {
        var memory = memory(limit: 10)
        for key in ["a", "b", "c"] {
            _ = memory.claim(key, now: now)
            _ = memory.settle(key, key, size: 40, now: now)
        }
        #expect(memory.size == 80)
        #expect(name(memory.claim("c", now: now)) == "c")
        #expect(name(memory.claim("a", now: now)) == "mine")
        _ = memory.settle("a", "A", size: 101, now: now)
        #expect(name(memory.claim("a", now: now)) == "mine")
        #expect(memory.size == 80)
    }

    @Test("what was forgotten long ago takes no room")
    func compacts() {
        var memory = memory(limit: 5000)
        var most = 0
        for index in 0..<20_000 {
            let time = now.advanced(by: .milliseconds(index))
            _ = memory.claim("\(index)", now: time)
            _ = memory.settle("\(index)", "x", size: 0, now: time)
            most = max(most, memory.count)
        }
        #expect(most == 5000)
        let end = now.advanced(by: .seconds(60))
        _ = memory.claim("end", now: end)
        #expect(memory.count == 1)
    }
}
