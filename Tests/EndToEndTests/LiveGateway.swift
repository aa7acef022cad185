import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// The built gateway as a process of its own, with sandbox networks in this one.
struct LiveGateway: Sendable {
    let sandbox: SandboxServer
    let process: WeirProcess
    let open: LoopbackClient
    let admin: LoopbackClient
    let file: TemporaryFile

    /// Starts a gateway, runs `body`, ends it again and expects a clean end.
    ///
    /// - Parameters:
    ///   - script: What the networks answer, on top of the standard script.
    ///   - environment: Variables of the gateway's process.
    ///   - configuration: The file, for the networks' base URL.
    ///   - body: The test.
    /// - Throws: What a child process or a socket throws.
    static func run(
        _ script: [String: SandboxReply] = [:],
        environment: [String: String] = [:],
        configuration: (String) -> JSONValue,
        _ body: @Sendable (LiveGateway) async throws -> Void
    ) async throws {
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        let file = try TemporaryFile(configuration(sandbox.baseURL).encodedText)
        defer { file.remove() }
        let process = try WeirProcess(["serve", "--config", file.path], environment: environment)
        do {
            let gateway = try await LiveGateway(sandbox: sandbox, process: process, file: file)
            try await body(gateway)
        } catch {
            Issue.record("\(error)\n\(process.errors.suffix(2000))")
        }
        process.signal(SIGTERM)
        #expect(try await process.waitForExit() == 0, "\(process.errors.suffix(2000))")
        await sandbox.stop()
    }

    private init(sandbox: SandboxServer, process: WeirProcess, file: TemporaryFile) async throws {
        self.sandbox = sandbox
        self.process = process
        self.file = file
        let line = try await process.waitForLine { $0.contains("\"serve.started\"") }
        let started = try JSONReader.read(try #require(line, "\(process.errors)"))
        open = LoopbackClient(port: try Self.port(started["listen"]))
        admin = LoopbackClient(port: try Self.port(started["admin_listen"]))
    }

    private static func port(_ address: JSONValue?) throws -> Int {
        try #require(address?.string?.split(separator: ":").last.flatMap { Int($0) })
    }

    /// Waits until initialization is complete.
    func initialized() async throws {
        try await eventually {
            try await admin.get("/v1/adapters").json["initialization"]?["state"]?.string == "complete"
        }
    }

    /// Waits until `isTrue`, looking every 20 ms.
    func eventually(within limit: Duration = .seconds(10), _ isTrue: () async throws -> Bool) async throws {
        let clock = SystemClock()
        let deadline = Deadline.after(limit, clock: clock)
        while try await !isTrue() {
            try #require(!deadline.hasPassed(clock), "it did not come true within \(limit)")
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// Asks for one ad.
    func ad(_ placement: String = "p", _ more: String = "") async throws -> JSONValue {
        let reply = try await open.post("/v1/ads", json: "{\"placement\": \"\(placement)\"\(more)}")
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json
    }

    /// The adapter of a network.
    func adapter(_ network: String) async throws -> JSONValue {
        try await admin.get("/v1/adapters/\(network)").json
    }
}

extension JSONValue {
    /// `result(reason)` of each attempt, in order.
    var verdicts: [String] {
        (self["attempts"]?.array ?? []).map {
            "\($0["line_item"]?.string ?? "?"): \($0["result"]?.string ?? "?")(\($0["reason"]?.string ?? "?"))"
        }
    }
}

/// A configuration file in a few words.
struct Plan {
    var networks: [JSONValue] = []
    var waterfall: [JSONValue] = []
    var unit: [String: JSONValue] = [:]
    var top: [String: JSONValue] = [:]
    var format = "video"

    /// Adds a network of the sandbox and a line that asks it; `path` may carry a query.
    mutating func line(
        _ id: String,
        _ base: String,
        _ path: String,
        timeout: Int? = nil,
        adapter: String = "vast",
        probe: String? = nil,
        network: [String: JSONValue] = [:],
        line: [String: JSONValue] = [:]
    ) {
        let setting =
            ["vast": "tag_url", "rewarded": "load_url", "instream-audio": "sections_url", "openrtb": "endpoint"][
                adapter
            ] ?? "tag_url"
        var settings: [String: JSONValue] = [setting: .string(base + path)]
        if let probe { settings["probe_url"] = .string(base + probe) }
        var entry: [String: JSONValue] = [
            "id": .string("n-\(id)"), "adapter": .string(adapter), "allow_private": ["127.0.0.1"],
            "settings": .object(JSONObject(settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })),
        ]
        entry.merge(network) { $1 }
        networks.append(.object(JSONObject(entry.map { ($0.key, $0.value) })))
        var rung: [String: JSONValue] = [
            "id": .string(id), "network": .string("n-\(id)"), "network_unit": .string("unit-\(id)"),
        ]
        if let timeout { rung["timeout_ms"] = .int(timeout) }
        rung.merge(line) { $1 }
        waterfall.append(.object(JSONObject(rung.map { ($0.key, $0.value) })))
    }

    /// The file.
    var json: JSONValue {
        var adUnit: [String: JSONValue] = [
            "id": "u", "format": .string(format), "timeout_ms": 3000, "waterfall": .array(waterfall),
        ]
        adUnit.merge(unit) { $1 }
        var root: [String: JSONValue] = [
            "server": ["listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 2],
            "storage": ["url": "sqlite::memory:"], "environment": "production",
            "networks": .array(networks),
            "ad_units": [.object(JSONObject(adUnit.map { ($0.key, $0.value) }))],
            "placements": [["id": "p", "ad_unit": "u"]],
        ]
        root.merge(top) { $1 }
        return .object(JSONObject(root.map { ($0.key, $0.value) }))
    }
}
