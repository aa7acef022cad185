internal import COpenSSL

/// A public key on the curve P-256, the only one that reward callbacks are signed with.
///
/// `@unchecked Sendable`: the handle is set once, and libcrypto only reads a key while it verifies.
package final class PublicKey: @unchecked Sendable {
    /// The SubjectPublicKeyInfo in DER (RFC 5480).
    package let der: [UInt8]
    private let handle: OpaquePointer

    /// Reads a SubjectPublicKeyInfo; `nil` when it is none, when something follows it, or on another curve.
    package init?(der: [UInt8]) {
        guard (64...512).contains(der.count) else { return nil }
        let read = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let key = d2i_PUBKEY(nil, &next, buffer.count) else { return nil }
            guard next == buffer.baseAddress.map({ $0 + buffer.count }), PublicKey.isP256(key) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        ERR.clear()
        guard let read else { return nil }
        handle = read
        self.der = der
    }

    deinit { EVP_PKEY_free(handle) }

    /// Whether `signature`, in DER, was made over the SHA-256 of `message` with this key's other half.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard DERSignature.isStrict(signature), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR.clear()
        }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The key as PEM (RFC 7468).
    package var pem: String {
        let text = Array(Base64.encode(der).utf8)
        let lines = stride(from: 0, to: text.count, by: 64).map {
            String(decoding: text[$0..<min($0 + 64, text.count)], as: UTF8.self)
        }
        return "-----BEGIN PUBLIC KEY-----\n" + lines.joined(separator: "\n") + "\n-----END PUBLIC KEY-----\n"
    }

    private static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, &name, name.count, &length) == 1 else {
            return false
        }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1"
    }
}

/// The queue of errors that libcrypto keeps for each thread.
enum ERR {
    /// Forgets them: what failed was told by a result, and old entries would pile up.
    static func clear() { ERR_clear_error() }
}

/// The DER form of an ECDSA signature (RFC 3279 §2.2.3), strictly: no longer lengths, no padding, nothing behind it.
enum DERSignature {
    /// The most bytes of a signature on P-256.
    private static let limit = 72

    static func isStrict(_ bytes: [UInt8]) -> Bool {
        guard (8...limit).contains(bytes.count), bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2 else {
            return false
        }
        var rest = bytes[2...]
        return takeInteger(&rest) && takeInteger(&rest) && rest.isEmpty
    }

    /// A positive integer other than zero in its shortest form.
    private static func takeInteger(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.count >= 3, rest.removeFirst() == 0x02, let length = rest.popFirst(), (1...33).contains(length),
            rest.count >= Int(length)
        else { return false }
        let digits = rest.prefix(Int(length))
        rest.removeFirst(Int(length))
        guard let first = digits.first, first & 0x80 == 0, digits.contains(where: { $0 != 0 }) else { return false }
        guard first == 0, digits.count > 1 else { return first != 0 }
        return digits[digits.startIndex + 1] & 0x80 != 0
    }
}

/// Base 64 with the standard alphabet and padding (RFC 4648 §4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        let text = Base64URL.encode(bytes).replacing("-", with: "+").replacing("_", with: "/")
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// `nil` for anything that is not exactly this form.
    static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0, !text.utf8.contains(UInt8(ascii: "-")), !text.utf8.contains(UInt8(ascii: "_"))
        else { return nil }
        var body = text[...]
        for _ in 0..<2 where body.hasSuffix("=") { body.removeLast() }
        return Base64URL.decode(body.replacing("+", with: "-").replacing("/", with: "_"))
    }
}
