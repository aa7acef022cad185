/// The raw query of an AdMob callback taken apart: what is signed, by which key, and the fields.
///
/// Cut at the *last* `&signature=`: a genuine callback may hold that text, escaped, in its custom data. The signed text
/// is the percent-decoded query before the cut, decoded once as a whole; `+` stays `+` (facts verified over callbacks
/// that Google signed).
package struct SignedQuery: Sendable, Hashable {
    /// The longest query that is looked at, in bytes.
    package static let limit = 16_384

    /// The text that the signature covers, in UTF-8.
    package var signedText: [UInt8]
    /// The signature as it came.
    package var signature: String
    /// The key that is said to have signed.
    package var keyID: UInt64
    /// The parameters before the signature.
    package var fields: CallbackFields

    /// Takes `query`, without its question mark, apart.
    ///
    /// - Throws: ``CallbackFault`` with the first rule that is broken.
    package init(_ query: String) throws(CallbackFault) {
        let bytes = Array(query.utf8)
        guard bytes.count <= Self.limit else {
            throw CallbackFault(.tooLarge, "the query has \(bytes.count) bytes, more than \(Self.limit)")
        }
        let mark = Array("&signature=".utf8)
        guard let cut = Self.lastRange(of: mark, in: bytes), cut > 0 else {
            throw CallbackFault(.badForm, "signature and key_id are not the last two parameters")
        }
        let tail = bytes[(cut + mark.count)...]
        let parts = tail.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let keyMark = Array("key_id=".utf8)
        guard parts.count == 2, parts[1].starts(with: keyMark) else {
            throw CallbackFault(.badForm, "after the signature comes not key_id alone")
        }
        let digits = parts[1].dropFirst(keyMark.count)
        keyID = try Self.keyID(digits)
        signature = String(decoding: parts[0], as: UTF8.self)
        let signed = bytes[..<cut]
        fields = try CallbackFields(signed)
        guard let text = PercentText.decodedBytes(signed), String(validating: text, as: UTF8.self) != nil else {
            throw CallbackFault(.badEscape, "the signed text is not UTF-8")
        }
        signedText = text
        guard fields.isAscending else { throw CallbackFault(.badOrder, "the parameters are not in alphabetical order") }
    }

    /// Digits only, no sign, no leading zero, at most 64 bits.
    private static func keyID(_ digits: ArraySlice<UInt8>) throws(CallbackFault) -> UInt64 {
        let isDecimal = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDecimal, (1...20).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let id = UInt64(String(decoding: digits, as: UTF8.self))
        else { throw CallbackFault(.badKeyID, "key_id is not a decimal number of at most 64 bits") }
        return id
    }

    private static func lastRange(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        // From the end: what is looked for stands a signature's length before it.
        bytes.withUnsafeBufferPointer { bytes in
            mark.withUnsafeBufferPointer { mark in
                guard bytes.count >= mark.count else { return nil }
                return (0...(bytes.count - mark.count)).reversed().first { start in
                    mark.indices.allSatisfy { bytes[start + $0] == mark[$0] }
                }
            }
        }
    }
}
