import Glibc
import Testing
import WeirJSON
import WeirTesting

/// Names whose addresses change, or are several, under the built gateway.
///
/// A small library (resolver.c) answers for the names; a network may reach 127.0.0.1 and nothing else.
@Suite("DNS rebinding", .serialized)
struct RebindingTests {
    private static let folder = String(#filePath.dropLast("RebindingTests.swift".count))

    /// Compiles the resolver; `nil` where there is no compiler, or where a sanitizer's runtime must come first.
    private static func resolver() async throws -> String? {
        guard access("/usr/bin/cc", X_OK) == 0, getenv("ASAN_OPTIONS") == nil, getenv("TSAN_OPTIONS") == nil else {
            return nil
        }
        let file = try TemporaryFile("")
        let making = try WeirProcess(
            ["-shared", "-fPIC", "-o", file.path, folder + "resolver.c", "-ldl", "-lpthread"],
            program: "/usr/bin/cc"
        )
        return try await making.waitForExit() == 0 ? file.path : nil
    }

    @Test("T-27 the address that is checked is the one that is connected to, whatever a name says the next time")
    func rebinding() async throws {
        guard let resolver = try await Self.resolver() else {
            print("Skipped: no compiler for Tests/EndToEndTests/Hostile/resolver.c.")
            return
        }
        defer { unlink(resolver) }
        let film = HostileCase.film
        let outside = try HostileServer { connection, path in
            // A wrapper whose name flips between its look-ups, too.
            guard path == "/wrapper" else { return connection.answer(film) }
            connection.answer(Array(HostileCase.wrapped("http://inside-w.rebind.test:{port}/w").utf8))
        }
        let inside = try HostileServer(at: 0x7F00_0002, port: outside.port) { connection, _ in connection.answer(film) }
        defer {
            outside.stop()
            inside.stop()
        }
        let rows = [
            ("flip-1", "/", "fill(fill)"), ("flip-2", "/", "fill(fill)"), ("both-1", "/", "fill(fill)"),
            ("inside-1", "/", "network_error(address_refused)"), ("mapped-1", "/", "network_error(address_refused)"),
            ("flip-3", "/wrapper", "rejected(wrapper_failed)"),
        ]
        try await LiveGateway.run(environment: ["LD_PRELOAD": resolver]) { _ in
            var plan = Plan()
            plan.format = "video"
            plan.networks = rows.map { name, path, _ in
                [
                    "id": .string("n-\(name)"), "adapter": "vast", "allow_private": ["127.0.0.1"],
                    "settings": ["tag_url": .string("http://\(name).rebind.test:\(outside.port)\(path)")],
                ]
            }
            plan.top["ad_units"] = .array(
                rows.map { name, _, _ in
                    [
                        "id": .string("u-\(name)"), "format": "video", "timeout_ms": 5000,
                        "waterfall": [
                            [
                                "id": .string(name), "network": .string("n-\(name)"), "network_unit": "u",
                                "timeout_ms": 4000,
                            ]
                        ],
                    ]
                }
            )
            plan.top["placements"] = .array(
                rows.map { name, _, _ in ["id": .string(name), "ad_unit": .string("u-\(name)")] }
            )
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            for (name, _, verdict) in rows {
                #expect(try await gateway.ad(name).verdicts == ["\(name): \(verdict)"])
            }
            // Each loop has a client of its own, which looks the name up again: the second answer leads inside.
            var verdicts: Set<String> = []
            for _ in 0..<40 { verdicts.formUnion(try await gateway.ad("flip-2").verdicts) }
            #expect(verdicts.isSubset(of: ["flip-2: fill(fill)", "flip-2: network_error(address_refused)"]))
            print("DNS rebinding: \(verdicts.sorted())")
            #expect(inside.connections == 0)
            #expect(outside.connections > 0)
        }
    }
}
