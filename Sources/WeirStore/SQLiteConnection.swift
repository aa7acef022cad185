internal import CSQLite

/// One connection to a SQLite database, closed when nobody holds it any longer.
final class SQLiteConnection {
    private let handle: OpaquePointer

    /// Opens or creates the database at `path`; `:memory:` is one that is never written.
    init(path: String) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory"
            sqlite3_close(opened)
            throw SQLiteFailure(code: code, reason: reason)
        }
        handle = opened
    }

    deinit { sqlite3_close_v2(handle) }

    /// Whether the database can only be read.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether the file has been deleted, renamed or replaced since it was opened; never for a database in memory.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    /// How many rows the last insertion or deletion touched.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs statements that answer nothing.
    func run(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The first column of the first row that `sql` answers.
    func text(_ sql: String) throws(SQLiteFailure) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// The first column of the first row that `sql` answers, as a number; 0 when there is none.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// A statement to be used many times.
    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw failure(code) }
        return SQLiteStatement(prepared, of: self)
    }

    /// Runs `work` in one transaction, undone when it throws.
    func transaction<Value>(_ work: () throws(SQLiteFailure) -> Value) throws(SQLiteFailure) -> Value {
        try run("BEGIN IMMEDIATE")
        do {
            let value = try work()
            try run("COMMIT")
            return value
        } catch {
            // SQLite has rolled back by itself after the gravest errors; then this fails, and that is well.
            try? run("ROLLBACK")
            throw error
        }
    }

    func failure(_ code: Int32) -> SQLiteFailure {
        SQLiteFailure(code: code, reason: String(cString: sqlite3_errmsg(handle)))
    }
}

/// What SQLite says when it does not do what it was asked.
struct SQLiteFailure: Error, Hashable {
    var code: Int32
    var reason: String

    /// Whether the transaction is lost, not only the statement.
    var isAboutTheDisk: Bool {
        switch code & 0xFF {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_READONLY, SQLITE_BUSY, SQLITE_NOMEM:
            true
        default: false
        }
    }

    /// Whether the row itself is at fault, so that trying it again is useless.
    var isAboutTheRow: Bool {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE: true
        default: false
        }
    }

    /// Whether the file is no database of ours to begin with.
    var isAboutTheFile: Bool {
        switch code & 0xFF {
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_FORMAT: true
        default: false
        }
    }
}
