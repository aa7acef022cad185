internal import WeirTime

extension SQLiteStore {
    /// The database at `path`, proved to be writable and ours.
    static func open(_ path: String, _ configuration: StoreConfiguration) throws(StoreError) -> sending SQLiteConnection
    {
        let isInMemory = path == ":memory:"
        if !isInMemory { try Directory.make(for: path) }
        do {
            let database = try SQLiteConnection(path: path)
            try database.run("PRAGMA busy_timeout = \(configuration.lockWait.milliseconds)")
            let mode = try database.text("PRAGMA journal_mode = WAL")
            guard isInMemory || mode == "wal" else {
                throw StoreError(.notWritable, "\(path) lies where SQLite cannot keep a write-ahead log.")
            }
            guard !database.isReadOnly else {
                throw StoreError(.notWritable, "\(path) cannot be opened for writing: it is read-only.")
            }
            try database.run("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864")
            if let pages = configuration.pages { try database.run("PRAGMA max_page_count = \(pages)") }
            try Schema.migrate(database, path: path)
            return database
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(opening: path, failed: error)
        }
    }
}
