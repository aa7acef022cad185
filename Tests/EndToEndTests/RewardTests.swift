import Glibc
import Testing
import WeirAdapterKit
import WeirJSON
import WeirRewards
import WeirTesting
import WeirTime

/// Rewards from the ad to the publisher's server, over the built gateway.
@Suite("Rewards", .serialized)
struct RewardTests {
    private let custom = "a=b&c=%20é\""

    @Test("T-19 six words at once are one grant and one callback")
    func once() async throws {
        let pod = """
            <VAST version="4.2">\((1...2).map { number in
                """
                <Ad id="ad-\(number)" sequence="\(number)"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
                <AdServingId>s</AdServingId><Impression>https://n.test/i</Impression><Creatives><Creative id="c\(number)">\
                <Linear><Duration>00:00:05</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" \
                width="640" height="360">https://n.test/v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives>\
                </InLine></Ad>
                """
            }.joined())</VAST>
            """
        let rig = try await RewardRig([
            "/publisher": SandboxPath(SandboxReply(status: 200)),
            "/rewarded": SandboxPath(SandboxReply(type: "application/xml", pod)),
        ]) { base, plan in
            plan.unit["max_ads"] = 2
            plan.top["rewards"] = RewardRig.rewards(base)
        }
        let node = try await rig.start()
        let reply = try await node.open.post("/v1/ads", json: "{\"placement\":\"p\",\"user\":{\"id\":\"u-1\"}}")
        let tokens = (reply.json["ads"]?.array ?? []).compactMap { $0["presentation_token"]?.string }
        #expect(tokens.count == 2, "\(reply.text)")
        let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
            for number in 0..<6 { group.addTask { try await node.earned(tokens[number % 2]).json } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let ids = Set(answers.compactMap { $0["grant_id"]?.string })
        #expect(ids.count == 1, "two ads of one pod are one view")
        #expect(answers.count { $0["state"]?.string == "granted" } == 1)
        #expect(answers.count { $0["state"]?.string == "duplicate" } == 5)
        try await rig.eventually { rig.sandbox.hits(of: "/publisher").count == 1 }
        // Once more, long after: still the same grant, and nobody is told again.
        #expect(try await node.earned(tokens[0]).json["grant_id"]?.string == ids.first)
        try await rig.eventually {
            let rewards = try await node.admin.get("/v1/rewards?user=u-1").json["rewards"]?.array ?? []
            return rewards.count == 1 && rewards[0]["delivery"]?["state"]?.string == "delivered"
        }
        #expect(rig.sandbox.hits(of: "/publisher").count == 1)
        try await rig.stop(node)
        await rig.end()
    }

    @Test("a rewarded session's reward is in the ledger when its client reads of it, once")
    func session() async throws {
        let rig = try await RewardRig(["/publisher": SandboxPath(SandboxReply(status: 200))]) { base, plan in
            plan.top["rewards"] = RewardRig.rewards(base)
        }
        let node = try await rig.start()
        let opened = try await node.open.post("/v1/sessions", json: #"{"placement":"p"}"#).json
        let id = try #require(opened["session"]?.string)
        func send(_ inputs: String) async throws -> JSONValue {
            try await node.open.post("/v1/sessions/\(id)/inputs", json: #"{"inputs":[\#(inputs)]}"#).json
        }
        let options = #"{"type":"set_ssv_options","user_id":"u-9","custom_data":"a&b=%"}"#
        _ = try await send(options + #",{"type":"present","opt_in":true},{"type":"impression"}"#)
        let earned = try await send(#"{"type":"earned_reward"},{"type":"dismissed"}"#)
        let outputs = earned["outputs"]?.array ?? []
        #expect(outputs.contains { $0["type"]?.string == "earned_reward" }, "\(earned)")
        let rewards = try await node.admin.get("/v1/rewards?user=u-9").json["rewards"]?.array ?? []
        #expect(rewards.count == 1 && rewards[0]["custom_data"]?.string == "a&b=%", "\(rewards)")
        let ad = opened["outputs"]?.array?.compactMap { $0["ad"]?["presentation_token"]?.string }.first
        let again = try await node.earned(try #require(ad)).json
        #expect(again["state"]?.string == "duplicate")
        #expect(again["grant_id"]?.string == rewards[0]["transaction_id"]?.string)
        try await rig.eventually { rig.sandbox.hits(of: "/publisher").count == 1 }
        try await rig.stop(node)
        await rig.end()
    }

    @Test("a view that is never called back raises the alarm in log, metric, API and command")
    func alarm() async throws {
        let rig = try await RewardRig { base, plan in
            plan.unit["reward_mode"] = "ssv"
            plan.top["rewards"] = RewardRig.rewards(base, ["alarm_ms": 1])
        }
        let node = try await rig.start()
        #expect(try await node.admin.get("/v1/alarms").json["alarms"]?.array == [])
        #expect(try await node.admin.get("/metrics").text.contains("\nweir_reward_trouble_total 0\n"))
        let ad = try await node.ad()
        let token = try #require(ad["presentation_token"]?.string)
        #expect(try await node.earned(token).json["state"]?.string == "pending")
        try await rig.eventually { try await !(node.admin.get("/v1/alarms").json["alarms"]?.array ?? []).isEmpty }
        let alarms = try await node.admin.get("/v1/alarms").json["alarms"]?.array ?? []
        #expect(alarms.count == 1)
        #expect(alarms.first?["kind"]?.string == "reward_overdue")
        #expect(alarms.first?["message"]?.string?.contains("5 coins") ?? false, "\(alarms)")
        // The ledger marks the view before the metric counts it.
        try await rig.eventually {
            try await node.admin.get("/metrics").text.split(separator: "\n")
                .contains { $0.hasPrefix("weir_reward_overdue_total{") && $0.hasSuffix("} 1") }
        }
        let line = try await node.process.waitForLine { $0.contains("\"reward.overdue\"") }
        let event = try JSONReader.read(try #require(line))
        #expect(event["request_id"]?.string == alarms.first?["subject"]?.string)
        #expect(event.object?.keys.contains("request_id_") == false)
        let command = try WeirProcess(["alarms", "--admin", "http://127.0.0.1:\(node.admin.port)"])
        #expect(try await command.waitForExit() == 1)
        #expect(command.output.contains("reward_overdue"), "\(command.output)")
        try await rig.stop(node)
        await rig.end()
    }

    @Test("S2.38 how late a session's reward may come is the configuration's to say")
    func lateReward() async throws {
        let rig = try await RewardRig(["/publisher": SandboxPath(SandboxReply(status: 200))]) { base, plan in
            plan.top["rewards"] = RewardRig.rewards(base, ["late_reward_grace_ms": 1])
        }
        let node = try await rig.start()
        let opened = try await node.open.post("/v1/sessions", json: #"{"placement":"p"}"#).json
        let id = try #require(opened["session"]?.string)
        let path = "/v1/sessions/\(id)/inputs"
        let watched = #"{"type":"present","opt_in":true},{"type":"impression"},{"type":"dismissed"}"#
        _ = try await node.open.post(path, json: #"{"inputs":[\#(watched)]}"#)
        try await Task.sleep(for: .milliseconds(20))
        let late = try await node.open.post(path, json: #"{"inputs":[{"type":"earned_reward"}]}"#).json
        let types = late["outputs"]?.array?.compactMap { $0["type"]?.string } ?? []
        #expect(!types.isEmpty && !types.contains("earned_reward"), "\(late)")
        #expect(try await node.admin.get("/v1/rewards").json["rewards"]?.array?.isEmpty == true)
        try await rig.stop(node)
        await rig.end()
    }

    @Test("mode ssv: a client's word waits, the network's callback grants, whoever speaks first")
    func ssv() async throws {
        let rig = try await RewardRig(["/publisher": SandboxPath(SandboxReply(status: 200))]) { base, plan in
            plan.unit["reward_mode"] = "ssv"
            plan.top["rewards"] = RewardRig.rewards(base)
        }
        let node = try await rig.start()
        let token = try #require(try await node.ad(custom: custom)["presentation_token"]?.string)
        let pending = try await node.earned(token).json
        #expect(pending["state"]?.string == "pending")
        #expect(rig.sandbox.hits(of: "/publisher").isEmpty)
        let nonce = try #require(rig.sandbox.hits(of: "/rewarded").last?.parameter("c"))
        #expect(nonce.hasPrefix("w1.") && nonce.utf8.count <= 64)
        let callback = Self.pangle("t-1", nonce)
        for _ in 0..<3 { #expect(try await node.open.get(callback).text == "{\"isValid\": true}") }
        let forged = callback.replacing("trans_id=t-1", with: "trans_id=t-2")
        #expect(try await node.open.get(forged).text == "{\"isValid\": false}")
        try await rig.eventually { rig.sandbox.hits(of: "/publisher").count == 1 }
        let hit = try #require(rig.sandbox.hits(of: "/publisher").first)
        #expect(hit.parameter("custom_data") == custom)
        #expect(hit.parameter("transaction_id") == pending["grant_id"]?.string)
        #expect(try await node.earned(token).json["state"]?.string == "duplicate")
        // Abuse 28: a look grants nothing, a form is as good as a query, other methods are none.
        let form = Array(Self.pangle("t-3", nonce).split(separator: "?")[1].utf8)
        let type = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")]
        let posted = try await node.open.send("POST", "/v1/ssv/pangle", headers: type, body: form)
        #expect(posted.text == "{\"isValid\": true}")
        #expect(try await node.open.send("PUT", callback).status == 405)
        #expect(try await node.open.send("HEAD", callback).status == 405)
        #expect(try await node.open.get("/v1/ssv/nobody?x=1").status == 404)
        try await rig.stop(node)
        await rig.end()
    }

    @Test("T-21 500, silence, 200: three tries with growing gaps, one transaction, signatures that verify")
    func retries() async throws {
        var slow = SandboxReply(status: 200)
        slow.delay = .fixed(.seconds(3))
        let script = try #require(
            SandboxPath(steps: [
                SandboxPath.Step(SandboxReply(status: 500), times: 1), SandboxPath.Step(slow, times: 1),
                SandboxPath.Step(SandboxReply(status: 200)),
            ])
        )
        let rig = try await RewardRig(["/publisher": script]) { base, plan in
            plan.top["rewards"] = RewardRig.rewards(base, ["delivery_timeout_ms": 1000, "retry_initial_ms": 800])
        }
        let node = try await rig.start()
        let token = try #require(try await node.ad(user: "ü 1", custom: custom)["presentation_token"]?.string)
        #expect(try await node.earned(token + "x").status == 403)
        let grant = try #require(try await node.earned(token).json["grant_id"]?.string)
        try await rig.eventually {
            try await node.admin.get("/v1/rewards/\(grant)").json["delivery"]?["state"]?.string == "delivered"
        }
        let hits = rig.sandbox.hits(of: "/publisher")
        #expect(hits.count == 3, "the forged token called nobody")
        #expect(Set(hits.map { $0.parameter("transaction_id") }) == [grant])
        #expect(hits.allSatisfy { $0.parameter("user_id") == "ü 1" && $0.parameter("custom_data") == custom })
        let gaps = zip(hits, hits.dropFirst()).map { $1.milliseconds - $0.milliseconds }
        // The second try waited for its own time-out too.
        #expect(gaps[0] >= 600 && gaps[1] >= 1000 + 1200)
        #expect(
            hits[0].query.map(\.name) == [
                "ad_network", "ad_unit", "custom_data", "reward_amount", "reward_item", "timestamp", "transaction_id",
                "user_id", "signature", "key_id",
            ]
        )
        let tries = try await node.admin.get("/v1/rewards/\(grant)").json["delivery"]?["attempts"]?.array ?? []
        #expect(tries.map { $0["status"]?.int } == [500, nil, 200])
        try rig.write(try await node.open.get("/v1/ssv/keys").body, to: "keys.json")
        for hit in hits { try await verify(hit, rig) }
        try await rig.stop(node)
        await rig.end()
    }

    @Test("T-21 killed between two tries: delivered after the restart, under the same transaction")
    func killed() async throws {
        let script = try #require(
            SandboxPath(steps: [
                SandboxPath.Step(SandboxReply(status: 500), times: 1), SandboxPath.Step(SandboxReply(status: 200)),
            ])
        )
        let rig = try await RewardRig(["/publisher": script]) { base, plan in
            plan.top["rewards"] = RewardRig.rewards(base, ["retry_initial_ms": 3000])
        }
        let first = try await rig.start()
        let token = try #require(try await first.ad(custom: custom)["presentation_token"]?.string)
        let grant = try #require(try await first.earned(token).json["grant_id"]?.string)
        try await rig.eventually {
            try await first.admin.get("/v1/rewards/\(grant)").json["delivery"]?["tries"]?.int == 1
        }
        try await first.kill()
        let second = try await rig.start()
        try await rig.eventually { rig.sandbox.hits(of: "/publisher").count == 2 }
        #expect(Set(rig.sandbox.hits(of: "/publisher").map { $0.parameter("transaction_id") }) == [grant])
        // The token is as good as before: keys live longer than processes.
        #expect(try await second.earned(token).json["state"]?.string == "duplicate")
        try await rig.stop(second)
        await rig.end()
    }

    @Test("the publisher hears the same words whichever network filled; no custom data, no parameter (S2.10)")
    func sameShape() async throws {
        let rig = try await RewardRig(["/publisher": SandboxPath(SandboxReply(status: 200))]) { base, plan in
            plan.line("b", base, "/rewarded/vast", adapter: "vast")
            plan.top["rewards"] = RewardRig.rewards(base, ["network_numbers": ["n-a": "5450213213286189855"]])
        }
        let node = try await rig.start()
        _ = try await node.earned(try #require(try await node.ad()["presentation_token"]?.string))
        rig.sandbox.change("/rewarded", to: SandboxReply(status: 204))
        _ = try await node.earned(try #require(try await node.ad()["presentation_token"]?.string))
        try await rig.eventually { rig.sandbox.hits(of: "/publisher").count == 2 }
        let hits = rig.sandbox.hits(of: "/publisher")
        #expect(hits[0].query.map(\.name) == hits[1].query.map(\.name))
        #expect(hits[0].parameter("custom_data") == nil)
        let networks = Set(hits.compactMap { $0.parameter("ad_network") })
        #expect(networks.count == 2 && networks.contains("5450213213286189855"))
        #expect(networks.allSatisfy { UInt64($0) != nil })
        try await rig.stop(node)
        await rig.end()
    }

    @Test("a dead letter is listed, and told again when the operator says so")
    func deadLetters() async throws {
        let rig = try await RewardRig(["/publisher": SandboxPath(SandboxReply(status: 500))]) { base, plan in
            plan.top["rewards"] = RewardRig.rewards(base, ["retry_initial_ms": 50, "give_up_ms": 200])
        }
        let node = try await rig.start()
        let token = try #require(try await node.ad()["presentation_token"]?.string)
        let grant = try #require(try await node.earned(token).json["grant_id"]?.string)
        let admin = ["--admin", "http://127.0.0.1:\(node.admin.port)"]
        try await rig.eventually {
            try await run(["rewards", "--state", "dead", "--json"] + admin).1.contains(grant)
        }
        rig.sandbox.change("/publisher", to: SandboxReply(status: 200))
        #expect(try await run(["rewards", "redeliver", grant] + admin).0 == 0)
        let line = try await node.process.waitForLine { $0.contains("\"reward.granted\"") }
        let event = try JSONReader.read(try #require(line))
        #expect(
            event["request_id"]?.string == (try await node.admin.get("/v1/rewards/\(grant)").json["request_id"]?.string)
        )
        #expect(event.object?.keys.contains("request_id_") == false)
        try await rig.eventually { try await run(["rewards", grant] + admin).1.contains("delivered") }
        #expect(try await run(["rewards", "--user", "u-1"] + admin).1.contains(grant))
        #expect(try await run(["rewards", "redeliver", "nobody"] + admin).0 == 1)
        #expect(try await run(["rewards", "redeliver"] + admin).0 == 2)
        try await rig.stop(node)
        await rig.end()
    }

    @Test(
        "what cannot be read is answered 4xx, the reason is the operator's and not the sender's",
        arguments: [
            ("", 400, "bad_form"), ("x", 400, "bad_form"), ("trans_id=t&sign=zz", 400, "bad_signature_form"),
            ("trans_id=%zz&sign=00", 400, "bad_escape"), ("trans_id=%FF&sign=00", 400, "bad_escape"),
            ("trans_id=a&trans_id=b&sign=00", 400, "doubled_parameter"), ("sign=00", 400, "bad_parameter"),
            ("=1&sign=00", 400, "bad_parameter"), ("trans_id=t&sign=00", 200, "bad_signature"),
            ("trans_id=t&sign=", 400, "bad_form"), ("trans_id=t&&sign=00", 400, "bad_parameter"),
        ]
    )
    func badInput(_ query: String, _ status: Int, _ reason: String) async throws {
        let rig = try await RewardRig { base, plan in plan.top["rewards"] = RewardRig.rewards(base) }
        let node = try await rig.start()
        let reply = try await node.open.get("/v1/ssv/pangle?" + query)
        #expect(reply.status == status)
        #expect(!reply.text.contains(reason) && !reply.text.contains("sign"))
        let told = try await node.process.waitForLine { $0.contains("reward.callback_refused") }
        #expect(told?.contains("\"\(reason)\"") == true, "\(told ?? "nothing")")
        let metrics = try await node.admin.get("/metrics").text
        #expect(
            metrics.contains("weir_reward_callbacks_total{source=\"pangle\",state=\"refused\",reason=\"\(reason)\"} 1")
        )
        try await rig.stop(node)
        await rig.end()
    }

    @Test("exactly once under fire: two gateways of one database, killed again and again")
    func fire() async throws {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let process = try WeirProcess(
            [folder + "/scripts/rewards/fire.py", WeirProcess.binary, "150", "0.7"],
            program: "/usr/bin/python3"
        )
        #expect(
            try await process.waitForExit(within: .seconds(240)) == 0,
            "\(process.output)\(process.errors.suffix(500))"
        )
        #expect(process.output.contains("exactly once"))
    }

    @Test("the key file is for its owner's eyes only, and a gateway refuses one that others can read")
    func keyFile() async throws {
        let rig = try await RewardRig { _, _ in }
        let node = try await rig.start()
        var status = stat()
        #expect(stat(rig.directory + "/weir-keys.json", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        try await rig.stop(node)
        chmod(rig.directory + "/weir-keys.json", 0o644)
        let (code, _, errors) = try await run(["serve", "--config", rig.directory + "/weir.json"])
        #expect(code == 1 && errors.contains("chmod 600"))
        await rig.end()
    }

    // MARK: Verifiers of others

    /// `weir ssv verify`, the openssl command line, and Python's cryptography, as far as they are here.
    private func verify(_ hit: SandboxHit, _ rig: RewardRig) async throws {
        let url = "https://game.example/rewards?" + hit.rawQuery
        let keys = rig.directory + "/keys.json"
        #expect(try await run(["ssv", "verify", url, "--keys", keys]).0 == 0)
        let changed = url.replacing("reward_amount=5", with: "reward_amount=6")
        #expect(try await run(["ssv", "verify", changed, "--keys", keys]).0 == 1)
        let script = String(#filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()) + "/verify_ssv.py"
        for program in ["openssl", "cryptography"] {
            let process = try WeirProcess([script, program, keys, url], program: "/usr/bin/python3")
            let code = try await process.waitForExit()
            if code == 77 { continue }
            #expect(code == 0, "\(program): \(process.errors)")
            let other = try WeirProcess([script, program, keys, changed], program: "/usr/bin/python3")
            #expect(try await other.waitForExit() == 1, "\(program) must refuse a changed amount")
        }
    }

    private func run(_ arguments: [String]) async throws -> (Int32?, String, String) {
        let process = try WeirProcess(arguments)
        let code = try await process.waitForExit()
        return (code, process.output, process.errors)
    }

    private static func pangle(_ transaction: String, _ nonce: String) -> String {
        let sign = Digest.hexadecimalSHA256("pangle-key:\(transaction)")
        return
            "/v1/ssv/pangle?user_id=x&trans_id=\(transaction)&reward_name=gold&reward_amount=9&extra=\(nonce)&sign=\(sign)"
    }
}
