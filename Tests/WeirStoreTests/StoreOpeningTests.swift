import CSQLite
import Testing
import WeirStore
import WeirTime

@Suite("Opening a store")
struct StoreOpeningTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func refusal(_ path: String) -> StoreError? {
        #expect(throws: StoreError.self) { try SQLiteStore(path: path, clock: SystemClock()) }
    }

    @Test("a path whose parent is a file is refused in one sentence")
    func parentIsFile() throws {
        try directory.write([], to: "file")
        for path in ["file/weir.db", "file/deep/weir.db"] {
            let error = refusal(directory.file(path))
            #expect(error?.code == .notWritable)
            #expect(error?.reason.contains("cannot be opened for writing") == true)
            #expect(error?.reason.contains(directory.path) == true)
        }
    }

    @Test("a directory in the file's place is refused")
    func directoryInPlace() throws {
        #expect(refusal(directory.path)?.code == .notWritable)
    }

    @Test("a file that is no database is refused and left as it was")
    func noDatabase() throws {
        let text = Array(String(repeating: "This is a letter to my aunt.\n", count: 100).utf8)
        try directory.write(text, to: "letter.db")
        let error = refusal(directory.file("letter.db"))
        #expect(error?.code == .notOurs)
        #expect(try directory.read("letter.db") == text)
    }

    @Test("another program's database and a newer Weir's are refused")
    func foreign() throws {
        try run("CREATE TABLE albums (id INTEGER)", in: "music.db")
        #expect(refusal(directory.file("music.db"))?.code == .notOurs)
        try run("PRAGMA application_id = 0x57454952; PRAGMA user_version = 99", in: "newer.db")
        let error = refusal(directory.file("newer.db"))
        #expect(error?.code == .tooNew)
        #expect(error?.reason.contains("99") == true)
    }

    @Test("the schema is versioned and holds the promised columns")
    func schema() async throws {
        let store = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
        store.record(decision(1))
        await store.close()
        try run(
            "SELECT request_id, at_ms, placement, ad_unit, format, result, network, line_item, latency_ms, config, body FROM decisions",
            in: "weir.db"
        )
        #expect(try number("PRAGMA user_version", in: "weir.db") == 5)
        #expect(try number("SELECT latency_ms FROM decisions WHERE request_id = 'r1'", in: "weir.db") == 42)
    }

    @Test(
        "storage URLs name a file or memory",
        arguments: [
            ("sqlite:var/weir.db", StoreURL.sqlite(path: "var/weir.db")), ("sqlite:/a/b.db", .sqlite(path: "/a/b.db")),
            ("sqlite:///a/b.db", .sqlite(path: "/a/b.db")), ("sqlite::memory:", .memory),
        ]
    )
    func urls(_ text: String, _ expected: StoreURL) throws {
        #expect(try StoreURL(text) == expected)
    }

    @Test(
        "other storage URLs are refused in one sentence that repeats no password",
        arguments: [
            ("postgres://weir:hunter2@db/weir", StoreError.Code.unsupported),
            ("postgresql://x:hunter2@y", .unsupported),
            ("mysql://u:hunter2@h", .badURL), ("var/weir.db", .badURL), ("", .badURL), ("sqlite:", .badURL),
            ("sqlite:var/", .badURL), ("sqlite::memory", .badURL), ("sqlite:a\u{0}b", .badURL),
        ]
    )
    func badURLs(_ text: String, _ code: StoreError.Code) {
        let error = #expect(throws: StoreError.self) { try StoreURL(text) }
        #expect(error?.code == code)
        #expect(error?.reason.contains("hunter2") == false)
        if code == .unsupported { #expect(error?.reason.contains("not built yet") == true) }
    }

    @Test("a relative path counts from the directory it is given")
    func relativePaths() {
        #expect(StoreURL.sqlite(path: "var/w.db").relative(to: "/etc/weir") == .sqlite(path: "/etc/weir/var/w.db"))
        #expect(StoreURL.sqlite(path: "w.db").relative(to: "config/") == .sqlite(path: "config/w.db"))
        #expect(StoreURL.sqlite(path: "/w.db").relative(to: "/etc") == .sqlite(path: "/w.db"))
        #expect(StoreURL.memory.relative(to: "/etc") == .memory)
    }

    @Test("a store in memory works like one on disk")
    func memory() async throws {
        let store = try StoreURL("sqlite::memory:").open(clock: SystemClock())
        store.record(decision(1))
        #expect(try await store.recent(DecisionFilter()) == [decision(1)])
        await store.close()
    }

    private func run(_ sql: String, in name: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.file(name), &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    private func number(_ sql: String, in name: String) throws -> Int64 {
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.file(name), &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return sqlite3_column_int64(statement, 0)
    }
}
