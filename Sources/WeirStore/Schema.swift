/// The tables, and how a database of an older Weir becomes one of this.
enum Schema {
    /// Marks the file as Weir's (`WEIR` in ASCII), so that another program's database is not written into.
    static let applicationID: Int64 = 0x5745_4952

    /// Each step takes a database from the version of its index to the next; never change one, add to the end.
    private static let steps = [
        """
        CREATE TABLE decisions (
            request_id TEXT NOT NULL PRIMARY KEY,
            at_ms INTEGER NOT NULL,
            placement TEXT NOT NULL,
            ad_unit TEXT NOT NULL,
            format TEXT NOT NULL,
            result TEXT NOT NULL,
            network TEXT,
            line_item TEXT,
            latency_ms INTEGER NOT NULL,
            config TEXT NOT NULL,
            body TEXT NOT NULL
        );
        CREATE INDEX decisions_by_placement ON decisions (placement);
        """,
        // A callback's transaction is set only when its signature was found good: a forged one never takes the place
        // of a genuine one. A view has one grant, whoever speaks for it and however often.
        """
        CREATE TABLE reward_views (
            view TEXT NOT NULL PRIMARY KEY,
            at_ms INTEGER NOT NULL,
            placement TEXT NOT NULL,
            ad_unit TEXT NOT NULL,
            network TEXT NOT NULL,
            line_item TEXT NOT NULL,
            user TEXT,
            device TEXT,
            custom_data TEXT,
            item TEXT NOT NULL,
            amount TEXT NOT NULL,
            mode TEXT NOT NULL,
            begun_ms INTEGER,
            network_ms INTEGER,
            is_reported INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE INDEX reward_views_begun ON reward_views (begun_ms)
            WHERE begun_ms IS NOT NULL AND network_ms IS NULL AND is_reported = 0;
        CREATE INDEX reward_views_by_age ON reward_views (at_ms);
        CREATE TABLE reward_callbacks (
            id INTEGER PRIMARY KEY,
            network TEXT NOT NULL,
            transaction_id TEXT,
            at_ms INTEGER NOT NULL,
            method TEXT NOT NULL,
            raw TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            detail TEXT,
            view TEXT,
            digest TEXT,
            repeats INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX reward_callbacks_once ON reward_callbacks (network, transaction_id)
            WHERE transaction_id IS NOT NULL;
        CREATE INDEX reward_callbacks_by_view ON reward_callbacks (view) WHERE view IS NOT NULL;
        CREATE INDEX reward_callbacks_unverified ON reward_callbacks (id) WHERE state = 'received';
        CREATE INDEX reward_callbacks_refused ON reward_callbacks (id)
            WHERE state <> 'received' AND transaction_id IS NULL;
        CREATE TABLE reward_grants (
            id TEXT NOT NULL UNIQUE,
            view TEXT NOT NULL UNIQUE,
            at_ms INTEGER NOT NULL,
            placement TEXT NOT NULL,
            ad_unit TEXT NOT NULL,
            network TEXT NOT NULL,
            line_item TEXT NOT NULL,
            user TEXT,
            device TEXT,
            custom_data TEXT,
            item TEXT NOT NULL,
            amount TEXT NOT NULL,
            mode TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            client_ms INTEGER,
            network_ms INTEGER,
            granted_ms INTEGER,
            delivery TEXT NOT NULL DEFAULT 'none',
            tries INTEGER NOT NULL DEFAULT 0,
            next_ms INTEGER,
            lease_ms INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX reward_grants_by_user ON reward_grants (user, granted_ms) WHERE user IS NOT NULL;
        CREATE INDEX reward_grants_by_device ON reward_grants (device, granted_ms) WHERE device IS NOT NULL;
        CREATE INDEX reward_grants_by_placement ON reward_grants (placement, granted_ms);
        CREATE INDEX reward_grants_due ON reward_grants (next_ms) WHERE delivery = 'waiting';
        CREATE INDEX reward_grants_dead ON reward_grants (id) WHERE delivery = 'dead';
        CREATE TABLE reward_tries (
            grant_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            at_ms INTEGER NOT NULL,
            status INTEGER,
            error TEXT,
            duration_ms INTEGER NOT NULL,
            key TEXT NOT NULL,
            PRIMARY KEY (grant_id, number)
        ) WITHOUT ROWID;
        """,
        """
        CREATE INDEX reward_views_overdue ON reward_views (begun_ms) WHERE is_reported = 1 AND network_ms IS NULL;
        """,
        // What a gateway owes belongs to it as long as its lease is renewed; then to whoever looks first.
        """
        CREATE TABLE beacons (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at_ms INTEGER NOT NULL,
            network TEXT NOT NULL,
            url TEXT NOT NULL,
            headers TEXT NOT NULL,
            tries INTEGER NOT NULL,
            is_under_way INTEGER NOT NULL,
            owner TEXT NOT NULL
        );
        CREATE TABLE beacon_owners (
            owner TEXT NOT NULL PRIMARY KEY,
            lease_ms INTEGER NOT NULL
        ) WITHOUT ROWID;
        """,
        // What is owed once an ad is shown, whichever gateway hears of it.
        """
        CREATE TABLE notices (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            network TEXT NOT NULL,
            urls TEXT NOT NULL
        );
        """,
    ]

    /// The version that this Weir writes.
    static var version: Int64 { Int64(steps.count) }

    /// Brings the database up to ``version``, in one transaction.
    static func migrate(_ database: SQLiteConnection, path: String) throws(StoreError) {
        do {
            let found = try database.integer("PRAGMA user_version")
            guard found <= version else {
                throw StoreError(
                    .tooNew,
                    "\(path) was written by a newer Weir: its schema is \(found), this Weir knows \(version)."
                )
            }
            let isOurs = try database.integer("PRAGMA application_id") == applicationID
            let isEmpty = try database.integer("SELECT count(*) FROM sqlite_master") == 0
            guard isOurs || isEmpty, found >= 0 else {
                throw StoreError(.notOurs, "\(path) is a database of another program; name a file of its own for Weir.")
            }
            guard found < version || !isOurs else { return }
            try database.transaction { () throws(SQLiteFailure) in
                // Another process may have been faster between the look above and this lock.
                let found = max(found, try database.integer("PRAGMA user_version"))
                guard found < version else { return }
                for step in steps[Int(found)...] { try database.run(step) }
                try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(opening: path, failed: error)
        }
    }
}

extension StoreError {
    /// What an operator reads when SQLite refuses to open or prepare the file at `path`.
    init(opening path: String, failed error: any Error) {
        let failure = error as? SQLiteFailure
        let reason = failure?.reason ?? "\(error)"
        if failure?.isAboutTheFile == true {
            self.init(.notOurs, "\(path) is no SQLite database or is damaged (\(reason)); move it away or restore it.")
        } else {
            self.init(.notWritable, "\(path) cannot be opened for writing: \(reason).")
        }
    }
}
