internal import COpenSSL
package import WeirModel
package import WeirTime

/// What a rewarded ad's single-use token says: which ad was handed to whom, and until when it may be shown.
///
/// The text is `base64url(payload).base64url(HMAC-SHA256)`; the payload is readable, not secret, and cannot be changed.
/// Whether a token was used already is the ledger's to know.
package struct PresentationToken: Sendable, Hashable {
    /// The ad request that the ad answered.
    package var request: RequestID
    /// The ad unit.
    package var adUnit: AdUnitID
    /// The user, as the publisher names it; empty when unknown.
    package var user: String
    /// When the ad expires.
    package var expires: WallTime

    /// A token's content.
    package init(request: RequestID, adUnit: AdUnitID, user: String, expires: WallTime) {
        self.request = request
        self.adUnit = adUnit
        self.user = user
        self.expires = expires
    }

    /// The signed text.
    package func signed(by key: TokenKey) -> String {
        let payload = Base64URL.encode(
            Array([request.text, adUnit.text, user, String(expires.milliseconds)].joined(separator: "\u{1F}").utf8)
        )
        return payload + "." + Base64URL.encode(key.authenticate(Array(payload.utf8)))
    }

    /// Reads a signed text; `nil` when it was not signed by `key` or was changed.
    package init?(_ text: String, key: TokenKey) {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 4096, halves.count == 2,
            let signature = Base64URL.decode(halves[1]),
            key.authenticate(Array(halves[0].utf8)).equalsInConstantTime(signature),
            let payload = Base64URL.decode(halves[0])
        else { return nil }
        let fields = String(decoding: payload, as: UTF8.self)
            .split(separator: "\u{1F}", omittingEmptySubsequences: false)
        guard fields.count == 4, let milliseconds = Int64(fields[3]) else { return nil }
        self.init(
            request: RequestID(String(fields[0])),
            adUnit: AdUnitID(String(fields[1])),
            user: String(fields[2]),
            expires: WallTime(milliseconds: milliseconds)
        )
    }
}

/// The key that signs presentation tokens: 32 bytes.
package struct TokenKey: Sendable {
    private let bytes: [UInt8]

    /// A key from the operating system's randomness, good for this process.
    package init() {
        bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// A key of `bytes`, at least 16.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "A token key has at least 16 bytes.")
        self.bytes = bytes
    }

    /// HMAC-SHA256 of `message` (RFC 2104).
    func authenticate(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 32
        let made = HMAC(EVP_sha256(), bytes, Int32(bytes.count), message, message.count, &digest, &length)
        precondition(made != nil && length == 32, "libcrypto has no HMAC-SHA256.")
        return digest
    }
}

extension [UInt8] {
    /// Compares without telling by time where the first difference is.
    fileprivate func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        count == other.count && CRYPTO_memcmp(self, other, count) == 0
    }
}
