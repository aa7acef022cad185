internal import WeirTime

/// What is told to the publisher, and what operators ask.
extension RewardLedger {
    /// Takes grants that are due, so that no other process takes them before the lease is over.
    func takeDue(now: WallTime, lease: Duration, limit: Int) throws(SQLiteFailure) -> [GrantRecord] {
        var found: [GrantRecord] = []
        try sql.run(
            """
            UPDATE reward_grants SET lease_ms = ?2 WHERE id IN (
                SELECT id FROM reward_grants WHERE delivery = 'waiting' AND next_ms <= ?1 AND lease_ms <= ?1
                ORDER BY next_ms LIMIT ?3)
            RETURNING *
            """,
            [.time(now), .time(now.advanced(by: lease)), .number(Int64(limit))]
        ) { found.append(GrantRecord($0)) }
        return found
    }

    func note(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict) throws(SQLiteFailure) {
        try sql.run(
            """
            INSERT INTO reward_tries (grant_id, number, at_ms, status, error, duration_ms, key)
            VALUES (?1, (SELECT tries + 1 FROM reward_grants WHERE id = ?1), ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .text(attempt.grant), .time(attempt.at), .number(attempt.status.map(Int64.init)), .text(attempt.error),
                .number(attempt.milliseconds), .text(attempt.key),
            ]
        )
        let (state, next): (GrantRecord.Delivery, WallTime?) =
            switch verdict {
            case .delivered: (.delivered, nil)
            case .again(let at): (.waiting, at)
            case .dead: (.dead, nil)
            }
        // What was delivered stays so, even when a slower try of another process fails afterwards.
        try sql.run(
            """
            UPDATE reward_grants SET tries = tries + 1, lease_ms = 0, next_ms = ?3,
                delivery = CASE delivery WHEN 'delivered' THEN 'delivered' ELSE ?2 END
            WHERE id = ?1
            """,
            [.text(attempt.grant), .text(state.rawValue), .time(next)]
        )
    }

    func redeliver(_ grant: String, now: WallTime) throws(SQLiteFailure) -> Bool {
        try sql.run(
            """
            UPDATE reward_grants SET delivery = 'waiting', next_ms = ?2, lease_ms = 0
            WHERE id = ?1 AND state = 'granted'
            """,
            [.text(grant), .time(now)]
        )
        return sql.changes == 1
    }

    func grants(_ filter: GrantFilter) throws(SQLiteFailure) -> [GrantRecord] {
        var found: [GrantRecord] = []
        let state = SQLValue.text(filter.state)
        let limit = SQLValue.number(Int64(filter.limit))
        // Two statements, so that a user's grants are found by their index.
        if let user = filter.user {
            try sql.run(
                """
                SELECT * FROM reward_grants WHERE user = ?1 AND (?2 IS NULL OR state = ?2 OR delivery = ?2)
                ORDER BY rowid DESC LIMIT ?3
                """,
                [.text(user), state, limit]
            ) { found.append(GrantRecord($0)) }
        } else {
            try sql.run(
                """
                SELECT * FROM reward_grants WHERE ?1 IS NULL OR state = ?1 OR delivery = ?1
                ORDER BY rowid DESC LIMIT ?2
                """,
                [state, limit]
            ) { found.append(GrantRecord($0)) }
        }
        return found
    }

    func history(_ id: String) throws(SQLiteFailure) -> GrantHistory? {
        var grant: GrantRecord?
        try sql.run("SELECT * FROM reward_grants WHERE id = ?", [.text(id)]) { grant = GrantRecord($0) }
        guard let grant else { return nil }
        var history = GrantHistory(grant: grant, tries: [], callbacks: [])
        try sql.run(
            """
            SELECT number, at_ms, status, error, duration_ms, key FROM reward_tries
            WHERE grant_id = ? ORDER BY number LIMIT 1000
            """,
            [.text(id)]
        ) { row in
            var attempt = DeliveryTry(
                grant: id,
                at: WallTime(milliseconds: row.integer(1)),
                status: row.optionalInteger(2).map(Int.init),
                error: row.text(3),
                milliseconds: row.integer(4),
                key: row.text(5) ?? ""
            )
            attempt.number = Int(row.integer(0))
            history.tries.append(attempt)
        }
        try sql.run(
            "SELECT * FROM reward_callbacks WHERE view = ? ORDER BY id LIMIT 100",
            [.text(grant.presentation.view)]
        ) { history.callbacks.append(CallbackRecord($0)) }
        return history
    }

    func counts() throws(SQLiteFailure) -> RewardCounts {
        var counts = RewardCounts()
        counts.unverified = Int(
            try sql.number("SELECT count(*) FROM reward_callbacks WHERE state = 'received'") ?? 0
        )
        counts.waiting = Int(try sql.number("SELECT count(*) FROM reward_grants WHERE delivery = 'waiting'") ?? 0)
        counts.dead = Int(try sql.number("SELECT count(*) FROM reward_grants WHERE delivery = 'dead'") ?? 0)
        counts.overdue = Int(
            try sql.number("SELECT count(*) FROM reward_views WHERE is_reported = 1 AND network_ms IS NULL") ?? 0
        )
        return counts
    }
}
