package import WeirHTTP

/// Whose word on the client's address, and on the name the client used, is believed.
package struct TrustedProxies: Sendable, Hashable {
    private let ranges: [AddressRange]

    /// Proxies in `ranges`; nobody when it is empty.
    package init(_ ranges: [AddressRange]) {
        self.ranges = ranges
    }

    /// The client's address: that of the connection, or, behind trusted proxies, the last one in `X-Forwarded-For` that
    /// is not itself a trusted proxy.
    func clientAddress(of request: ServerRequest) -> String? {
        guard var address = IPAddress(request.peerAddress) else { return nil }
        guard isTrusted(address) else { return address.description }
        let hops = request.headers.values("X-Forwarded-For").joined(separator: ",").split(separator: ",")
        for hop in hops.reversed() {
            guard let next = IPAddress(String(hop.filter { $0 != " " && $0 != "\t" })) else { break }
            address = next
            guard isTrusted(next) else { break }
        }
        return address.description
    }

    /// The scheme and the name by which the client reached the gateway, such as `https://ads.example`: those of the
    /// connection, or, behind a trusted proxy, what it says in `X-Forwarded-Proto` and `X-Forwarded-Host`.
    ///
    /// Anybody else's word is not believed: an answer must not send players, or whoever reads it from a cache, to a place
    /// that a stranger chose. `nil` without a name that can stand in a URL.
    func origin(of request: ServerRequest) -> String? {
        func word(_ name: String) -> String? {
            // Of several values the last is the one that the nearest proxy wrote.
            let value = request.headers.values(name).last?.split(separator: ",").last
            return value.map { String($0.filter { $0 != " " && $0 != "\t" }) }
        }
        let isProxied = IPAddress(request.peerAddress).map(isTrusted) ?? false
        let scheme = isProxied && word("X-Forwarded-Proto")?.lowercased() == "https" ? "https" : "http"
        let names = [isProxied ? word("X-Forwarded-Host") : nil, request.header("Host")]
        return names.compactMap(\.self).first(where: isAuthority).map { "\(scheme)://\($0)" }
    }

    /// A host name or address, with or without a port (RFC 3986 §3.2, without user information).
    private func isAuthority(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) || "-._:[]".utf8.contains($0) }
    }

    private func isTrusted(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address.unmapped) } }
}
