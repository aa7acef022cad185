import Glibc
import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting

/// What people get wrong on the command line and in the file.
@Suite("Stumbling", .serialized)
struct StumblingTests {
    private func run(_ arguments: [String]) async throws -> (code: Int32?, output: String, errors: String) {
        let process = try WeirProcess(arguments)
        let code = try await process.waitForExit()
        return (code, process.output, process.errors)
    }

    @Test("check says what is wrong with a file, each mistake once and with its line; serve refuses the same file")
    func files() async throws {
        let network = "{\"id\": \"n\", \"adapter\": \"vast\", \"settings\": {\"tag_url\": \"http://ads.example/\"}}"
        let unit =
            "{\"id\": \"u\", \"format\": \"video\", \"waterfall\": [{\"id\": \"l\", \"network\": \"n\", \"network_unit\": \"1\"}]}"
        let cases: [(text: String, line: Int, words: [String])] = [
            ("{\n\"networks\": [],\n\"networks\": []}", 3, ["networks", "again"]),
            ("{\"networks\": [\n\(network),\n\(network)]}", 3, ["networks[1].id", "\"n\""]),
            (
                "{\"networks\": [\(network.replacing("\"n\"", with: "\"m\""))],\n\"ad_units\": [\(unit)]}", 2,
                ["network", "\"n\""]
            ),
            ("{\"networks\": [\(network)],\n\"ad_unit\": []}", 2, ["ad_unit", "Did you mean \"ad_units\"?"]),
            ("{\n\"server\": {\"drain_ms\": -1}}", 2, ["server.drain_ms"]),
            ("{\n\"server\": {\"drain_ms\": \"5s\"}}", 2, ["server.drain_ms"]),
            ("{\n\"networks\": null}", 2, ["networks"]),
            ("{\n\"networks\": [", 2, []),
            ("", 1, []),
            ("[]", 1, []),
            ("{\"networks\": [\n\(network.replacing("tag_url", with: "tag_ulr"))]}", 2, ["tag_ulr", "tag_url"]),
            ("{\n" + String(repeating: "[", count: 5000), 2, []),
        ]
        for bad in cases {
            let file = try TemporaryFile(bad.text)
            let checked = try await run(["check", "--json", "--config", file.path])
            #expect(checked.code == 1, "\(bad.text.prefix(80))")
            let report = try JSONReader.read(checked.output)
            let errors = report["diagnostics"]?.array?.filter { $0["severity"]?.string == "error" } ?? []
            #expect(errors.contains { $0["line"]?.int == bad.line }, "\(bad.text.prefix(80)): \(report)")
            for word in bad.words {
                let text = errors.map {
                    "\($0["path"]?.string ?? "") \($0["message"]?.string ?? "") \($0["hint"]?.string ?? "")"
                }
                #expect(text.contains { $0.contains(word) }, "\(word) in \(text)")
            }
            let served = try await run(["serve", "--config", file.path])
            #expect(served.code == 1 && !served.errors.contains("serve.started"))
            #expect(served.errors.contains(file.path + ":\(bad.line):"), "\(served.errors)")
            file.remove()
        }
    }

    @Test("a good file is good: exit 0, and nothing is started")
    func good() async throws {
        let sandbox = try await SandboxServer.start()
        var plan = Plan()
        plan.line("a", sandbox.baseURL, "/video", probe: "/health/video")
        let file = try TemporaryFile(plan.json.encodedText)
        let checked = try await run(["check", "--config", file.path])
        #expect(checked.code == 0, "\(checked)")
        let json = try JSONReader.read(try await run(["check", "--json", "--config", file.path]).output)
        #expect(json["valid"]?.bool == true)
        #expect(sandbox.hits.isEmpty)
        file.remove()
        await sandbox.stop()
    }

    @Test("files that are not there, are folders, or name absent secrets are one line and exit 1")
    func absent() async throws {
        let secret = "{\"server\": {\"admin_key\": {\"env\": \"WEIR_E2E_NO_SUCH_VARIABLE\"}}}"
        let file = try TemporaryFile(secret)
        for (path, word) in [
            ("/nonexistent/weir.json", "/nonexistent/weir.json"), ("/tmp", "/tmp"),
            (file.path, "WEIR_E2E_NO_SUCH_VARIABLE"),
        ] {
            for command in ["serve", "check", "adapters"] {
                let (code, output, errors) = try await run([command, "--config", path])
                #expect(code == 1, "\(command) \(path): \(errors)")
                #expect((output + errors).contains(word), "\(command): \(output)\(errors)")
                #expect(!errors.contains("serve.started"))
            }
        }
        file.remove()
    }

    @Test("no fill, no such placement, not ready: the answer is no, exit 1")
    func answers() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("dry", base, "/nofill", probe: "/hang")
            plan.top["initialization"] = ["timeout_ms": 100]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let admin = ["--admin", "http://127.0.0.1:\(gateway.admin.port)"]
            let request = try await run(["request", "p"] + admin)
            #expect(request.code == 1 && request.output.contains("http_204"))
            let json = try await run(["request", "p", "--json", "--trace"] + admin)
            #expect(json.code == 1)
            #expect(try JSONReader.read(json.output)["result"]?.string == "no_fill")
            let nowhere = try await run(["explain", "nowhere"] + admin)
            #expect(nowhere.code == 1 && nowhere.errors.contains("nowhere"))
            #expect(nowhere.errors.split(separator: "\n").count == 1)
            let adapters = try await run(["adapters"] + admin)
            #expect(adapters.code == 1 && adapters.output.contains("0 of 1 ready"), "\(adapters)")
            #expect(adapters.output.contains("timed_out") && adapters.output.contains("probe_url"))

            let body = try TemporaryFile("{\"device\": {\"ip\": \"1.2.3\"}}")
            let bad = try await run(["request", "p", "--body", body.path] + admin)
            #expect(bad.code == 1 && bad.errors.contains("device.ip"), "\(bad)")
            body.remove()
            let gone = try await run(["request", "p", "--body", "/nonexistent"] + admin)
            #expect(gone.code == 2 && gone.errors.split(separator: "\n").count == 1, "\(gone)")
        }
    }

    @Test("an admin key is asked for by every operator's page and given by --key or the environment")
    func adminKey() async throws {
        let key = "admin-key-0815"
        try await LiveGateway.run(environment: ["E2E_ADMIN": key]) { base in
            var plan = Plan()
            plan.line("a", base, "/video")
            plan.top["server"] = [
                "listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "admin_key": ["env": "E2E_ADMIN"],
            ]
            return plan.json
        } _: { gateway in
            for path in ["/v1/adapters", "/v1/config", "/v1/requests", "/metrics", "/v1/adapters?watch=1"] {
                let reply = try await gateway.admin.get(path)
                #expect(reply.status == 401, "\(path)")
                #expect(reply.header("WWW-Authenticate")?.hasPrefix("Bearer") == true, "\(path)")
            }
            #expect(try await gateway.admin.post("/v1/config/reload", json: "").status == 401)
            let bearer = [HTTPHeader("Authorization", "Bearer " + key)]
            #expect(try await gateway.admin.get("/v1/adapters", headers: bearer).status == 200)
            #expect(
                try await gateway.open.post("/v1/ads?trace=1", json: "{\"placement\": \"p\"}", headers: bearer).status
                    == 200
            )
            let wrong = [HTTPHeader("Authorization", "Bearer " + key + "x")]
            #expect(try await gateway.admin.get("/v1/adapters", headers: wrong).status == 401)
            let admin = ["--admin", "http://127.0.0.1:\(gateway.admin.port)"]
            #expect(try await run(["adapters", "--key", key] + admin).code == 0)
            let refused = try await run(["adapters"] + admin)
            #expect(refused.code == 1 && refused.errors.contains("admin key"), "\(refused)")
            #expect(!gateway.process.errors.contains(key))
        }
    }
}
