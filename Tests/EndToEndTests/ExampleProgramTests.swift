import Testing
import WeirJSON
import WeirTesting

/// The example programs that play audio and rewarded ads, as a stranger would run them.
@Suite("Example programs", .serialized)
struct ExampleProgramTests {
    private func run(_ name: String, _ arguments: String...) async throws -> [String] {
        let folder = WeirProcess.binary.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = (folder + [Substring(name)]).joined(separator: "/")
        let process = try WeirProcess(arguments, program: program)
        #expect(try await process.waitForExit() == 0, "\(process.errors)")
        return process.lines.map(\.text)
    }

    @Test("S4.69 the radio plays its sections, the song waits meanwhile, the companion is shown once, time falls to 0")
    func radio() async throws {
        let lines = try await run("RadioPlayer", "--fast")
        func count(_ line: String) -> Int { lines.count { $0 == line } }
        let sections = lines.filter { $0.hasPrefix("section ") }
        #expect(
            sections == [
                "section preroll: complete", "section midroll: complete", "section midroll: complete",
                "section postroll: complete",
            ]
        )
        #expect(count("song: waits") == 4 && count("song: goes on") == 4)
        #expect(lines.contains { $0.contains("999") && $0.contains("dropped") })
        #expect(lines.contains("song: begins; mid-rolls at [10.0, 20.0]"))
        #expect(count("  beacon: creativeView") == 1 && count("  beacon: impression") == 5)
        #expect(count("  0 s left") == 5)
        // The song's own lines never stand between an ad's beginning and its end.
        var isWaiting = false
        for line in lines {
            if line == "song: waits" { isWaiting = true }
            if line == "song: goes on" { isWaiting = false }
            if line.hasPrefix("song: at") { #expect(!isWaiting) }
            if line.hasPrefix("ad ") { #expect(isWaiting, "\(line)") }
        }
    }

    @Test("the radio plays the programme of a running gateway")
    func gateway() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line("a", base, "/audio", adapter: "instream-audio")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let base = "http://127.0.0.1:\(gateway.open.port)"
            let lines = try await run("RadioPlayer", "--fast", "--gateway", base, "--placement", "p")
            #expect(lines.contains("section preroll: complete"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("  ♪ http://127.0.0.1") })
            let none = try await run("RadioPlayer", "--fast", "--gateway", base, "--placement", "nowhere")
            #expect(none.contains { $0.hasPrefix("ads: none") } && none.contains("song: ends"), "\(none)")
        }
    }

    @Test("S2.41 the rewarded flow: the reward is known, watched once, given once, and the next ad is ready")
    func rewarded() async throws {
        let lines = try await run("RewardedFlow")
        #expect(lines.contains("Watch an ad for 10 coins? yes"))
        #expect(lines.contains("  gone; reward earned: true"))
        #expect(lines.contains { $0.hasPrefix("  refused (202)") })
        #expect(lines.last == "wallet: 10; the next ad is ready: true")
        let no = try await run("RewardedFlow", "n")
        #expect(no.last == "wallet: 0; the next ad is ready: true")
        #expect(!no.contains("  impression"))
    }
}
