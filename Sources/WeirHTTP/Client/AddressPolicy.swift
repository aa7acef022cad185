/// Which addresses a network may be reached at: the public Internet, and what its `allow_private` lists.
///
/// It judges the address that a connection really goes to, so no spelling of a host and no name service can get round
/// it.
package struct AddressPolicy: Hashable, Sendable {
    /// Where special addresses are allowed.
    package let allowed: [AddressRange]

    /// The public Internet and `allowed`.
    package init(allowed: [AddressRange] = []) {
        self.allowed = allowed
    }

    /// The public Internet and the addresses or ranges of a network's `allow_private`.
    ///
    /// - Throws: `AddressRange.ParseError` for the first entry that is neither.
    package init(allowPrivate entries: [String]) throws(AddressRange.ParseError) {
        var ranges: [AddressRange] = []
        for entry in entries { ranges.append(try AddressRange(entry)) }
        self.init(allowed: ranges)
    }

    /// Why `address` is out of bounds; `nil` when it may be connected to.
    package func refusal(of address: IPAddress) -> SpecialAddress? {
        let address = address.unmapped
        if allowed.contains(where: { $0.contains(address) }) { return nil }
        if let special = SpecialAddress(address) { return special }
        return address.embeddedIPv4.lazy.compactMap { SpecialAddress($0) }.first
    }
}
