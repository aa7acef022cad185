internal import WeirJSON

/// A set of public keys as AdMob publishes it: `{"keys": [{"keyId": 1, "pem": "…", "base64": "…"}]}`.
package struct VerifierKeys: Sendable {
    /// The most bytes of such a document.
    package static let documentBytes = 256 << 10
    /// The most keys that are kept of one.
    package static let limit = 64

    /// Key by id.
    package private(set) var keys: [UInt64: PublicKey] = [:]
    /// Entries that were left out: no id, no key, or a key on another curve.
    package private(set) var leftOut = 0

    /// A set of `keys`.
    package init(_ keys: [UInt64: PublicKey] = [:]) {
        self.keys = keys
    }

    /// Reads a document; `nil` when it is none, or holds no key that can be used: an empty set is never taken.
    package init?(json bytes: [UInt8]) {
        guard bytes.count <= Self.documentBytes, let document = try? JSONReader.read(bytes),
            let entries = document["keys"]?.array
        else { return nil }
        for entry in entries {
            guard keys.count < Self.limit, let id = Self.id(entry["keyId"]), let key = Self.key(entry) else {
                leftOut += 1
                continue
            }
            keys[id] = key
        }
        guard !keys.isEmpty else { return nil }
    }

    /// The key of that id.
    package subscript(id: UInt64) -> PublicKey? { keys[id] }

    /// The document, the keys in the order of their ids.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("keys") { json in
                for (id, key) in keys.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        json.member("keyId", id)
                        json.member("pem", key.pem)
                        json.member("base64", Base64.encode(key.der))
                    }
                }
            }
        }
        return json.bytes
    }

    private static func id(_ value: JSONValue?) -> UInt64? {
        switch value {
        case .number(let number): UInt64(number.text)
        case .string(let text): UInt64(text)
        default: nil
        }
    }

    /// `base64` alone is enough; a PEM holds the same bytes.
    private static func key(_ entry: JSONValue) -> PublicKey? {
        let text = entry["base64"]?.string ?? entry["pem"]?.string.map(body(ofPEM:))
        return text.flatMap(Base64.decode).flatMap(PublicKey.init(der:))
    }

    private static func body(ofPEM text: String) -> String {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
    }
}
