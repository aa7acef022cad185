import Testing
import WeirTesting
import WeirTime

@Suite("race(until:clock:)", .timeLimit(.minutes(10)))
struct RaceTests {
    let clock = ManualClock()

    /// Something that happens once and can be waited for, whatever else happens.
    private final class Signal: Sendable {
        private let state = Lock<(isGiven: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

        func give() {
            let waiters = state.withLock { state in
                state.isGiven = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isGiven = state.withLock { state in
                    if !state.isGiven { state.waiters.append(continuation) }
                    return state.isGiven
                }
                if isGiven { continuation.resume() }
            }
        }
    }

    /// Late values, from any thread.
    private final class Tally: Sendable {
        private let state = Lock<[Int]>([])
        var values: [Int] { state.withLock { $0 } }
        func add(_ value: Int) { state.withLock { $0.append(value) } }
    }

    @Test("a value that comes in time is returned, and the deadline's timer is cancelled")
    func inTime() async {
        let value = await race(until: .after(.seconds(1), clock: clock), clock: clock) { 7 }
        #expect(value == 7)
    }

    @Test("at the deadline, not before, nothing is returned and the operation is cancelled")
    func exact() async {
        let deadline = Deadline.after(.milliseconds(500), clock: clock)
        let cancelled = Signal()
        let result = Signal()
        let task = Task {
            let value: Int? = await race(until: deadline, clock: clock) {
                await withTaskCancellationHandler {
                    await cancelled.wait()
                    return 7
                } onCancel: {
                    cancelled.give()
                }
            }
            result.give()
            return value
        }
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(499))
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(1))
        #expect(await task.value == nil)
        await cancelled.wait()
    }

    @Test("an operation that ignores cancellation is left behind, and its late value is reported once")
    func late() async {
        let release = Signal()
        let reported = Signal()
        let tally = Tally()
        let task = Task {
            await race(
                until: .after(.seconds(1), clock: clock),
                clock: clock,
                late: { value in
                    tally.add(value)
                    reported.give()
                }
            ) {
                await release.wait()
                return 7
            }
        }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(await task.value == nil)
        #expect(tally.values == [])
        release.give()
        await reported.wait()
        #expect(tally.values == [7])
    }

    @Test("a cancelled caller gets nothing, at once, without the clock moving")
    func cancelledCaller() async {
        let release = Signal()
        let task = Task {
            await race(until: .after(.seconds(1), clock: clock), clock: clock) {
                await release.wait()
                return 7
            }
        }
        await clock.sleepers(1)
        task.cancel()
        #expect(await task.value == nil)
        release.give()
    }

    @Test("a caller that is cancelled beforehand waits for nothing")
    func cancelledBefore() async {
        let release = Signal()
        let task = Task {
            await release.wait()
            return await race(until: .after(.seconds(1), clock: clock), clock: clock) {
                try? await clock.sleep(for: .seconds(100))
                return 7
            }
        }
        task.cancel()
        release.give()
        #expect(await task.value == nil)
    }

    @Test("a deadline that has passed leaves a slow operation behind at once")
    func passed() async {
        let release = Signal()
        let value: Int? = await race(until: Deadline(clock.now), clock: clock) {
            await release.wait()
            return 7
        }
        #expect(value == nil)
        release.give()
    }

    @Test("of many races each ends exactly once, whoever comes first")
    func storm() async {
        let clock = SystemClock()
        let tally = Tally()
        let inTime = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<400 {
                group.addTask {
                    await race(
                        until: .after(.microseconds(index % 40), clock: clock),
                        clock: clock,
                        late: { tally.add($0) }
                    ) {
                        try? await clock.sleep(for: .microseconds(index % 37))
                        return 1
                    } != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let deadline = Deadline.after(.seconds(5), clock: clock)
        await waitUntil { inTime + tally.values.count >= 400 || deadline.hasPassed(clock) }
        #expect(inTime + tally.values.count == 400)
    }
}
