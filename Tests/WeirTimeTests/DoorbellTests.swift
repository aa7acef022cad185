import Synchronization
import Testing
import WeirTime

@Suite("Doorbell and WorkerThread")
struct DoorbellTests {
    @Test("rings before a wait count as one and end it at once")
    func ringsCount() {
        let bell = Doorbell()
        for _ in 0..<100_000 { bell.ring() }
        let start = ContinuousClock.now
        bell.wait(atMost: .seconds(20))
        #expect(start.duration(to: .now) < .seconds(10))
        let second = ContinuousClock.now
        bell.wait(atMost: .milliseconds(20))
        #expect(second.duration(to: .now) >= .milliseconds(20), "nobody rang again")
    }

    @Test("a worker that waits is woken from another thread")
    func wakes() async {
        let bell = Doorbell()
        let answer = Doorbell()
        let rounds = Atomic<Int>(0)
        let isStarted = WorkerThread.start {
            for _ in 0..<100 {
                bell.wait(atMost: .seconds(20))
                rounds.wrappingAdd(1, ordering: .sequentiallyConsistent)
                answer.ring()
            }
        }
        #expect(isStarted)
        let start = ContinuousClock.now
        for _ in 0..<100 {
            bell.ring()
            answer.wait(atMost: .seconds(20))
        }
        #expect(rounds.load(ordering: .sequentiallyConsistent) == 100)
        #expect(start.duration(to: .now) < .seconds(15))
    }
}
