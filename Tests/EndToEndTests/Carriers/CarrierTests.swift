import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// What every network must bear and every carrier must keep, over each of the three: docs/testing.md has the table.
@Suite("Every carrier", .serialized)
struct CarrierTests {
    /// Waits until every network is ready: the processes of a busy machine take their time.
    private static func ready(_ gateway: LiveGateway) async throws {
        try await gateway.initialized()
        try await gateway.eventually(within: .seconds(60)) {
            try await gateway.admin.get("/v1/adapters").json["adapters"]?.array?.allSatisfy {
                $0["state"]?.string == "ready"
            } == true
        }
    }

    /// Asks `count` times, so many at once.
    private static func ask(_ gateway: LiveGateway, _ count: Int, _ placement: String = "p") async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await gateway.ad(placement).verdicts.first ?? "" } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(
        "T-16 failures and time-outs open the breaker, one of fifty requests tries, its success closes it; no-fills never do",
        arguments: Carrier.allCases
    )
    func breaker(_ carrier: Carrier) async throws {
        let files = Carrier.Files()
        defer { files.remove() }
        var plan = Plan()
        let sandbox = try await SandboxServer.start(
            script: .standard.overlaid(with: SandboxScript(["/bad": SandboxReply(status: 500)]))
        )
        for (id, path) in [("bad", "/bad"), ("late", "/hang"), ("none", "/nofill")] {
            var network = try carrier.network(sandbox.baseURL + path, files)
            network["breaker"] = ["failures": 20, "open_ms": 3000]
            plan.line(id, sandbox.baseURL, path, timeout: id == "late" ? 100 : 20_000, network: network)
        }
        plan.unit["timeout_ms"] = 30_000
        plan.top["ad_units"] = .array(
            plan.waterfall.map { line in
                let id: JSONValue = line["id"] ?? ""
                return ["id": id, "format": "video", "timeout_ms": 30_000, "waterfall": [line]]
            }
        )
        plan.top["placements"] = .array(plan.waterfall.map { ["id": $0["id"] ?? "", "ad_unit": $0["id"] ?? ""] })
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await Self.ready(gateway)
            for _ in 0..<20 { #expect(try await gateway.ad("bad").verdicts == ["bad: network_error(http_5xx)"]) }
            let opened = ContinuousClock.now
            let skipped = try await gateway.ad("bad")
            #expect(skipped.verdicts == ["bad: skipped(circuit_open)"])
            #expect(skipped["attempts"]?[0]?["retry_at"]?.string != nil)
            #expect(skipped["attempts"]?[0]?["latency_ms"]?.int == 0)
            #expect(sandbox.hits(of: "/bad").count == 20)
            #expect(Set(try await Self.ask(gateway, 40, "none")) == ["none: no_fill(http_204)"])
            #expect(try await gateway.adapter("n-none")["breaker"]?["state"]?.string == "closed")
            #expect(Set(try await Self.ask(gateway, 20, "late")) == ["late: timeout(line_timeout)"])
            #expect(try await gateway.ad("late").verdicts == ["late: skipped(circuit_open)"])
            // It recovers, slowly: while the trial is under way, everybody else is told to wait.
            let well: JSONValue = [
                "delay_ms": 1000, "headers": ["Content-Type": "application/xml"], "body": .string(smallAd()),
            ]
            let script = JSONValue.object(["paths": ["/bad": well]]).encodedText
            #expect(try await LoopbackClient(port: sandbox.port).post("/_script", json: script).status < 300)
            try await SystemClock().sleep(until: opened.advanced(by: .milliseconds(3300)))
            let verdicts = try await Self.ask(gateway, 50, "bad")
            #expect(verdicts.count { $0 == "bad: fill(fill)" } == 1, "\(verdicts)")
            #expect(verdicts.count { $0 == "bad: skipped(circuit_open)" } == 49, "\(verdicts)")
            #expect(sandbox.hits(of: "/bad").count == 21)
            #expect(try await gateway.adapter("n-bad")["breaker"]?["state"]?.string == "closed")
            #expect(try await gateway.ad("bad").verdicts == ["bad: fill(fill)"])
        }
        await sandbox.stop()
    }

    @Test(
        "T-18 hollow fills are refused with a reason and the next line is asked",
        arguments: Carrier.allCases
    )
    func hollow(_ carrier: Carrier) async throws {
        let files = Carrier.Files()
        defer { files.remove() }
        let wrapper =
            "<VAST version=\"4.2\"><Ad id=\"1\"><Wrapper><AdSystem>x</AdSystem><Impression/><VASTAdTagURI>{base}/gone"
            + "</VASTAdTagURI></Wrapper></Ad></VAST>"
        let documents = [
            "blank": " \n ", "empty": "<VAST version=\"4.2\"/>", "gone": wrapper, "page": "<html></html>",
            "torn": String(smallAd().prefix(200)),
        ]
        var script = Dictionary(
            uniqueKeysWithValues: documents.map { ("/h/\($0.key)", SandboxReply(type: "application/xml", $0.value)) }
        )
        script["/gone"] = SandboxReply(status: 404)
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        var plan = Plan()
        plan.unit["timeout_ms"] = 60_000
        for id in documents.keys.sorted() {
            let network = try carrier.network(sandbox.baseURL + "/h/\(id)", files)
            plan.line(id, sandbox.baseURL, "/", timeout: 20_000, network: network)
        }
        let network = try carrier.network(sandbox.baseURL + "/video", files)
        plan.line("zgood", sandbox.baseURL, "/", timeout: 20_000, network: network)
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await Self.ready(gateway)
            #expect(
                try await gateway.ad().verdicts == [
                    "blank: no_fill(empty_body)", "empty: no_fill(empty_vast)", "gone: rejected(wrapper_failed)",
                    "page: bad_response(bad_vast)", "torn: bad_response(bad_vast)", "zgood: fill(fill)",
                ]
            )
        }
        await sandbox.stop()
    }

    @Test(
        "T-20 fifty replacements of a declared file under 200 requests a second: none fails, each fill is its version's"
    )
    func declaredReload() async throws {
        @Sendable func declaration(_ version: Int, _ base: String) -> JSONValue {
            [
                "url": .string(base + "/spot"),
                "reply": [
                    "format": "json",
                    "ad": [
                        "vast_url": "url", "price": ["amount": ["value": .int(version)], "default_currency": "USD"],
                    ],
                ],
            ]
        }
        let spot = SandboxReply(type: "application/json", #"{"url": "{base}/video"}"#)
        let file = try TemporaryFile("{}")
        defer { file.remove() }
        try await LiveGateway.run(["/spot": spot]) { base in
            try? rewrite(file.path, declaration(0, base).encodedText)
            var plan = Plan()
            let network: [String: JSONValue] = [
                "adapter": "declared", "file": .string(file.path), "settings": [:], "breaker": ["enabled": false],
            ]
            plan.line("spot", base, "/", timeout: 30_000, network: network)
            plan.unit["timeout_ms"] = 30_000
            plan.top["server"] = [
                "listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 2,
                "max_connections_per_address": 5000,
            ]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let isOver = Counter()
            async let load = OpenLoop(perSecond: 200, mark: "amount").run(gateway, until: { isOver.value > 0 })
            var versions: [String: String] = [:]
            for number in 0..<50 {
                try rewrite(file.path, declaration(number, gateway.sandbox.baseURL).encodedText)
                let reply = try await gateway.admin.post("/v1/config/reload", json: "")
                #expect(reply.status == 200, "\(reply.text)")
                versions[try #require(reply.json["config"]?.string)] = "\(number).00"
                try await SystemClock().sleep(for: .milliseconds(80))
            }
            isOver.add()
            let report = await load
            print("T-20, declared: \(report)")
            #expect(versions.count == 50)
            #expect(report.failures == [])
            #expect(report.asked >= 800 || report.heldBack > 0)
            #expect(report.perSecond > 190 || report.heldBack > 0)
            for (version, prices) in report.lines {
                #expect(Array(prices.keys) == [versions[version] ?? "unknown version"])
            }
            #expect(report.lines.count > 25)
        }
    }

    @Test(
        "T-26 audio: who sells films is not asked, a film is refused, a spot that is too long too, and the right one fills",
        arguments: Carrier.allCases
    )
    func audio(_ carrier: Carrier) async throws {
        let files = Carrier.Files()
        defer { files.remove() }
        let script = [
            "/a/wrong": SandboxReply(type: "text/xml", smallAd(type: "video/mp4")),
            "/a/long": SandboxReply(type: "text/xml", smallAd(type: "audio/mpeg", seconds: 40)),
            "/a/right": SandboxReply(type: "text/xml", smallAd(type: "audio/mpeg")),
        ]
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        var plan = Plan()
        plan.format = "audio"
        plan.unit["max_duration_ms"] = 20_000
        plan.unit["timeout_ms"] = 60_000
        for (id, path, format) in [
            ("film", "right", "video"), ("wrong", "wrong", "audio"), ("long", "long", "audio"),
            ("right", "right", "audio"),
        ] {
            // The in-tree `vast` adapter sells every format, so there the one for films is that of rewarded ads.
            var network = try carrier.network(sandbox.baseURL + "/a/\(path)", format: format, files)
            if carrier == .inTree, id == "film" {
                network = ["adapter": "rewarded", "settings": ["load_url": .string(sandbox.baseURL + "/a/right")]]
            }
            plan.line(id, sandbox.baseURL, "/", timeout: 20_000, network: network)
        }
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await Self.ready(gateway)
            #expect(
                try await gateway.ad().verdicts == [
                    "film: skipped(format)", "wrong: rejected(mime)", "long: rejected(duration)", "right: fill(fill)",
                ]
            )
        }
        await sandbox.stop()
    }

    @Test(
        "T-27 floods, bombs, redirects and trickles cost their line, in their time, and less than ten megabytes",
        arguments: Carrier.allCases
    )
    func hostile(_ carrier: Carrier) async throws {
        let files = Carrier.Files()
        defer { files.remove() }
        let elsewhere = try await SandboxServer.start()
        var flood = SandboxReply(type: "application/xml", String(repeating: "x", count: 65_536))
        flood.repeatBytes = 600 << 20
        var open = flood
        open.isLengthOpen = true
        var zip = SandboxReply(status: 200)
        zip.headers = [.init("Content-Type", "application/xml"), .init("Content-Encoding", "gzip")]
        zip.body = .bytes(ZipBomb.bytes)
        var heads = SandboxReply(type: "application/xml", smallAd())
        heads.headers += (0..<2000).map { .init("X-Flood-\($0)", String(repeating: "z", count: 100)) }
        var moved = SandboxReply(status: 307)
        moved.headers = [.init("Location", elsewhere.baseURL + "/video")]
        var trickle = SandboxReply(type: "application/xml", String(repeating: "y", count: 1000))
        trickle.chunkPause = .milliseconds(100)
        let script = [
            "/t/flood": flood, "/t/open": open, "/t/zip": zip, "/t/heads": heads, "/t/moved": moved,
            "/t/trickle": trickle,
        ]
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        var plan = Plan()
        for id in ["flood", "heads", "moved", "open", "trickle", "zip"] {
            var network = try carrier.network(sandbox.baseURL + "/t/\(id)", files)
            network["breaker"] = ["enabled": false]
            plan.line(id, sandbox.baseURL, "/", timeout: id == "trickle" ? 500 : 20_000, network: network)
        }
        let good = try carrier.network(sandbox.baseURL + "/video", files)
        plan.line("zzz", sandbox.baseURL, "/", timeout: 20_000, network: good)
        plan.top["ad_units"] = [
            ["id": "u", "format": "video", "timeout_ms": 60_000, "waterfall": .array(plan.waterfall)],
            ["id": "v", "format": "video", "timeout_ms": 60_000, "waterfall": .array(plan.waterfall.suffix(1))],
        ]
        plan.top["placements"] = [["id": "p", "ad_unit": "u"], ["id": "q", "ad_unit": "v"]]
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await Self.ready(gateway)
            for _ in 0..<10 { #expect(try await gateway.ad("q")["result"]?.string == "fill") }
            let memory = try Memory(gateway.process.id)
            try memory.forgetPeak()
            for _ in 0..<3 {
                let answer = try await gateway.ad()
                #expect(
                    answer.verdicts == [
                        "flood: bad_response(too_large)", "heads: bad_response(too_large)",
                        "moved: network_error(redirect_refused)", "open: bad_response(too_large)",
                        "trickle: timeout(line_timeout)", "zip: bad_response(too_large)", "zzz: fill(fill)",
                    ]
                )
                let late = answer["attempts"]?[4]?["latency_ms"]?.int ?? 0
                #expect((500...1500).contains(late))
            }
            let growth = try Memory(gateway.process.id).peakKilobytes - memory.residentKilobytes
            print("T-27, \(carrier.rawValue): the peak lies \(growth) KiB above what was held before")
            #expect(growth < 10_240)
            #expect(elsewhere.hits.isEmpty)
        }
        await sandbox.stop()
        await elsewhere.stop()
    }
}
