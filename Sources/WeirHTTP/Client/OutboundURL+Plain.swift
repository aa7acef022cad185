extension OutboundURL {
    /// The target of a request (RFC 9112 3.2.1): path and query, without the fragment.
    var target: Substring {
        let rest = Substring(afterAuthority.utf8.prefix { $0 != UInt8(ascii: "#") })
        return rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
    }

    /// What stands in a request's `Host`: without the port that the scheme has anyway.
    var hostField: String { port == (isSecure ? 443 : 80) ? host : authority }

    /// Where connections lead that requests to this URL can share.
    var origin: Origin { Origin(host: host.lowercased(), port: port, isSecure: isSecure) }

    /// Whether it says what it means: no user, no host or path that must be rewritten before it is sent.
    ///
    /// libcurl knows how to rewrite the others, and sends them.
    var isPlain: Bool { !hasUser && hostIsPlain && !hasDotSegments }

    /// A scheme, a host and a port.
    struct Origin: Hashable {
        var host: String
        var port: UInt16
        var isSecure: Bool
    }

    /// A name of ASCII letters, digits, hyphens, or an address in its usual spelling.
    private var hostIsPlain: Bool {
        if host.utf8.first == UInt8(ascii: "[") {
            let inner = String(host.dropFirst().dropLast())
            return IPAddress(inner).map { $0.family == .v6 && $0.description == inner } ?? false
        }
        let bytes = host.utf8
        guard bytes.allSatisfy(Self.isPlain), bytes.last != UInt8(ascii: "."), bytes.first != UInt8(ascii: ".") else {
            return false
        }
        // A last label that begins with a digit is part of an address (WHATWG URL: "ends in a number"), or of none.
        let label = bytes.reversed().prefix { $0 != UInt8(ascii: ".") }
        guard let first = label.last, first.isDigit else { return true }
        return IPAddress(host)?.family == .v4
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether a segment of the path begins with a dot, as `.` and `..` do (RFC 3986 5.2.4).
    private var hasDotSegments: Bool {
        var last = UInt8(ascii: "/")
        for byte in afterAuthority.utf8 {
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return false }
            if last == UInt8(ascii: "/") && byte == UInt8(ascii: ".") { return true }
            last = byte
        }
        return false
    }
}
