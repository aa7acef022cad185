package import WeirTime

/// Where decisions are kept, as the configuration writes it: `sqlite:var/weir.db`, `sqlite::memory:`.
package enum StoreURL: Hashable, Sendable {
    /// A SQLite file.
    case sqlite(path: String)

    /// A SQLite database in memory, gone with the process.
    case memory

    /// What `text` names.
    ///
    /// - Throws: `StoreError` with one sentence.
    package init(_ text: String) throws(StoreError) {
        if text == "sqlite::memory:" {
            self = .memory
        } else if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            guard !path.isEmpty, path.last != "/", !path.utf8.contains(0), !path.hasPrefix(":") else {
                throw StoreError(.badURL, "The storage URL `\(text)` names no file; write `sqlite:var/weir.db`.")
            }
            self = .sqlite(path: path.hasPrefix("///") ? String(path.dropFirst(2)) : path)
        } else if text.hasPrefix("postgres:") || text.hasPrefix("postgresql:") {
            // The rest of the URL holds a password; it is not repeated.
            throw StoreError(
                .unsupported,
                "PostgreSQL is not built yet; use `sqlite:var/weir.db` or `sqlite::memory:`."
            )
        } else {
            throw StoreError(.badURL, "The storage URL must begin with `sqlite:`, as in `sqlite:var/weir.db`.")
        }
    }

    /// The same place, a relative path counted from `directory`.
    package func relative(to directory: String) -> StoreURL {
        guard case .sqlite(let path) = self, !path.hasPrefix("/"), !directory.isEmpty else { return self }
        return .sqlite(path: directory + (directory.hasSuffix("/") ? "" : "/") + path)
    }

    /// Opens the store.
    ///
    /// - Throws: `StoreError` with one sentence.
    package func open(
        configuration: StoreConfiguration = StoreConfiguration(),
        clock: any GatewayClock,
        notice: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws(StoreError) -> any DecisionStore & RewardStore & BeaconStore {
        let path =
            switch self {
            case .sqlite(let path): path
            case .memory: ":memory:"
            }
        return try SQLiteStore(path: path, configuration: configuration, clock: clock, notice: notice)
    }
}
