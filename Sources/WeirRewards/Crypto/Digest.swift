internal import COpenSSL

/// The digests that networks sign their callbacks with.
package enum Digest: String, CaseIterable, Sendable {
    case md5
    case sha1
    case sha256
    /// The SHA-256 of the raw SHA-256.
    case doubleSHA256 = "sha256_twice"
    case hmacMD5 = "hmac_md5"
    case hmacSHA1 = "hmac_sha1"
    case hmacSHA256 = "hmac_sha256"

    /// Whether the secret is the key, not a part of the text.
    package var isKeyed: Bool { [.hmacMD5, .hmacSHA1, .hmacSHA256].contains(self) }

    /// The digest of `text`, empty when libcrypto does not offer it.
    ///
    /// Those without a key do not look at `key`.
    func of(_ text: [UInt8], key: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: Self.plain(EVP_md5(), text)
        case .sha1: Self.plain(EVP_sha1(), text)
        case .sha256: Self.plain(EVP_sha256(), text)
        case .doubleSHA256: Self.plain(EVP_sha256(), Self.plain(EVP_sha256(), text))
        case .hmacMD5: Self.keyed(EVP_md5(), text, key)
        case .hmacSHA1: Self.keyed(EVP_sha1(), text, key)
        case .hmacSHA256: Self.keyed(EVP_sha256(), text, key)
        }
    }

    private static func plain(_ algorithm: OpaquePointer?, _ text: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard EVP_Digest(text, text.count, &digest, &length, algorithm, nil) == 1 else { return [] }
        return Array(digest[..<Int(length)])
    }

    private static func keyed(_ algorithm: OpaquePointer?, _ text: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard HMAC(algorithm, key, Int32(key.count), text, text.count, &digest, &length) != nil else { return [] }
        return Array(digest[..<Int(length)])
    }

    /// A short mark that tells texts apart without telling what they are: half of a SHA-256, in hexadecimal.
    package static func mark(of text: String) -> String { hexText(sha256(Array(text.utf8)).prefix(16)) }

    /// The SHA-256 of `text` in hexadecimal.
    package static func hexadecimalSHA256(_ text: String) -> String { hexText(sha256(Array(text.utf8))) }

    /// The SHA-256 of `bytes`.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { plain(EVP_sha256(), bytes) }
}

extension [UInt8] {
    /// Compares without telling by time where the first difference is.
    func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        count == other.count && CRYPTO_memcmp(self, other, count) == 0
    }
}
