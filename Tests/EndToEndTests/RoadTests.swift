import Glibc
import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting
import WeirTime

/// Reload, hostile networks, leaving: what the road must bear.
@Suite("Road", .serialized)
struct RoadTests {
    /// A configuration whose only line is called `v-N`, so that an answer tells which version decided.
    private static func version(_ number: Int, _ base: String) -> JSONValue {
        var plan = Plan()
        plan.line("v-\(number)", base, "/video?v=\(number)")
        plan.networks = [
            [
                "id": "n", "adapter": "vast", "allow_private": ["127.0.0.1"],
                "settings": ["tag_url": .string("\(base)/video?v={network_unit}")],
            ]
        ]
        // Time enough on a busy machine: this is not about deadlines.
        plan.unit["timeout_ms"] = 30_000
        plan.top["server"] = [
            "listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 2, "max_connections_per_address": 5000,
        ]
        plan.waterfall = [
            [
                "id": .string("v-\(number)"), "network": "n", "network_unit": .string("\(number)"),
                "timeout_ms": 30_000,
            ]
        ]
        return plan.json
    }

    @Test("T-20 fifty reloads under 200 requests a second: none fails, and each fill is that of its own version")
    func reload() async throws {
        try await LiveGateway.run { base in
            Self.version(0, base)
        } _: { gateway in
            try await gateway.initialized()
            let base = gateway.sandbox.baseURL
            let isOver = Counter()
            async let load = OpenLoop(perSecond: 200).run(gateway, until: { isOver.value > 0 })
            var versions: [String: String] = [:]
            for number in 0..<50 {
                try rewrite(gateway.file.path, Self.version(number, base).encodedText)
                let reply = try await gateway.admin.post("/v1/config/reload", json: "")
                #expect(reply.status == 200, "\(reply.text)")
                versions[try #require(reply.json["config"]?.string)] = "v-\(number)"
                // Reloads far enough apart that requests come between them, and so the load can be measured.
                try await SystemClock().sleep(for: .milliseconds(80))
            }
            isOver.add()
            let report = await load
            print("T-20: \(report)")
            #expect(versions.count == 50)
            #expect(report.failures == [])
            #expect(report.asked >= 800 || report.heldBack > 0)
            // A machine that is busy with something else cannot bear the load; that is said above and proves nothing here.
            #expect(report.perSecond > 190 || report.heldBack > 0)
            #expect(report.lines.values.reduce(0) { $0 + $1.values.reduce(0, +) } == report.asked)
            for (version, lines) in report.lines {
                #expect(Array(lines.keys) == [versions[version] ?? "unknown version"])
            }
            #expect(report.lines.count > 25)
        }
    }

    @Test("T-20 a bad file leaves the old configuration serving, and says where it is wrong")
    func badReload() async throws {
        try await LiveGateway.run { base in
            Self.version(1, base)
        } _: { gateway in
            try await gateway.initialized()
            let good = try await gateway.ad()["config"]?.string
            try rewrite(gateway.file.path, "{\n  \"server\": {\"listne\": \"127.0.0.1:0\"}\n}")
            let reply = try await gateway.admin.post("/v1/config/reload", json: "")
            #expect(reply.status == 422)
            let lines = reply.json["diagnostics"]?.array?.compactMap { $0["line"]?.int } ?? []
            #expect(lines.contains(2))
            #expect(reply.text.contains("Did you mean"))
            #expect(try await gateway.ad()["config"]?.string == good)
            let current = try await gateway.admin.get("/v1/config").json
            #expect(current["error"]?["diagnostics"]?.array?.compactMap { $0["line"]?.int } == lines)
            // SIGHUP takes the corrected file over.
            try rewrite(gateway.file.path, Self.version(2, gateway.sandbox.baseURL).encodedText)
            gateway.process.signal(SIGHUP)
            try await gateway.eventually { try await gateway.ad()["ad"]?["line_item"]?.string == "v-2" }
            #expect(try await gateway.admin.get("/v1/config").json["error"]?.isNull == true)
        }
    }

    @Test("T-20 a reload says what of it waits for a restart, and takes the rest over")
    func needsRestart() async throws {
        try await LiveGateway.run { base in
            Self.version(1, base)
        } _: { gateway in
            try await gateway.initialized()
            #expect(try await gateway.admin.get("/v1/config").json["needs_restart"] == .array([]))
            let moved = Self.version(2, gateway.sandbox.baseURL).encodedText
                .replacing("\"listen\":\"127.0.0.1:0\"", with: "\"listen\":\"127.0.0.1:1\"")
            try rewrite(gateway.file.path, moved)
            let reply = try await gateway.admin.post("/v1/config/reload", json: "")
            #expect(reply.status == 200)
            #expect(reply.json["needs_restart"] == ["server.listen"])
            #expect(try await gateway.ad()["ad"]?["line_item"]?.string == "v-2")
            #expect(try await gateway.admin.get("/v1/config").json["needs_restart"] == reply.json["needs_restart"])
            #expect(try await gateway.process.waitForLine { $0.contains("config.needs_restart") } != nil)
        }
    }

    @Test("T-27 endless, trickling, redirecting and bombing networks cost their attempt and nothing else")
    func hostile() async throws {
        var endless = SandboxReply(type: "application/xml", String(repeating: "x", count: 65_536))
        endless.repeatBytes = 600 << 20
        endless.isLengthOpen = true
        var trickle = SandboxReply(type: "application/xml", String(repeating: "y", count: 1000))
        trickle.chunkPause = .milliseconds(100)
        var redirect = SandboxReply(status: 307)
        redirect.headers = [SandboxReply.Header("Location", "{base}/elsewhere")]
        var flood = SandboxReply(status: 200)
        flood.headers = (0..<2000).map { SandboxReply.Header("X-Flood-\($0)", String(repeating: "z", count: 100)) }
        var reset = SandboxReply(type: "application/xml", String(repeating: "r", count: 5000))
        reset.closeAfter = 100
        reset.closesByReset = true
        let script = [
            "/endless": endless, "/trickle": trickle, "/redirect": redirect, "/flood": flood, "/reset": reset,
            "/elsewhere": SandboxReply(status: 200),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["endless", "redirect", "flood", "reset"] { plan.line(id, base, "/\(id)", timeout: 3000) }
            plan.line("trickle", base, "/trickle", timeout: 500)
            plan.line("private", base, "/video", network: ["allow_private": []])
            plan.line("good", base, "/video")
            plan.unit["timeout_ms"] = 10_000
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            _ = try await gateway.ad()
            let before = try residentKilobytes(gateway.process.id)
            let answer = try await gateway.ad()
            #expect(
                answer.verdicts == [
                    "endless: bad_response(too_large)", "redirect: network_error(redirect_refused)",
                    "flood: bad_response(too_large)", "reset: network_error(reset)", "trickle: timeout(line_timeout)",
                    "private: network_error(address_refused)", "good: fill(fill)",
                ]
            )
            #expect(gateway.sandbox.hits(of: "/elsewhere").isEmpty)
            #expect(try residentKilobytes(gateway.process.id) - before < 10_240)
        }
    }

    @Test("T-30 told to stop, it says so first, serves on, lets requests finish, and resets nobody")
    func drain() async throws {
        var slow = SandboxReply(type: "application/xml", "<VAST version=\"4.2\"/>")
        slow.delay = .fixed(.milliseconds(700))
        try await LiveGateway.run(["/slow700": slow]) { base in
            var plan = Plan()
            plan.line("a", base, "/slow700", timeout: 2000)
            plan.line("b", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let stopped = Counter()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var served = 0
                        while true {
                            do {
                                let reply = try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}")
                                #expect(reply.status == 200 && reply.isComplete)
                                #expect(reply.json["result"]?.string == "fill", "\(reply.json.verdicts)")
                                served += 1
                            } catch {
                                // Only a listener that is closed may refuse, and only after the signal.
                                #expect(stopped.value > 0, "\(error)")
                                #expect("\(error)".contains("refused"), "\(error)")
                                return served
                            }
                        }
                    }
                }
                #expect(try await gateway.sandbox.waitForHits { $0.count >= 8 })
                gateway.process.signal(SIGTERM)
                stopped.add()
                try await gateway.eventually(within: .seconds(2)) {
                    (try? await gateway.open.get("/readyz").status) == 503
                }
                for try await served in group { #expect(served >= 1) }
            }
            #expect(try await gateway.process.waitForExit() == 0)
        }
    }
}

/// A number that tasks share.
final class Counter: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

/// Replaces a file as an editor does: whole, by renaming.
func rewrite(_ path: String, _ text: String) throws {
    let new = try TemporaryFile(text)
    try #require(rename(new.path, path) == 0)
}

private func residentKilobytes(_ process: Int32) throws -> Int {
    let status = String(decoding: try TextFile.read("/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber)))
}
