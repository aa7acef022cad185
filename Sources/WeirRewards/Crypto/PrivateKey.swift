internal import COpenSSL

/// The secret half of a P-256 key: what Weir signs its own callbacks with.
///
/// `@unchecked Sendable`: the handle is set once; libcrypto's signing keeps its state in a context of each call.
package final class PrivateKey: @unchecked Sendable {
    private let handle: OpaquePointer
    /// The other half.
    package let publicKey: PublicKey

    /// A fresh key from the operating system's randomness; `nil` when libcrypto has none to give.
    package convenience init?() {
        guard let made = weir_EVP_EC_gen("P-256") else { return nil }
        self.init(owning: made)
    }

    /// Reads a key in DER (PKCS #8 or SEC 1); `nil` when it is none, or on another curve.
    package convenience init?(der: [UInt8]) {
        let read = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &next, buffer.count)
        }
        ERR.clear()
        guard let read else { return nil }
        self.init(owning: read)
    }

    private init?(owning key: OpaquePointer) {
        let der = Self.encoded { i2d_PUBKEY(key, $0) }
        guard let publicKey = PublicKey(der: der) else {
            EVP_PKEY_free(key)
            return nil
        }
        handle = key
        self.publicKey = publicKey
    }

    deinit { EVP_PKEY_free(handle) }

    /// The key in DER (SEC 1), to be kept where nobody else can read it.
    package var der: [UInt8] { Self.encoded { i2d_PrivateKey(handle, $0) } }

    /// The signature in DER over the SHA-256 of `message`; `nil` when libcrypto fails.
    package func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer {
            EVP_MD_CTX_free(context)
            ERR.clear()
        }
        var length = 80
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        else { return nil }
        return Array(signature[..<length])
    }

    private static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let length = Int(write(nil))
        guard length > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var next = buffer.baseAddress
            count = Int(max(0, write(&next)))
        }
    }
}
