import CSQLite
import Testing
import WeirStore
import WeirTime

@Suite("SQLiteStore")
struct SQLiteStoreTests {
    private let directory: TemporaryDirectory
    private let notices = Notices()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(
        _ name: String = "weir.db",
        _ configuration: StoreConfiguration = StoreConfiguration()
    ) throws -> SQLiteStore {
        try SQLiteStore(
            path: directory.file(name),
            configuration: configuration,
            clock: SystemClock(),
            notice: notices.receive
        )
    }

    @Test("a decision is read back as it was recorded, at once, and after opening the file again")
    func roundTrip() async throws {
        let odd = decision(1, network: nil, body: "{\"title\":\"é\\u0000 'x'; DROP TABLE decisions --\"}")
        let store = try open("deep/er/weir.db")
        store.record(odd)
        store.record(decision(2))
        #expect(try await store.recent(DecisionFilter()) == [decision(2), odd])
        #expect(try await store.decision(requestID: "r1") == odd)
        #expect(try await store.decision(requestID: "r3") == nil)
        await store.close()
        let again = try open("deep/er/weir.db")
        #expect(try await again.recent(DecisionFilter()) == [decision(2), odd])
        await again.close()
        #expect(notices.list.isEmpty)
    }

    @Test("recent decisions are filtered and limited, newest first")
    func filters() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        for number in 0..<20 {
            store.record(
                decision(
                    number,
                    placement: number.isMultiple(of: 2) ? "even" : "odd'",
                    result: number < 10 ? "fill" : "no_fill",
                    network: number < 10 ? "gam" : nil
                )
            )
        }
        let ids = { (filter: DecisionFilter) in try await store.recent(filter).map(\.requestID) }
        #expect(try await ids(DecisionFilter(limit: 3)) == ["r19", "r18", "r17"])
        #expect(try await ids(DecisionFilter(placement: "odd'", result: "fill")) == ["r9", "r7", "r5", "r3", "r1"])
        #expect(try await ids(DecisionFilter(network: "gam", limit: 1)) == ["r9"])
        #expect(try await ids(DecisionFilter(network: "other")).isEmpty)
        #expect(try await ids(DecisionFilter(limit: -5)).count == 1)
        await store.close()
    }

    @Test("a second record of the same request is ignored")
    func sameID() async throws {
        let store = try open()
        store.record(decision(1, body: "1"))
        store.record(decision(1, body: "2"))
        store.record(decision(2))
        #expect(try await store.recent(DecisionFilter()).map(\.body) == [decision(2).body, Array("1".utf8)])
        await store.close()
    }

    @Test("the log is moved into the database while it is short, so that no single move takes long")
    func shortLog() async throws {
        let store = try open()
        #expect(await store.flushed())
        let before = try directory.read("weir.db").count
        // 80 pages; SQLite by itself would move the first 1,000.
        let body = String(repeating: "x", count: 8000)
        for number in 0..<40 { store.record(decision(number, body: body)) }
        #expect(await store.flushed())
        #expect(try directory.read("weir.db").count >= before + 33 * body.utf8.count)
        await store.close()
    }

    @Test("committed batches survive a process that dies without closing")
    func durability() async throws {
        let store = try open()
        for number in 0..<500 { store.record(decision(number)) }
        #expect(await store.flushed())
        // What kill -9 leaves behind is what the files hold now: the writer still has them open.
        for suffix in ["", "-wal"] {
            try directory.write(try directory.read("weir.db" + suffix), to: "copy.db" + suffix)
        }
        let copy = try open("copy.db")
        #expect(try await copy.recent(DecisionFilter(limit: 1000)).count == 500)
        await copy.close()
        await store.close()
    }

    @Test("the oldest decisions go when there are more than are to be kept")
    func retention() async throws {
        var configuration = StoreConfiguration()
        configuration.retainedRecords = 10
        let store = try open("weir.db", configuration)
        for number in 0..<35 {
            store.record(decision(number))
            if number.isMultiple(of: 7) { #expect(await store.flushed()) }
        }
        #expect(try await store.recent(DecisionFilter()).map(\.requestID) == (25..<35).reversed().map { "r\($0)" })
        await store.close()
        configuration.retainedRecords = 3
        let lowered = try open("weir.db", configuration)
        lowered.record(decision(35))
        #expect(try await lowered.recent(DecisionFilter()).map(\.requestID) == ["r35", "r34", "r33"])
        await lowered.close()
    }

    @Test("status counts, flush waits, and after close everything is refused")
    func life() async throws {
        let store = try open()
        for number in 0..<2500 { store.record(decision(number)) }
        #expect(await store.flushed())
        #expect(store.status.written == 2500)
        #expect(store.status.queued == 0)
        #expect(store.status.isHealthy)
        store.record(decision(2500))
        await store.close()
        await store.close()
        #expect(store.status.written == 2501)
        store.record(decision(2501))
        #expect(store.status.lost == 1)
        #expect(await store.flushed())
        await #expect(throws: StoreError.self) { try await store.recent(DecisionFilter()) }
    }

    @Test("many threads record at once and each decision is written once")
    func concurrency() async throws {
        let store = try open()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<250 { store.record(decision(task * 1000 + number)) } }
            }
        }
        await store.close()
        #expect(store.status.written == 2000)
        let again = try open()
        let ids = try await again.recent(DecisionFilter(limit: 1000)).map(\.requestID)
        #expect(Set(ids).count == 1000)
        await again.close()
    }
}
