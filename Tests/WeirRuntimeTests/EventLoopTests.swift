import Glibc
import Synchronization
import Testing
import WeirTime

@testable import WeirRuntime

@Suite("EventLoop")
struct EventLoopTests {
    @Test("a task that prefers the loop runs there, before and after it waits")
    func taskStays() async throws {
        try await withLoop { loop in
            let places = await Task(executorPreference: loop) {
                var places = [loop.isOnLoop, EventLoop.current === loop]
                await Task.yield()
                places.append(loop.isOnLoop)
                try? await loop.sleep(until: .now.advanced(by: .milliseconds(1)))
                places.append(loop.isOnLoop)
                return places
            }.value
            #expect(places == [true, true, true, true])
        }
    }

    @Test("the caller of another thread is not on the loop")
    func elsewhere() async throws {
        try await withLoop { loop in
            #expect(!loop.isOnLoop)
            #expect(EventLoop.current == nil)
        }
    }

    @Test("perform runs on the loop, returns the value and passes errors on")
    func perform() async throws {
        struct Oops: Error {}
        try await withLoop { loop in
            let place = await loop.perform { () async -> Bool in loop.isOnLoop }
            #expect(place)
            await #expect(throws: Oops.self) {
                try await loop.perform { () async throws -> Void in throw Oops() }
            }
            #expect(!loop.isOnLoop)
        }
    }

    @Test("closures of one thread run in their order")
    func order() async throws {
        let seen = Notes<Int>()
        try await withLoop { loop in
            for number in 0..<1000 { loop.submit { seen.add(number) } }
            await loop.perform {}
        }
        #expect(seen.all == Array(0..<1000))
    }

    @Test("submit on the loop runs at once, later does not")
    func submitAndLater() async throws {
        let seen = try await withLoop { loop in
            let seen = Notes<String>()
            await loop.perform {
                loop.later { seen.add("later") }
                loop.submit { seen.add("submitted") }
                seen.add("after")
                await Task.yield()
            }
            await loop.perform {}
            return seen.all
        }
        #expect(seen == ["submitted", "after", "later"])
    }

    @Test("many threads wake one loop without losing anything")
    func manyThreads() async throws {
        let total = Tally()
        try await withLoop { loop in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        for _ in 0..<100 {
                            await loop.perform { total.add() }
                        }
                    }
                }
            }
        }
        #expect(total.value == 6400)
    }

    @Test("a pump is asked in the turn in which jobs ran, until it has nothing to do")
    func pump() async throws {
        try await withLoop { loop in
            let pump = CountingPump()
            await loop.perform {
                loop.add(pump)
                pump.due = 3
                await Task.yield()
                await Task.yield()
                await Task.yield()
            }
            let left = await loop.perform { () async -> Int in
                loop.remove(pump)
                return pump.due
            }
            #expect(left == 0)
        }
    }

    @Test("a busy task does not starve timers")
    func starvation() async throws {
        try await withLoop { loop in
            let done = Atomic<Bool>(false)
            async let spinner: Void = loop.perform {
                while !done.load(ordering: .relaxed) { await Task.yield() }
            }
            try await loop.perform { try await loop.sleep(until: .now.advanced(by: .milliseconds(5))) }
            done.store(true, ordering: .relaxed)
            await spinner
        }
    }

    @Test("run() serves the calling thread until stop()")
    func runHere() async throws {
        let ran = await withUnsafeContinuation { (answer: UnsafeContinuation<Bool, Never>) in
            let loop = EventLoop()
            let ran = Atomic<Bool>(false)
            loop.submit {
                ran.store(loop.isOnLoop, ordering: .relaxed)
                loop.stop()
            }
            loop.run()
            answer.resume(returning: ran.load(ordering: .relaxed))
        }
        #expect(ran)
    }

    @Test("a loop that never runs is given back")
    func neverRun() {
        weak var gone: EventLoop?
        do {
            let loop = EventLoop()
            gone = loop
        }
        #expect(gone == nil)
    }

    @Test("stopping wakes sleepers, closes handles, and lets tasks end")
    func stopEndsEverything() async throws {
        let loop = EventLoop()
        try loop.start()
        let sleeper = Task(executorPreference: loop) {
            try await loop.sleep(until: .now.advanced(by: .seconds(600)))
        }
        await loop.perform {
            let timer = LoopTimer(loop: loop) {}
            timer.schedule(after: .seconds(600), repeating: .seconds(1))
            Leaked.timer.withLock { $0 = timer }
        }
        await loop.shutDown()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        // Afterwards tasks fall back to the global pool instead of waiting for ever.
        let late = await Task(executorPreference: loop) { 42 }.value
        #expect(late == 42)
        await #expect(throws: CancellationError.self) {
            try await loop.sleep(until: .now.advanced(by: .seconds(600)))
        }
        Leaked.timer.withLock { $0 = nil }
        #expect(loop.hasFinished)
    }

    @Test("a group deals its loops in turn and ends them all")
    func group() async throws {
        let group = try EventLoopGroup(count: 3)
        let dealt = (0..<6).map { _ in ObjectIdentifier(group.next()) }
        #expect(Array(dealt[0..<3]) == Array(dealt[3..<6]))
        #expect(Set(dealt).count == 3)
        for loop in group.loops {
            let place = await loop.perform { () async -> Bool in EventLoop.current === loop }
            #expect(place)
        }
        await group.shutDown()
        #expect(group.loops.filter { !$0.hasFinished }.isEmpty)
    }

    @Test("a group has a loop for every processor unless told otherwise")
    func groupDefault() async throws {
        let group = try EventLoopGroup()
        #expect(group.loops.count == EventLoopGroup.processors)
        await group.shutDown()
    }
}

private enum Leaked {
    static let timer = Lock<LoopTimer?>(nil)
}

/// Confined to the loop by the test.
private final class CountingPump: LoopPump, @unchecked Sendable {
    var due = 0

    func pump() -> Bool {
        if due == 0 { return false }
        due -= 1
        return true
    }
}
