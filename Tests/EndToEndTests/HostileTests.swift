import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// T-27 in detail: memory stays flat, bombs are cut, time is kept, nothing internal is reached.
@Suite("Hostile networks", .serialized)
struct HostileTests {
    @Test("T-27 a body of 600 MB and a gzip bomb are cut, and the memory that they cost is small")
    func floods() async throws {
        var announced = SandboxReply(type: "application/xml", String(repeating: "x", count: 65_536))
        announced.repeatBytes = 600 << 20
        var open = announced
        open.isLengthOpen = true
        var bomb = SandboxReply(status: 200)
        bomb.headers = [.init("Content-Type", "application/xml"), .init("Content-Encoding", "gzip")]
        bomb.body = .bytes(ZipBomb.bytes)
        try await LiveGateway.run(["/announced": announced, "/open": open, "/bomb": bomb]) { base in
            var plan = Plan()
            for id in ["announced", "open", "bomb"] { plan.line(id, base, "/\(id)", timeout: 3000) }
            plan.line("good", base, "/video")
            plan.unit["timeout_ms"] = 10_000
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            _ = try await gateway.ad()
            let before = try peakKilobytes(gateway.process.id)
            for _ in 0..<3 {
                #expect(
                    try await gateway.ad().verdicts == [
                        "announced: bad_response(too_large)", "open: bad_response(too_large)",
                        "bomb: bad_response(too_large)", "good: fill(fill)",
                    ]
                )
            }
            #expect(try peakKilobytes(gateway.process.id) - before < 10_240)
        }
    }

    @Test("T-27 a redirect to another port reaches nobody there, from a tag, a wrapper or a beacon")
    func redirects() async throws {
        let elsewhere = try await SandboxServer.start()
        var redirect = SandboxReply(status: 307)
        redirect.headers = [.init("Location", elsewhere.baseURL + "/video")]
        let told = "<VAST version=\"4.2\"><Error><![CDATA[{base}/moved?beacon=1]]></Error></VAST>"
        let wrapper =
            "<VAST version=\"4.2\"><Ad id=\"1\"><Wrapper><AdSystem>x</AdSystem><Impression/>"
            + "<VASTAdTagURI><![CDATA[{base}/moved?hop=1]]></VASTAdTagURI></Wrapper></Ad></VAST>"
        let script = [
            "/moved": redirect, "/told": SandboxReply(type: "application/xml", told),
            "/wrapper": SandboxReply(type: "application/xml", wrapper),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["moved", "told", "wrapper"] { plan.line(id, base, "/\(id)") }
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            #expect(
                try await gateway.ad().verdicts == [
                    "moved: network_error(redirect_refused)", "told: no_fill(no_ad)",
                    "wrapper: rejected(wrapper_failed)",
                ]
            )
            let moved = "/moved"
            #expect(try await gateway.sandbox.waitForHits { $0.count { $0.path == moved } == 3 })
            try await SystemClock().sleep(for: .milliseconds(100))
            #expect(elsewhere.hits.isEmpty)
        }
        await elsewhere.stop()
    }

    @Test("T-27 a trickle is cut on time, its socket is closed, and thirty of them do not delay an honest network")
    func trickles() async throws {
        var trickle = SandboxReply(type: "application/xml", String(repeating: "y", count: 1000))
        trickle.chunkPause = .milliseconds(100)
        try await LiveGateway.run(["/trickle": trickle]) { base in
            var plan = Plan()
            plan.line("trickle", base, "/trickle", timeout: 500)
            plan.line("good", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<30 { group.addTask { try await gateway.ad() } }
                for try await answer in group {
                    #expect(answer.verdicts == ["trickle: timeout(line_timeout)", "good: fill(fill)"])
                    let latency = answer["attempts"]?[0]?["latency_ms"]?.int ?? 0
                    #expect((500...1000).contains(latency))
                }
            }
            let path = "/trickle"
            #expect(
                try await gateway.sandbox.waitForHits { $0.count { $0.path == path && $0.closedEarly } == 30 }
            )
        }
    }

    @Test("a document that nests, repeats or declares entities without end is refused or cut, and the next line fills")
    func documents() async throws {
        let entities =
            "<!DOCTYPE VAST [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
            + "<!ENTITY c SYSTEM \"file:///etc/passwd\">]><VAST version=\"4.2\"><Ad id=\"&b;&c;\"/></VAST>"
        let deep = "<VAST version=\"4.2\">" + String(repeating: "<x>", count: 100_000)
        let pod =
            "<VAST version=\"4.2\">"
            + String(
                repeating: "<Ad><Wrapper><AdSystem/><VASTAdTagURI>{base}/fan</VASTAdTagURI></Wrapper></Ad>",
                count: 500
            )
            + "</VAST>"
        var nul = SandboxReply(type: "application/xml", "")
        nul.body = .bytes(Array("<VAST version=\"4.2\">\u{0}</VAST>".utf8) + [0xFF, 0xFE, 0x80])
        let script = [
            "/entities": SandboxReply(type: "application/xml", entities),
            "/deep": SandboxReply(type: "application/xml", deep),
            "/fan": SandboxReply(type: "application/xml", pod), "/nul": nul,
            "/jsonbomb": SandboxReply(type: "application/json", String(repeating: "{\"ad\":", count: 100_000)),
        ]
        try await LiveGateway.run(script) { base in
            var plan = Plan()
            for id in ["entities", "deep", "nul", "jsonbomb", "fan"] { plan.line(id, base, "/\(id)", timeout: 1500) }
            plan.line("good", base, "/video")
            plan.unit["timeout_ms"] = 10_000
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let answer = try await gateway.ad()
            let (line, verdicts) = (answer["ad"]?["line_item"]?.string, answer.verdicts)
            #expect(line == "good", "\(verdicts)")
            let leaked = answer.encodedText.contains("root:")
            #expect(!leaked)
            // A wrapper that fans out asks a bounded number of times.
            let asked = gateway.sandbox.hits(of: "/fan").count
            #expect(asked < 1000)
        }
    }
}

/// The most memory that a process has held at once.
private func peakKilobytes(_ process: Int32) throws -> Int {
    let status = String(decoding: try TextFile.read("/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
}

/// 80 MB of one letter in half a megabyte: RFC 1952 around an RFC 1951 block of fixed codes.
enum ZipBomb {
    static var bytes: [UInt8] {
        var bits = Bits()
        bits.put([true, true, false])  // The last block; fixed codes.
        bits.put(code: 0x30 + 120, count: 8)  // The letter x.
        for _ in 0..<16 {
            bits.put(code: 0xC5, count: 8)  // 258 bytes …
            bits.put(code: 0, count: 5)  // … the same as the one before.
        }
        // Eight of these copies are 104 bits: thirteen bytes that repeat themselves.
        let period = bits.bytes[2..<15]
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        return head + bits.bytes[..<2] + Array(repeatElement(period, count: 40_000).joined())
    }

    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        mutating func put(_ bits: [Bool]) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                if bit { bytes[count / 8] |= 1 << (count % 8) }
                count += 1
            }
        }

        /// Codes are written from their highest bit on.
        mutating func put(code: Int, count: Int) {
            put((0..<count).reversed().map { code >> $0 & 1 == 1 })
        }
    }
}
