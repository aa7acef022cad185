import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Networks that a file declares, in the built gateway.
@Suite("Declared networks, end to end", .serialized)
struct DeclaredTests {
    /// A network of the sandbox, declared by a file of its own.
    private static func file(_ json: JSONValue) throws -> TemporaryFile { try TemporaryFile(json.encodedText) }

    private static func tag(_ url: String) -> JSONValue { ["preset": "vast-tag", "url": .string(url)] }

    private static func declare(_ plan: inout Plan, _ id: String, _ file: TemporaryFile, timeout: Int? = nil) {
        plan.line(
            id,
            "http://127.0.0.1",
            "/",
            timeout: timeout,
            network: ["adapter": "declared", "file": .string(file.path), "settings": [:]]
        )
    }

    @Test("T-16 a failing network's breaker opens, skips and probes once; no-fills never open it")
    func breaker() async throws {
        let failing = SandboxReply(status: 500)
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(["/bad": failing])))
        let bad = try Self.file(Self.tag(sandbox.baseURL + "/bad"))
        let none = try Self.file(Self.tag(sandbox.baseURL + "/nofill"))
        defer {
            bad.remove()
            none.remove()
        }
        try await LiveGateway.run { _ in
            var plan = Plan()
            Self.declare(&plan, "bad", bad)
            Self.declare(&plan, "none", none)
            plan.networks = plan.networks.map { network in
                var object = network.object ?? [:]
                object["breaker"] = ["failures": 5, "open_ms": 5000]
                return .object(object)
            }
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            for _ in 0..<5 {
                #expect(
                    try await gateway.ad().verdicts == ["bad: network_error(http_5xx)", "none: no_fill(http_204)"]
                )
            }
            for _ in 0..<20 {
                let answer = try await gateway.ad()
                #expect(answer.verdicts == ["bad: skipped(circuit_open)", "none: no_fill(http_204)"])
                #expect(answer["attempts"]?[0]?["retry_at"]?.string != nil)
                #expect(answer["attempts"]?[0]?["latency_ms"]?.int == 0)
            }
            #expect(sandbox.hits(of: "/bad").count == 5)
            #expect(try await gateway.adapter("n-bad")["breaker"]?["state"]?.string == "open")
            #expect(try await gateway.adapter("n-bad")["kind"]?.string == "declared")
            // After its time exactly one request tries again, however many come at once.
            try await SystemClock().sleep(for: .milliseconds(5200))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 { group.addTask { _ = try await gateway.ad() } }
                try await group.waitForAll()
            }
            #expect(sandbox.hits(of: "/bad").count == 6)
        }
        await sandbox.stop()
    }

    @Test("T-18 T-24 hollow fills and prices that cannot be kept are told apart, and the next line fills")
    func hollow() async throws {
        let bodies = [
            "nothing": #"{"ads": [{"price": 3, "cur": "USD", "vast": ""}]}"#,
            "cut": #"{"ads": [{"price": 3, "cur": "USD", "vast": "<VAST version=\"4.2\"><Ad>"}]}"#,
            "other": #"{"ads": [{"price": 3, "cur": "USD", "vast": "<VAST/>", "imp": "another"}]}"#,
            "cheap": #"{"ads": [{"price": 0.9999999, "cur": "USD", "url": "{base}/video"}]}"#,
            "dear": #"{"ads": [{"price": 1e308, "cur": "USD", "url": "{base}/video"}]}"#,
            "nan": #"{"ads": [{"price": "NaN", "cur": "USD", "url": "{base}/video"}]}"#,
            "bare": #"{"ads": [{"price": 2, "url": "{base}/video"}]}"#,
            "euro": #"{"ads": [{"price": 2, "cur": "EUR", "url": "{base}/video"}]}"#,
            "zgood": #"{"ads": [{"price": 1.00, "cur": "USD", "url": "{base}/video"}]}"#,
        ]
        let script = Dictionary(
            uniqueKeysWithValues: bodies.map { ("/\($0.key)", SandboxReply(type: "application/json", $0.value)) }
        )
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        var files: [TemporaryFile] = []
        defer { for file in files { file.remove() } }
        var plan = Plan()
        plan.unit["floor"] = ["amount": "1.00", "currency": "USD"]
        for name in bodies.keys.sorted() {
            let file = try Self.file([
                "url": .string(sandbox.baseURL + "/\(name)"),
                "reply": [
                    "format": "json", "ads": "ads",
                    "ad": [
                        "vast": "vast", "vast_url": "url", "request_id": "imp",
                        "price": ["amount": "price", "currency": "cur"],
                    ],
                ],
            ])
            files.append(file)
            Self.declare(&plan, name, file)
        }
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            #expect(
                answer.verdicts == [
                    "bare: rejected(currency)", "cheap: rejected(below_floor)", "cut: bad_response(bad_vast)",
                    "dear: bad_response(bad_price)", "euro: rejected(no_rate)", "nan: bad_response(bad_price)",
                    "nothing: rejected(no_markup)", "other: rejected(unknown_imp)", "zgood: fill(fill)",
                ]
            )
            #expect(answer["ad"]?["price"] == ["amount": "1.00", "currency": "USD"])
        }
        await sandbox.stop()
    }

    @Test(
        "T-20 a declared file replaced under load loses no request, and every answer fits its configuration's version"
    )
    func reload() async throws {
        let sandbox = try await SandboxServer.start()
        let declarations = ["a", "b"].map { ad -> JSONValue in
            [
                "preset": "static",
                "ads": [["id": .string(ad), "media": ["url": .string("\(sandbox.baseURL)/media/\(ad).mp4")]]],
            ]
        }
        let file = try Self.file(declarations[0])
        defer { file.remove() }
        try await LiveGateway.run { _ in
            var plan = Plan()
            Self.declare(&plan, "house", file)
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let seen = Seen()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !seen.isOver {
                            let answer = try await gateway.ad()
                            #expect(answer["result"]?.string == "fill", "\(answer.verdicts)")
                            let version = answer["config"]?.string ?? "?"
                            let url = answer["ad"]?["media_files"]?[0]?["url"]?.string ?? "?"
                            seen.note(url, under: version)
                        }
                    }
                }
                for turn in 0..<20 {
                    try Self.replace(file, declarations[turn % 2])
                    let reply = try await gateway.admin.post("/v1/config/reload", json: "{}")
                    #expect(reply.status == 200, "\(reply.text)")
                }
                seen.end()
                try await group.waitForAll()
            }
            let ads = seen.ads
            #expect(ads.count == 2)
            // One version, one ad.
            for (version, urls) in ads { #expect(urls.count == 1, "\(version): \(urls)") }
            // A wrong file is refused with its own line, and the old one serves on.
            try Self.replace(file, ["preset": "static", "asd": []])
            let refused = try await gateway.admin.post("/v1/config/reload", json: "{}")
            #expect(refused.status == 422)
            #expect(refused.text.contains("Did you mean \\\"ads\\\"?") && refused.text.contains(file.path))
            #expect(try await gateway.ad()["result"]?.string == "fill")
            let status = try await gateway.admin.get("/v1/config").json
            #expect(status["error"]?["diagnostics"]?[0]?["line"]?.int == 1)
        }
        await sandbox.stop()
    }

    private static func replace(_ file: TemporaryFile, _ json: JSONValue) throws {
        let new = try TemporaryFile(json.encodedText)
        #expect(rename(new.path, file.path) == 0)
    }

    @Test("T-26 an audio network is asked for audio only, and a video file in its answer is refused")
    func audio() async throws {
        let video =
            "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression/>"
            + "<Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles><MediaFile delivery=\"progressive\" "
            + "type=\"TYPE\" width=\"0\" height=\"0\">{base}/a</MediaFile></MediaFiles></Linear></Creative></Creatives>"
            + "</InLine></Ad></VAST>"
        let script = [
            "/wrong": SandboxReply(type: "text/xml", video.replacing("TYPE", with: "video/mp4")),
            "/right": SandboxReply(type: "text/xml", video.replacing("TYPE", with: "audio/mpeg")),
        ]
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        let wrong = try Self.file(["preset": "audio-vast", "url": .string(sandbox.baseURL + "/wrong")])
        let right = try Self.file(["preset": "audio-vast", "url": .string(sandbox.baseURL + "/right")])
        let film = try Self.file([
            "preset": "vast-tag", "formats": ["video"], "url": .string(sandbox.baseURL + "/right"),
        ])
        defer { for file in [wrong, right, film] { file.remove() } }
        try await LiveGateway.run { _ in
            var plan = Plan()
            plan.format = "audio"
            Self.declare(&plan, "film", film)
            Self.declare(&plan, "wrong", wrong)
            Self.declare(&plan, "right", right)
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            #expect(
                try await gateway.ad().verdicts == [
                    "film: skipped(format)", "wrong: rejected(mime)", "right: fill(fill)",
                ]
            )
        }
        await sandbox.stop()
    }

    @Test("T-27 a hostile network costs its own line and nothing else")
    func hostile() async throws {
        let elsewhere = try await SandboxServer.start()
        var flood = SandboxReply(type: "application/json", String(repeating: "[", count: 65_536))
        flood.repeatBytes = 600 << 20
        var moved = SandboxReply(status: 307)
        moved.headers = [.init("Location", elsewhere.baseURL + "/video")]
        var trickle = SandboxReply(type: "application/json", String(repeating: "y", count: 1000))
        trickle.chunkPause = .milliseconds(100)
        // As bytes: a text would be searched for the sandbox's own fields.
        var bomb = SandboxReply(status: 200)
        bomb.headers = [.init("Content-Type", "application/json")]
        bomb.body = .bytes(Array(String(repeating: "{\"ad\":", count: 100_000).utf8))
        let script = [
            "/flood": flood, "/moved": moved, "/trickle": trickle,
            "/bomb": bomb,
        ]
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        var files: [TemporaryFile] = []
        defer { for file in files { file.remove() } }
        var plan = Plan()
        plan.unit["timeout_ms"] = 10_000
        for name in ["bomb", "flood", "moved", "trickle"] {
            let file = try Self.file(["url": .string(sandbox.baseURL + "/\(name)")])
            files.append(file)
            Self.declare(&plan, name, file, timeout: name == "trickle" ? 300 : 3000)
        }
        plan.line("good", sandbox.baseURL, "/video")
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await gateway.initialized()
            for _ in 0..<3 {
                let verdicts = try await gateway.ad().verdicts
                #expect(
                    verdicts == [
                        "bomb: bad_response(bad_json)", "flood: bad_response(too_large)",
                        "moved: network_error(redirect_refused)", "trickle: timeout(line_timeout)", "good: fill(fill)",
                    ]
                )
            }
            #expect(elsewhere.hits.isEmpty)
        }
        await sandbox.stop()
        await elsewhere.stop()
    }

    @Test("a secret reaches the network and nobody else: neither answer, trace, log, configuration nor metrics")
    func secrets() async throws {
        let secret = "s3cret-key/with?odd"
        let sandbox = try await SandboxServer.start()
        let file = try Self.file([
            "preset": "vast-tag", "url": .string(sandbox.baseURL + "/nofill?k={settings.key}"),
            "settings": ["key": ["secret": true, "required": true]],
            "request": ["headers": ["X-Key": "{settings.key}"], "json": ["key": "{settings.key}"]],
        ])
        defer { file.remove() }
        try await LiveGateway.run(environment: ["ACME_KEY": secret]) { _ in
            var plan = Plan()
            plan.line(
                "acme",
                "http://127.0.0.1",
                "/",
                network: [
                    "adapter": "declared", "file": .string(file.path), "settings": ["key": ["env": "ACME_KEY"]],
                ]
            )
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.admin.post("/v1/ads?trace=1", json: "{\"placement\": \"p\"}")
            let traced = try await gateway.open.post("/v1/ads?trace=1", json: "{\"placement\": \"p\"}")
            let seen = [
                answer.text, traced.text, try await gateway.admin.get("/v1/config").text,
                try await gateway.admin.get("/metrics").text, try await gateway.admin.get("/v1/adapters").text,
                try await gateway.admin.get("/v1/requests").text, gateway.process.errors, gateway.process.output,
            ]
            for text in seen {
                for form in ["s3cret-key/with?odd", "s3cret-key%2Fwith%3Fodd", "s3cret-key\\/with?odd"] {
                    #expect(!text.contains(form), "\(text.prefix(500))")
                }
            }
            let hit = try #require(sandbox.hits(of: "/nofill").last)
            #expect(hit.headers.contains { $0.value == secret })
        }
        await sandbox.stop()
    }
}

/// The ads that each version of a configuration has served.
private final class Seen: Sendable {
    private let state = Lock<(ads: [String: Set<String>], isOver: Bool)>(([:], false))

    var ads: [String: Set<String>] { state.withLock { $0.ads } }

    var isOver: Bool { state.withLock { $0.isOver } }

    func note(_ ad: String, under version: String) {
        state.withLock { _ = $0.ads[version, default: []].insert(ad) }
    }

    func end() { state.withLock { $0.isOver = true } }
}
