/// A URI reference in its five parts (RFC 3986 §3), and how one is resolved against a base (§5.2).
struct URIReference {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    init(_ text: String) {
        var rest = Substring(text)
        if let mark = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The reference as an absolute URL, and whether it can be fetched; `nil` when there is no base to make it one.
    static func absoluteURL(_ text: String, base: String?) -> (text: String, isWeb: Bool)? {
        if isPlainWebURL(text) { return (text, true) }
        return absolute(text, base: base).map { ($0.text, $0.isWeb) }
    }

    /// The reference as an absolute `http` or `https` URL.
    static func webURL(_ text: String, base: String?) -> String? {
        guard let target = absoluteURL(text, base: base), target.isWeb else { return nil }
        return target.text
    }

    /// Whether nothing need be done to a URL, as is usual: `http://` or `https://`, a host, nothing to escape or to cut.
    private static func isPlainWebURL(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let start: Int
            if bytes.starts(with: "https://".utf8) {
                start = 8
            } else if bytes.starts(with: "http://".utf8) {
                start = 7
            } else {
                return false
            }
            guard start < bytes.count, bytes[start] != UInt8(ascii: "/"), bytes[start] != UInt8(ascii: "?") else {
                return false
            }
            return bytes.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x3C && byte != 0x3E && byte != UInt8(ascii: "#")
            }
        }
    }

    /// The reference as an absolute `http` or `https` URL; `nil` when there is no base to make it one.
    static func absolute(_ text: String, base: String?) -> URIReference? {
        let reference = URIReference(escapingBlanks(text))
        if reference.scheme != nil { return reference }
        guard let base else {
            // `//host/path` names a host: only the scheme is missing, and https is the safe guess.
            guard let authority = reference.authority, !authority.isEmpty else { return nil }
            var absolute = reference
            absolute.scheme = "https"
            return absolute
        }
        return reference.resolved(against: URIReference(escapingBlanks(base)))
    }

    /// Whether it can be fetched.
    var isWeb: Bool { (scheme == "http" || scheme == "https") && authority?.isEmpty == false }

    /// The text of the reference, without its fragment.
    var text: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        return text
    }

    private func resolved(against base: URIReference) -> URIReference {
        var target = self
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = Self.removingDotSegments(path)
        } else if base.authority != nil, base.path.isEmpty {
            target.path = Self.removingDotSegments("/" + path)
        } else {
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? ""
            target.path = Self.removingDotSegments(folder + path)
        }
        return target
    }

    /// RFC 3986 §5.2.4.
    private static func removingDotSegments(_ path: String) -> String {
        var output: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { output.append("") }
            case "..":
                if output.count > 1 || (output.count == 1 && output[0] != "") { output.removeLast() }
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return output.joined(separator: "/")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else { return false }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
    }

    /// Percent-encodes what may not stand in a URL at all: blanks, controls, quotes and everything beyond ASCII.
    private static func escapingBlanks(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E }
        if isPlain { return text }
        return text.utf8.map { byte in
            let mustGo = byte <= 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x3C || byte == 0x3E
            let hex = String(byte, radix: 16, uppercase: true)
            return mustGo ? "%" + (hex.count == 1 ? "0" : "") + hex : String(Unicode.Scalar(byte))
        }.joined()
    }
}
