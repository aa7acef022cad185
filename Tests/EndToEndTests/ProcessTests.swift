import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Process adapters in the built gateway.
@Suite("Process adapters", .serialized)
struct ProcessTests {
    /// The ad that the programs offer.
    private static let vast =
        "<VAST version='3.0'><Ad id='1'><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>"
        + "https://t.example/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>"
        + "<MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>https://c.example/v.mp4"
        + "</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"

    /// A program for the shell that has `$1` asked and offers `$3`; `$2` is a file for the numbers of its runs.
    private static func program(_ onOutcome: String = "") -> String {
        #"""
        echo $$ >> "$2"
        answer() { id=${line#*'"id":'}; id=${id%%[,\}]*}; printf '%s\n' "$1\"id\":$id,$2"; }
        read -r line; answer '{"type":"hello",' '"api":1,"version":"3.1","formats":["video"]}'
        read -r line; answer '{"type":"ready",' '"done":null}'
        while read -r line; do case $line in
        *'"type":"make_requests"'*) answer '{"type":"requests",' "\"requests\":[{\"url\":\"$1\"}]}";;
        *'"type":"outcome"'*)
        """# + "\n" + onOutcome + "\n"
            + #"""
            answer '{"type":"outcome",' "\"result\":\"fill\",\"offers\":[{\"vast\":\"$3\"}]}";;
            *tear_down*) exit 0;;
            esac; done
            """#
    }

    private static func network(_ id: String, _ script: String, _ url: String, _ file: String) -> [String: JSONValue] {
        [
            "adapter": "process", "settings": ["seat": .string(id)],
            "command": ["sh", "-c", .string(script), "adapter", .string(url), .string(file), .string(vast)],
            // A busy machine may be slow; that is not what is looked at here.
            "breaker": ["enabled": false],
        ]
    }

    /// The numbers of the runs so far.
    private static func runs(_ file: TemporaryFile) -> [Int32] {
        let text = (try? TextFile.read(file.path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
    }

    /// Whether the process is there, and more than a zombie.
    private static func lives(_ number: Int32) -> Bool {
        guard let text = (try? TextFile.read("/proc/\(number)/stat")).map({ String(decoding: $0, as: UTF8.self) })
        else {
            return false
        }
        return text.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test("T-15 one that aborts while it reads the answer costs its attempt: the next line fills, others do not notice")
    func abort() async throws {
        let file = try TemporaryFile("")
        defer { file.remove() }
        try await LiveGateway.run { base in
            var plan = Plan()
            let network = Self.network("bad", Self.program("kill -ABRT $$"), base + "/video", file.path)
            plan.line("bad", base, "/", timeout: 15_000, network: network)
            plan.line("good", base, "/video", timeout: 15_000)
            plan.top["initialization"] = ["retry_initial_ms": 20]
            plan.top["ad_units"] = [
                ["id": "u", "format": "video", "timeout_ms": 30_000, "waterfall": .array(plan.waterfall)],
                ["id": "v", "format": "video", "timeout_ms": 30_000, "waterfall": .array([plan.waterfall[1]])],
            ]
            plan.top["placements"] = [["id": "p", "ad_unit": "u"], ["id": "q", "ad_unit": "v"]]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            try await gateway.eventually { try await gateway.adapter("n-bad")["state"]?.string == "ready" }
            async let others = withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await gateway.ad("q")["result"]?.string == "fill" }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let answer = try await gateway.ad()
            #expect(answer.verdicts == ["bad: crash(signal)", "good: fill(fill)"])
            let attempt = try #require(answer["attempts"]?[0])
            #expect(attempt["network_code"]?.string == "6")
            #expect(attempt["message"]?.string == "The process of n-bad was ended by signal 6 (SIGABRT).")
            #expect(try await others == 100)
            try await gateway.eventually { try await gateway.adapter("n-bad")["state"]?.string == "ready" }
            let states = gateway.process.lines.compactMap { line -> String? in
                let log = (try? JSONReader.read(line.text)) ?? .null
                guard log["network"]?.string == "n-bad", let event = log["event"]?.string else { return nil }
                return event.hasPrefix("adapter.") && event != "adapter.log" ? String(event.dropFirst(8)) : nil
            }
            #expect(states == ["ready", "failed", "starting", "ready"])
            let status = try await gateway.adapter("n-bad")
            #expect(status["kind"]?.string == "process")
            #expect(status["adapter_version"]?.string == "3.1")
            for crash in 2...5 {
                try await gateway.eventually { try await gateway.adapter("n-bad")["state"]?.string == "ready" }
                #expect(try await gateway.ad().verdicts.first == "bad: crash(signal)", "crash \(crash)")
            }
            let last = try await gateway.adapter("n-bad")
            #expect(last["state"]?.string == "disabled")
            #expect(last["description"]?.string?.contains("disabled (crash_loop)") == true)
            #expect(try await gateway.ad().verdicts == ["bad: skipped(disabled)", "good: fill(fill)"])
            #expect(try await gateway.admin.post("/v1/adapters/n-bad/restart", json: "").status < 300)
            try await gateway.eventually { try await gateway.adapter("n-bad")["state"]?.string == "ready" }
            #expect(Self.runs(file).count == 6)
        }
        for number in Self.runs(file) { #expect(!Self.lives(number)) }
    }

    @Test("T-15 kill -9 during 200 requests a second: no request fails, the crash is named, it comes back by itself")
    func killed() async throws {
        let file = try TemporaryFile("")
        defer { file.remove() }
        try await LiveGateway.run { base in
            var plan = Plan()
            let network = Self.network("child", Self.program(), base + "/slow?ms=30", file.path)
            plan.line("child", base, "/", timeout: 10_000, network: network)
            plan.line("house", base, "/video", timeout: 10_000)
            plan.unit["timeout_ms"] = 20_000
            // All of them come from one address.
            plan.top["server"] = [
                "listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "max_connections_per_address": 10_000,
            ]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            try await gateway.eventually { try await gateway.adapter("n-child")["state"]?.string == "ready" }
            let over = Lock(false)
            async let report = OpenLoop(perSecond: 200, limit: 50).run(gateway) { over.withLock { $0 } }
            try await SystemClock().sleep(for: .seconds(1))
            for kill in 1...3 {
                let number = try #require(Self.runs(file).last)
                #expect(Glibc.kill(number, SIGKILL) == 0)
                try await gateway.eventually {
                    let state = try await gateway.adapter("n-child")["state"]?.string
                    return state == "ready" && Self.runs(file).count == kill + 1
                }
                #expect(!Self.lives(number))
                try await SystemClock().sleep(for: .milliseconds(500))
            }
            over.withLock { $0 = true }
            let result = await report
            #expect(result.failures.isEmpty, "\(result)")
            #expect(result.asked > 200)
            let lines = result.lines.values.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
            #expect((lines["child"] ?? 0) > 0)
            #expect((lines["house"] ?? 0) > 0)
            let metrics = try await gateway.admin.get("/metrics").text
            let crashes = metrics.split(separator: "\n").filter {
                $0.contains("weir_attempts_total") && $0.contains("n-child") && $0.contains("\"signal\"")
            }
            #expect(!crashes.isEmpty, "attempts under way are crash(signal)")
            #expect(try await gateway.ad()["attempts"]?[0]?["result"]?.string == "fill")
        }
        #expect(Self.runs(file).count == 4)
        for number in Self.runs(file) { #expect(!Self.lives(number)) }
    }

    @Test("T-20 a reload starts and ends processes as their entries say; an unchanged one goes on")
    func reload() async throws {
        let (changing, steady) = (try TemporaryFile(""), try TemporaryFile(""))
        defer { for file in [changing, steady] { file.remove() } }
        @Sendable func plan(_ base: String, _ version: Int) -> JSONValue {
            var plan = Plan()
            var network = Self.network("a", Self.program(), base + "/video", changing.path)
            network["settings"] = ["version": .int(version)]
            plan.line("changing", base, "/", timeout: 10_000, network: network)
            network = Self.network("b", Self.program(), base + "/video", steady.path)
            plan.line("steady", base, "/", timeout: 10_000, network: network)
            plan.unit["timeout_ms"] = 20_000
            return plan.json
        }
        try await LiveGateway.run {
            plan($0, 0)
        } _: { gateway in
            try await gateway.initialized()
            let over = Lock(false)
            async let report = OpenLoop(perSecond: 200, limit: 50).run(gateway) { over.withLock { $0 } }
            for version in 1...50 {
                try rewrite(gateway.file.path, plan(gateway.sandbox.baseURL, version).encodedText)
                #expect(try await gateway.admin.post("/v1/config/reload", json: "").status == 200)
                try await SystemClock().sleep(for: .milliseconds(50))
            }
            over.withLock { $0 = true }
            let result = await report
            #expect(result.failures.isEmpty, "\(result)")
            try await gateway.eventually { Self.runs(changing).filter(Self.lives).count == 1 }
            #expect(Self.runs(changing).count == 51)
            #expect(Self.runs(steady).count == 1)
        }
        for number in Self.runs(changing) + Self.runs(steady) { #expect(!Self.lives(number)) }
    }

    /// A program that has a path of its unit's asked, and offers something else for each unit.
    private static let various = #"""
        answer() { id=${line#*'"id":'}; id=${id%%[,\}]*}; printf '%s\n' "$1\"id\":$id,$2"; }
        offer() { answer '{"type":"outcome",' "\"result\":\"fill\",\"offers\":[$1]}"; }
        read -r line; answer '{"type":"hello",' "\"api\":1,\"version\":\"1\",\"formats\":[\"$3\"]}"
        read -r line; answer '{"type":"ready",' '"done":null}'
        while read -r line; do unit=${line#*'"network_unit":"'}; unit=${unit%%'"'*}; case $line in
        *'"type":"make_requests"'*)
        case $unit in big|away|error) path=$unit;; *) path=video;; esac
        answer '{"type":"requests",' "\"requests\":[{\"url\":\"$1/$path\"}]}";;
        *'"type":"outcome"'*) case $unit in
        hollow) offer '{"vast":" "}';; torn) offer '{"vast":"<VAST><Ad"}';;
        nocur) offer '{"vast_url":"https://a.example","price":{"amount":"0.95"}}';;
        euro) offer '{"vast_url":"https://a.example","price":{"amount":"9.95","currency":"EUR"}}';;
        odd) offer '{"vast_url":"https://a.example","price":{"amount":"NaN","currency":"USD"}}';;
        low) offer "{\"vast\":\"$2\",\"price\":{\"amount\":0.9999999,\"currency\":\"USD\"}}";;
        *) offer "{\"vast\":\"$2\",\"price\":{\"amount\":\"1.00\",\"currency\":\"USD\"}}";; esac;;
        *tear_down*) exit 0;;
        esac; done
        """#

    private static func various(_ base: String, _ format: String) -> [String: JSONValue] {
        [
            "adapter": "process", "settings": [:],
            "command": ["sh", "-c", .string(various), "adapter", .string(base), .string(vast), .string(format)],
            "breaker": ["failures": 2, "open_ms": 600_000],
        ]
    }

    @Test("T-16 T-18 T-24 T-26 T-27 what networks get wrong is judged through a process as through any adapter")
    func hostileNetworks() async throws {
        let script: [String: SandboxReply] = [
            "/big": {
                var reply = SandboxReply(type: "application/xml", "<VAST/>")
                reply.repeatBytes = 600 << 20
                return reply
            }(),
            "/away": {
                var reply = SandboxReply(status: 307)
                reply.headers = [SandboxReply.Header("Location", "{base}/video")]
                return reply
            }(),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for unit in ["hollow", "torn", "nocur", "euro", "odd", "low", "big", "away", "error", "film"] {
                let line: [String: JSONValue] = ["network_unit": .string(unit)]
                plan.line(unit, base, "/", timeout: 20_000, network: Self.various(base, "video"), line: line)
            }
            plan.line("song", base, "/", network: Self.various(base, "audio"))
            // The last is asked no more, so the one for songs comes first.
            plan.waterfall.insert(plan.waterfall.removeLast(), at: 0)
            plan.unit["timeout_ms"] = 60_000
            plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            try await gateway.eventually(within: .seconds(60)) {
                try await gateway.admin.get("/v1/adapters").json["adapters"]?.array?.allSatisfy {
                    $0["state"]?.string == "ready"
                } == true
            }
            for request in 1...3 {
                let answer = try await gateway.ad()
                let open = request < 3
                #expect(
                    answer.verdicts == [
                        "song: skipped(format)", "hollow: rejected(no_markup)",
                        open ? "torn: bad_response(bad_vast)" : "torn: skipped(circuit_open)",
                        "nocur: rejected(currency)", "euro: rejected(no_rate)",
                        open ? "odd: bad_response(bad_price)" : "odd: skipped(circuit_open)",
                        "low: rejected(below_floor)",
                        open ? "big: bad_response(too_large)" : "big: skipped(circuit_open)",
                        open ? "away: network_error(redirect_refused)" : "away: skipped(circuit_open)",
                        open ? "error: network_error(http_5xx)" : "error: skipped(circuit_open)", "film: fill(fill)",
                    ],
                    "request \(request)"
                )
            }
            #expect(gateway.sandbox.hits(of: "/away").count == 2)
        }
    }

    @Test("its process inherits no descriptor and no variable of the gateway, and its last words are told")
    func inheritance() async throws {
        let script = "ls /proc/self/fd >&2; env >&2; echo 'cannot find the licence' >&2; exit 9"
        try await LiveGateway.run(environment: ["WEIR_SECRET_OF_MINE": "for nobody"]) { base in
            var plan = Plan()
            plan.line("a", base, "/", network: ["adapter": "process", "command": ["sh", "-c", .string(script)]])
            plan.top["initialization"] = ["retry_initial_ms": 20]
            plan.line("b", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.eventually { try await gateway.adapter("n-a")["state"]?.string == "disabled" }
            let log = gateway.process.lines.compactMap { try? JSONReader.read($0.text) }
                .filter { $0["event"]?.string == "adapter.log" }.compactMap { $0["message"]?.string }
            // The fourth belongs to ls itself.
            #expect(Set(log.filter { Int($0) != nil }) == ["0", "1", "2", "3"])
            #expect(!log.contains { $0.contains("WEIR_SECRET") })
            let error = try await gateway.adapter("n-a")["last_error"]?.string
            #expect(error == "its process exited with code 9; its last words: cannot find the licence")
            #expect(try await gateway.ad().verdicts == ["a: skipped(disabled)", "b: fill(fill)"])
        }
    }
}
