import Testing
import WeirTesting
import WeirTime

@Suite("Flag", .timeLimit(.minutes(10)))
struct FlagTests {
    @Test("everybody who waits is woken, and who comes later need not wait")
    func raise() async {
        let flag = Flag()
        #expect(!flag.isRaised)
        let waiters = (0..<3).map { _ in Task { await flag.wait() } }
        flag.raise()
        flag.raise()
        for waiter in waiters { await waiter.value }
        #expect(flag.isRaised)
        await flag.wait()
    }

    @Test("a waiter that is cancelled waits no more, before or after it began")
    func cancellation() async {
        let flag = Flag()
        let early = Task { await flag.wait() }
        early.cancel()
        await early.value
        let late = Task { await flag.wait() }
        for _ in 0..<100 { await Task.yield() }
        late.cancel()
        await late.value
        #expect(!flag.isRaised)
    }
}
