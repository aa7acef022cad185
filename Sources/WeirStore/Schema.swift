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
        """
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
