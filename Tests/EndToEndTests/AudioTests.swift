import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Audio programmes through the built gateway: what networks answer, and sections from several of them.
@Suite("Audio", .serialized)
struct AudioTests {
    /// What one answer of `AudioAnswers/` comes to.
    struct Expected: Sendable, CustomTestStringConvertible {
        var file: String
        var verdict: String
        /// The ids section by section.
        var programme: String = ""
        /// Further members of the request.
        var more: String = ""
        var testDescription: String { file + more }
    }

    private static let mp4 = ", \"player\": {\"mimes\": [\"audio/mpeg\", \"video/mp4\"]}"
    private static let mp3 = ", \"player\": {\"mimes\": [\"audio/mpeg\"]}"
    private static let noScreen = ", \"player\": {\"companions\": []}"
    private static let screen = ", \"player\": {\"companions\": [{\"width\": 300, \"height\": 250}]}"

    static let expected: [Expected] = [
        Expected(file: "01-on-demand-inline.xml", verdict: "fill(fill)", programme: "preroll od-1"),
        Expected(file: "02-on-demand-empty.xml", verdict: "no_fill(empty_vast)"),
        Expected(file: "03-no-title-no-size.xml", verdict: "fill(fill)", programme: "preroll mx-1"),
        Expected(file: "04-pod.xml", verdict: "fill(fill)", programme: "preroll pod-1 pod-2"),
        Expected(file: "05-wrapper-with-companion.xml", verdict: "fill(fill)", programme: "preroll un-1"),
        Expected(file: "06-daast-inline.xml", verdict: "fill(fill)", programme: "preroll da-1"),
        Expected(file: "07-daast-wrapper.xml", verdict: "fill(fill)", programme: "preroll da-1"),
        Expected(file: "08-hybrid-video-only.xml", verdict: "rejected(mime)"),
        Expected(file: "08-hybrid-video-only.xml", verdict: "fill(fill)", programme: "preroll hy-1", more: mp4),
        Expected(file: "09-quality-levels.xml", verdict: "fill(fill)", programme: "preroll ql-1"),
        Expected(file: "10-universal-id.xml", verdict: "fill(fill)", programme: "preroll un-1"),
        Expected(file: "11-alias-mp3.xml", verdict: "fill(fill)", programme: "preroll al-1", more: mp3),
        Expected(file: "12-alias-m4a.xml", verdict: "rejected(mime)", more: mp3),
        Expected(file: "12-alias-m4a.xml", verdict: "fill(fill)", programme: "preroll al-2"),
        Expected(file: "13-hls.xml", verdict: "fill(fill)", programme: "preroll hl-1"),
        Expected(file: "14-buffet.xml", verdict: "fill(fill)", programme: "preroll bu-1 | spares bu-2 bu-3"),
        Expected(
            file: "15-vmap.xml",
            verdict: "fill(fill)",
            programme: "preroll vm-1 | 60000 vm-2 | 300000 vm-3 | postroll vm-4",
            more: ", \"content\": {\"duration_ms\": 600000}"
        ),
        Expected(
            file: "16-sections.json",
            verdict: "fill(fill)",
            programme: "preroll s-1 s-2 | 60000 s-3 | pauseroll s-5 | postroll s-6"
        ),
        Expected(
            file: "16-sections.json",
            verdict: "fill(fill)",
            programme: "preroll s-1 s-2 | 120000 s-4 | pauseroll s-5 | postroll s-6",
            more: ", \"midpoints\": {\"percent\": [20]}, \"content\": {\"duration_ms\": 600000}"
        ),
        Expected(file: "17-sections-mixed.json", verdict: "fill(fill)", programme: "preroll mi-1 un-1 mi-3"),
        Expected(
            file: "18-sections-repeated.json",
            verdict: "fill(fill)",
            programme: "preroll re-1 re-2 | postroll re-3"
        ),
        Expected(file: "19-nonlinear.xml", verdict: "rejected(no_markup)"),
        Expected(file: "20-companions-required.xml", verdict: "fill(fill)", programme: "preroll cr-1"),
        Expected(file: "20-companions-required.xml", verdict: "fill(fill)", programme: "preroll cr-1", more: screen),
        Expected(file: "20-companions-required.xml", verdict: "rejected(mime)", more: noScreen),
        Expected(file: "21-root-error.xml", verdict: "no_fill(no_ad)"),
        Expected(file: "22-no-sections.json", verdict: "no_fill(no_ad)"),
    ]

    @Test("answers of audio networks in every shape come out as programmes, or say why not")
    func answers() async throws {
        let folder = String(#filePath.dropLast("AudioTests.swift".count)) + "AudioAnswers/"
        let script = try Dictionary(
            Self.expected.map { expected in
                let text = String(decoding: try TextFile.read(folder + expected.file), as: UTF8.self)
                let type = expected.file.hasSuffix(".json") ? "application/json" : "application/xml"
                let number = Int(expected.file.prefix(2)) ?? 0
                return ("/d/\(number)", SandboxReply(type: type, text))
            }
        ) { first, _ in first }
        #expect(script.count >= 20)
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line(
                "a",
                base,
                "/d/{targeting.d}",
                adapter: "instream-audio",
                network: ["breaker": ["enabled": false]]
            )
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            for expected in Self.expected {
                let number = Int(expected.file.prefix(2)) ?? 0
                let answer = try await gateway.ad("p", ", \"targeting\": {\"d\": \"\(number)\"}" + expected.more)
                #expect(
                    answer.verdicts == ["a: \(expected.verdict)"],
                    "\(expected.file): \(answer.encodedText.prefix(600))"
                )
                #expect(answer.programme == expected.programme, "\(expected.file)")
            }
        }
    }

    @Test(
        "of quality levels the best within the bitrate stands first; a wrapper's companion is there when its ad has none"
    )
    func details() async throws {
        let folder = String(#filePath.dropLast("AudioTests.swift".count)) + "AudioAnswers/"
        func reply(_ file: String) throws -> SandboxReply {
            SandboxReply(type: "application/xml", String(decoding: try TextFile.read(folder + file), as: UTF8.self))
        }
        let script = [
            "/d/5": try reply("05-wrapper-with-companion.xml"), "/d/9": try reply("09-quality-levels.xml"),
            "/d/10": try reply("10-universal-id.xml"),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line("a", base, "/d/{targeting.d}", adapter: "instream-audio")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let levels = try await gateway.ad(
                "p",
                ", \"targeting\": {\"d\": \"9\"}, \"player\": {\"max_bitrate_kbps\": 70}"
            )
            let rates = levels["ad"]?["media_files"]?.array?.compactMap { $0["bitrate_kbps"]?.int }
            #expect(rates == [64, 32, 128])
            let wrapped = try await gateway.ad("p", ", \"targeting\": {\"d\": \"5\"}")
            #expect(wrapped["ad"]?["companions"]?[0]?["id"]?.string == "outer")
            #expect(wrapped["ad"]?["impressions"]?.array?.count == 2)
        }
    }

    private static var shared: String {
        let root = String(#filePath.dropLast("/Tests/EndToEndTests/AudioTests.swift".count))
        return (getenv("WEIR_SHARED").map { String(cString: $0) } ?? root + "/../shared") + "/data/"
    }

    /// Public audio documents and our own; the schedule's ad tags lead to the others.
    private static let corpus: [Expected] = [
        Expected(file: "vast-cases/own-audio-pod.xml", verdict: "fill(fill)", programme: "preroll a1 a2"),
        Expected(file: "vast-cases/own-audio-aac-minimal.xml", verdict: "fill(fill)", programme: "preroll p"),
        Expected(file: "vast-cases/own-daast10.xml", verdict: "fill(fill)", programme: "preroll d1"),
        Expected(
            file: "vast-cases/own-vmap-audio.xml",
            verdict: "fill(fill)",
            programme: "preroll a1 a2 | 300000 d1 p",
            more: ", \"content\": {\"duration_ms\": 600000}"
        ),
        Expected(
            file: "vast/pbs/adapters_alkimi_alkimitest_exemplary_simple-audio.json__adm.xml",
            verdict: "fill(fill)",
            programme: "preroll 128a6.44d74.46b3"
        ),
        Expected(
            file: "vast/pbs/adapters_stackadapt_stackadapttest_exemplary_simple-web-audio.json__adm.xml",
            verdict: "fill(fill)",
            programme: "preroll 13473443"
        ),
        Expected(
            file: "vast/prebid__Prebid.js/integrationExamples_audio_audioGam.html__embedded.xml",
            verdict: "fill(fill)",
            programme: "preroll audio-ad-001"
        ),
        Expected(
            file: "vast/InteractiveAdvertisingBureau__VAST_Samples/VAST_4.1_Samples_Audio_DAAST_Sample.xml",
            verdict: "rejected(mime)"
        ),
        Expected(
            file: "vast/InteractiveAdvertisingBureau__VAST_Samples/VAST_4.1_Samples_Audio_DAAST_Sample.xml",
            verdict: "fill(fill)",
            programme: "preroll 20007",
            more: mp4
        ),
        Expected(
            file: "vast/pbs/adapters_trafficgate_trafficgatetest_exemplary_simple-audio.json__adm.xml",
            verdict: "no_fill(empty_vast)"
        ),
    ]

    /// The documents of the public corpus, and whether its index calls them audio, by stratum or by remark.
    private static func index() throws -> [(file: String, isAudio: Bool)] {
        let lines = String(decoding: try TextFile.read(shared + "vast/index.tsv"), as: UTF8.self).split(separator: "\n")
        let names = lines[0].split(separator: "\t", omittingEmptySubsequences: false)
        let places = ["file", "stratum", "notes"].map { name in names.firstIndex { $0 == name } }
        let (file, stratum, notes) = (
            try #require(places[0]), try #require(places[1]), try #require(places[2])
        )
        return lines.dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            let isAudio = cells[stratum] == "audio" || (notes < cells.count && cells[notes].contains("audio"))
            return (String(cells[file]), isAudio)
        }
    }

    @Test(
        "every document that the corpus' index calls audio has its programme below",
        .enabled("the shared corpus is not beside this checkout") { access(AudioTests.shared + "vast", R_OK) == 0 }
    )
    func complete() throws {
        let audio = try Self.index().filter(\.isAudio).map { "vast/" + $0.file }
        let known = Set(Self.corpus.map(\.file).filter { $0.hasPrefix("vast/") })
        #expect(audio.count >= 5 && Set(audio) == known)
    }

    @Test(
        "every document of the corpus, audio or not, through an audio placement: a programme or a reason, and no video",
        .enabled("the shared corpus is not beside this checkout") { access(AudioTests.shared + "vast", R_OK) == 0 }
    )
    func everything() async throws {
        let documents = try Self.index()
        let script = SandboxScript(
            Dictionary(
                uniqueKeysWithValues: try documents.enumerated().map { number, document in
                    var reply = SandboxReply(type: "application/xml", "")
                    reply.body = .bytes(try TextFile.read(Self.shared + "vast/" + document.file))
                    return ("/e/\(number)", reply)
                }
            )
        )
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.format = "audio"
            let calm: [String: JSONValue] = ["breaker": ["enabled": false]]
            plan.line("a", base, "/e/{targeting.e}", timeout: 1000, adapter: "instream-audio", network: calm)
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            gateway.sandbox.change(script)
            var filled: [String] = []
            var reasons: [String: Int] = [:]
            for (number, document) in documents.enumerated() {
                let answer = try await gateway.ad("p", ", \"targeting\": {\"e\": \"\(number)\"}")
                let verdict = answer.verdicts.first ?? "none"
                reasons[verdict, default: 0] += 1
                if verdict == "a: fill(fill)" { filled.append(document.file) }
                let types = (answer["ads"]?.array ?? []).flatMap { $0["media_files"]?.array ?? [] }
                #expect(types.allSatisfy { $0["mime"]?.string?.hasPrefix("video/") != true }, "\(document.file)")
            }
            let counts = reasons.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key.dropFirst(3))" }
            print("audio placement, corpus of \(documents.count): " + counts.joined(separator: ", "))
            #expect(!reasons.keys.contains { $0 == "none" || $0.contains("crash") })
            // Beside what the index calls audio, some offer a stream or a file without a type.
            print("heard: " + filled.joined(separator: ", "))
            let audio = documents.filter(\.isAudio).map(\.file)
            #expect(Set(audio).intersection(filled).count >= 3)
        }
    }

    @Test(
        "the public audio documents and our own come out as programmes",
        .enabled("the shared corpus is not beside this checkout") { access(AudioTests.shared + "vast", R_OK) == 0 }
    )
    func corpus() async throws {
        let tags = [("preroll", 0), ("mid2", 1), ("mid", 2), ("post", 0)]
        let script = try Dictionary(
            uniqueKeysWithValues: Self.corpus.enumerated().map { number, expected in
                var text = String(decoding: try TextFile.read(Self.shared + expected.file), as: UTF8.self)
                for (tag, target) in tags {
                    text = text.replacing("https://weir.example/tag?s=\(tag)]", with: "{base}/c/\(target)]")
                }
                return ("/c/\(number)", SandboxReply(type: "application/xml", text))
            }
        )
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line(
                "a",
                base,
                "/c/{targeting.c}",
                adapter: "instream-audio",
                network: ["breaker": ["enabled": false]]
            )
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            for (number, expected) in Self.corpus.enumerated() {
                let answer = try await gateway.ad("p", ", \"targeting\": {\"c\": \"\(number)\"}" + expected.more)
                #expect(
                    answer.verdicts == ["a: \(expected.verdict)"],
                    "\(expected.file): \(answer.encodedText.prefix(500))"
                )
                #expect(answer.programme == expected.programme, "\(expected.file)")
            }
        }
    }

    /// Networks that sell one spot of half a minute each, unless they refuse, repeat or are slow.
    private func section(_ base: String, timeout: Int) -> JSONValue {
        var plan = Plan()
        plan.format = "audio"
        plan.unit["timeout_ms"] = .int(timeout)
        plan.unit["sections"] = ["preroll": ["max_duration_ms": 90_000]]
        plan.line("refuses", base, "/sec/refuses", adapter: "instream-audio")
        plan.line("repeats", base, "/sec/repeats", adapter: "instream-audio")
        plan.line("slow", base, "/sec/slow", timeout: 5000, adapter: "instream-audio")
        return plan.json
    }

    private func spots(_ ids: String..., after delay: Int = 0) -> SandboxReply {
        let ads = ids.map {
            "{\"id\": \"\($0)\", \"url\": \"{base}/media/jingle.mp3?\($0)\", \"mime\": \"audio/mpeg\", \"duration_ms\": 30000}"
        }
        let text = "{\"sections\": {\"preroll\": [" + ads.joined(separator: ", ") + "]}}"
        var reply = SandboxReply(type: "application/json", text)
        reply.delay = .fixed(.milliseconds(delay))
        return reply
    }

    @Test("90 s from three networks: one refuses, one repeats a creative, one is slow; right ads, right order, reasons")
    func ninetySeconds() async throws {
        let script = [
            "/sec/refuses": SandboxReply(status: 204), "/sec/repeats": spots("x", "x", "y"),
            "/sec/slow": spots("z", after: 400),
        ]
        try await LiveGateway.run(script) {
            section($0, timeout: 8000)
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(answer.programme == "preroll x y z")
            #expect(answer.verdicts == ["refuses: no_fill(http_204)", "repeats: fill(fill)", "slow: fill(fill)"])
            let leftOut = (answer["attempts"]?.array ?? []).flatMap { attempt in
                (attempt["left_out"]?.array ?? []).map { "\($0["id"]?.string ?? "?"): \($0["reason"]?.string ?? "?")" }
            }
            #expect(leftOut == ["x: duplicate"])
            let milliseconds = answer["sections"]?["preroll"]?.array?.compactMap { $0["duration_ms"]?.int }
            #expect(milliseconds == [30_000, 30_000, 30_000])
            #expect((answer["latency_ms"]?.int ?? .max) < 8000)
        }
    }

    @Test("a network slower than the deadline costs its own ads only; the answer comes in time")
    func tooSlow() async throws {
        let script = [
            "/sec/refuses": SandboxReply(status: 204), "/sec/repeats": spots("x", "y"),
            "/sec/slow": spots("z", after: 60_000),
        ]
        try await LiveGateway.run(script) {
            section($0, timeout: 1500)
        } _: { gateway in
            try await gateway.initialized()
            let clock = SystemClock()
            let start = clock.now
            let answer = try await gateway.ad()
            #expect(start.duration(to: clock.now) < .seconds(20))
            #expect(answer.programme == "preroll x y")
            #expect(answer.verdicts.last == "slow: timeout(deadline)")
        }
    }

    @Test("audio placements ask only lines whose adapter loads audio")
    func capable() async throws {
        try await LiveGateway.run(["/sec/a": spots("a")]) { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line("r", base, "/rewarded", adapter: "rewarded")
            plan.line("a", base, "/sec/a", adapter: "instream-audio")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            #expect(try await gateway.ad().verdicts == ["r: skipped(format)", "a: fill(fill)"])
            #expect(gateway.sandbox.hits(of: "/rewarded").isEmpty)
        }
    }

    @Test("podcasts and radio over plain HTTP: /v1/vmap has every break, pods in order, spares beside them")
    func vmap() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.format = "audio"
            plan.line("a", base, "/audio", adapter: "instream-audio")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let reply = try await gateway.open.get("/v1/vmap?placement=p&duration_ms=600000&midpoints=60,300")
            #expect(reply.status == 200 && reply.header("X-Weir-Result") == "fill")
            #expect(reply.header("Content-Type")?.hasPrefix("application/xml") == true)
            let offsets = reply.text.split(separator: "timeOffset=\"").dropFirst().compactMap {
                $0.split(separator: "\"").first
            }
            #expect(offsets == ["start", "00:01:00", "end"])
            #expect(reply.text.contains("adType=\"audio\"") && !reply.text.contains("Wrapper"))
            let none = try await gateway.open.get("/v1/vmap?placement=p&midpoints=5")
            #expect(none.text.split(separator: "timeOffset=\"").count == 3)
            #expect(try await gateway.open.get("/v1/vmap?placement=nowhere").status == 404)
            #expect(try await gateway.open.get("/v1/vmap?placement=p&duration_ms=-1").status == 400)
        }
    }
}

extension JSONValue {
    /// The ids of a programme: `preroll a b | 60000 c | postroll d | spares e`.
    fileprivate var programme: String {
        func ids(_ ads: JSONValue?) -> String {
            (ads?.array ?? []).compactMap { $0["id"]?.string }.joined(separator: " ")
        }
        var parts = ["preroll " + ids(self["sections"]?["preroll"])]
        for midroll in self["sections"]?["midroll"]?.array ?? [] {
            parts.append("\(midroll["point_ms"]?.int ?? -1) " + ids(midroll["ads"]))
        }
        parts.append("pauseroll " + ids(self["sections"]?["pauseroll"]))
        parts.append("postroll " + ids(self["sections"]?["postroll"]))
        parts.append("spares " + ids(self["spares"]))
        return parts.filter { !$0.hasSuffix(" ") }.joined(separator: " | ")
    }
}
