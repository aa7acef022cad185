import CSQLite
import Glibc
import Testing
import WeirStore
import WeirTime

@Suite("SQLiteStore when the disk fails")
struct StoreFailureTests {
    private let directory: TemporaryDirectory
    private let notices = Notices()
    private var configuration = StoreConfiguration()

    init() throws {
        directory = try TemporaryDirectory()
        configuration.lockWait = .zero
        configuration.retryInitial = .milliseconds(1)
        configuration.retryMaximum = .milliseconds(5)
        configuration.reportInterval = .milliseconds(1)
    }

    private func open(_ configuration: StoreConfiguration) throws -> SQLiteStore {
        try SQLiteStore(
            path: directory.file("weir.db"),
            configuration: configuration,
            clock: SystemClock(),
            notice: notices.receive
        )
    }

    /// Runs `work` while another connection holds the lock that every writer needs.
    private func whileLocked(_ work: () async throws -> Void) async throws {
        var other: OpaquePointer?
        try #require(sqlite3_open(directory.file("weir.db"), &other) == SQLITE_OK)
        defer { sqlite3_close(other) }
        try #require(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        try await work()
        try #require(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
    }

    @Test("what waits is written once the disk works again, and the operator hears of both")
    func recovery() async throws {
        let store = try open(configuration)
        try await whileLocked {
            store.record(decision(1))
            let instantly = Deadline.after(.milliseconds(200), clock: SystemClock())
            #expect(await store.flush(until: instantly, clock: SystemClock()) == false)
            store.record(decision(2))
            #expect(store.status.queued == 2)
            #expect(!store.status.isHealthy)
            #expect(store.status.lastError?.contains("locked") == true)
            let readable = try await store.recent(DecisionFilter())
            #expect(readable.isEmpty, "reading goes on")
        }
        #expect(await store.flushed())
        #expect(store.status.written == 2)
        #expect(store.status.isHealthy)
        #expect(try await store.recent(DecisionFilter()).map(\.requestID) == ["r2", "r1"])
        await store.close()
        #expect(notices.list.count == 2)
        #expect(notices.list.last == .recovered)
        #expect(store.status.lost == 0)
    }

    @Test("a full queue loses the newest decisions, counts them and reports them")
    func fullQueue() async throws {
        var small = configuration
        small.queuedRecords = 10
        let store = try open(small)
        try await whileLocked {
            for number in 0..<25 { store.record(decision(number)) }
            #expect(store.status.queued == 10)
            #expect(store.status.lost == 15)
        }
        #expect(await store.flushed())
        #expect(try await store.recent(DecisionFilter()).map(\.requestID) == (0..<10).reversed().map { "r\($0)" })
        await store.close()
        #expect(store.status.lost == 15)
        #expect(lostInNotices == 15)
    }

    @Test("a disk that is full stops no caller: later decisions are lost, those written stay readable")
    func fullDisk() async throws {
        var quota = configuration
        quota.pages = 45
        quota.queuedRecords = 50
        let store = try open(quota)
        let body = String(repeating: "x", count: 4000)
        for number in 0..<5 { store.record(decision(number, body: body)) }
        #expect(await store.flushed())
        for number in 5..<500 { store.record(decision(number, body: body)) }
        let soon = Deadline.after(.milliseconds(200), clock: SystemClock())
        #expect(await store.flush(until: soon, clock: SystemClock()) == false)
        #expect(!store.status.isHealthy)
        #expect(store.status.lastError?.contains("full") == true)
        #expect(store.status.queued == 50)
        #expect(try await store.decision(requestID: "r3")?.body.count == 4000)
        await store.close()
        #expect(store.status.queued == 0)
        #expect(store.status.written + store.status.lost == 500)
        #expect(store.status.written < 20)
        #expect(lostInNotices == store.status.lost)
    }

    @Test("a decision that is too large is lost alone")
    func tooLarge() async throws {
        var small = configuration
        small.recordBytes = 10_000
        let store = try open(small)
        store.record(decision(1, body: String(repeating: "x", count: 20_000)))
        store.record(decision(2))
        #expect(await store.flushed())
        #expect(store.status.lost == 1)
        #expect(store.status.written == 1)
        await store.close()
        #expect(lostInNotices == 1)
    }

    @Test("closing while the disk fails gives up instead of hanging")
    func closing() async throws {
        let store = try open(configuration)
        try await whileLocked {
            for number in 0..<7 { store.record(decision(number)) }
            await store.close()
            #expect(store.status.lost == 7)
            #expect(store.status.queued == 0)
            #expect(await store.flushed())
        }
        #expect(lostInNotices == 7)
    }

    @Test("a database whose file is deleted or replaced is told of once, with the time", arguments: [true, false])
    func misplaced(isReplaced: Bool) async throws {
        var watchful = configuration
        watchful.lookInterval = .zero
        let store = try open(watchful)
        store.record(decision(1))
        #expect(await store.flushed())
        #expect(store.status.misplacedSince == nil)
        let path = directory.file("weir.db")
        try #require(rename(path, path + ".old") == 0)
        if isReplaced { try #require(link(path + "-wal", path) == 0) }
        for number in 2..<5 {
            store.record(decision(number))
            #expect(await store.flushed())
        }
        await store.close()
        #expect(store.status.misplacedSince != nil)
        #expect(notices.list == [.misplaced])
    }

    private var lostInNotices: Int {
        notices.list.reduce(0) { sum, notice in if case .lost(let count) = notice { sum + count } else { sum } }
    }
}
