import Testing
import WeirTesting
import WeirTime

@Suite("Followers", .timeLimit(.minutes(10)))
struct FollowersTests {
    @Test("a follower is rung at once and after changes, many of them once, until the end")
    func rings() async throws {
        let followers = Followers(limit: 2)
        followers.ring()
        var rings = try #require(followers.join()).makeAsyncIterator()
        #expect(await rings.next() != nil)
        followers.ring()
        followers.ring()
        #expect(await rings.next() != nil)
        followers.end()
        #expect(await rings.next() == nil)
        #expect(followers.join() == nil)
        #expect(followers.isEmpty)
    }

    @Test("one too many is turned away, and who goes makes room")
    func limit() async throws {
        let followers = Followers(limit: 1)
        do {
            let only = try #require(followers.join())
            #expect(followers.join() == nil)
            withExtendedLifetime(only) {}
        }
        #expect(followers.isEmpty)
        #expect(followers.join() != nil)
    }

    /// Two threads took the runtime's lock on the follower's task and ours in different orders, and a gateway that had
    /// been told to stop stood still.
    @Test("a follower may be cancelled in the very moment in which it is rung")
    func cancelledWhileRung() async {
        let followers = Followers(limit: 64)
        let isOver = Flag()
        #expect(WorkerThread.start { while !isOver.isRaised { followers.ring() } })
        for _ in 0..<5_000 {
            let reader = Task {
                guard let rings = followers.join() else { return }
                for await _ in rings {}
            }
            while followers.isEmpty { await Task.yield() }
            reader.cancel()
            await reader.value
        }
        #expect(followers.isEmpty)
        isOver.raise()
    }
}
