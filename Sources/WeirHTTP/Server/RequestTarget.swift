/// RFC 9112, 3.2: the path and query of a request target in origin, absolute or asterisk form.
struct RequestTarget {
    let path: String
    let query: String?

    init(_ bytes: ArraySlice<UInt8>, isOptions: Bool) throws(ProtocolFault) {
        if isOptions && bytes.elementsEqual("*".utf8) {
            path = "*"
            query = nil
            return
        }
        // A fragment never travels; whoever sends one means something else than we would read.
        if !bytes.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "#") }) { throw .badTarget }
        let origin = try Self.originForm(bytes)
        let mark = origin.firstIndex(of: UInt8(ascii: "?"))
        let path = String(decoding: origin[..<(mark ?? origin.endIndex)], as: UTF8.self)
        self.path = path.isEmpty ? "/" : path
        query = mark.map { String(decoding: origin[($0 + 1)...], as: UTF8.self) }
    }

    private static func originForm(_ bytes: ArraySlice<UInt8>) throws(ProtocolFault) -> ArraySlice<UInt8> {
        if bytes.first == UInt8(ascii: "/") { return bytes }
        for scheme in ["http://", "https://"] where bytes.prefix(scheme.utf8.count).equalsIgnoringCase(scheme) {
            let rest = bytes.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            if !HeadRules.isValidHost(rest[..<end]) { throw .badTarget }
            return rest[end...]
        }
        throw .badTarget
    }
}

/// The request methods that are served.
enum Method {
    /// The method's name, for those that are known and not a proxy's or another protocol's.
    static func name(_ number: UInt8) -> String? {
        Int(number) < names.count && number != 5 ? names[Int(number)] : nil
    }

    /// RFC 9110, 5.6.2.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(\.isTokenCharacter)
    }

    /// In llhttp's order, its first 33; RTSP's and HTTP/2's come after them.
    private static let names = [
        "DELETE", "GET", "HEAD", "POST", "PUT", "CONNECT", "OPTIONS", "TRACE", "COPY", "LOCK", "MKCOL", "MOVE",
        "PROPFIND", "PROPPATCH", "SEARCH", "UNLOCK", "BIND", "REBIND", "UNBIND", "ACL", "REPORT", "MKACTIVITY",
        "CHECKOUT", "MERGE", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE", "PATCH", "PURGE", "MKCALENDAR", "LINK",
        "UNLINK", "SOURCE",
    ]
}

extension UInt8 {
    /// RFC 9110, 5.6.2: a character of a token.
    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
