import Glibc
import Synchronization
import Testing

@testable import WeirRuntime

@Suite("Signals and descriptors", .serialized)
struct WatchTests {
    @Test("a signal arrives on the loop, and no more after the watch is dropped")
    func signal() async throws {
        try await withLoop { loop in
            let count = Tally()
            // A second watch keeps the signal from killing the test once the first has gone.
            let guardian = try await loop.perform { () async throws -> LoopSignal in
                try LoopSignal(loop: loop, signal: SIGUSR2) {}
            }
            try await loop.perform {
                let watch = try LoopSignal(loop: loop, signal: SIGUSR2) {
                    #expect(loop.isOnLoop)
                    count.add()
                }
                kill(getpid(), SIGUSR2)
                while count.value == 0 {
                    try await loop.sleep(until: .now.advanced(by: .milliseconds(1)))
                }
                withExtendedLifetime(watch) {}
            }
            try await loop.perform {
                kill(getpid(), SIGUSR2)
                try await loop.sleep(until: .now.advanced(by: .milliseconds(20)))
            }
            withExtendedLifetime(guardian) {}
            #expect(count.value == 1)
        }
    }

    @Test("a signal that cannot be watched is refused in a sentence")
    func killCannotBeWatched() async throws {
        try await withLoop { loop in
            await loop.perform {
                let failure = #expect(throws: RuntimeFailure.self) {
                    _ = try LoopSignal(loop: loop, signal: SIGKILL) {}
                }
                #expect(failure?.reason == "watching signal 9 failed: invalid argument.")
            }
        }
    }

    @Test("a broken pipe is an error, not the end of the process")
    func brokenPipe() {
        _ = EventLoop()
        var ends: [Int32] = [0, 0]
        let made = pipe(&ends)
        #expect(made == 0)
        close(ends[0])
        #expect(write(ends[1], "x", 1) == -1)
        #expect(errno == EPIPE)
        close(ends[1])
    }

    @Test("a descriptor is watched for what was asked, and its number can be used again after close")
    func poll() async throws {
        try await withLoop { loop in
            for _ in 0..<3 {
                try await loop.perform {
                    var ends: [Int32] = [0, 0]
                    let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
                    #expect(made == 0)
                    let seen = Notes<LoopPoll.Events>()
                    let watch = try LoopPoll(loop: loop, descriptor: ends[0]) { events in
                        seen.add(events)
                    }
                    watch.watch(.writable)
                    while seen.all.isEmpty {
                        try await loop.sleep(until: .now.advanced(by: .milliseconds(1)))
                    }
                    #expect(seen.all[0] == .writable)
                    watch.watch(.readable)
                    seen.clear()
                    try await loop.sleep(until: .now.advanced(by: .milliseconds(5)))
                    #expect(seen.all.isEmpty)
                    #expect(write(ends[1], "x", 1) == 1)
                    while seen.all.isEmpty {
                        try await loop.sleep(until: .now.advanced(by: .milliseconds(1)))
                    }
                    #expect(seen.all[0] == .readable)
                    watch.watch([])
                    #expect(watch.watched == [])
                    watch.close()
                    watch.close()
                    close(ends[0])
                    close(ends[1])
                }
            }
        }
    }

    @Test("a plain file and a bad descriptor are refused")
    func unwatchable() async throws {
        try await withLoop { loop in
            await loop.perform {
                let file = open("/etc/passwd", O_RDONLY)
                #expect(throws: RuntimeFailure.self) { _ = try LoopPoll(loop: loop, descriptor: file) { _ in } }
                close(file)
                #expect(throws: RuntimeFailure.self) { _ = try LoopPoll(loop: loop, descriptor: 9999) { _ in } }
            }
        }
    }
}
