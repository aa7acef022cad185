import Glibc
import Testing
import WeirJSON
import WeirTesting

/// Where the built gateway can stand.
@Suite("Listeners", .serialized)
struct ListenerTests {
    private static let curl = "/usr/bin/curl"

    private static func curl(_ arguments: [String]) async throws -> String {
        let process = try WeirProcess(["-sS", "-g", "--max-time", "10"] + arguments, program: curl)
        #expect(try await process.waitForExit() == 0, "\(process.errors)")
        return process.output
    }

    /// Starts a gateway that listens there, and ends it.
    private static func serve(
        _ listen: String,
        _ admin: String,
        _ body: (JSONValue) async throws -> Void
    ) async throws {
        let configuration: JSONValue = [
            "server": ["listen": .string(listen), "admin_listen": .string(admin), "workers": 2],
            "storage": ["url": "sqlite::memory:"], "initialization": ["min_ready": 0],
        ]
        let file = try TemporaryFile(configuration.encodedText)
        defer { file.remove() }
        let process = try WeirProcess(["serve", "--config", file.path])
        let line = try #require(
            try await process.waitForLine { $0.contains("\"serve.started\"") },
            "\(process.errors)"
        )
        try await body(try JSONReader.read(line))
        process.signal(SIGTERM)
        #expect(try await process.waitForExit() == 0, "\(process.errors)")
    }

    @Test("local sockets serve callers and operators, and a stale one is no obstacle to the next start")
    func localSockets() async throws {
        guard access(Self.curl, X_OK) == 0 else { return }
        let folder = "/tmp/weir-listen-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try #require(mkdir(folder, 0o700) == 0)
        defer {
            for name in ["public", "admin"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        for _ in 0..<2 {
            try await Self.serve("unix:\(folder)/public", "unix:\(folder)/admin") { started in
                #expect(started["listen"]?.string == "unix:\(folder)/public")
                for _ in 0..<4 {
                    let health = try await Self.curl(["--unix-socket", "\(folder)/public", "http://weir/healthz"])
                    #expect(health.contains("ok"))
                }
                let adapters = try await Self.curl([
                    "--unix-socket", "\(folder)/admin", "http://localhost/v1/adapters",
                ])
                #expect(adapters.contains("\"initialization\""))
            }
        }
    }

    @Test("IPv6 serves callers and operators")
    func ipv6() async throws {
        guard access(Self.curl, X_OK) == 0, access("/proc/net/if_inet6", R_OK) == 0 else { return }
        try await Self.serve("[::1]:0", "[::1]:0") { started in
            let listen = try #require(started["listen"]?.string)
            #expect(listen.hasPrefix("[::1]:"))
            #expect(try await Self.curl(["http://\(listen)/healthz"]).contains("ok"))
            let admin = try #require(started["admin_listen"]?.string)
            #expect(try await Self.curl(["http://\(admin)/v1/adapters"]).contains("\"initialization\""))
        }
    }
}
