internal import WeirTime

/// The inbox of callbacks.
extension RewardLedger {
    /// Keeps a callback as it is; answers its number.
    func keep(_ callback: CallbackRecord) throws(SQLiteFailure) {
        try sql.run(
            """
            INSERT INTO reward_callbacks
                (network, transaction_id, at_ms, method, raw, state, reason, detail, view, digest)
            VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING
            """,
            callback.values
        )
    }

    /// Takes an authentic callback; `waiting` is its number when it was kept unverified before.
    func receive(_ callback: CallbackClaim, waiting: Int64?) throws(SQLiteFailure) -> CallbackOutcome {
        if let waiting { try sql.run("DELETE FROM reward_callbacks WHERE id = ?", [.number(waiting)]) }
        try keep(callback.record)
        // Nothing was inserted: the transaction is known, and the index has decided.
        if sql.changes == 0, let known = try known(callback.record) { return try again(callback, known) }
        var outcome = try settle(callback)
        try write(outcome, of: callback.record, view: outcome.grant?.presentation.view ?? callback.claim?.view)
        if outcome.state == .refused { outcome.isNew = false }
        return outcome
    }

    private func settle(_ callback: CallbackClaim) throws(SQLiteFailure) -> CallbackOutcome {
        if let refusal = callback.refusal {
            return CallbackOutcome(state: .refused, reason: refusal.reason, detail: refusal.detail)
        }
        guard let claim = callback.claim else { return CallbackOutcome(state: .unattributable) }
        let view = try view(claim.view) ?? claim.presentation
        if let view, let refusal = callback.judge(view) {
            return CallbackOutcome(state: .refused, reason: refusal.reason, detail: refusal.detail)
        }
        guard let claimed = try self.claim(claim) else { return CallbackOutcome(state: .unattributable) }
        var outcome = CallbackOutcome(state: .verified, grant: claimed.grant, isNew: claimed.isNew)
        switch claimed.grant.state {
        case .granted: outcome.state = .granted
        case .pending: outcome.state = .verified
        case .refused:
            outcome.state = .refused
            outcome.reason = claimed.grant.reason
            outcome.detail = "the grant \(claimed.grant.id) was refused"
        }
        return outcome
    }

    /// The same transaction once more: a repeat, or something else under its name.
    private func again(_ callback: CallbackClaim, _ known: CallbackRecord) throws(SQLiteFailure) -> CallbackOutcome {
        let record = callback.record
        guard known.digest == record.digest else {
            return CallbackOutcome(
                state: .refused,
                reason: "conflict",
                detail: "the transaction \(record.transaction ?? "") came before with another content"
            )
        }
        try sql.run("UPDATE reward_callbacks SET repeats = repeats + 1 WHERE id = ?", [.number(known.id)])
        switch known.state {
        case .unattributable:
            // The view may have become known since.
            let outcome = try settle(callback)
            guard outcome.state != .unattributable else { return CallbackOutcome(state: .duplicate) }
            try write(outcome, of: record, view: callback.claim?.view)
            return outcome
        case .refused: return CallbackOutcome(state: .refused, reason: known.reason, detail: known.detail)
        case .received, .verified, .duplicate, .granted:
            return CallbackOutcome(state: .duplicate, grant: try known.view.flatMap(grant(ofView:)))
        }
    }

    private func known(_ record: CallbackRecord) throws(SQLiteFailure) -> CallbackRecord? {
        var found: CallbackRecord?
        try sql.run(
            "SELECT * FROM reward_callbacks WHERE network = ? AND transaction_id = ?",
            [.text(record.network), .text(record.transaction)]
        ) { found = CallbackRecord($0) }
        return found
    }

    private func write(_ outcome: CallbackOutcome, of record: CallbackRecord, view: String?) throws(SQLiteFailure) {
        try sql.run(
            """
            UPDATE reward_callbacks SET state = ?3, reason = ?4, detail = ?5, view = ?6
            WHERE network = ?1 AND transaction_id = ?2
            """,
            [
                .text(record.network), .text(record.transaction), .text(outcome.state.rawValue), .text(outcome.reason),
                .text(outcome.detail), .text(view),
            ]
        )
    }

    func unverified(after: Int64, limit: Int) throws(SQLiteFailure) -> [CallbackRecord] {
        var found: [CallbackRecord] = []
        try sql.run(
            "SELECT * FROM reward_callbacks WHERE state = 'received' AND id > ? ORDER BY id LIMIT ?",
            [.number(after), .number(Int64(limit))]
        ) { found.append(CallbackRecord($0)) }
        return found
    }

    func refuse(callback id: Int64, reason: String, detail: String) throws(SQLiteFailure) {
        try sql.run(
            "UPDATE reward_callbacks SET state = 'refused', reason = ?2, detail = ?3 WHERE id = ?1",
            [.number(id), .text(reason), .text(detail)]
        )
    }

    /// Views that have begun and were never called back, each once.
    func takeOverdue(before: WallTime, limit: Int) throws(SQLiteFailure) -> [PresentationRecord] {
        var found: [PresentationRecord] = []
        try sql.run(
            """
            UPDATE reward_views SET is_reported = 1 WHERE view IN (
                SELECT view FROM reward_views WHERE begun_ms IS NOT NULL AND network_ms IS NULL AND is_reported = 0
                    AND begun_ms < ?1 AND mode <> 'client' ORDER BY begun_ms LIMIT ?2)
            RETURNING view, at_ms, placement, ad_unit, network, line_item, user, device, custom_data, item, amount, mode
            """,
            [.time(before), .number(Int64(limit))]
        ) { found.append(PresentationRecord($0, from: 0)) }
        return found
    }

    /// Views that were reported and still wait for their callback, the newest first.
    func overdue(limit: Int) throws(SQLiteFailure) -> [OverdueView] {
        var found: [OverdueView] = []
        try sql.run(
            """
            SELECT view, at_ms, placement, ad_unit, network, line_item, user, device, custom_data, item, amount, mode,
                begun_ms
            FROM reward_views WHERE is_reported = 1 AND network_ms IS NULL ORDER BY begun_ms DESC LIMIT ?
            """,
            [.number(Int64(limit))]
        ) { row in
            let begun = WallTime(milliseconds: row.integer(12))
            found.append(OverdueView(presentation: PresentationRecord(row, from: 0), begunAt: begun))
        }
        return found
    }

    /// Forgets old views that came to nothing, and refused callbacks beyond the newest `refused`.
    ///
    /// Authentic transactions are never forgotten: they are what a replay is known by.
    func prune(before: WallTime, refused: Int) throws(SQLiteFailure) {
        try sql.run(
            """
            DELETE FROM reward_views WHERE view IN (SELECT view FROM reward_views WHERE at_ms < ? AND NOT EXISTS (
                SELECT 1 FROM reward_grants WHERE reward_grants.view = reward_views.view) LIMIT 5000)
            """,
            [.time(before)]
        )
        try sql.run(
            """
            DELETE FROM reward_callbacks WHERE id IN (
                SELECT id FROM reward_callbacks WHERE state <> 'received' AND transaction_id IS NULL
                ORDER BY id DESC LIMIT 5000 OFFSET ?)
            """,
            [.number(Int64(refused))]
        )
    }
}

extension CallbackRecord {
    fileprivate var values: [SQLValue] {
        [
            .text(network), .text(transaction), .time(at), .text(method), .bytes(raw), .text(state.rawValue),
            .text(reason), .text(detail), .text(view), .text(digest),
        ]
    }

    /// A row of `SELECT *`.
    init(_ row: SQLiteStatement) {
        self.init(
            network: row.text(1) ?? "",
            transaction: row.text(2),
            at: WallTime(milliseconds: row.integer(3)),
            method: row.text(4) ?? "",
            raw: row.bytes(5) ?? [],
            state: row.text(6).flatMap(State.init) ?? .received,
            reason: row.text(7),
            detail: row.text(8),
            view: row.text(9),
            digest: row.text(10)
        )
        id = row.integer(0)
        repeats = Int(row.integer(11))
    }
}
