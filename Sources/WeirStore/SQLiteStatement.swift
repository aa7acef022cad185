internal import CSQLite

/// A prepared statement; lives no longer than it is needed and keeps its connection open.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Gives the parameter at `place`, from 1, a text; `nil` is NULL.
    func bind(_ place: Int32, _ text: String?) throws(SQLiteFailure) {
        guard var text else { return try check(sqlite3_bind_null(handle, place)) }
        let code = text.withUTF8 { bindUTF8(place, $0) }
        try check(code)
    }

    /// Gives the parameter at `place`, from 1, a text in UTF-8.
    func bind(_ place: Int32, _ utf8: [UInt8]) throws(SQLiteFailure) {
        let code = utf8.withUnsafeBufferPointer { bindUTF8(place, $0) }
        try check(code)
    }

    /// Gives the parameter at `place`, from 1, a number.
    func bind(_ place: Int32, _ number: Int64) throws(SQLiteFailure) {
        try check(sqlite3_bind_int64(handle, place, number))
    }

    /// Gives the parameter at `place`, from 1, a number; `nil` is NULL.
    func bind(_ place: Int32, _ number: Int64?) throws(SQLiteFailure) {
        if let number { try bind(place, number) } else { try check(sqlite3_bind_null(handle, place)) }
    }

    /// Moves on; answers whether there is a row.
    func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// Makes the statement ready for its next use.
    func reset() {
        // Reports the failure of the step before once more; that one was thrown already.
        _ = sqlite3_reset(handle)
        _ = sqlite3_clear_bindings(handle)
    }

    /// The text in a column; `nil` for NULL.
    func text(_ column: Int32) -> String? {
        bytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the text in a column; `nil` for NULL.
    func bytes(_ column: Int32) -> [UInt8]? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// The number in a column.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The number in a column; `nil` for NULL.
    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
    }

    private func bindUTF8(_ place: Int32, _ utf8: UnsafeBufferPointer<UInt8>) -> Int32 {
        // A null pointer would be NULL; an empty text still has an address.
        guard let start = utf8.baseAddress, !utf8.isEmpty else { return weir_sqlite3_bind_text(handle, place, "", 0) }
        return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
            weir_sqlite3_bind_text(handle, place, $0, UInt64(utf8.count))
        }
    }

    private func check(_ code: Int32) throws(SQLiteFailure) {
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }
}
