/// Where decisions are kept, as configuration spells it.
enum StorageURL {
    /// What is wrong with `text`; `nil` when nothing is.
    static func complaint(about text: String) -> TextComplaint? {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            return TextComplaint(
                .unavailable,
                "PostgreSQL is not available in this version.",
                hint: "Write \"sqlite:\" and a path."
            )
        }
        guard let path = path(text), !path.isEmpty, text.utf8.count <= ConfigurationLimits.textBytes,
            !path.utf8.contains(0)
        else {
            return TextComplaint(
                .badURL,
                "must be \"sqlite:\" and a path, or \"sqlite::memory:\".",
                hint: "Write it like \"sqlite:var/weir.db\"."
            )
        }
        return nil
    }

    /// The URL with its path counted from `directory`.
    static func resolved(_ text: String, from directory: String) -> String {
        guard let path = path(text), path != ":memory:" else { return text }
        return "sqlite:" + resolvedPath(path, from: directory)
    }

    private static func path(_ text: String) -> String? {
        guard text.hasPrefix("sqlite:") else { return nil }
        let rest = text.dropFirst(7)
        // `sqlite:///abs` is how other programs spell an absolute path; a host makes no sense.
        guard rest.hasPrefix("//") else { return String(rest) }
        return rest.hasPrefix("///") ? String(rest.dropFirst(2)) : nil
    }
}

/// `path` counted from `directory`, unless it is absolute or there is no directory.
func resolvedPath(_ path: String, from directory: String) -> String {
    path.hasPrefix("/") || directory.isEmpty ? path : directory + (directory.hasSuffix("/") ? "" : "/") + path
}

/// The directory of a file, as far as its name says.
func directory(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "" }
    return slash == file.startIndex ? "/" : String(file[..<slash])
}
