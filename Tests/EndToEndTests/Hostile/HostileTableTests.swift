import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// The built gateway against every trick of a network that we know: result, reason, time and memory.
@Suite("Hostile networks, row by row", .serialized)
struct HostileTableTests {
    static let rows =
        HostileCase.sizes + HostileCase.encodings + HostileCase.times + HostileCase.breaks + HostileCase.redirects
        + HostileCase.transportSecurity + HostileCase.spellings + HostileCase.wrappers + HostileCase.documents

    @Test("T-27 each row costs its line, in its time, and next to no memory; an honest network fills afterwards")
    func table() async throws {
        let rows = Self.rows
        let servers = try await HostileServers(rows)
        defer { servers.stop() }
        try await LiveGateway.run { base in
            Self.configuration(rows, servers, base)
        } _: { gateway in
            try await gateway.initialized()
            #expect(try await gateway.ad("honest")["result"]?.string == "fill")
            let before = try Memory(gateway.process.id).residentKilobytes
            for (number, row) in rows.enumerated() where servers.tls != nil || !row.tag.contains("{tls}") {
                try await Self.check(row, "p-\(number)", gateway, servers)
            }
            #expect(try await gateway.ad("honest")["result"]?.string == "fill")
            let after = try Memory(gateway.process.id).residentKilobytes
            print("T-27: \(rows.count) rows, \(before) KiB before, \(after) KiB after")
            #expect(after - before < 32_768)
            let logged = gateway.process.errors
            #expect(!logged.contains("root:"))
        }
    }

    @Test("no two rows have one name, and there are many")
    func names() {
        #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
        #expect(Set(Self.rows.map(\.path)).count == Self.rows.count)
        #expect(Self.rows.count >= 100)
    }

    private static func check(
        _ row: HostileCase,
        _ placement: String,
        _ gateway: LiveGateway,
        _ servers: HostileServers
    ) async throws {
        let asked = servers.wire.paths.count
        let memory = try Memory(gateway.process.id)
        try memory.forgetPeak()
        let began = ContinuousClock.now
        let answer = try await gateway.ad(placement)
        let time = ContinuousClock.now - began
        let growth = try Memory(gateway.process.id).peakKilobytes - memory.residentKilobytes
        let attempt = answer["attempts"]?[0]
        let verdict = "\(attempt?["result"]?.string ?? "?")(\(attempt?["reason"]?.string ?? "?"))"
        let message = attempt?["message"]?.string ?? ""
        var allowed = [row.verdict]
        if row.name.contains("localhost") { allowed.append("network_error(dns)") }
        #expect(allowed.contains(verdict), "\(row.name): \(message)")
        #expect(!message.isEmpty && !message.contains("user:word"), "\(row.name): \(message)")
        #expect(time < .milliseconds(row.longest), "\(row.name)")
        #expect(growth < row.growth, "\(row.name): \(growth) KiB")
        #expect(servers.wire.paths.count - asked <= row.requests, "\(row.name)")
    }

    private static func configuration(_ rows: [HostileCase], _ servers: HostileServers, _ base: String) -> JSONValue {
        var networks: [JSONValue] = []
        var units: [JSONValue] = []
        var placements: [JSONValue] = []
        func add(_ name: String, _ row: HostileCase, _ tag: String) {
            let setting = row.adapter == "rewarded" ? "load_url" : "tag_url"
            networks.append([
                "id": .string("n-\(name)"), "adapter": .string(row.adapter),
                "settings": .object(JSONObject([(setting, .string(tag))])),
                "allow_private": .array(row.allowed.map { .string($0) }), "breaker": ["enabled": false],
            ])
            units.append([
                "id": .string("u-\(name)"), "format": row.adapter == "rewarded" ? "rewarded" : "video",
                "timeout_ms": 20_000,
                "waterfall": [
                    [
                        "id": .string("l-\(name)"), "network": .string("n-\(name)"), "network_unit": "unit",
                        "timeout_ms": .int(row.timeout),
                    ]
                ],
            ])
            placements.append(["id": .string(name), "ad_unit": .string("u-\(name)")])
        }
        for (number, row) in rows.enumerated() { add("p-\(number)", row, servers.url(row.tag)) }
        add("honest", HostileCase("honest", "fill(fill)", tag: ""), base + "/video")
        return [
            "server": ["listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 2],
            "storage": ["url": "sqlite::memory:"], "environment": "production",
            "networks": .array(networks), "ad_units": .array(units), "placements": .array(placements),
        ]
    }
}

/// What a process holds of the machine's memory.
struct Memory {
    let residentKilobytes: Int
    let peakKilobytes: Int
    private let process: Int32

    init(_ process: Int32) throws {
        self.process = process
        let status = String(decoding: try TextFile.read("/proc/\(process)/status"), as: UTF8.self)
        func value(_ name: String) throws -> Int {
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
            return try #require(Int(line.filter(\.isNumber)))
        }
        residentKilobytes = try value("VmRSS:")
        peakKilobytes = try value("VmHWM:")
    }

    /// Lets the peak begin anew at what is resident now (proc(5), `clear_refs`).
    func forgetPeak() throws {
        let descriptor = open("/proc/\(process)/clear_refs", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(write(descriptor, "5", 1) == 1)
    }
}
