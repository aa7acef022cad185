import Glibc
import Testing
import WeirRuntime

@testable import WeirHTTP

@Suite("ConnectionLimits")
struct ConnectionLimitsTests {
    private func limits(_ spared: [AddressRange] = []) -> ConnectionLimits {
        var configuration = ServerConfiguration()
        configuration.maxConnectionsPerAddress = 2
        configuration.maxHeldBytes = 10 * ServerConfiguration.heldBlockBytes
        return ConnectionLimits(configuration, spared: spared)
    }

    @Test("an address has its share, and gets it back")
    func share() {
        let limits = limits()
        #expect(limits.admits("192.0.2.1"))
        #expect(limits.admits("192.0.2.1"))
        #expect(!limits.admits("192.0.2.1"))
        #expect(limits.admits("192.0.2.2"))
        limits.leave("192.0.2.1")
        #expect(limits.admits("192.0.2.1"))
        #expect(limits.statistics.open == 3)
        #expect(limits.statistics.turnedAway == 1)
    }

    @Test("a whole IPv6 network of 64 bits has one share, its neighbour another")
    func networks() {
        let limits = limits()
        #expect(limits.admits("2001:db8:1:2::1"))
        #expect(limits.admits("2001:db8:1:2:ffff::7"))
        #expect(!limits.admits("2001:db8:1:2:3:4:5:6"))
        #expect(limits.admits("2001:db8:1:3::1"))
        limits.leave("2001:db8:1:2::1")
        #expect(limits.admits("2001:db8:1:2::9"))
    }

    @Test("proxies in front and local sockets have no share, but count in all")
    func spared() throws {
        let limits = limits([try AddressRange("10.0.0.0/8")])
        for _ in 0..<5 { #expect(limits.admits("10.1.2.3")) }
        for _ in 0..<5 { #expect(limits.admits("local")) }
        #expect(limits.statistics.open == 10)
        for _ in 0..<5 { limits.leave("10.1.2.3") }
        for _ in 0..<5 { limits.leave("local") }
        #expect(limits.statistics.open == 0)
    }

    @Test("event loops that accept at the same moment take no place twice")
    func reservations() async {
        var configuration = ServerConfiguration()
        configuration.maxConnections = 1000
        let limits = ConnectionLimits(configuration)
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { (0..<1000).count { _ in limits.reserve() } } }
            return await group.reduce(0, +)
        }
        #expect(taken == 1000)
        #expect(limits.statistics.open == 1000)
        limits.giveBack()
        #expect(limits.reserve())
        #expect(!limits.reserve())
        #expect(limits.reserve(beyond: true))
        #expect(!limits.hasRoom)
    }

    @Test("what is kept has an end, and what is let go makes room")
    func held() {
        let limits = limits()
        #expect(limits.hold(9))
        #expect(!limits.hold(2))
        #expect(limits.hold(1))
        #expect(limits.hold(-4))
        #expect(limits.hold(4))
        limits.release(10)
        #expect(limits.statistics.heldBytes == 0)
        #expect(limits.statistics.heldBack == 1)
    }

    @Test("bodies beyond what all connections may keep are answered 503, and room comes back with the answers")
    func bodies() async throws {
        var configuration = ServerConfiguration()
        configuration.maxHeldBytes = 300_000
        try await LiveServer.run(configuration: configuration) { live in
            let port = live.port
            let statuses = try await offPool { () -> [Int] in
                // 200,000 bytes of a body that goes on.
                let first = RawClient(port: port)
                first?.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n")
                first?.send([UInt8](repeating: 97, count: 200_000))
                let second = RawClient(port: port)
                second?.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
                // The first body must have been counted; until then the second may be served.
                usleep(300_000)
                second?.send([UInt8](repeating: 98, count: 300_000))
                let refused = second?.readAnswer()?.status ?? 0
                let small = RawClient(port: port)
                small?.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok")
                let served = small?.readAnswer()?.status ?? 0
                first?.send("a")
                let whole = first?.readAnswer()
                let again = RawClient(port: port)
                again?.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 250000\r\n\r\n")
                again?.send([UInt8](repeating: 99, count: 250_000))
                return [refused, served, whole?.body.utf8.count ?? 0, again?.readAnswer()?.status ?? 0]
            }
            #expect(statuses == [503, 200, 200_001, 200])
            #expect(await live.eventually { await live.open() == 0 })
            let statistics = live.server.limits.statistics
            #expect(statistics.heldBytes == 0)
            #expect(statistics.heldBack == 1)
        }
    }

    @Test("pipelined requests are not read without end while one is being answered")
    func pipeline() async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                client.send("GET /wait?3000 HTTP/1.1\r\nHost: x\r\n\r\n")
                var limit = timeval(tv_sec: 1, tv_usec: 0)
                setsockopt(
                    client.descriptor,
                    SOL_SOCKET,
                    SO_SNDTIMEO,
                    &limit,
                    socklen_t(MemoryLayout<timeval>.size)
                )
                let more = Array(String(repeating: "GET /next HTTP/1.1\r\nHost: x\r\n\r\n", count: 2000).utf8)
                var sent = 0
                while sent < 64 << 20, client.send(more) { sent += more.count }
                // Both kernel buffers and 64 KiB; loopback's buffers are some MiB.
                #expect(sent < 32 << 20)
            }
            #expect(live.server.limits.statistics.heldBytes <= 128 << 10)
            #expect(await live.eventually { await live.open() == 0 })
            #expect(live.server.limits.statistics.heldBytes == 0)
        }
    }

    @Test("a follower that takes a little now and then is dropped, one that keeps up is not")
    func slowFollower() async throws {
        var configuration = ServerConfiguration()
        configuration.writeTimeout = .milliseconds(600)
        try await LiveServer.run(configuration: configuration) { live in
            try await live.client { client in
                client.send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
                // A kilobyte every 100 ms moves something, and far too little.
                let start = ContinuousClock.now
                while !live.notes.all.contains(where: { $0.hasPrefix("flood") }) {
                    if client.read(limit: 1024) == nil || ContinuousClock.now - start > .seconds(15) { break }
                    usleep(100_000)
                }
                #expect(ContinuousClock.now - start < .seconds(15))
            }
            let sent = live.notes.all.last.flatMap { Int($0.dropFirst(6)) } ?? .max
            #expect(sent < 2000)
            try await live.client { client in
                client.send("GET /flood HTTP/1.0\r\n\r\n")
                #expect(client.readAll().text.utf8.count > 2000 * 16384)
            }
        }
    }

    @Test("an IPv6 listener serves, and knows its callers")
    func ipv6() async throws {
        guard let socket = try? ListeningSocket.bind("[::1]:0") else { return }
        try await LiveServer.run { live in
            try await live.server.listen(socket)
            let body = try await offPool { () -> String? in
                let client = RawClient(v6Port: socket.port)
                client?.send("GET /header HTTP/1.1\r\nHost: [::1]:\(socket.port)\r\n\r\n")
                return client?.readAnswer()?.body
            }
            #expect(body == "Host=[::1]:\(socket.port);peer=::1")
        }
    }
}

extension ConnectionLimits {
    /// As a server accepts: a place first, then the share of `address`.
    fileprivate func admits(_ address: String) -> Bool { reserve() && enter(address) }
}
