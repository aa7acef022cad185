import CSQLite
import Testing
import WeirStore
import WeirTime

/// The ledger's promises, over a database file.
@Suite("RewardLedger")
struct RewardLedgerTests {
    private let directory: TemporaryDirectory
    private let store: SQLiteStore
    private let start = WallTime(milliseconds: 1_767_225_600_000)

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
    }

    private func view(_ id: String, mode: String = "client", user: String? = "u-1") -> PresentationRecord {
        PresentationRecord(
            view: id,
            at: start,
            placement: "level_end",
            adUnit: "coins",
            user: user,
            device: "d-1",
            customData: "a=b&c=%20é\"",
            item: "coins",
            amount: "10",
            mode: mode
        )
    }

    private func claim(
        _ word: RewardClaim.Word,
        _ view: String,
        bringing: PresentationRecord? = nil,
        limits: [RewardLimit] = [],
        after: Duration = .zero
    ) -> RewardClaim {
        var rules = RewardRules()
        rules.limits = limits
        rules.delivers = true
        return RewardClaim(
            word: word,
            view: view,
            presentation: bringing,
            grantID: "g-\(view)-\(UInt64.random(in: 0 ... .max))",
            now: start.advanced(by: after),
            rules: rules
        )
    }

    private func callback(
        _ transaction: String,
        _ view: String?,
        digest: String = "d",
        bringing: PresentationRecord? = nil
    ) -> CallbackClaim {
        CallbackClaim(
            record: CallbackRecord(
                network: "admob",
                transaction: transaction,
                at: start,
                method: "GET",
                raw: Array("q=1".utf8),
                state: .verified,
                digest: digest
            ),
            claim: view.map { claim(.network, $0, bringing: bringing) }
        )
    }

    @Test("mode client: the client's word grants, and only once (S2.40)")
    func client() async throws {
        try await store.keep([view("v")])
        let first = try #require(try await store.claim(claim(.client, "v")))
        #expect(first.isNew && first.grant.state == .granted && first.grant.delivery == .waiting)
        let second = try #require(try await store.claim(claim(.client, "v")))
        #expect(!second.isNew && second.grant.id == first.grant.id)
        #expect(second.grant.presentation == view("v"))
    }

    @Test("mode ssv: the client's word alone never grants; the network's does")
    func ssv() async throws {
        try await store.keep([view("v", mode: "ssv")])
        let pending = try #require(try await store.claim(claim(.client, "v")))
        #expect(pending.grant.state == .pending && !pending.isNew)
        let outcome = try await store.receive(callback("t", "v"), waiting: nil)
        #expect(outcome.state == .granted && outcome.isNew && outcome.grant?.id == pending.grant.id)
    }

    @Test("mode both: either word alone waits for the other", arguments: [true, false])
    func both(clientFirst: Bool) async throws {
        try await store.keep([view("v", mode: "both")])
        if clientFirst {
            #expect(try await store.claim(claim(.client, "v"))?.grant.state == .pending)
            #expect(try await store.receive(callback("t", "v"), waiting: nil).isNew)
        } else {
            #expect(try await store.receive(callback("t", "v"), waiting: nil).state == .verified)
            #expect(try await store.claim(claim(.client, "v"))?.isNew == true)
        }
    }

    @Test("a network's and a mediation's callback for one view are one grant")
    func twoCallbacks() async throws {
        try await store.keep([view("v", mode: "ssv")])
        let first = try await store.receive(callback("t1", "v"), waiting: nil)
        let second = try await store.receive(callback("t2", "v"), waiting: nil)
        #expect(first.isNew && !second.isNew && first.grant?.id == second.grant?.id)
        #expect(try await store.grants(GrantFilter()).count == 1)
    }

    @Test("a repeat is a duplicate; another content under the same transaction is a conflict")
    func repeats() async throws {
        try await store.keep([view("v", mode: "ssv"), view("w", mode: "ssv")])
        let first = try await store.receive(callback("t", "v"), waiting: nil)
        let second = try await store.receive(callback("t", "v"), waiting: nil)
        #expect(second.state == .duplicate && second.grant?.id == first.grant?.id)
        let other = try await store.receive(callback("t", "w", digest: "other"), waiting: nil)
        #expect(other.state == .refused && other.reason == "conflict")
        let history = try #require(try await store.grant(first.grant?.id ?? ""))
        #expect(history.callbacks.map(\.repeats) == [1])
        #expect(try await store.grants(GrantFilter()).count == 1)
    }

    @Test("an unknown view is parked, and counts as soon as the client brings its record")
    func parked() async throws {
        #expect(try await store.receive(callback("t", "v"), waiting: nil).state == .unattributable)
        #expect(try await store.receive(callback("t", "v"), waiting: nil).state == .duplicate)
        let outcome = try await store.claim(claim(.client, "v", bringing: view("v", mode: "ssv")))
        #expect(outcome?.isNew == true)
        #expect(try await store.claim(claim(.client, "nobody")) == nil)
    }

    @Test("what a judge refuses grants nothing, now and later")
    func judged() async throws {
        try await store.keep([view("v", mode: "ssv")])
        var bad = callback("t", "v")
        bad.judge = { view in view.amount == "10" ? CallbackRefusal("reward_mismatch", "7 is not 10") : nil }
        #expect(try await store.receive(bad, waiting: nil).reason == "reward_mismatch")
        #expect(try await store.receive(callback("t", "v"), waiting: nil).state == .refused)
        #expect(try await store.grants(GrantFilter()).isEmpty)
    }

    @Test("limits count users, devices and placements within their window", arguments: RewardLimit.Subject.allCases)
    func limits(_ subject: RewardLimit.Subject) async throws {
        let limit = [RewardLimit(subject, count: 2, window: .seconds(60))]
        try await store.keep((1...4).map { view("v\($0)") })
        #expect(try await store.claim(claim(.client, "v1", limits: limit))?.isNew == true)
        #expect(try await store.claim(claim(.client, "v2", limits: limit))?.isNew == true)
        let third = try #require(try await store.claim(claim(.client, "v3", limits: limit, after: .seconds(59))))
        #expect(third.grant.state == .refused && third.grant.reason == "over_limit_\(subject.rawValue)")
        #expect(try await store.claim(claim(.client, "v4", limits: limit, after: .seconds(60)))?.isNew == true)
    }

    @Test("unverified callbacks wait, and never take the place of a genuine one")
    func unverified() async throws {
        try await store.keep([view("v", mode: "ssv")])
        var record = callback("t", nil).record
        record.transaction = nil
        record.state = .received
        try await store.keep(record)
        #expect(try await store.receive(callback("t", "v"), waiting: nil).isNew)
        let waiting = try await store.unverified(after: 0, limit: 10)
        #expect(waiting.count == 1)
        let late = try await store.receive(callback("t", "v"), waiting: waiting.first?.id)
        #expect(late.state == .duplicate)
        #expect(try await store.unverified(after: 0, limit: 10).isEmpty)
    }

    @Test("a due delivery is lent to one taker, and comes back when the lease is over")
    func lease() async throws {
        try await store.keep([view("v")])
        _ = try await store.claim(claim(.client, "v"))
        let lease = Duration.seconds(15)
        let taken = try await store.takeDue(now: start, lease: lease, limit: 9)
        #expect(taken.count == 1)
        #expect(try await store.takeDue(now: start.advanced(by: .seconds(14)), lease: lease, limit: 9).isEmpty)
        #expect(try await store.takeDue(now: start.advanced(by: .seconds(15)), lease: lease, limit: 9).count == 1)
        let id = try #require(taken.first?.id)
        func attempt(_ status: Int?) -> DeliveryTry {
            DeliveryTry(grant: id, at: start, status: status, error: nil, milliseconds: 3, key: "7")
        }
        try await store.note(attempt(500), .again(at: start.advanced(by: .seconds(40))))
        #expect(try await store.takeDue(now: start.advanced(by: .seconds(39)), lease: lease, limit: 9).isEmpty)
        try await store.note(attempt(200), .delivered)
        try await store.note(attempt(500), .dead)
        let history = try #require(try await store.grant(id))
        #expect(history.grant.delivery == .delivered)
        #expect(history.tries.map(\.number) == [1, 2, 3] && history.tries.map(\.status) == [500, 200, 500])
        #expect(try await store.redeliver(id, now: start))
        #expect(try await store.takeDue(now: start, lease: lease, limit: 9).map(\.id) == [id])
        #expect(try await !store.redeliver("nobody", now: start))
    }

    @Test("user and custom data change until the grant, then never (S2.11)")
    func amending() async throws {
        try await store.keep([view("v", user: nil)])
        #expect(try await store.amend(view: "v", user: "u-9", customData: nil))
        let outcome = try await store.claim(claim(.client, "v"))
        #expect(outcome?.grant.presentation.user == "u-9")
        #expect(outcome?.grant.presentation.customData == "a=b&c=%20é\"")
        #expect(try await !store.amend(view: "v", user: "thief", customData: nil))
    }

    @Test("views without a callback are reported once")
    func overdue() async throws {
        try await store.keep([view("v", mode: "ssv"), view("w", mode: "ssv"), view("x", mode: "ssv"), view("c")])
        try await store.present(view: "v", at: start)
        try await store.present(view: "w", at: start)
        try await store.present(view: "c", at: start)
        _ = try await store.receive(callback("t", "w"), waiting: nil)
        let later = start.advanced(by: .seconds(1))
        #expect(try await store.overdue(limit: 10).isEmpty)
        #expect(try await store.takeOverdue(before: later, limit: 10).map(\.view) == ["v"])
        #expect(try await store.takeOverdue(before: later, limit: 10).isEmpty)
        #expect(try await store.overdue(limit: 10).map(\.presentation.view) == ["v"])
        #expect(try await store.overdue(limit: 10).map(\.begunAt) == [start])
        #expect(try await store.rewardCounts().overdue == 1)
        // A callback that comes after all ends the alarm.
        _ = try await store.receive(callback("late", "v"), waiting: nil)
        #expect(try await store.overdue(limit: 10).isEmpty)
        #expect(try await store.rewardCounts().overdue == 0)
    }

    @Test("pruning forgets views that came to nothing, never a transaction")
    func pruning() async throws {
        try await store.keep([view("old"), view("v", mode: "ssv")])
        _ = try await store.receive(callback("t", "v"), waiting: nil)
        for number in 0..<5 {
            var bad = callback("x", nil).record
            bad.transaction = nil
            bad.state = .refused
            bad.raw = Array("\(number)".utf8)
            try await store.keep(bad)
        }
        try await store.prune(before: start.advanced(by: .seconds(1)), refused: 2)
        #expect(try await store.claim(claim(.client, "old")) == nil)
        #expect(try await store.receive(callback("t", "v"), waiting: nil).state == .duplicate)
        #expect(try count("SELECT count(*) FROM reward_callbacks WHERE state = 'refused'") == 2)
    }

    @Test("forty claims at once over two stores of one file are one grant")
    func twoStores() async throws {
        let other = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
        try await store.keep([view("v")])
        let news = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask { [store] in
                    try await (number % 2 == 0 ? store : other).claim(claim(.client, "v"))?.isNew ?? false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(news == 1)
        #expect(try count("SELECT count(*) FROM reward_grants") == 1)
        await other.close()
    }

    @Test("a database locked by another program fails claims, loses nothing, and works again afterwards")
    func locked() async throws {
        var configuration = StoreConfiguration()
        configuration.lockWait = .milliseconds(50)
        let hasty = try SQLiteStore(path: directory.file("weir.db"), configuration: configuration, clock: SystemClock())
        try await hasty.keep([view("v")])
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.file("weir.db"), &database) == SQLITE_OK)
        try #require(sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        await #expect(throws: StoreError.self) { _ = try await hasty.claim(claim(.client, "v")) }
        try #require(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        #expect(try await hasty.claim(claim(.client, "v"))?.isNew == true)
        await hasty.close()
    }

    @Test("a full disk fails callbacks and loses nothing that was answered")
    func fullDisk() async throws {
        var configuration = StoreConfiguration()
        configuration.pages = 60
        let small = try SQLiteStore(
            path: directory.file("small.db"),
            configuration: configuration,
            clock: SystemClock()
        )
        var kept: [Int] = []
        var failures = 0
        for number in 0..<200 {
            let id = "v\(number)"
            var claim = callback("t\(number)", id, bringing: view(id, mode: "ssv"))
            claim.record.raw = [UInt8](repeating: 0x61, count: 4000)
            do {
                _ = try await small.receive(claim, waiting: nil)
                kept.append(number)
            } catch { failures += 1 }
        }
        await small.close()
        #expect(!kept.isEmpty && failures > 0)
        let again = try SQLiteStore(path: directory.file("small.db"), clock: SystemClock())
        #expect(try await again.grants(GrantFilter(limit: 1000)).count == kept.count)
        await again.close()
    }

    @Test("a database of the schema before rewards is brought up")
    func migration() async throws {
        await store.close()
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.file("weir.db"), &database) == SQLITE_OK)
        let later = [
            "reward_views", "reward_callbacks", "reward_grants", "reward_tries", "beacons", "beacon_owners", "notices",
        ]
        let drop = later.map { "DROP TABLE \($0);" }.joined()
        try #require(sqlite3_exec(database, drop + "PRAGMA user_version = 1", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        let again = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
        try await again.keep([view("v")])
        #expect(try await again.claim(claim(.client, "v"))?.isNew == true)
        await again.close()
    }

    private func count(_ sql: String) throws -> Int64 {
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.file("weir.db"), &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return sqlite3_column_int64(statement, 0)
    }
}
