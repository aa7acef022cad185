internal import WeirTime

/// The statements over inbox and ledger; runs on the store's thread, within its transaction.
final class RewardLedger: JobTable {
    let sql: StatementCache

    init(_ database: SQLiteConnection) {
        sql = StatementCache(database)
    }

    // MARK: Views

    func keep(_ view: PresentationRecord) throws(SQLiteFailure) {
        try sql.run(
            """
            INSERT INTO reward_views (view, at_ms, placement, ad_unit, network, line_item, user, device, custom_data,
                item, amount, mode)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (view) DO NOTHING
            """,
            view.values
        )
    }

    func view(_ id: String) throws(SQLiteFailure) -> PresentationRecord? {
        var found: PresentationRecord?
        try sql.run(
            """
            SELECT view, at_ms, placement, ad_unit, network, line_item, user, device, custom_data, item, amount, mode
            FROM reward_views WHERE view = ?
            """,
            [.text(id)]
        ) { found = PresentationRecord($0, from: 0) }
        return found
    }

    func amend(_ view: String, user: String?, customData: String?) throws(SQLiteFailure) -> Bool {
        try sql.run(
            """
            UPDATE reward_views SET user = coalesce(?2, user), custom_data = coalesce(?3, custom_data)
            WHERE view = ?1 AND NOT EXISTS (SELECT 1 FROM reward_grants WHERE view = ?1)
            """,
            [.text(view), .text(user), .text(customData)]
        )
        return sql.changes == 1
    }

    func present(_ view: String, at now: WallTime) throws(SQLiteFailure) {
        try sql.run(
            "UPDATE reward_views SET begun_ms = ?2 WHERE view = ?1 AND begun_ms IS NULL",
            [.text(view), .time(now)]
        )
    }

    // MARK: Claims

    /// Takes a word; `nil` when nobody knows the view.
    func claim(_ claim: RewardClaim) throws(SQLiteFailure) -> ClaimOutcome? {
        if let brought = claim.presentation { try keep(brought) }
        guard let view = try view(claim.view) else { return nil }
        try note(claim)
        try open(claim.grantID, view, at: claim.now)
        if case .client = claim.word { try joinParked(claim.view, at: claim.now) }
        let isNew = try grant(claim, view)
        guard let grant = try grant(ofView: claim.view) else { return nil }
        return ClaimOutcome(grant: grant, isNew: isNew)
    }

    private func note(_ claim: RewardClaim) throws(SQLiteFailure) {
        switch claim.word {
        case .client: try present(claim.view, at: claim.now)
        case .network:
            try sql.run(
                "UPDATE reward_views SET network_ms = ?2 WHERE view = ?1 AND network_ms IS NULL",
                [.text(claim.view), .time(claim.now)]
            )
        }
    }

    /// The row that the unique index allows once for each view.
    private func open(_ id: String, _ view: PresentationRecord, at now: WallTime) throws(SQLiteFailure) {
        try sql.run(
            """
            INSERT INTO reward_grants (view, at_ms, placement, ad_unit, network, line_item, user, device, custom_data,
                item, amount, mode, id, state)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,'pending') ON CONFLICT (view) DO NOTHING
            """,
            view.values + [.text(id)]
        )
    }

    /// A callback that came before anybody knew its view: now it counts.
    private func joinParked(_ view: String, at now: WallTime) throws(SQLiteFailure) {
        try sql.run(
            "UPDATE reward_callbacks SET state = 'verified' WHERE view = ? AND state = 'unattributable'",
            [.text(view)]
        )
        guard sql.changes > 0 else { return }
        try sql.run(
            "UPDATE reward_views SET network_ms = ?2 WHERE view = ?1 AND network_ms IS NULL",
            [.text(view), .time(now)]
        )
        try sql.run(
            "UPDATE reward_grants SET network_ms = ?2 WHERE view = ?1 AND network_ms IS NULL",
            [.text(view), .time(now)]
        )
    }

    /// Notes the word and grants when all words are there; answers whether it did.
    private func grant(_ claim: RewardClaim, _ view: PresentationRecord) throws(SQLiteFailure) -> Bool {
        let now = SQLValue.time(claim.now)
        switch claim.word {
        case .client:
            try sql.run(
                "UPDATE reward_grants SET client_ms = ?2 WHERE view = ?1 AND client_ms IS NULL",
                [.text(claim.view), now]
            )
        case .network:
            try sql.run(
                "UPDATE reward_grants SET network_ms = ?2 WHERE view = ?1 AND network_ms IS NULL",
                [.text(claim.view), now]
            )
        }
        let isComplete = try sql.number(
            """
            SELECT count(*) FROM reward_grants WHERE view = ? AND state = 'pending' AND CASE mode
                WHEN 'client' THEN client_ms IS NOT NULL
                WHEN 'ssv' THEN network_ms IS NOT NULL
                ELSE client_ms IS NOT NULL AND network_ms IS NOT NULL END
            """,
            [.text(claim.view)]
        )
        guard isComplete == 1 else { return false }
        if let limit = try exceeded(claim.rules.limits, view, at: claim.now) {
            try refuse(view: claim.view, "over_limit_" + limit.subject.rawValue)
            return false
        }
        try sql.run(
            """
            UPDATE reward_grants SET state = 'granted', granted_ms = ?2, delivery = ?3, next_ms = ?2
            WHERE view = ?1 AND state = 'pending'
            """,
            [.text(claim.view), now, .text(claim.rules.delivers ? "waiting" : "none")]
        )
        return sql.changes == 1
    }

    private func refuse(view: String, _ reason: String) throws(SQLiteFailure) {
        try sql.run(
            "UPDATE reward_grants SET state = 'refused', reason = ?2 WHERE view = ?1 AND state = 'pending'",
            [.text(view), .text(reason)]
        )
    }

    private func exceeded(
        _ limits: [RewardLimit],
        _ view: PresentationRecord,
        at now: WallTime
    ) throws(SQLiteFailure) -> RewardLimit? {
        for limit in limits {
            let since = SQLValue.time(now.advanced(by: .zero - limit.window))
            let count: Int64? =
                switch limit.subject {
                case .user:
                    try sql.number(
                        "SELECT count(*) FROM reward_grants WHERE user = ? AND granted_ms > ?",
                        [.text(view.user), since]
                    )
                case .device:
                    try sql.number(
                        "SELECT count(*) FROM reward_grants WHERE device = ? AND granted_ms > ?",
                        [.text(view.device), since]
                    )
                case .placement:
                    try sql.number(
                        "SELECT count(*) FROM reward_grants WHERE placement = ? AND granted_ms > ?",
                        [.text(view.placement), since]
                    )
                }
            if let count, count >= Int64(limit.count) { return limit }
        }
        return nil
    }

    func grant(ofView view: String) throws(SQLiteFailure) -> GrantRecord? {
        var found: GrantRecord?
        try sql.run("SELECT * FROM reward_grants WHERE view = ?", [.text(view)]) { found = GrantRecord($0) }
        return found
    }
}

extension PresentationRecord {
    /// In the order in which both tables begin.
    fileprivate var values: [SQLValue] {
        [
            .text(view), .time(at), .text(placement), .text(adUnit), .text(network), .text(lineItem), .text(user),
            .text(device), .text(customData), .text(item), .text(amount), .text(mode),
        ]
    }

    init(_ row: SQLiteStatement, from first: Int32) {
        self.init(
            view: row.text(first) ?? "",
            at: WallTime(milliseconds: row.integer(first + 1)),
            placement: row.text(first + 2) ?? "",
            adUnit: row.text(first + 3) ?? "",
            network: row.text(first + 4) ?? "",
            lineItem: row.text(first + 5) ?? "",
            user: row.text(first + 6),
            device: row.text(first + 7),
            customData: row.text(first + 8),
            item: row.text(first + 9) ?? "",
            amount: row.text(first + 10) ?? "",
            mode: row.text(first + 11) ?? ""
        )
    }
}

extension GrantRecord {
    /// A row of `SELECT *`.
    init(_ row: SQLiteStatement) {
        func time(_ column: Int32) -> WallTime? { row.optionalInteger(column).map(WallTime.init(milliseconds:)) }
        self.init(id: row.text(0) ?? "", presentation: PresentationRecord(row, from: 1))
        state = row.text(13).flatMap(State.init) ?? .pending
        reason = row.text(14)
        clientAt = time(15)
        networkAt = time(16)
        grantedAt = time(17)
        delivery = row.text(18).flatMap(Delivery.init) ?? .none
        tries = Int(row.integer(19))
        nextTry = delivery == .waiting ? time(20) : nil
    }
}
