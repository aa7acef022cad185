import CSQLite
import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Beacons of the built gateway outlive it: `kill -9` and restarts, with the tracker's server down and up again.
@Suite("Beacons across restarts", .serialized)
struct BeaconTests {
    /// A gateway whose one ad reports to a server of its own, at a port where nobody listens yet.
    private static func rig() async throws -> (RewardRig, port: Int) {
        let probe = try await SandboxServer.start(script: SandboxScript([:]))
        let port = try #require(probe.baseURL.split(separator: ":").last.flatMap { Int($0) })
        await probe.stop()
        let tracker = "http://127.0.0.1:\(port)/t"
        let ad = """
            <VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
            <Impression>\(tracker)/impression</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration>
            <TrackingEvents><Tracking event="start">\(tracker)/start</Tracking>
            <Tracking event="firstQuartile">\(tracker)/firstQuartile</Tracking>
            <Tracking event="midpoint">\(tracker)/midpoint</Tracking></TrackingEvents>
            <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://m.test/a.mp4</MediaFile>
            </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        let reply = SandboxReply(type: "application/xml", ad)
        let rig = try await RewardRig(["/ad": SandboxPath(reply)]) { base, plan in
            (plan.networks, plan.waterfall, plan.unit, plan.format) = ([], [], [:], "video")
            plan.line("a", base, "/ad")
            plan.top["beacons"] = ["retry_initial_ms": 3000]
        }
        return (rig, port)
    }

    /// Plays the ad to its half, and waits until each of its four beacons was tried in vain and waits again.
    private func play(_ node: RewardRig.Node, _ rig: RewardRig) async throws {
        let opened = try await node.open.post("/v1/sessions", json: #"{"placement": "p"}"#)
        let session = try #require(opened.json["session"]?.string, "\(opened.text)")
        let inputs = #"""
            {"inputs": [{"type": "initialize"}, {"type": "start"}, {"type": "ad_started"},
                {"type": "ad_progress", "position_ms": 5000, "duration_ms": 10000}]}
            """#
        #expect(try await node.open.post("/v1/sessions/\(session)/inputs", json: inputs).status == 200)
        // The answer is there, so the beacons are too.
        #expect(try beacons("1", rig) == 4)
        try await rig.eventually { try beacons("tries = 1 AND is_under_way = 0", rig) == 4 }
        let view = try await node.open.get("/v1/sessions/\(session)").json["beacons"]?.array ?? []
        #expect(view.map { $0["state"]?.string } == ["queued", "queued", "queued", "queued"])
        #expect(view.allSatisfy { $0["attempts"] == 1 && $0["reason"]?.string != nil })
    }

    private func beacons(_ condition: String, _ rig: RewardRig) throws -> Int {
        var database: OpaquePointer?
        try #require(sqlite3_open(rig.directory + "/weir.db", &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        sqlite3_busy_timeout(database, 2000)
        var statement: OpaquePointer?
        let sql = "SELECT count(*) FROM beacons WHERE \(condition)"
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return Int(sqlite3_column_int64(statement, 0))
    }

    private func expectEachOnce(_ tracker: SandboxServer, _ rig: RewardRig) async throws {
        try await rig.eventually(within: .seconds(60)) { tracker.hits.count >= 4 }
        try await rig.eventually { try beacons("1", rig) == 0 }
        // Whatever would come twice has had its time.
        try await SystemClock().sleep(for: .seconds(2))
        let paths = tracker.hits.map(\.path).sorted()
        #expect(paths == ["/t/firstQuartile", "/t/impression", "/t/midpoint", "/t/start"])
    }

    @Test("killed with beacons that wait for a tracker that is down: the next run sends each of them, once")
    func killed() async throws {
        let (rig, port) = try await Self.rig()
        let first = try await rig.start()
        try await play(first, rig)
        try await first.kill()
        // A second run that is killed as well loses nothing either.
        let second = try await rig.start()
        try await second.kill()
        let third = try await rig.start()
        let tracker = try await SandboxServer.start(port: port, script: SandboxScript([:]))
        try await expectEachOnce(tracker, rig)
        #expect(third.process.errors.contains("\"beacons.taken_over\""))
        try await rig.stop(third)
        await tracker.stop()
        await rig.end()
    }

    @Test("stopped in good order: the next run sends what was left, at once")
    func stopped() async throws {
        let (rig, port) = try await Self.rig()
        let first = try await rig.start()
        try await play(first, rig)
        try await rig.stop(first)
        #expect(first.process.errors.contains("4 beacons wait for the next start."))
        let tracker = try await SandboxServer.start(port: port, script: SandboxScript([:]))
        let second = try await rig.start()
        try await expectEachOnce(tracker, rig)
        try await rig.stop(second)
        await tracker.stop()
        await rig.end()
    }

    @Test("an ad that is shown after its gateway was killed is billed by another one, once between all of them")
    func billedLater() async throws {
        let rig = try await RewardRig { base, plan in
            (plan.networks, plan.waterfall, plan.unit, plan.format) = ([], [], [:], "video")
            plan.line("bid", base, "/openrtb", adapter: "openrtb", line: ["bidding": true])
        }
        let first = try await rig.start()
        let answer = try await first.open.post("/v1/ads", json: #"{"placement": "p"}"#)
        let impressions = answer.json["ad"]?["impressions"]?.array?.compactMap(\.string) ?? []
        let beacon = try #require(impressions.first { $0.contains("/v1/t/") }, "\(answer.text)")
        try await first.kill()
        let second = try await rig.start()
        let third = try await rig.start()
        for node in [third, second, third] {
            #expect(try await node.open.get("/v1/t/" + (beacon.split(separator: "/").last ?? "")).status == 204)
        }
        #expect(try await rig.sandbox.waitForHits { hits in hits.contains { $0.path == "/t/billing" } })
        // Whatever would come twice has had its time.
        try await SystemClock().sleep(for: .milliseconds(500))
        #expect(rig.sandbox.hits(of: "/t/billing").map { $0.parameter("price") } == ["3.25"])
        try await rig.stop(second)
        try await rig.stop(third)
        await rig.end()
    }
}
