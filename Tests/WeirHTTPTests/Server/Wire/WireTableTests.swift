import Glibc
import Testing

@testable import WeirHTTP

/// The real server over raw sockets: bytes in, answers and the connection's fate out (RFC 9110, RFC 9112).
@Suite("HTTP on the wire")
struct WireTableTests {
    /// Everything that needs no patience.
    static let rows =
        WireCase.requestLines + WireCase.targets + WireCase.hosts + WireCase.headerLines + WireCase.sizes
        + WireCase.lengths + WireCase.codings + WireCase.chunkFraming + WireCase.expectations + WireCase.sequences

    @Test("each row gets its answers, and its connection stays or closes", arguments: rows)
    func table(row: WireCase) async throws {
        try await LiveServer.run { live in try await Self.check(row, live) }
    }

    @Test("each row gets its answers, a byte at a time", arguments: rows.filter { $0.bytes.count < 400 })
    func slowly(row: WireCase) async throws {
        try await LiveServer.run { live in
            try await live.client { client in
                var on: Int32 = 1
                setsockopt(client.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                // A body whose beginning is there already is asked for all the same when it trickles.
                for byte in row.bytes where !client.send([byte]) { break }
                Self.finish(row, client, ignoring: 100)
            }
        }
    }

    @Test("each row of the impatient server ends on time", arguments: WireCase.impatience)
    func impatience(row: WireCase) async throws {
        var configuration = ServerConfiguration()
        // Long enough for a busy machine to send the row's first bytes in.
        configuration.headerTimeout = .milliseconds(1000)
        configuration.bodyTimeout = .milliseconds(1000)
        configuration.idleTimeout = .milliseconds(1000)
        let began = ContinuousClock.now
        try await LiveServer.run(configuration: configuration) { live in try await Self.check(row, live) }
        #expect(ContinuousClock.now - began < .seconds(20))
    }

    @Test("no two rows have one name, and there are many")
    func names() {
        let all = Self.rows + WireCase.impatience
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(all.count >= 120)
    }

    private static func check(_ row: WireCase, _ live: LiveServer) async throws {
        try await live.client { client in
            client.send(row.bytes)
            let dripper = Thread {
                var drops = 0
                while row.drips, drops < 80, client.send("a") {
                    drops += 1
                    usleep(50_000)
                }
            }
            defer { dripper.join() }
            finish(row, client)
        }
        #expect(await live.eventually { await live.open() == 0 })
    }

    /// Sends what is left of the row and looks at all that comes.
    private static func finish(_ row: WireCase, _ client: RawClient, ignoring interim: Int? = nil) {
        var received: [UInt8] = []
        if !row.then.isEmpty {
            if row.statuses.first == 100 { received += Array(client.read(until: "\r\n\r\n").utf8) }
            client.send(row.then)
        }
        var wasReset = false
        if row.end == .open {
            // The answer to one more request shows that the connection lives, and that no other answer was owed.
            client.send("GET /probe-of-the-table HTTP/1.1\r\nHost: x\r\n\r\n")
            received += Array(client.read(until: "\r\n\r\n/probe-of-the-table").utf8)
        } else {
            let (text, reset) = client.readAll()
            received += Array(text.utf8)
            wasReset = reset
        }
        let answers = WireAnswers(received, heads: row.heads)
        let expected = row.statuses + (row.end == .open ? [200] : [])
        #expect(answers.statuses.filter { $0 != interim } == expected.filter { $0 != interim }, "\(row.name)")
        #expect(answers.isWhole)
        #expect(!wasReset)
        if !row.holds.isEmpty {
            let text = String(decoding: received, as: UTF8.self)
            #expect(text.contains(row.holds))
        }
        if row.end == .closed && !row.statuses.isEmpty && row.name != "silence after an answer" {
            #expect(answers.last.contains("\r\nConnection: close\r\n"))
        }
    }
}
