/// Base64 as RFC 4648 §4 writes it: how some networks wrap markup, and how a secret looks in a `Basic` header.
enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    /// The text of some bytes, padded.
    static func of(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let whole = (0..<3).reduce(0) { $0 << 8 | (group.count > $1 ? Int(group[start + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= group.count ? digits[whole >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }

    /// What stands in the base64 of any text that holds `bytes`, wherever in its groups of three they begin.
    static func traces(of bytes: [UInt8]) -> [String] {
        (0..<3).map { skipped in
            let rest = bytes.dropFirst(skipped)
            return of(Array(rest.prefix(rest.count / 3 * 3)))
        }
    }
}
