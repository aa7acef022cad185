internal import WeirJSON
package import WeirTime

/// The keys that Weir signs its callbacks to the publisher with, and how they follow one another: a value.
///
/// A new key is published for a day before it signs, because verifiers keep a set for up to 24 hours, and the old one
/// stays published for eight days after, so that a callback that waited somewhere can still be verified.
package struct SigningKeyring: Sendable {
    /// One key and when it was made.
    package struct Entry: Sendable {
        /// Its id: a positive number of at most 31 bits, which every verifier can read.
        package var id: UInt64
        /// The key.
        package var key: PrivateKey
        /// When it was made.
        package var made: WallTime
    }

    /// How long a key is published before it signs.
    package static let announcement: Duration = .seconds(24 * 3600)
    /// How long a key stays published after another has taken its place.
    package static let farewell: Duration = .seconds(8 * 24 * 3600)
    /// The most bytes of a key file.
    package static let documentBytes = 256 << 10

    /// The oldest first.
    package private(set) var entries: [Entry] = []
    /// The key of presentation tokens and nonces.
    package private(set) var tokenKey: TokenKey

    /// A ring with a first key.
    package init?(at now: WallTime) {
        tokenKey = TokenKey()
        guard add(at: now) else { return nil }
    }

    /// The key that signs now: the newest that was announced long enough, else the oldest there is.
    package func signer(at now: WallTime) -> Entry? {
        entries.last { $0.made.advanced(by: Self.announcement) <= now } ?? entries.first
    }

    /// What verifiers are told.
    package var published: VerifierKeys {
        VerifierKeys(Dictionary(entries.map { ($0.id, $0.key.publicKey) }) { first, _ in first })
    }

    /// Adds a key when the newest is older than `interval`, and drops those that nobody needs; answers whether it changed.
    package mutating func rotate(at now: WallTime, every interval: Duration) -> Bool {
        var hasChanged = false
        if let newest = entries.last, newest.made.advanced(by: interval) <= now { hasChanged = add(at: now) }
        while entries.count > 1, entries[1].made.advanced(by: Self.announcement + Self.farewell) <= now {
            entries.removeFirst()
            hasChanged = true
        }
        return hasChanged
    }

    private static var randomID: UInt64 { UInt64.random(in: 1_000_000_000..<(1 << 31)) }

    private mutating func add(at now: WallTime) -> Bool {
        guard let key = PrivateKey() else { return false }
        var id = Self.randomID
        while entries.contains(where: { $0.id == id }) { id = Self.randomID }
        entries.append(Entry(id: id, key: key, made: now))
        return true
    }
}

extension SigningKeyring {
    /// The file: for its owner's eyes only.
    package var json: [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("token_key", Base64URL.encode(tokenKey.bytes))
            json.array("signing_keys") { json in
                for entry in entries {
                    json.object { json in
                        json.member("id", entry.id)
                        json.member("made_ms", entry.made.milliseconds)
                        json.member("private", Base64URL.encode(entry.key.der))
                    }
                }
            }
        }
        return json.bytes
    }

    /// Reads a file; `nil` when it is none.
    package init?(json bytes: [UInt8]) {
        guard bytes.count <= Self.documentBytes, let document = try? JSONReader.read(bytes),
            let token = document["token_key"]?.string.flatMap({ Base64URL.decode($0) }), token.count >= 16
        else { return nil }
        tokenKey = TokenKey(token)
        for entry in document["signing_keys"]?.array ?? [] {
            guard let id = entry["id"]?.number?.int64, id > 0, let made = entry["made_ms"]?.number?.int64,
                let key = entry["private"]?.string.flatMap({ Base64URL.decode($0) }).flatMap(PrivateKey.init(der:))
            else { return nil }
            entries.append(Entry(id: UInt64(id), key: key, made: WallTime(milliseconds: made)))
        }
        guard !entries.isEmpty else { return nil }
        entries.sort { $0.made < $1.made }
    }
}
