import Testing

@testable import WeirRuntime

@Suite("DeadlineQueue")
struct DeadlineQueueTests {
    let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    @Test("waiters come out by instant, equals in order of arrival")
    func order() {
        var queue = DeadlineQueue<String>()
        queue.add("late", ticket: 1, at: at(30))
        queue.add("first", ticket: 2, at: at(10))
        queue.add("second", ticket: 3, at: at(10))
        queue.add("middle", ticket: 4, at: at(20))
        var seen: [String] = []
        while let waiter = queue.popDue(at(30)) { seen.append(waiter) }
        #expect(seen == ["first", "second", "middle", "late"])
    }

    @Test("nobody comes out before his instant")
    func notEarly() {
        var queue = DeadlineQueue<Int>()
        queue.add(1, ticket: 1, at: at(10))
        #expect(queue.popDue(at(9)) == nil)
        #expect(queue.popDue(at(10)) == 1)
        #expect(queue.popDue(at(10)) == nil)
    }

    @Test("a removed waiter neither comes out nor counts as the earliest")
    func removal() {
        var queue = DeadlineQueue<Int>()
        queue.add(1, ticket: 1, at: at(10))
        queue.add(2, ticket: 2, at: at(20))
        #expect(queue.remove(ticket: 1) == 1)
        #expect(queue.remove(ticket: 1) == nil)
        #expect(queue.earliest() == at(20))
        #expect(queue.popDue(at(15)) == nil)
        #expect(queue.count == 1)
    }

    @Test("cancelled waiters do not pile up")
    func bounded() {
        var queue = DeadlineQueue<Int>()
        queue.add(-1, ticket: 0, at: at(1))
        for ticket in 1...10_000 {
            queue.add(ticket, ticket: UInt64(ticket), at: at(ticket))
            _ = queue.remove(ticket: UInt64(ticket))
        }
        #expect(queue.storedCount < 100)
        #expect(queue.popDue(at(1)) == -1)
    }

    @Test("a shuffled thousand comes out sorted, with every third removed")
    func many() {
        var queue = DeadlineQueue<Int>()
        for value in (0..<1000).shuffled() { queue.add(value, ticket: UInt64(value), at: at(value)) }
        for value in stride(from: 0, to: 1000, by: 3) { _ = queue.remove(ticket: UInt64(value)) }
        var seen: [Int] = []
        while let value = queue.popDue(at(1000)) { seen.append(value) }
        #expect(seen == (0..<1000).filter { $0 % 3 != 0 })
    }
}
