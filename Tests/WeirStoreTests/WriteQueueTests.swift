import Testing
import WeirTime

@testable import WeirStore

@Suite("WriteQueue")
struct WriteQueueTests {
    @Test("records go from waiting to in hand to written, and new ones wait meanwhile")
    func happyPath() {
        var queue = WriteQueue(StoreConfiguration())
        #expect(queue.offer(decision(1)) == .first)
        #expect(queue.offer(decision(2)) == .queued)
        #expect(queue.take().map(\.requestID) == ["r1", "r2"])
        #expect(queue.offer(decision(3)) == .first)
        #expect(queue.status.queued == 3)
        queue.succeed(refused: 0)
        #expect(queue.settled == 2)
        #expect(queue.accepted == 3)
        #expect(queue.status.written == 2)
        #expect(queue.status.queued == 1)
        #expect(queue.take().map(\.requestID) == ["r3"])
    }

    @Test("after a failure the same records are tried again before newer ones")
    func failure() {
        var queue = WriteQueue(StoreConfiguration())
        _ = queue.offer(decision(1))
        _ = queue.take()
        queue.fail("broken", at: WallTime(milliseconds: 5))
        queue.fail("broken", at: WallTime(milliseconds: 9))
        _ = queue.offer(decision(2))
        #expect(queue.take().map(\.requestID) == ["r1"])
        #expect(queue.status.lastError == "broken")
        #expect(!queue.status.isHealthy && queue.status.failingSince == WallTime(milliseconds: 5))
        queue.succeed(refused: 0)
        #expect(queue.status.isHealthy)
        #expect(queue.status.lastError == "broken")
        #expect(queue.take().map(\.requestID) == ["r2"])
    }

    @Test("the bounds count what is in hand, and are free again once it is written")
    func bounds() {
        var configuration = StoreConfiguration()
        configuration.queuedRecords = 2
        var queue = WriteQueue(configuration)
        _ = queue.offer(decision(1))
        _ = queue.take()
        _ = queue.offer(decision(2))
        #expect(queue.offer(decision(3)) == .firstLoss)
        #expect(queue.offer(decision(4)) == .lost)
        #expect(queue.takeReport() == 2)
        #expect(queue.offer(decision(5)) == .firstLoss)
        queue.succeed(refused: 0)
        #expect(queue.offer(decision(6)) == .queued)
        #expect(queue.status.lost == 3)
    }

    @Test("bytes are bounded like records, and come back to nothing")
    func bytes() {
        var configuration = StoreConfiguration()
        configuration.queuedBytes = 3 * decision(1).size
        var queue = WriteQueue(configuration)
        for round in 0..<50 {
            let numbers = [1, 2, 3, 4].map { 10 * (round % 2) + $0 }
            let outcomes = numbers.map { queue.offer(decision($0 % 10)) }
            #expect(outcomes.last == .firstLoss || outcomes.last == .lost)
            #expect(queue.take().count == 3)
            queue.succeed(refused: 0)
        }
    }

    @Test("rows that the database will never take are lost, not written")
    func refused() {
        var queue = WriteQueue(StoreConfiguration())
        _ = queue.offer(decision(1))
        _ = queue.offer(decision(2))
        _ = queue.take()
        queue.succeed(refused: 1)
        #expect(queue.status.written == 1)
        #expect(queue.status.lost == 1)
        #expect(queue.takeReport() == 1)
    }

    @Test("giving up loses everything that waits and settles it")
    func abandon() {
        var queue = WriteQueue(StoreConfiguration())
        _ = queue.offer(decision(1))
        _ = queue.take()
        _ = queue.offer(decision(2))
        queue.abandon()
        #expect(queue.status.lost == 2)
        #expect(queue.status.queued == 0)
        #expect(queue.settled == queue.accepted)
        #expect(queue.take().isEmpty)
    }
}
