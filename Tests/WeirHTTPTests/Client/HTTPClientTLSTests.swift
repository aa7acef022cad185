import Glibc
import Testing
import WeirAdapterKit
import WeirRuntime

@testable import WeirHTTP

@Suite("HTTPClient: TLS", .bothRoads, .enabled(if: TLSServer.isAvailable, "there is no openssl here"))
struct HTTPClientTLSTests {
    @Test("a certificate that nobody vouches for is refused")
    func untrusted() async throws {
        let server = try #require(TLSServer())
        defer { server.stop() }
        try await ClientRig.run { rig in
            let error = try await rig.failure("https://127.0.0.1:\(server.port)/secret")
            #expect(error.kind == .tls)
            #expect(error.message.hasPrefix("127.0.0.1:\(server.port): TLS failed: "))
            #expect(error.message.contains("certificate"))
        }
    }

    @Test("a certificate of the trusted file is accepted, for its own name only")
    func trusted() async throws {
        let server = try #require(TLSServer())
        defer { server.stop() }
        try await ClientRig.run(change: { $0.caFile = server.certificate }) { rig in
            let response = try await rig.get("https://127.0.0.1:\(server.port)/")
            #expect(response.status == 200)
            let error = try await rig.failure("https://localhost:\(server.port)/")
            #expect(error.kind == .tls)
            #expect(error.message.contains("localhost"))
        }
    }

    @Test("the certificates to trust are read once for many connections")
    func readOnce() async throws {
        // This server ends each connection.
        let server = try #require(TLSServer())
        defer { server.stop() }
        try await ClientRig.run(change: { $0.caFile = server.certificate }) { rig in
            #expect(try await rig.get("https://127.0.0.1:\(server.port)/").status == 200)
            try #require(truncate(server.certificate, 0) == 0)
            #expect(try await rig.get("https://127.0.0.1:\(server.port)/").status == 200)
        }
    }

    @Test("TLS does not open what the policy forbids")
    func refused() async throws {
        let server = try #require(TLSServer())
        defer { server.stop() }
        try await ClientRig.run(allow: [], change: { $0.caFile = server.certificate }) { rig in
            let error = try await rig.failure("https://127.0.0.1:\(server.port)/")
            #expect(error.kind == .addressRefused)
        }
    }

    @Test("a TLS connection is kept, whatever the sizes of bodies", .enabled(if: TLSServer.canKeep))
    func kept() async throws {
        let server = try #require(TLSServer(keepsAlive: true))
        defer { server.stop() }
        try await ClientRig.run(change: { $0.caFile = server.certificate }) { rig in
            let first = try await rig.get("https://127.0.0.1:\(server.port)/3").header("X-Connection")
            for count in [0, 1, 16_384, 65_536, 65_537, 300_000, 1 << 20, 5] {
                let response = try await rig.get("https://127.0.0.1:\(server.port)/\(count)")
                #expect(response.body.count == count)
                #expect(response.header("X-Connection") == first)
            }
            let body = pattern(1 << 20)
            let response = try await rig.get("https://127.0.0.1:\(server.port)/", method: "POST", body: body)
            #expect(response.body == body)
            #expect(response.header("X-Connection") == first)
        }
    }

    @Test("requests at once over TLS each get their own answer, and cancelling leaves nothing behind")
    func tangle() async throws {
        guard TLSServer.canKeep else { return }
        let server = try #require(TLSServer(keepsAlive: true))
        defer { server.stop() }
        try await ClientRig.run(change: { $0.caFile = server.certificate }) { rig in
            let loop = rig.group.loops[0]
            try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    group.addTask(executorPreference: loop) {
                        let url = "https://127.0.0.1:\(server.port)/\(number * 1000)"
                        if number % 3 == 0 {
                            let task = Task(executorPreference: loop) { try await rig.get(url) }
                            try await loop.sleep(until: .now + .milliseconds(number))
                            task.cancel()
                            _ = await task.result
                        } else {
                            let response = try await rig.get(url)
                            #expect(response.body.count == number * 1000)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let response = try await rig.get("https://127.0.0.1:\(server.port)/7")
            #expect(response.body.count == 7)
        }
    }
}
