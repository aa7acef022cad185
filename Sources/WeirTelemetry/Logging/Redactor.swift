internal import WeirTime

/// Knows the secrets of the configuration and takes them out of any text that leaves the process for people's eyes.
///
/// A secret is found as it is and as it looks in a URL, in JSON and in XML, where a network may echo it. Shared by logs, traces and configuration output; safe to use on
/// every thread.
package final class Redactor: Sendable {
    /// What stands in a secret's place.
    package static let mark = "[redacted]"

    /// Shorter secrets are not searched for: they would blot out innocent text, and guess nobody's key.
    package static let shortestSecret = 4

    /// How many secrets are kept; a reload that registers known ones again adds none.
    package static let limit = 1000

    private struct Needles {
        /// The longest first: one secret may contain another.
        var list: [[UInt8]] = []

        var known: Set<[UInt8]> = []

        /// Which bytes begin a needle: most places of a text are passed over by one look-up.
        var beginnings = [Bool](repeating: false, count: 256)

        mutating func insert(_ needle: [UInt8]) {
            list.insert(needle, at: list.firstIndex { $0.count < needle.count } ?? list.count)
            known.insert(needle)
            beginnings[Int(needle[0])] = true
        }
    }

    private let needles = Lock(Needles())

    /// A redactor that knows nothing yet.
    package init() {}

    /// Remembers `secret`; answers whether it will be found in texts.
    @discardableResult
    package func register(_ secret: String) -> Bool {
        guard secret.utf8.count >= Self.shortestSecret else { return false }
        let forms: Set = [Array(secret.utf8), percentEncoded(secret), jsonEscaped(secret), xmlEscaped(secret)]
        return needles.withLock { needles in
            let new = forms.subtracting(needles.known)
            guard needles.list.count + new.count <= 4 * Self.limit else { return false }
            for needle in new { needles.insert(needle) }
            return true
        }
    }

    /// `text` with every known secret replaced.
    package func redact(_ text: String) -> String {
        let needles = needles.withLock { $0 }
        if needles.list.isEmpty { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        var copied = 0
        while index < bytes.count {
            if needles.beginnings[Int(bytes[index])],
                let needle = needles.list.first(where: { bytes[index...].starts(with: $0) })
            {
                result += bytes[copied..<index]
                result += Self.mark.utf8
                index += needle.count
                copied = index
            } else {
                index += 1
            }
        }
        return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
    }
}

/// The secret as RFC 3986 writes it inside a query: everything but unreserved characters as `%XX`.
private func percentEncoded(_ text: String) -> [UInt8] {
    let hex = Array("0123456789ABCDEF".utf8)
    return text.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            [byte]
        default: [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
    }
}

/// The secret as it stands inside a JSON string, where only what must be escaped is.
private func jsonEscaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
    }
}

/// The secret as it stands inside XML text or an attribute.
private func xmlEscaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "&"): Array("&amp;".utf8)
        case UInt8(ascii: "<"): Array("&lt;".utf8)
        case UInt8(ascii: ">"): Array("&gt;".utf8)
        case UInt8(ascii: "\""): Array("&quot;".utf8)
        default: [byte]
        }
    }
}
