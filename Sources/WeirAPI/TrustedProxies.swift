package import WeirHTTP

/// Whose word on the client's address is believed.
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

    private func isTrusted(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address.unmapped) } }
}
