/// A block of addresses: all that share a prefix.
package struct AddressRange: Hashable, Sendable {
    /// The first address.
    package let base: IPAddress
    /// How many leading bits the members share.
    package let prefixLength: Int

    /// Why a text is no range: one sentence for the operator.
    package struct ParseError: Error, Hashable, Sendable {
        /// The sentence.
        package let message: String
    }

    /// The block of this one address.
    package init(_ address: IPAddress) {
        self.init(base: address, prefixLength: address.family.width)
    }

    private init(base: IPAddress, prefixLength: Int) {
        self.base = base
        self.prefixLength = prefixLength
    }

    /// The range written `text`: an address, or CIDR notation such as `10.0.0.0/8` (RFC 4632 3.1).
    ///
    /// - Throws: ``ParseError`` when it is neither, or when bits behind the prefix are set.
    package init(_ text: String) throws(ParseError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else {
            throw ParseError(message: "\"\(text)\" is not an IP address or a range such as 10.0.0.0/8.")
        }
        let width = address.family.width
        guard parts.count == 2 else {
            self.init(address)
            return
        }
        guard let length = AddressRange.prefixLength(parts[1]), length <= width else {
            throw ParseError(
                message: "\"\(text)\": the prefix of an \(address.family.name) range is a number from 0 to \(width)."
            )
        }
        let mask = AddressRange.mask(length, width)
        guard address.bits & ~mask == 0 else {
            let whole = IPAddress(bits: address.bits & mask, family: address.family)
            throw ParseError(message: "\"\(text)\" has bits set behind its prefix; the range is \(whole)/\(length).")
        }
        self.init(base: address, prefixLength: length)
    }

    /// The range written `text` in this room's own tables.
    init(known text: StaticString) {
        do throws(ParseError) {
            try self.init(text.description)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// Whether `address` lies inside; never for the other family.
    package func contains(_ address: IPAddress) -> Bool {
        address.family == base.family
            && address.bits & AddressRange.mask(prefixLength, base.family.width) == base.bits
    }

    private static func prefixLength(_ text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    /// A number of `width` bits, the `length` leading ones set.
    private static func mask(_ length: Int, _ width: Int) -> UInt128 {
        let all = UInt128.max >> UInt128(128 - width)
        // Shifting by the whole width gives 0 in Swift, which is the mask of a /0.
        return all & ~(all >> UInt128(length))
    }
}

extension AddressRange: CustomStringConvertible {
    /// CIDR notation; a single address without the slash.
    package var description: String {
        prefixLength == base.family.width ? "\(base)" : "\(base)/\(prefixLength)"
    }
}

extension IPAddress {
    init(bits: UInt128, family: Family) {
        switch family {
        case .v4: self.init(v4: UInt32(truncatingIfNeeded: bits))
        case .v6: self.init(v6: bits)
        }
    }
}

extension IPAddress.Family {
    /// The family's name for people.
    var name: String { self == .v4 ? "IPv4" : "IPv6" }
}
