internal import WeirTime

/// The statements over the table of decisions.
final class DecisionTable {
    private static let columns =
        "request_id, at_ms, placement, ad_unit, format, result, network, line_item, latency_ms, config, body"

    /// The most rows one transaction prunes, so that a lowered bound does not hold up the writer for long.
    private static let prunedAtOnce: Int64 = 5000

    /// How many pages are written to the log before they are moved into the database.
    ///
    /// SQLite itself waits for 1,000 and then takes the processor for milliseconds, which the loops beside it feel.
    private static let logPages = 100

    private let database: SQLiteConnection
    private let retained: Int64
    /// About as many pages as the log has got since it was last moved.
    private var pages = 0
    private let insertion: SQLiteStatement
    private let pruning: SQLiteStatement

    init(_ database: SQLiteConnection, retained: Int) throws(SQLiteFailure) {
        self.database = database
        self.retained = Int64(max(1, retained))
        insertion = try database.prepare(
            "INSERT INTO decisions (\(Self.columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (request_id) DO NOTHING"
        )
        // Row numbers rise by one with each insertion, so counting is arithmetic.
        pruning = try database.prepare(
            """
            DELETE FROM decisions WHERE rowid <= min(
                (SELECT max(rowid) FROM decisions) - ?, (SELECT min(rowid) FROM decisions) + ?)
            """
        )
    }

    /// Writes `records` in one transaction and prunes the oldest; answers how many the database will never take.
    func write(_ records: [DecisionRecord]) throws(SQLiteFailure) -> Int {
        try database.transaction { () throws(SQLiteFailure) in
            var refused = 0
            for record in records {
                // Its row, what does not fit beside it, and a page of the index.
                pages += record.size / 4096 + 2
                do throws(SQLiteFailure) {
                    try insert(record)
                } catch {
                    guard error.isAboutTheRow else { throw error }
                    refused += 1
                }
            }
            try prune()
            return refused
        }
    }

    /// Moves what was committed from the log into the database, once it is worth it.
    func settle() {
        guard pages >= Self.logPages else { return }
        pages = 0
        // Where it fails nothing is lost: SQLite tries again by itself when the log has grown.
        try? database.run("PRAGMA wal_checkpoint(PASSIVE)")
    }

    private func insert(_ record: DecisionRecord) throws(SQLiteFailure) {
        defer { insertion.reset() }
        try insertion.bind(1, record.requestID)
        try insertion.bind(2, record.at.milliseconds)
        try insertion.bind(3, record.placement)
        try insertion.bind(4, record.adUnit)
        try insertion.bind(5, record.format)
        try insertion.bind(6, record.result)
        try insertion.bind(7, record.network)
        try insertion.bind(8, record.lineItem)
        try insertion.bind(9, record.latencyMilliseconds)
        try insertion.bind(10, record.config)
        try insertion.bind(11, record.body)
        _ = try insertion.step()
    }

    private func prune() throws(SQLiteFailure) {
        defer { pruning.reset() }
        try pruning.bind(1, retained)
        try pruning.bind(2, Self.prunedAtOnce)
        _ = try pruning.step()
    }

    /// The newest decisions that pass `filter`.
    func recent(_ filter: DecisionFilter) throws(SQLiteFailure) -> [DecisionRecord] {
        var sql = "SELECT \(Self.columns) FROM decisions"
        let wanted = [("placement", filter.placement), ("result", filter.result), ("network", filter.network)]
        let conditions = wanted.filter { $0.1 != nil }
        if !conditions.isEmpty { sql += " WHERE " + conditions.map { "\($0.0) = ?" }.joined(separator: " AND ") }
        let statement = try database.prepare(sql + " ORDER BY rowid DESC LIMIT \(filter.limit)")
        for (index, condition) in conditions.enumerated() { try statement.bind(Int32(index + 1), condition.1) }
        var records: [DecisionRecord] = []
        var bytes = 0
        while bytes < DecisionFilter.answerBytes, try statement.step() {
            let record = Self.record(statement)
            bytes += record.size
            records.append(record)
        }
        return records
    }

    /// The decision on one request.
    func decision(_ requestID: String) throws(SQLiteFailure) -> DecisionRecord? {
        let statement = try database.prepare("SELECT \(Self.columns) FROM decisions WHERE request_id = ?")
        try statement.bind(1, requestID)
        return try statement.step() ? Self.record(statement) : nil
    }

    private static func record(_ row: SQLiteStatement) -> DecisionRecord {
        DecisionRecord(
            requestID: row.text(0) ?? "",
            at: WallTime(milliseconds: row.integer(1)),
            placement: row.text(2) ?? "",
            adUnit: row.text(3) ?? "",
            format: row.text(4) ?? "",
            result: row.text(5) ?? "",
            network: row.text(6),
            lineItem: row.text(7),
            latencyMilliseconds: row.integer(8),
            config: row.text(9) ?? "",
            body: row.bytes(10) ?? []
        )
    }
}
