import Glibc
import Testing
import WeirJSON
import WeirTesting

/// The command line: tables for people, JSON for scripts, exit codes for both.
@Suite("Commands", .serialized)
struct CommandTests {
    private func run(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (Int32?, String, String) {
        let process = try WeirProcess(arguments, environment: environment)
        let code = try await process.waitForExit()
        return (code, process.output, process.errors)
    }

    @Test("adapters, request and explain show a running gateway")
    func reading() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("dry", base, "/nofill", line: ["rate": ["amount": "2.00", "currency": "USD"]])
            plan.line("good", base, "/video", probe: "/health/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let admin = ["--admin", "http://127.0.0.1:\(gateway.admin.port)"]
            let adapters = try await run(["adapters"] + admin)
            #expect(adapters.0 == 0)
            #expect(
                adapters.1.contains("2 of 2 ready") && adapters.1.contains("n-good")
                    && adapters.1.contains("/health/video")
            )
            let one = try await run(["adapters", "n-good", "--json"] + admin)
            #expect(try JSONReader.read(one.1)["state"]?.string == "ready")
            let all = try await run(
                ["adapters", "--json"],
                environment: ["WEIR_ADMIN": "127.0.0.1:\(gateway.admin.port)"]
            )
            #expect(try JSONReader.read(all.1)["adapters"]?.array?.count == 2)
            #expect(try await run(["adapters", "nobody"] + admin).0 == 1)

            let request = try await run(["request", "p", "--trace"] + admin)
            #expect(request.0 == 0)
            #expect(
                request.1.contains("filled by good") && request.1.contains("no_fill (http_204)")
                    && request.1.contains("█")
            )
            #expect(request.1.contains("/nofill"))
            #expect(!request.1.contains("\u{1B}"), "no colours but on a terminal")
            let json = try await run(["request", "p", "--json"] + admin)
            #expect(try JSONReader.read(json.1)["result"]?.string == "fill")
            let nowhere = try await run(["request", "nowhere"] + admin)
            #expect(nowhere.0 == 1 && nowhere.2.contains("nowhere"))

            let hits = gateway.sandbox.hits.count
            let explain = try await run(["explain", "p"] + admin)
            #expect(explain.0 == 0 && explain.1.contains("dry") && explain.1.contains("ask"))
            #expect(
                try JSONReader.read(try await run(["explain", "p", "--json"] + admin).1)["plan"]?.array?.count == 2
            )
            #expect(gateway.sandbox.hits.count == hits, "explain calls no network")
        }
    }

    @Test("reload takes the file over, names what waits for a restart, and says where a bad file is wrong")
    func reload() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("one", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let admin = ["--admin", "http://127.0.0.1:\(gateway.admin.port)"]
            let same = try await run(["reload"] + admin)
            #expect(same.0 == 0 && same.1.contains("is in force") && !same.1.contains("restart"), "\(same)")
            var plan = Plan()
            plan.line("two", gateway.sandbox.baseURL, "/video")
            plan.top["storage"] = ["url": "sqlite:elsewhere.db"]
            try rewrite(gateway.file.path, plan.json.encodedText)
            let taken = try await run(["reload"] + admin)
            #expect(taken.0 == 0 && taken.1.contains("wait for a restart: storage.url"), "\(taken)")
            #expect(try await gateway.ad()["ad"]?["line_item"]?.string == "two")
            try rewrite(gateway.file.path, "{\n  \"netwroks\": []\n}")
            let refused = try await run(["reload"] + admin)
            #expect(refused.0 == 1 && refused.2.contains(": 2: ") && refused.2.contains("refused"), "\(refused)")
            #expect(try JSONReader.read(try await run(["reload", "--json"] + admin).1)["valid"] == false)
        }
    }

    @Test("a document of a private address is fetched where the address is named, and the refusal says how")
    func privateDocument() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("one", base, "/video")
            return plan.json
        } _: { gateway in
            let url = gateway.sandbox.baseURL + "/video"
            let refused = try await run(["vast", "resolve", url])
            #expect((refused.1 + refused.2).contains("--allow-private"), "\(refused)")
            let taken = try await run(["vast", "resolve", url, "--allow-private", "127.0.0.1"])
            #expect(taken.0 == 0, "\(taken)")
            let wrong = try await run(["vast", "inspect", url, "--allow-private", "home"])
            #expect(wrong.0 == 2 && wrong.2.contains("home"), "\(wrong)")
        }
    }

    @Test("the help of a family names its commands", arguments: ["vast", "adapter", "ssv"])
    func family(_ name: String) async throws {
        for words in [[name, "--help"], ["help", name]] {
            let help = try await run(words)
            #expect(help.0 == 0 && help.1.contains("weir \(name) "), "\(help)")
        }
        #expect(try await run([name]).0 == 2)
    }

    @Test("explain says the time that a line really has: the least of its own, its group's and the request's")
    func explainedTime() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            plan.line("b", base, "/video", timeout: 100)
            plan.line("c", base, "/video", timeout: 60_000)
            plan.waterfall = [["group": .array(Array(plan.waterfall[..<2])), "timeout_ms": 500], plan.waterfall[2]]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let shown = try await run(["explain", "p", "--json", "--admin", "127.0.0.1:\(gateway.admin.port)"])
            let plan = try JSONReader.read(shown.1)["plan"]?.array ?? []
            #expect(plan.map { $0["timeout_ms"]?.int } == [500, 100, 3000])
        }
    }

    @Test("without the admin key the complaint says how to give it")
    func adminKey() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            plan.top["server"] = ["listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "admin_key": "k-secret-1"]
            return plan.json
        } _: { gateway in
            let admin = ["--admin", "127.0.0.1:\(gateway.admin.port)"]
            let refused = try await run(["explain", "p"] + admin)
            #expect(refused.0 == 1 && refused.2.contains("--key KEY, or WEIR_ADMIN_KEY"), "\(refused.2)")
            #expect(try await run(["explain", "p"] + admin, environment: ["WEIR_ADMIN_KEY": "k-secret-1"]).0 == 0)
        }
    }

    @Test("watching goes on until it is ended")
    func watching() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a", base, "/video", probe: "/health/audio")
            return plan.json
        } _: { gateway in
            let watch = try WeirProcess(["adapters", "--watch", "--admin", "http://127.0.0.1:\(gateway.admin.port)"])
            #expect(try await watch.waitForLine { $0.contains("1 of 1 ready") } != nil)
            #expect(watch.exitCode == nil)
            watch.signal(SIGTERM)
            _ = try await watch.waitForExit()
        }
    }

    @Test("adapters --config starts the adapters here")
    func here() async throws {
        let sandbox = try await SandboxServer.start()
        var plan = Plan()
        plan.line("a", sandbox.baseURL, "/video", probe: "/health/video")
        let file = try TemporaryFile(plan.json.encodedText)
        let shown = try await run(["adapters", "--config", file.path])
        #expect(shown.0 == 0 && shown.1.contains("1 of 1 ready"), "\(shown)")
        file.remove()
        await sandbox.stop()
    }

    @Test("wrong usage is 2, an unreachable gateway 3, and both say so in one line")
    func exitCodes() async throws {
        for words in [
            ["frobnicate"], ["request"], ["adapters", "--wach"], ["serve", "--config"], ["demo", "--port", "x"],
            ["check", "a"],
        ] {
            let (code, _, errors) = try await run(words)
            #expect(code == 2, "\(words): \(errors)")
            #expect(errors.split(separator: "\n").count == 1, "\(errors)")
        }
        #expect(try await run(["reqest"]).2.contains("Did you mean \"request\"?"))
        let away = try await run(["adapters", "--admin", "http://127.0.0.1:1"])
        #expect(away.0 == 3 && away.2.contains("connection refused"))
        #expect(try await run(["--help"]).0 == 0)
        for command in ["serve", "demo", "adapters", "request", "explain", "check", "sandbox"] {
            let help = try await run([command, "--help"])
            #expect(help.0 == 0 && help.1.contains("Example:"), "\(command)")
        }
    }

    @Test("T-6 check names line, path and the nearest known name; --lenient serves without the wrong entry")
    func check() async throws {
        let text = """
            {
              "server": {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0"}, "storage": {"url": "sqlite::memory:"},
              "environment": "production",
              "networks": [
                {"id": "bad", "adapter": "vsat", "settings": {"tag_url": "http://ads.example/"}},
                {"id": "off", "adapter": "vast", "enabled": false, "settings": {"tag_url": "http://ads.example/"}},
                {"id": "dry", "adapter": "vast", "allow_private": ["127.0.0.1"], "settings": {"tag_url": "BASE/nofill"}}
              ],
              "ad_units": [{"id": "u", "format": "video", "waterfall": [
                {"id": "a", "network": "bad", "network_unit": "1"}, {"id": "b", "network": "off", "network_unit": "1"},
                {"id": "c", "network": "dry", "network_unit": "1"}]}],
              "placements": [{"id": "p", "ad_unit": "u"}]
            }
            """
        let file = try TemporaryFile(text)
        let checked = try await run(["check", "--config", file.path])
        #expect(checked.0 == 1)
        #expect(checked.1.contains("\(file.path):5:") && checked.1.contains("networks[0].adapter"))
        #expect(checked.1.contains("Did you mean \"vast\"?"))
        let json = try JSONReader.read(try await run(["check", "--json", "--config", file.path]).1)
        #expect(json["valid"]?.bool == false && json["diagnostics"]?[0]?["line"]?.int == 5)
        let refused = try await run(["serve", "--config", file.path])
        #expect(refused.0 == 1 && refused.2.contains("vsat") && !refused.2.contains("serve.started"))

        let process = try WeirProcess(["serve", "--lenient", "--config", file.path])
        let line = try #require(try await process.waitForLine { $0.contains("serve.started") })
        let port = try #require(
            try JSONReader.read(line)["listen"]?.string?.split(separator: ":").last.flatMap { Int($0) }
        )
        let answer = try await LoopbackClient(port: port).post("/v1/ads", json: "{\"placement\": \"p\"}").json
        #expect(answer.verdicts.prefix(2) == ["a: skipped(unknown_adapter)", "b: skipped(disabled)"])
        #expect(answer["attempts"]?[0]?["latency_ms"]?.int == 0)
        process.signal(SIGTERM)
        #expect(try await process.waitForExit() == 0)
        file.remove()
    }

    @Test("what keeps the gateway from starting is one clear line, exit 1, and nothing half-started")
    func refusals() async throws {
        let taken = try await SandboxServer.start()
        let complaints: [(top: [String: JSONValue], word: String)] = [
            (
                ["server": ["listen": .string("127.0.0.1:\(taken.port)"), "admin_listen": "127.0.0.1:0"]],
                "already in use"
            ),
            (
                ["server": ["listen": "127.0.0.1:0", "admin_listen": .string("127.0.0.1:\(taken.port)")]],
                "already in use"
            ),
            (["storage": ["url": "sqlite:/dev/null/weir.db"]], "/dev/null"),
            (["storage": ["url": "postgres://u:p@h/d"]], "not"),
            (["server": ["listen": "127.0.0.1:0", "admin_listen": "0.0.0.0:0"]], "admin_key"),
            (["sever": [:]], "Did you mean"),
            (["placements": [["id": "p", "ad_unit": "v"]]], "ad_unit"),
            (["test_units": ["unit-a"]], "test"),
        ]
        for complaint in complaints {
            var plan = Plan()
            plan.line("a", taken.baseURL, "/video")
            plan.top = complaint.top
            let file = try TemporaryFile(plan.json.encodedText)
            let (code, _, errors) = try await run(["serve", "--config", file.path])
            #expect(code == 1, "\(complaint.word): \(errors)")
            #expect(errors.contains(complaint.word), "\(errors)")
            #expect(errors.split(separator: "\n").count == 1, "\(errors)")
            file.remove()
        }
        #expect(taken.hits.isEmpty)
        await taken.stop()
    }

    @Test("the demo fills one ad of each format and ends with exit 0")
    func demo() async throws {
        // Three ports in a row; another program may hold one of them, so a few places are tried.
        for port in [28_180, 28_280, 28_380] {
            let (code, output, errors) = try await run(["demo", "--once", "--port", "\(port)"])
            if errors.contains("in use") { continue }
            #expect(code == 0, "\(errors)")
            for word in ["movie_preroll", "level_end", "morning_radio", "filled by film-low", "curl", "█"] {
                #expect(output.contains(word), "\(word)")
            }
            return
        }
        Issue.record("no three free ports")
    }
}
