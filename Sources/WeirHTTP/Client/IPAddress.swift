// The C structs of the socket headers belong to whichever C module the compiler has met first.
internal import CCurl
internal import CUV
internal import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
    /// The two families.
    package enum Family: Sendable {
        case v4
        case v6

        /// Bits of an address.
        package var width: Int { self == .v4 ? 32 : 128 }
    }

    /// The family.
    package let family: Family
    /// The address as a number; an IPv4 address fills the low 32 bits.
    package let bits: UInt128

    /// The IPv4 address of these 32 bits.
    package init(v4 bits: UInt32) {
        family = .v4
        self.bits = UInt128(bits)
    }

    /// The IPv6 address of these 128 bits.
    package init(v6 bits: UInt128) {
        family = .v6
        self.bits = bits
    }

    /// The address written `text`: dotted decimal, or the groups of RFC 4291; no brackets, no zone, no other spelling.
    package init?(_ text: String) {
        // Nothing longer is an address; the C function would stop reading at a NUL.
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self.init(v6: IPAddress.number(v6))
    }

    /// The address inside a socket address; `nil` for other families than the two, or too few bytes.
    package init?(socketAddress: UnsafeRawBufferPointer) {
        // Every socket address begins with its family.
        guard socketAddress.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where socketAddress.count >= MemoryLayout<sockaddr_in>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(v4: UInt32(bigEndian: address.s_addr))
        case AF_INET6 where socketAddress.count >= MemoryLayout<sockaddr_in6>.size:
            self.init(v6: IPAddress.number(socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr))
        default:
            return nil
        }
    }

    private static func number(_ address: in6_addr) -> UInt128 {
        withUnsafeBytes(of: address) { bytes in
            UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
        }
    }

    /// The `count` bits that begin `start` bits from the left.
    func field(_ start: Int, _ count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: bits >> UInt128(family.width - start - count))
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual spelling, for IPv6 that of RFC 5952.
    package var description: String {
        switch family {
        case .v4:
            return (0..<4).map { String(bits >> (24 - 8 * $0) & 255) }.joined(separator: ".")
        case .v6:
            var address = in6_addr()
            withUnsafeMutableBytes(of: &address) { $0.storeBytes(of: bits.bigEndian, as: UInt128.self) }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
                guard let text = inet_ntop(AF_INET6, &address, buffer.baseAddress, socklen_t(buffer.count)) else {
                    return "::"
                }
                return String(cString: text)
            }
        }
    }
}

extension IPAddress {
    /// The address at the other end of a connected socket.
    init?(peerOf descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard code == 0 else { return nil }
        let count = min(Int(length), MemoryLayout<sockaddr_storage>.size)
        guard
            let address = withUnsafeBytes(
                of: storage,
                { IPAddress(socketAddress: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            )
        else { return nil }
        self = address
    }
}
