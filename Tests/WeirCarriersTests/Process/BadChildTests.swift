import Glibc
import Testing
import WeirAdapterKit
import WeirCarriers
import WeirTesting
import WeirTime

@Suite("ProcessAdapter, with programs that misbehave")
struct BadChildTests {
    @Test("one that exits at once fails its set-up with its code and last words")
    func exitsAtOnce() async throws {
        try await Rig.run("echo 'ModuleNotFoundError: acme' >&2; exit 3") { rig in
            let failure = await rig.setUp()
            #expect(failure?.reason == "its process exited with code 3; its last words: ModuleNotFoundError: acme")
            #expect(rig.crashes.all.count == 1)
            #expect(await rig.load() == "skipped(not_ready)")
        }
    }

    @Test("a program that is not there is said so")
    func missing() async throws {
        try await Rig.run("", configure: { $0.command = ["/nowhere/at-all"] }) { rig in
            let failure = await rig.setUp()
            #expect(failure?.reason.hasPrefix("its process exited with code 127; its last words:") == true)
            #expect(failure?.remedy.hasPrefix("Check command") == true)
        }
        try await Rig.run("", configure: { $0.directory = "/nowhere" }) { rig in
            #expect(await rig.setUp()?.reason.hasPrefix("its program cannot be started") == true)
        }
    }

    @Test("one that never says hello is ended after the handshake's time, with a word about flushing")
    func hangs() async throws {
        try await Rig.run("cat > /dev/null", configure: { $0.handshake = .milliseconds(100) }) { rig in
            let failure = await rig.setUp()
            #expect(failure?.reason == "it did not say hello within 100 ms")
            #expect(failure?.remedy.contains("flushes") == true)
            #expect(failure?.isRetryable == true)
            #expect(rig.crashes.all.isEmpty)
        }
    }

    @Test("one that speaks another version is refused for good, in clear words")
    func wrongVersion() async throws {
        let script =
            #"read -r line; echo '{"type":"hello","id":1,"api":7,"version":"1","formats":["video"]}'; read -r line"#
        try await Rig.run(script) { rig in
            let failure = await rig.setUp()
            #expect(failure?.reason == "it speaks version 7 of the adapter protocol, this Weir speaks 1")
            #expect(failure?.isRetryable == false)
        }
    }

    @Test("one whose set-up never ends can be cancelled, and is gone then")
    func endlessSetUp() async throws {
        let script =
            #"read -r line; echo '{"type":"hello","id":1,"api":1,"version":"1","formats":["video"]}'; while read -r line; do :; done"#
        try await Rig.run(script) { rig in
            let setUp = Task { await rig.setUp() }
            try await RuntimeClockPause.short()
            setUp.cancel()
            #expect(await setUp.value?.reason == "it was stopped")
        }
    }

    @Test("one that is told to go before it began never begins")
    func stoppedBeforeStart() async throws {
        try await Rig.run(Children.honest) { rig in
            let setUp = Task {
                while !Task.isCancelled { await Task.yield() }
                return await rig.setUp()
            }
            setUp.cancel()
            #expect(await setUp.value?.reason == "it was stopped")
        }
    }

    @Test(
        "garbage on the output ends it: the attempt is crash(protocol), the crash is told",
        arguments: ["echo 'Hello, world!'", "printf '\\377\\376\\n'", "echo '[1]'", "echo '{\"type\":\"outcome\"}'"]
    )
    func garbage(_ step: String) async throws {
        try await Rig.run(Children.loop(step)) { rig in
            await rig.setUp()
            #expect(await rig.load() == "crash(protocol)")
            await waitUntil { !rig.crashes.all.isEmpty }
            #expect(rig.crashes.all.first?.reason.hasPrefix("its process wrote a line that ") == true)
            #expect(await rig.load() == "skipped(not_ready)")
        }
    }

    @Test("a line beyond the limit is cut off: memory stays, the attempt is lost, the process goes on")
    func hugeLine() async throws {
        let script = Children.loop(
            #"""
            if [ -z "$once" ]; then once=1; answer '{"type":"outcome",' "\"x\":\"$(head -c 3000000 /dev/zero | tr '\0' x)\"}"
            else answer '{"type":"outcome",' '"result":"no_fill","reason":"no_ad"}'; fi
            """#
        )
        try await Rig.run(script, configure: { $0.maxFrameBytes = 65_536 }) { rig in
            await rig.setUp()
            #expect(await rig.load() == "crash(protocol)")
            #expect(await rig.load() == "no_fill(no_ad)")
            #expect(rig.crashes.all.isEmpty)
        }
    }

    @Test("an answer of the network that makes too long a message is bad_response(too_large)")
    func hugeReply() async throws {
        try await Rig.run(
            Children.honest,
            answer: { _ in .response(InboundResponse(status: 200, body: [UInt8](repeating: 1, count: 20_000))) },
            configure: { $0.maxFrameBytes = 65_536 }
        ) { rig in
            await rig.setUp()
            #expect(await rig.load() == "bad_response(too_large)")
        }
    }

    @Test("answers to unknown messages, and second answers, are told to the log and do no harm")
    func strays() async throws {
        let script = Children.loop(
            #"""
            echo '{"type":"outcome","id":4711,"result":"no_fill","reason":"no_ad"}'
            answer '{"type":"outcome",' '"result":"no_fill","reason":"no_ad"}'
            answer '{"type":"outcome",' '"result":"no_fill","reason":"no_bid"}'
            """#
        )
        try await Rig.run(script) { rig in
            await rig.setUp()
            #expect(await rig.load() == "no_fill(no_ad)")
            #expect(await rig.load() == "no_fill(no_ad)")
            await waitUntil { rig.log.all.count >= 4 }
            #expect(rig.log.all.contains("answered message 4711, which was never sent"))
            #expect(rig.log.all.contains("answered message 3, which is over: it came too late, or twice"))
        }
    }

    @Test("one that closes its output and lives on is ended")
    func closesOutput() async throws {
        try await Rig.run(Children.loop("exec >&-; sleep 600")) { rig in
            await rig.setUp()
            #expect(await rig.load() == "crash(protocol)")
            await waitUntil { !rig.crashes.all.isEmpty }
            #expect(rig.crashes.all.first?.reason == "its process closed its standard output and was ended")
        }
    }

    @Test("one that floods its standard error is read, cut and counted; it answers all the same")
    func floods() async throws {
        let script = Children.loop(
            #"head -c 3000000 /dev/zero | tr '\0' 'x' >&2; yes 'a line' | head -10000 >&2; answer '{"type":"outcome",' '"result":"no_fill","reason":"no_ad"}'"#
        )
        try await Rig.run(script) { rig in
            await rig.setUp()
            #expect(await rig.load() == "no_fill(no_ad)")
            await rig.adapter.tearDown()
            await waitUntil { rig.log.all.last?.hasSuffix("were dropped") == true }
            #expect(rig.log.all.count <= 2 * ErrorLines.limit + 2)
            #expect(rig.log.all.allSatisfy { $0.utf8.count < 2100 })
        }
    }

    @Test("one that ignores tear_down and SIGTERM is killed, and the wait is bounded by two graces")
    func ignoresTermination() async throws {
        let script = "trap '' TERM\n" + Children.loop("echo pid $$ >&2") + "while :; do sleep 1; done"
        try await Rig.run(script, configure: { $0.grace = .milliseconds(50) }) { rig in
            await rig.setUp()
            _ = await rig.load(.milliseconds(50))
            let number = try await pid(rig)
            await rig.adapter.tearDown()
            #expect(!Belongings.lives(number))
        }
    }

    @Test("its own children end with it, when it crashes and when it is torn down")
    func forks() async throws {
        let fork = "sleep 600 & echo pid $! >&2"
        try await Rig.run(Children.loop("\(fork); sleep 0.1; kill -9 $$")) { rig in
            await rig.setUp()
            #expect(await rig.load() == "crash(signal) 9")
            let number = try await pid(rig)
            await waitUntil { !Belongings.lives(number) }
        }
        try await Rig.run(Children.loop("case $line in *tear_down*) exit 0;; esac; \(fork)")) { rig in
            await rig.setUp()
            _ = await rig.load(.milliseconds(50))
            let number = try await pid(rig)
            await rig.adapter.tearDown()
            await waitUntil { !Belongings.lives(number) }
        }
    }

    @Test("a grandchild in a session of its own that holds the pipes holds nobody up")
    func heldPipes() async throws {
        try await Rig.run(Children.loop("setsid sleep 3 & exit 5")) { rig in
            await rig.setUp()
            #expect(await rig.load() == "crash(exit) 5")
        }
    }

    @Test("one that wants more memory than it may have ends, and only it")
    func memory() async throws {
        let script = Children.loop(
            #"x=$(head -c 200000000 /dev/zero | tr '\0' x); answer '{"type":"outcome",' "${#x}"}"#
        )
        try await Rig.run(script, configure: { $0.memoryBytes = 64 << 20 }) { rig in
            await rig.setUp()
            #expect(await rig.load().hasPrefix("crash("))
            #expect(rig.crashes.all.count <= 1)
        }
    }

    @Test("CPU time, descriptors and core files are limited before its first instruction")
    func limits() async throws {
        let script = "ulimit -n >&2; ulimit -t >&2; ulimit -c >&2; ulimit -v >&2; read -r line"
        try await Rig.run(
            script,
            configure: {
                $0.openFiles = 33
                $0.cpuSeconds = 44
                $0.memoryBytes = 1 << 30
            }
        ) { rig in
            await rig.setUp()
            await waitUntil { rig.log.all.count >= 4 }
            #expect(rig.log.all == ["33", "44", "0", "1048576"])
        }
    }

    @Test("one that does not read its input fills no memory: what waits is bounded, the rest is saturated")
    func neverReads() async throws {
        try await Rig.run(
            Children.start + "sleep 600",
            configure: { $0.maxInFlight = 4 }
        ) { rig in
            await rig.setUp()
            let verdicts = await withTaskGroup(of: String.self) { group in
                for _ in 0..<10 { group.addTask { await rig.load(.milliseconds(300)) } }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(verdicts == ["timeout(line_timeout)": 4, "skipped(saturated)": 6])
        }
    }

    @Test("a killed process costs the attempts under way, names the signal, and can be set up again (T-15)")
    func killed() async throws {
        try await Rig.run(Children.loop("case $line in *'\"id\":4,'*) kill -9 $$;; esac")) { rig in
            await rig.setUp()
            async let first = rig.load()
            async let second = rig.load()
            #expect(await [first, second] == ["crash(signal) 9", "crash(signal) 9"])
            #expect(rig.crashes.all.map(\.reason) == ["its process was ended by signal 9 (SIGKILL)"])
            #expect(await rig.setUp() == nil)
        }
    }

    @Test("secrets are blacked out of its log and of what is said about its end")
    func secrets() async throws {
        try await Rig.run(Children.loop("echo \"bad $line\" >&2; echo 's3cret-token is wrong' >&2; exit 1")) { rig in
            await rig.setUp()
            #expect(await rig.load() == "crash(exit) 1")
            #expect(rig.crashes.all.first?.reason == "its process exited with code 1; its last words: *** is wrong")
            #expect(!rig.log.all.contains { $0.contains("s3cret") })
        }
    }

    @Test("after 1,000 crashes no process and no descriptor is left")
    func thousandCrashes() async throws {
        let script = "read -r line; kill -9 $$"
        try await Rig.run(script) { rig in
            for _ in 0..<10 { await rig.setUp() }
            let before = Belongings.descriptors
            for _ in 0..<1000 { await rig.setUp() }
            #expect(rig.crashes.all.count == 1010)
            await waitUntil { Belongings.descriptors <= before + 8 }
            #expect(waitpid(-1, nil, WNOHANG) <= 0, "no zombie")
        }
    }

    /// The number that the script has told.
    private func pid(_ rig: Rig) async throws -> Int32 {
        await waitUntil { rig.log.all.contains { $0.hasPrefix("pid ") } }
        let line = try #require(rig.log.all.first { $0.hasPrefix("pid ") })
        return try #require(Int32(line.dropFirst(4)))
    }
}

private enum ErrorLines {
    static let limit = 100
}
