/// Where a listener stands.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host name or address and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A Unix domain socket.
    case unix(path: String)

    /// The longest socket path, in bytes: `sockaddr_un.sun_path` on Linux, less its end.
    static let longestPath = 107

    /// Reads `host:port`, `[v6]:port` or `unix:/path`; `nil` for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst(5)
            guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath, path.utf8.allSatisfy({ $0 != 0 }) else {
                return nil
            }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = decimalPort(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = String(host.dropFirst().dropLast())
            guard IPAddressSyntax.isV6(inner) else { return nil }
            self = .tcp(host: inner, port: port)
        } else {
            guard isHostName(host) else { return nil }
            self = .tcp(host: String(host), port: port)
        }
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _):
            host == "::1" || host.lowercased() == "localhost" || host.hasPrefix("127.") && IPAddressSyntax.isV4(host)
        }
    }

    /// The spelling in the configuration.
    package var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}

private func decimalPort(_ text: Substring) -> UInt16? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt16(text)
}

/// A dotted address, or labels of letters, digits and hyphens (RFC 1123, section 2.1).
private func isHostName(_ text: Substring) -> Bool {
    if text.utf8.allSatisfy({ $0 == 46 || (48...57).contains($0) }) { return IPAddressSyntax.isV4(String(text)) }
    return text.utf8.count <= 253
        && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { byte in
                    byte == 45 || byte == 95 || (48...57).contains(byte) || (97...122).contains(byte | 0x20)
                }
        }
}
