import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// A gateway with a database of its own that can be killed and started again, and a publisher's server beside it.
final class RewardRig: Sendable {
    let sandbox: SandboxServer
    let directory: String
    private let configuration: String

    /// Starts the sandbox and writes the configuration; `change` gets the sandbox's base URL.
    init(_ script: [String: SandboxPath] = [:], change: (String, inout Plan) -> Void) async throws {
        let made = "/tmp/weir-rewards-XXXXXX".withCString { template -> String? in
            guard let copy = strdup(template) else { return nil }
            defer { free(copy) }
            return mkdtemp(copy).map { String(cString: $0) }
        }
        directory = try #require(made)
        sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(paths: script)))
        var plan = Plan()
        plan.format = "rewarded"
        plan.unit["reward"] = ["item": "coins", "amount": "5", "override": true]
        plan.line("a", sandbox.baseURL, "/rewarded?c={custom_data}", adapter: "rewarded")
        plan.top["storage"] = ["url": "sqlite:weir.db"]
        change(sandbox.baseURL, &plan)
        configuration = directory + "/weir.json"
        try write(plan.json.encodedText, to: "weir.json")
    }

    /// Settings of `rewards` with callbacks that go to the sandbox.
    static func rewards(_ base: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        var settings: [String: JSONValue] = [
            "publisher_callback_url": .string(base + "/publisher"), "allow_private": ["127.0.0.1"],
            "callbacks": [["network": "pangle", "scheme": "pangle", "secret": "pangle-key"]],
        ]
        settings.merge(more) { $1 }
        return .object(JSONObject(settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    /// A running gateway.
    struct Node: Sendable {
        let process: WeirProcess
        let open: LoopbackClient
        let admin: LoopbackClient

        func kill() async throws {
            process.signal(SIGKILL)
            _ = try await process.waitForExit()
        }

        /// One rewarded ad.
        func ad(_ placement: String = "p", user: String = "u-1", custom: String? = nil) async throws -> JSONValue {
            var body: [String: JSONValue] = ["id": .string(user)]
            if let custom { body["custom_data"] = .string(custom) }
            let request: JSONValue = [
                "placement": .string(placement), "user": .object(JSONObject(body.map { ($0.key, $0.value) })),
            ]
            let reply = try await open.post("/v1/ads", json: request.encodedText)
            return try #require(reply.json["ad"], "\(reply.text)")
        }

        func earned(_ token: String) async throws -> LoopbackReply {
            let event: JSONValue = ["type": "earned_reward", "presentation_token": .string(token)]
            return try await open.post("/v1/events", json: event.encodedText)
        }
    }

    /// Starts a gateway, under a shell's `command` where there is one, and waits until its networks are ready.
    func start(under command: String? = nil) async throws -> Node {
        let arguments = ["serve", "--config", configuration]
        let process =
            if let command {
                try WeirProcess(["-c", command, WeirProcess.binary] + arguments, program: "/bin/sh")
            } else {
                try WeirProcess(arguments)
            }
        let line = try await process.waitForLine { $0.contains("\"serve.started\"") }
        let started = try JSONReader.read(try #require(line, "\(process.errors)"))
        let node = Node(
            process: process,
            open: LoopbackClient(port: try Self.port(started["listen"])),
            admin: LoopbackClient(port: try Self.port(started["admin_listen"]))
        )
        try await eventually {
            try await node.admin.get("/v1/adapters").json["initialization"]?["state"]?.string == "complete"
        }
        return node
    }

    func stop(_ node: Node) async throws {
        node.process.signal(SIGTERM)
        #expect(try await node.process.waitForExit() == 0, "\(node.process.errors.suffix(2000))")
    }

    func end() async {
        await sandbox.stop()
        for name in [
            "weir.json", "weir.db", "weir.db-wal", "weir.db-shm", "weir-keys.json", "keys.json", "text", "sig",
            "key.pem",
        ] {
            unlink(directory + "/" + name)
        }
        unlink(directory + "/weir-keys.json.lock")
        rmdir(directory)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = try #require(fopen(directory + "/" + name, "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    func eventually(within limit: Duration = .seconds(30), _ isTrue: () async throws -> Bool) async throws {
        let clock = SystemClock()
        let deadline = Deadline.after(limit, clock: clock)
        while try await !isTrue() {
            try #require(!deadline.hasPassed(clock), "it did not come true within \(limit)")
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    private static func port(_ address: JSONValue?) throws -> Int {
        try #require(address?.string?.split(separator: ":").last.flatMap { Int($0) })
    }
}

extension SandboxHit {
    /// The query as it was sent: Weir escapes everything but the unreserved characters.
    var rawQuery: String {
        query.map { parameter in
            let value = parameter.value.utf8.map { byte -> String in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
                default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            }
            return parameter.name + "=" + value.joined()
        }.joined(separator: "&")
    }
}
