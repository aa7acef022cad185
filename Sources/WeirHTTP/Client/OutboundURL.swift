package import WeirAdapterKit

/// The address of a request, checked as far as a text can be; where it leads is checked when it is connected to.
package struct OutboundURL: Hashable, Sendable {
    /// The longest URL that is sent.
    ///
    /// VAST beacons with many macros reach 8 KiB.
    package static let maxBytes = 16384

    /// The URL with blanks and non-ASCII bytes percent-encoded, as browsers send it.
    package let text: String
    /// The host as written, without user information or port; an IPv6 address in its brackets.
    package let host: String
    /// The port, also where the URL leaves it out.
    package let port: UInt16
    /// Whether TLS protects it.
    package let isSecure: Bool
    /// Bytes of the text before path or query.
    private let pathOffset: Int
    /// Whether user and password stand before the host.
    let hasUser: Bool

    /// Host and port: what messages may show of a URL.
    package var authority: String { "\(host):\(port)" }

    /// Path, query and fragment as they were written.
    var afterAuthority: Substring {
        text[text.utf8.index(text.startIndex, offsetBy: min(pathOffset, text.utf8.count))...]
    }

    /// Checks `text`.
    ///
    /// - Throws: `TransportError` of kind `addressRefused` when it is no http or https URL or has control characters,
    ///   `tooLarge` when it is longer than ``maxBytes``.
    package init(_ text: String) throws(TransportError) {
        guard text.utf8.count <= Self.maxBytes else {
            throw TransportError(.tooLarge, "The URL is longer than \(Self.maxBytes) bytes.")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw TransportError(.addressRefused, "The URL has a control character.")
        }
        let bytes = Array(text.utf8)
        guard let scheme = Self.scheme(of: bytes) else {
            throw TransportError(.addressRefused, "The URL is not an absolute http or https URL.")
        }
        let start = scheme.length
        let end = bytes[start...].firstIndex { [0x2f, 0x3f, 0x23].contains($0) } ?? bytes.endIndex
        // User information ends at the last @, and never shows up anywhere.
        let hostStart = bytes[start..<end].lastIndex(of: 0x40).map { $0 + 1 } ?? start
        // Readers differ on where a host with a backslash before it ends (WHATWG: there; RFC 3986: it is an error).
        guard !bytes[start..<end].contains(0x5c),
            let place = Self.split(bytes[hostStart..<end], defaultPort: scheme.port)
        else {
            throw TransportError(.addressRefused, "The URL has no proper host and port.")
        }
        self.text = Self.encoded(bytes, from: end) ?? text
        host = place.host
        port = place.port
        isSecure = scheme.port == 443
        pathOffset = end
        hasUser = hostStart != start
    }

    private static func scheme(of bytes: [UInt8]) -> (length: Int, port: UInt16)? {
        let lowered = bytes.prefix(8).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        if lowered.starts(with: "http://".utf8) { return (7, 80) }
        if lowered.starts(with: "https://".utf8) { return (8, 443) }
        return nil
    }

    private static func split(_ authority: ArraySlice<UInt8>, defaultPort: UInt16) -> (host: String, port: UInt16)? {
        let colon: Int?
        if authority.first == 0x5b {
            guard let bracket = authority.firstIndex(of: 0x5d) else { return nil }
            let next = bracket + 1
            guard next == authority.endIndex || authority[next] == 0x3a else { return nil }
            colon = next == authority.endIndex ? nil : next
        } else {
            colon = authority.firstIndex(of: 0x3a)
        }
        let host = authority[..<(colon ?? authority.endIndex)]
        // RFC 1035 2.3.4: a name has at most 255 bytes. What RFC 3986 bars from a host never reaches a message.
        guard (1...255).contains(host.count), !host.contains(where: { notInHost.contains($0) }) else { return nil }
        let name = String(decoding: host, as: UTF8.self)
        guard let colon, colon + 1 < authority.endIndex else { return (name, defaultPort) }
        let digits = authority[(colon + 1)...]
        guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { return nil }
        return (name, port)
    }

    private static let notInHost = Set(" \"#/<>?@\\^`{|}".utf8)

    /// The URL with what libcurl would refuse or a server misread encoded from `start` on; `nil` if there is nothing.
    private static func encoded(_ bytes: [UInt8], from start: Int) -> String? {
        guard bytes[start...].contains(where: mustBeEncoded) else { return nil }
        var result = Array(bytes[..<start])
        result.reserveCapacity(bytes.count + 64)
        for byte in bytes[start...] {
            if mustBeEncoded(byte) {
                result += [0x25, hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
        // A blank, double quote, < and >: the query percent-encode set of the WHATWG URL standard.
        byte > 0x7e || byte == 0x20 || byte == 0x22 || byte == 0x3c || byte == 0x3e
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
