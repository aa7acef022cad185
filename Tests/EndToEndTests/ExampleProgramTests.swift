import Testing
import WeirJSON
import WeirTesting

/// The example programs, as a stranger would run them.
@Suite("Example programs", .serialized)
struct ExampleProgramTests {
    private func run(_ name: String, _ arguments: String...) async throws -> [String] {
        let folder = WeirProcess.binary.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = (folder + [Substring(name)]).joined(separator: "/")
        let process = try WeirProcess(arguments, program: program)
        #expect(try await process.waitForExit() == 0, "\(process.errors)")
        return process.lines.map(\.text)
    }

    /// Where a line stands for the first time.
    private func place(_ line: String, in lines: [String]) throws -> Int {
        try #require(lines.firstIndex { $0.hasSuffix(line) }, "no line \(line) in \(lines)")
    }

    @Test("the basic player asks, starts on loaded, and gives the content back: pre-roll, mid-roll at 10 s, post-roll")
    func basic() async throws {
        let lines = try await run("BasicPlayer")
        #expect(lines.first == "loaded: cue points [0, 10000, -1]")
        let screen = lines.filter { $0.hasPrefix("  content player") }
        let turn = ["  content player: pauses and hides", "  content player: shows and plays"]
        #expect(screen == turn + turn + turn)
        let impressions = lines.filter { $0.contains("/impression") }
        #expect(impressions.map { $0.split(separator: "=").last } == ["start", "00:00:10", "end"])
        #expect(try place("at=start", in: lines) < place("content at 0 s", in: lines))
        #expect(try place("content at 0 s", in: lines) < place("at=00:00:10", in: lines))
        #expect(try place("at=00:00:10", in: lines) < place("content at 20 s", in: lines))
        #expect(try place("content ends", in: lines) < place("at=end", in: lines))
        #expect(lines.last == "event: all_ads_completed")
    }

    @Test("the custom interface counts, lets the first ad be skipped when its time has come, and hides for the second")
    func customUI() async throws {
        let lines = try await run("CustomUI")
        let counting = try place("Ad 1 of 2 (7s)  [Learn more]  (Skip this ad in 4...)", in: lines)
        let skippable = try place("Ad 1 of 2 (3s)  [Learn more]  [Skip ad]", in: lines)
        let own = try place("[the ad's own controls]", in: lines)
        #expect(counting < skippable && skippable < own)
        // Nothing of the host's own is drawn over an ad that does not let it.
        #expect(!lines.contains { $0.hasPrefix("Ad 2 of 2") })
        #expect(
            lines.filter { $0 == "content pauses" || $0 == "content plays" } == ["content pauses", "content plays"]
        )
    }

    @Test("in the picture-in-picture example the mid-roll waits for its end, and an ad that runs goes on into it")
    func pictureInPicture() async throws {
        let lines = try await run("PictureInPicture")
        let plays = try place("ad player: plays", in: lines)
        #expect(lines.count { $0.hasSuffix("ad player: plays") } == 1)
        #expect(try place("event: ad_break_ready", in: lines) < place("the viewer presses the button again", in: lines))
        #expect(try place("the viewer presses the button again", in: lines) < plays)
        #expect(
            try place("the ad that runs goes on in picture-in-picture", in: lines) < place("event: complete", in: lines)
        )
        #expect(lines.count { $0 == "host hears: didStart" } == 2)
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
