internal import Glibc

/// The directory that a database file needs.
enum Directory {
    /// Creates the parent directories of `path` that are missing.
    static func make(for path: String) throws(StoreError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let parent = String(path[..<slash])
        if mkdir(parent, 0o750) == 0 { return }
        switch errno {
        case EEXIST:
            guard isDirectory(parent) else {
                throw StoreError(.notWritable, "\(path) cannot be opened for writing: \(parent) is no directory.")
            }
        case ENOENT:
            try make(for: parent)
            if mkdir(parent, 0o750) != 0, errno != EEXIST { throw failure(path, parent, errno) }
        case let code: throw failure(path, parent, code)
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func failure(_ path: String, _ parent: String, _ code: Int32) -> StoreError {
        let reason = String(cString: strerror(code))
        return StoreError(.notWritable, "\(path) cannot be opened for writing: \(parent) cannot be created: \(reason).")
    }
}
