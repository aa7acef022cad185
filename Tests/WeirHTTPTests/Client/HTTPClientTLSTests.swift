import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("HTTPClient: TLS", .enabled(if: TLSServer.isAvailable, "there is no openssl here"))
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

    @Test("TLS does not open what the policy forbids")
    func refused() async throws {
        let server = try #require(TLSServer())
        defer { server.stop() }
        try await ClientRig.run(allow: [], change: { $0.caFile = server.certificate }) { rig in
            let error = try await rig.failure("https://127.0.0.1:\(server.port)/")
            #expect(error.kind == .addressRefused)
        }
    }
}
