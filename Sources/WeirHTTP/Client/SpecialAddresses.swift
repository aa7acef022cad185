/// What makes an address one that no ad network on the Internet has.
package enum SpecialAddress: String, CaseIterable, Sendable {
    case metadata = "a cloud metadata address"
    case unspecified = "an unspecified address"
    case loopback = "a loopback address"
    case privateUse = "a private address"
    case sharedAddressSpace = "a carrier's shared address"
    case linkLocal = "a link-local address"
    case uniqueLocal = "a unique-local address"
    case multicast = "a multicast address"
    case broadcast = "the broadcast address"
    case documentation = "an address for documentation"
    case benchmarking = "an address for benchmarks"
    case reserved = "a reserved address"
}

extension SpecialAddress {
    /// What is special about `address` itself; `nil` for one of the public Internet.
    package init?(_ address: IPAddress) {
        let table = address.family == .v4 ? Self.v4 : Self.v6
        if let entry = table.first(where: { $0.range.contains(address) }) {
            self = entry.kind
        } else if address.family == .v6 && !Self.globalV6.contains(where: { $0.contains(address) }) {
            self = .reserved
        } else {
            return nil
        }
    }

    private struct Entry {
        var range: AddressRange
        var kind: SpecialAddress

        init(_ range: StaticString, _ kind: SpecialAddress) {
            self.range = AddressRange(known: range)
            self.kind = kind
        }
    }

    /// IANA IPv4 special-purpose address registry (RFC 6890), multicast (RFC 5771) and the clouds' metadata services.
    ///
    /// The first match counts, so single addresses stand before the blocks around them.
    private static let v4: [Entry] = [
        Entry("169.254.169.254", .metadata),  // AWS, Azure, Google Cloud and others
        Entry("169.254.170.2", .metadata),  // AWS task credentials
        Entry("168.63.129.16", .metadata),  // Azure's wire server, a public address
        Entry("100.100.100.200", .metadata),  // Alibaba Cloud
        Entry("192.0.0.192", .metadata),  // Oracle Cloud
        Entry("0.0.0.0", .unspecified),
        Entry("0.0.0.0/8", .reserved),  // RFC 791: this network
        Entry("10.0.0.0/8", .privateUse),  // RFC 1918
        Entry("100.64.0.0/10", .sharedAddressSpace),  // RFC 6598
        Entry("127.0.0.0/8", .loopback),  // RFC 1122
        Entry("169.254.0.0/16", .linkLocal),  // RFC 3927
        Entry("172.16.0.0/12", .privateUse),  // RFC 1918
        Entry("192.0.0.0/24", .reserved),  // RFC 6890: protocol assignments
        Entry("192.0.2.0/24", .documentation),  // RFC 5737
        Entry("192.88.99.0/24", .reserved),  // RFC 7526: former 6to4 relays
        Entry("192.168.0.0/16", .privateUse),  // RFC 1918
        Entry("198.18.0.0/15", .benchmarking),  // RFC 2544
        Entry("198.51.100.0/24", .documentation),  // RFC 5737
        Entry("203.0.113.0/24", .documentation),  // RFC 5737
        Entry("224.0.0.0/4", .multicast),  // RFC 5771
        Entry("255.255.255.255", .broadcast),  // RFC 919
        Entry("240.0.0.0/4", .reserved),  // RFC 1112
    ]

    /// IANA IPv6 special-purpose address registry; what lies outside ``globalV6`` is reserved anyway.
    private static let v6: [Entry] = [
        Entry("fd00:ec2::/32", .metadata),  // AWS: metadata, time, DNS
        Entry("fd20:ce::254", .metadata),  // Google Cloud
        Entry("::", .unspecified),
        Entry("::1", .loopback),
        Entry("64:ff9b:1::/48", .privateUse),  // RFC 8215: NAT64 of a local network
        Entry("2001:2::/48", .benchmarking),  // RFC 5180
        Entry("2001:10::/28", .reserved),  // RFC 4843: ORCHID
        Entry("2001:20::/28", .reserved),  // RFC 7343: ORCHIDv2
        Entry("2001:db8::/32", .documentation),  // RFC 3849
        Entry("3fff::/20", .documentation),  // RFC 9637
        Entry("fc00::/7", .uniqueLocal),  // RFC 4193
        Entry("fe80::/10", .linkLocal),  // RFC 4291
        Entry("fec0::/10", .privateUse),  // RFC 3879: former site-local
        Entry("ff00::/8", .multicast),  // RFC 4291
    ]

    /// RFC 4291 2.4 with the IANA allocation: global unicast; and NAT64's well-known prefix (RFC 6052).
    private static let globalV6: [AddressRange] = [
        AddressRange(known: "2000::/3"), AddressRange(known: "64:ff9b::/96"),
    ]
}
