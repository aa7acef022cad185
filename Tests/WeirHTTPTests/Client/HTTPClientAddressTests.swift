import Glibc
import Testing
import WeirAdapterKit
import WeirTime

@testable import WeirHTTP

@Suite("HTTPClient: addresses", .bothRoads)
struct HTTPClientAddressTests {
    @Test(
        "no spelling of a private address gets through",
        arguments: [
            "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "0x7f.1", "0x7f000001", "2130706433", "017700000001",
            "127.1", "127.0.1", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
            "%31%32%37.0.0.1", "0.0.0.0", "0", "[::]", "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]",
            "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "255.255.255.255", "224.0.0.1", "foo.localhost",
            "user@127.0.0.1", "ads.example@127.0.0.1",
        ]
    )
    func refused(host: String) async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run(allow: []) { rig in
            let error = try await rig.failure(server.url(host: host))
            // Not every system knows the name with a dot at its end.
            #expect(error.kind == .addressRefused || (host == "localhost." && error.kind == .dns), "\(error)")
            #expect(!error.message.contains("user"))
        }
        #expect(server.connections.isEmpty)
        server.stop()
    }

    @Test("the refusal says where the name led")
    func sentence() async throws {
        try await ClientRig.run(allow: []) { rig in
            let error = try await rig.failure("http://0x7f.1:9/secret")
            #expect(error.message == "0x7f.1:9 leads to 127.0.0.1, a loopback address that the network may not reach.")
        }
    }

    @Test(
        "a network's own list lets it through, by whatever spelling",
        arguments: ["127.0.0.1", "localhost", "0x7f.1"]
    )
    func allowed(host: String) async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil { connection.answer(200, [], [1]) }
        }
        try await ClientRig.run(allow: ["127.0.0.0/8"]) { rig in
            let response = try await rig.get(server.url(host: host))
            #expect(response.body == [1])
        }
        server.stop()
    }

    @Test("no other network rides on a connection that one may have")
    func partitions() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        try await ClientRig.run { rig in
            _ = try await rig.get(server.url())
            let request = OutboundRequest(url: server.url())
            let other = rig.clients.transport(policy: OutboundPolicy())
            let error = await #expect(throws: TransportError.self) {
                try await other.send(request, deadline: Deadline(.now + .seconds(5)))
            }
            #expect(error?.kind == .addressRefused)
            // Another network with the same list shares the connection; one with a longer list does not.
            let same = rig.clients.transport(policy: rig.transport.policy)
            _ = try await same.send(request, deadline: Deadline(.now + .seconds(5)))
            #expect(server.connections.count == 1)
            let wider = OutboundPolicy(allowPrivate: try AddressPolicy(allowPrivate: ["127.0.0.1", "::1"]))
            _ = try await rig.clients.transport(policy: wider).send(request, deadline: Deadline(.now + .seconds(5)))
        }
        #expect(server.connections.count == 2)
        server.stop()
    }

    @Test("rules that nobody uses any more make room for new ones")
    func manyPartitions() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil { connection.answer() }
        }
        var limits = ClientLimits()
        limits.maxPartitions = 2
        try await ClientRig.run(limits: limits) { rig in
            for last in 2..<12 {
                let policy = OutboundPolicy(
                    allowPrivate: try AddressPolicy(allowPrivate: ["127.0.0.1", "127.0.0.\(last)"])
                )
                _ = try await rig.clients.transport(policy: policy).send(
                    OutboundRequest(url: server.url()),
                    deadline: Deadline(.now + .seconds(5))
                )
            }
        }
        #expect(server.connections.count == 10)
        server.stop()
    }

    @Test("no proxy of the environment is used")
    func proxy() async throws {
        let server = ScriptedServer { connection in while connection.readHead() != nil { connection.answer() } }
        let proxy = ScriptedServer { connection in while connection.readHead() != nil { connection.answer(502) } }
        setenv("http_proxy", proxy.url(), 1)
        defer { unsetenv("http_proxy") }
        try await ClientRig.run { rig in
            let response = try await rig.get(server.url())
            #expect(response.status == 200)
        }
        #expect(proxy.connections.isEmpty)
        server.stop()
        proxy.stop()
    }
}
