extension IPAddress {
    /// The IPv4 address that the kernel really uses for an IPv4-mapped one (`::ffff:a.b.c.d`, RFC 4291 2.5.5.2).
    package var unmapped: IPAddress {
        guard family == .v6, bits >> 32 == 0xffff else { return self }
        return IPAddress(v4: field(96, 32))
    }

    /// The IPv4 addresses that a gateway on the way may take out of this IPv6 address.
    ///
    /// A packet to such an address can end at the IPv4 one, so both must be reachable.
    package var embeddedIPv4: [IPAddress] {
        guard family == .v6 else { return [] }
        // RFC 4291 2.5.5: compatible and mapped; RFC 2765 2.1: translated (::ffff:0:a.b.c.d).
        if bits >> 32 == 0 && bits > 1 { return [last32] }
        if bits >> 32 == 0xffff || bits >> 32 == 0xffff_0000 { return [last32] }
        // RFC 6052 2.1: the well-known prefix of NAT64, 64:ff9b::/96.
        if bits >> 32 == 0x0064_ff9b << 64 { return [last32] }
        // RFC 3056 2: 6to4, 2002:V4ADDR::/48.
        if bits >> 112 == 0x2002 { return [IPAddress(v4: field(16, 32))] }
        // RFC 4380 4: Teredo, 2001:0:server:flags:port:client, the client's address with its bits turned over.
        if bits >> 96 == 0x2001_0000 { return [IPAddress(v4: field(32, 32)), IPAddress(v4: ~field(96, 32))] }
        // RFC 5214 6.1: ISATAP, an interface identifier of 0000:5efe or 0200:5efe before the IPv4 address.
        if field(64, 32) & ~0x0200_0000 == 0x5efe { return [last32] }
        return []
    }

    private var last32: IPAddress { IPAddress(v4: field(96, 32)) }
}
