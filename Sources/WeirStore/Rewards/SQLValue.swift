internal import WeirTime

/// A value on its way into a statement.
enum SQLValue {
    case text(String?)
    case bytes([UInt8])
    case number(Int64?)

    static func time(_ time: WallTime?) -> SQLValue { .number(time?.milliseconds) }
}

/// Statements that are prepared once and used many times.
final class StatementCache {
    private let database: SQLiteConnection
    private var statements: [StaticKey: SQLiteStatement] = [:]

    private struct StaticKey: Hashable {
        let start: UnsafePointer<UInt8>
    }

    init(_ database: SQLiteConnection) {
        self.database = database
    }

    /// How many rows the last statement changed.
    var changes: Int { database.changes }

    /// Runs a statement and hands each of its rows to `row`.
    func run(
        _ sql: StaticString,
        _ values: [SQLValue] = [],
        row: (SQLiteStatement) -> Void = { _ in }
    ) throws(SQLiteFailure) {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .text(let text): try statement.bind(place, text)
            case .bytes(let bytes): try statement.bind(place, bytes)
            case .number(let number): try statement.bind(place, number)
            }
        }
        while try statement.step() { row(statement) }
    }

    /// The first column of the first row, as a number; `nil` without a row, and for NULL.
    func number(_ sql: StaticString, _ values: [SQLValue] = []) throws(SQLiteFailure) -> Int64? {
        var number: Int64?
        var isFirst = true
        try run(sql, values) { row in
            if isFirst { number = row.optionalInteger(0) }
            isFirst = false
        }
        return number
    }

    /// Literals live as long as the program, so their address tells them apart.
    private func statement(_ sql: StaticString) throws(SQLiteFailure) -> SQLiteStatement {
        let key = StaticKey(start: sql.utf8Start)
        if let known = statements[key] { return known }
        let made = try database.prepare(sql.description)
        statements[key] = made
        return made
    }
}
