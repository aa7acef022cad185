internal import WeirTime

/// The statements over the beacons that are owed.
final class BeaconTable: JobTable {
    let sql: StatementCache

    init(_ database: SQLiteConnection) {
        sql = StatementCache(database)
    }

    func keep(_ beacons: [OwedBeacon], of owner: String, lease: WallTime) throws(SQLiteFailure) -> [Int64] {
        try renew(owner, until: lease)
        var ids: [Int64] = []
        for beacon in beacons {
            try sql.run(
                """
                INSERT INTO beacons (at_ms, network, url, headers, tries, is_under_way, owner) VALUES (?,?,?,?,?,?,?)
                RETURNING id
                """,
                [
                    .time(beacon.at), .text(beacon.network), .text(beacon.url), .text(Self.lines(beacon.headers)),
                    .number(Int64(beacon.tries)), .number(beacon.isUnderWay ? 1 : 0), .text(owner),
                ]
            ) { ids.append($0.integer(0)) }
        }
        return ids
    }

    func begin(_ id: Int64, of owner: String) throws(SQLiteFailure) -> Bool {
        try sql.run(
            "UPDATE beacons SET is_under_way = 1 WHERE id = ? AND owner = ?",
            [.number(id), .text(owner)]
        )
        return sql.changes == 1
    }

    func postpone(_ id: Int64, tries: Int, of owner: String) throws(SQLiteFailure) {
        try sql.run(
            "UPDATE beacons SET is_under_way = 0, tries = ? WHERE id = ? AND owner = ?",
            [.number(Int64(tries)), .number(id), .text(owner)]
        )
    }

    func forget(_ ids: [Int64]) throws(SQLiteFailure) {
        for id in ids { try sql.run("DELETE FROM beacons WHERE id = ?", [.number(id)]) }
    }

    func takeOver(
        by owner: String,
        lease: WallTime,
        now: WallTime,
        limit: Int
    ) throws(SQLiteFailure) -> LeftBeacons {
        try renew(owner, until: lease)
        try sql.run("DELETE FROM beacon_owners WHERE lease_ms < ?", [.time(now)])
        var left = LeftBeacons()
        // A beacon that was on its way may have been counted: sending it again would count it twice.
        try sql.run(
            """
            DELETE FROM beacons WHERE is_under_way = 1 AND owner NOT IN (SELECT owner FROM beacon_owners)
            """
        )
        left.cutOff = sql.changes
        try sql.run(
            """
            UPDATE beacons SET owner = ?1 WHERE id IN (
                SELECT id FROM beacons WHERE owner NOT IN (SELECT owner FROM beacon_owners) ORDER BY id LIMIT ?2)
            RETURNING id, at_ms, network, url, headers, tries
            """,
            [.text(owner), .number(Int64(limit))]
        ) { left.waiting.append(Self.kept($0)) }
        left.waiting.sort { $0.id < $1.id }
        return left
    }

    func release(_ owner: String) throws(SQLiteFailure) {
        try sql.run("DELETE FROM beacon_owners WHERE owner = ?", [.text(owner)])
    }

    func promise(_ notices: [PromisedNotice], limit: Int) throws(SQLiteFailure) -> [String] {
        for notice in notices {
            // A URL with a line break in it is none, and would become two.
            let urls = notice.urls.filter { !$0.utf8.contains { $0 < 0x20 } }
            try sql.run(
                "INSERT INTO notices (name, network, urls) VALUES (?,?,?) ON CONFLICT (name) DO NOTHING",
                [.text(notice.name), .text(notice.network), .text(urls.joined(separator: "\n"))]
            )
        }
        var dropped: [String] = []
        try sql.run(
            "DELETE FROM notices WHERE id <= (SELECT max(id) FROM notices) - ? RETURNING network",
            [.number(Int64(limit))]
        ) { dropped.append($0.text(0) ?? "") }
        return dropped
    }

    func redeem(
        _ name: String,
        of owner: String,
        lease: WallTime,
        as beacons: (PromisedNotice) -> [OwedBeacon]
    ) throws(SQLiteFailure) -> [KeptBeacon]? {
        guard let notice = try take(name) else { return nil }
        let owed = beacons(notice)
        return zip(try keep(owed, of: owner, lease: lease), owed).map { KeptBeacon(id: $0, beacon: $1) }
    }

    // MARK: Private parts

    private func take(_ name: String) throws(SQLiteFailure) -> PromisedNotice? {
        var notice: PromisedNotice?
        try sql.run("DELETE FROM notices WHERE name = ? RETURNING network, urls", [.text(name)]) { row in
            let urls = (row.text(1) ?? "").split(separator: "\n").map(String.init)
            notice = PromisedNotice(name: name, network: row.text(0) ?? "", urls: urls)
        }
        return notice
    }

    private func renew(_ owner: String, until lease: WallTime) throws(SQLiteFailure) {
        try sql.run(
            "INSERT INTO beacon_owners VALUES (?,?) ON CONFLICT (owner) DO UPDATE SET lease_ms = excluded.lease_ms",
            [.text(owner), .time(lease)]
        )
    }

    private static func kept(_ row: SQLiteStatement) -> KeptBeacon {
        var beacon = OwedBeacon(
            at: WallTime(milliseconds: row.integer(1)),
            network: row.text(2) ?? "",
            url: row.text(3) ?? "",
            headers: fields(row.text(4) ?? "")
        )
        beacon.tries = Int(clamping: row.integer(5))
        return KeptBeacon(id: row.integer(0), beacon: beacon)
    }

    /// Fields as lines; what would break a line never goes into a header either.
    private static func lines(_ fields: [OwedBeacon.Field]) -> String {
        fields.filter { !($0.name + $0.value).utf8.contains { $0 < 0x20 } && !$0.name.contains(":") }
            .map { "\($0.name):\($0.value)" }.joined(separator: "\n")
    }

    private static func fields(_ lines: String) -> [OwedBeacon.Field] {
        lines.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return OwedBeacon.Field(name: String(line[..<colon]), value: String(line[colon...].dropFirst()))
        }
    }
}
