import CSQLite
import Glibc
import Testing
import WeirJSON
import WeirRewards
import WeirTesting
import WeirTime

/// What was answered 200 is on the disk; what cannot be written is answered 5xx and may come again.
@Suite("Reward durability", .serialized)
struct RewardDurabilityTests {
    @Test("killed between the commit and the reply: the network's repeat is a duplicate, and the reward is given once")
    func killedAfterCommit() async throws {
        let rig = try await RewardRig(["/publisher": SandboxPath(SandboxReply(status: 200))]) { base, plan in
            plan.unit["reward_mode"] = "ssv"
            plan.top["rewards"] = RewardRig.rewards(base)
        }
        let atOnce = 32
        var given = 0
        var unanswered = 0
        // One commit holds many callbacks, and their replies leave one after another: a kill that follows the first
        // sight of the commit finds some of them on their way. On a lucky machine all had left; then once more.
        for round in 1...10 where unanswered < 3 {
            let node = try await rig.start()
            var callbacks: [String] = []
            for number in 0..<atOnce { callbacks.append(try await callback(node, rig, "t-\(round)-\(number)")) }
            let database = try Database(rig.directory + "/weir.db")
            let open = node.open
            let asking = callbacks.map { callback in Task { try? await open.get(callback).status } }
            let deadline = Deadline.after(.seconds(30), clock: SystemClock())
            while try database.number(Self.granted) == given, !deadline.hasPassed(SystemClock()) { usleep(100) }
            try await node.kill()
            for (number, task) in asking.enumerated() {
                let status = await task.value
                let isKept =
                    try database.number(
                        "SELECT count(*) FROM reward_callbacks WHERE transaction_id = 't-\(round)-\(number)'"
                    ) == 1
                #expect(status == nil || (status == 200 && isKept), "what was answered is on the disk")
                if status == nil, isKept { unanswered += 1 }
            }
            let next = try await rig.start()
            for callback in callbacks {
                let again = try await next.open.get(callback)
                #expect(again.status == 200 && again.text == "{\"isValid\": true}")
            }
            given += atOnce
            #expect(try database.number(Self.granted) == given)
            try await rig.eventually {
                Set(rig.sandbox.hits(of: "/publisher").map { $0.parameter("transaction_id") }).count == given
            }
            try await rig.stop(next)
        }
        #expect(unanswered > 0, "no round met the moment between commit and reply")
        await rig.end()
    }

    private static let granted = "SELECT count(*) FROM reward_grants WHERE state = 'granted'"

    @Test("a locked database: 503, nothing lost, and the repeat is taken")
    func locked() async throws {
        let rig = try await RewardRig { base, plan in
            plan.unit["reward_mode"] = "ssv"
            plan.top["rewards"] = RewardRig.rewards(base)
        }
        let node = try await rig.start()
        let callback = try await callback(node, rig, "t-1")
        let token = try #require(try await node.ad()["presentation_token"]?.string)
        let database = try Database(rig.directory + "/weir.db")
        try database.run("BEGIN IMMEDIATE")
        #expect(try await node.open.get(callback).status == 503)
        let event = try await node.earned(token)
        #expect(event.status == 503 && event.json["code"]?.string == "storage")
        // Ads are served all the same.
        #expect(try await node.ad()["presentation_token"] != nil)
        try database.run("COMMIT")
        #expect(try await node.open.get(callback).status == 200)
        #expect(try await node.earned(token).json["state"]?.string == "pending")
        #expect(try database.number("SELECT count(*) FROM reward_grants WHERE state = 'granted'") == 1)
        try await rig.stop(node)
        await rig.end()
    }

    @Test("a full disk: 503, and every callback that was answered 200 is still there afterwards")
    func fullDisk() async throws {
        let rig = try await RewardRig { base, plan in
            plan.unit["reward_mode"] = "ssv"
            plan.top["rewards"] = RewardRig.rewards(base)
        }
        // A file that may not grow is what a full disk is to a program; the signal that comes with it is ignored.
        let node = try await rig.start(under: "trap '' XFSZ; ulimit -f 700; exec \"$0\" \"$@\"")
        let filling = String(repeating: "x", count: 6000)
        var taken: [Int] = []
        var refused = 0
        for number in 0..<200 where refused < 3 {
            let sign = Digest.hexadecimalSHA256("pangle-key:t-\(number)")
            let reply = try await node.open.get(
                "/v1/ssv/pangle?user_id=\(filling)&trans_id=t-\(number)&extra=none&sign=\(sign)"
            )
            if reply.status == 200 { taken.append(number) } else { refused += 1 }
            #expect([200, 503].contains(reply.status))
        }
        #expect(!taken.isEmpty && refused == 3)
        try await node.kill()
        let again = try await rig.start()
        let database = try Database(rig.directory + "/weir.db")
        for number in taken {
            let sql = "SELECT count(*) FROM reward_callbacks WHERE transaction_id = 't-\(number)'"
            #expect(try database.number(sql) == 1, "t-\(number) was answered 200")
        }
        try await rig.stop(again)
        await rig.end()
    }

    @Test("AdMob's keys cannot be fetched: 200 and waiting; granted when they can, refused when it was forged")
    func keysLate() async throws {
        let key = try #require(PrivateKey())
        let rig = try await RewardRig(["/keys": SandboxPath(SandboxReply(status: 503))]) { base, plan in
            plan.unit["reward_mode"] = "ssv"
            plan.top["rewards"] = RewardRig.rewards(
                base,
                [
                    "callbacks": [
                        [
                            "network": "admob", "scheme": "admob", "keys_url": .string(base + "/keys"),
                            "allow_private": ["127.0.0.1"], "ad_units": ["2747237135": "u"],
                        ]
                    ]
                ]
            )
        }
        let node = try await rig.start()
        _ = try await node.ad()
        let nonce = try #require(rig.sandbox.hits(of: "/rewarded").last?.parameter("c"))
        let text =
            "ad_network=1&ad_unit=2747237135&custom_data=\(nonce)&reward_amount=5&reward_item=coins"
            + "&timestamp=\(WallTime.system.milliseconds)&transaction_id=abc&user_id=u"
        let signature = try #require(key.sign(Array(text.utf8))).base64URL
        let genuine = "/v1/ssv/admob?\(text)&signature=\(signature)&key_id=7"
        #expect(try await node.open.get(genuine.replacing("abc", with: "abd")).status == 200)
        #expect(try await node.open.get(genuine).status == 200)
        #expect(try await node.admin.get("/v1/rewards").json["rewards"]?.array?.isEmpty == true)
        let document = String(decoding: VerifierKeys([7: key.publicKey]).json, as: UTF8.self)
        rig.sandbox.change("/keys", to: SandboxReply(type: "application/json", document))
        try await rig.eventually {
            try await node.admin.get("/v1/rewards?state=granted").json["rewards"]?.array?.count == 1
        }
        let database = try Database(rig.directory + "/weir.db")
        #expect(try database.number("SELECT count(*) FROM reward_callbacks WHERE reason = 'bad_signature'") == 1)
        #expect(try database.number("SELECT count(*) FROM reward_callbacks WHERE state = 'received'") == 0)
        try await rig.stop(node)
        await rig.end()
    }

    /// The network's callback for a fresh view.
    private func callback(_ node: RewardRig.Node, _ rig: RewardRig, _ transaction: String) async throws -> String {
        _ = try await node.ad()
        let nonce = try #require(rig.sandbox.hits(of: "/rewarded").last?.parameter("c"))
        let sign = Digest.hexadecimalSHA256("pangle-key:\(transaction)")
        return "/v1/ssv/pangle?trans_id=\(transaction)&extra=\(nonce)&sign=\(sign)"
    }
}

/// A look at the gateway's database from outside.
private final class Database {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        try #require(sqlite3_open(path, &opened) == SQLITE_OK)
        handle = try #require(opened)
        sqlite3_busy_timeout(handle, 5000)
    }

    deinit { sqlite3_close(handle) }

    func run(_ sql: String) throws { try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK) }

    func number(_ sql: String) throws -> Int {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return Int(sqlite3_column_int64(statement, 0))
    }
}

extension [UInt8] {
    /// RFC 4648 §5, without padding.
    fileprivate var base64URL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in self {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[bits >> count & 63])
            }
        }
        if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }
}
