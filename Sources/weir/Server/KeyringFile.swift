internal import Glibc
internal import WeirRewards
internal import WeirTime

/// The file of Weir's own keys: made on the first start, readable by its owner alone, shared by the processes of one
/// database.
struct KeyringFile: Sendable {
    /// A file that cannot be used, in one sentence.
    struct Failure: Error, Sendable {
        var message: String
    }

    let path: String
    let rotation: Duration

    /// Reads the keys, or makes the first ones.
    ///
    /// - Throws: ``Failure`` when the file cannot be read or written, is none of Weir's, or is open to others.
    func open(at now: WallTime) throws(Failure) -> SigningKeyring {
        if access(path, F_OK) != 0 { try make(at: now) }
        return try read()
    }

    /// Reads the keys and rotates them when it is time; `nil` when that fails, and then the old ones serve on.
    func refresh(at now: WallTime) -> SigningKeyring? {
        // One process at a time: the lock ends with the descriptor.
        let lock = Glibc.open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { return nil }
        defer { close(lock) }
        guard var ring = try? read() else { return nil }
        if ring.rotate(at: now, every: rotation) {
            guard (try? write(ring.json, to: path + ".new")) != nil, rename(path + ".new", path) == 0 else {
                return nil
            }
        }
        return ring
    }

    private func make(at now: WallTime) throws(Failure) {
        guard let ring = SigningKeyring(at: now) else {
            throw Failure(message: "No signing key can be made: libcrypto has no randomness.")
        }
        // Written aside and linked into its place: of two processes that start together one wins, and both read it.
        let draft = path + ".\(getpid())"
        try write(ring.json, to: draft)
        defer { unlink(draft) }
        guard link(draft, path) == 0 || errno == EEXIST else {
            throw Failure(message: "\(path) cannot be made: \(String(cString: strerror(errno))).")
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        unlink(path)
        let file = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(message: "\(path) cannot be made: \(String(cString: strerror(errno))).") }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw Failure(message: "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    private func read() throws(Failure) -> SigningKeyring {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Failure(message: "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(message: "\(path) holds secret keys and others can read it; run: chmod 600 \(path)")
        }
        guard let bytes = readFile(path), let ring = SigningKeyring(json: bytes) else {
            throw Failure(
                message: "\(path) holds no keys of Weir's; restore it, or move it away to start with new ones."
            )
        }
        return ring
    }
}
