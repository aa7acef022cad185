/// Whether a text is spelled like an IP address; nothing is looked up.
enum IPAddressSyntax {
    /// Four decimal numbers up to 255 without leading zeros.
    static func isV4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
                    && (part.utf8.count == 1 || !part.hasPrefix("0")) && UInt8(part) != nil
            }
    }

    /// Eight groups of hexadecimal digits, at most one run of them left out as `::`, the last two perhaps as IPv4
    /// (RFC 4291, section 2.2); no zone.
    static func isV6(_ text: some StringProtocol) -> Bool {
        guard text.utf8.count <= 45 else { return false }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.count <= 9 else { return false }
        var groups = 0
        var gaps = 0
        for (index, part) in parts.enumerated() {
            if part.isEmpty {
                let atEdge = index == 0 || index == parts.count - 1
                if atEdge {
                    // A lone colon at an edge is wrong: `::` leaves two empty parts there.
                    guard parts[index == 0 ? 1 : index - 1].isEmpty else { return false }
                    if parts.count == 3 { continue }
                } else {
                    gaps += 1
                }
            } else if index == parts.count - 1, part.contains(".") {
                guard isV4(part) else { return false }
                groups += 2
            } else {
                guard part.utf8.count <= 4, part.utf8.allSatisfy(isHexadecimal) else { return false }
                groups += 1
            }
        }
        return gaps == 0 ? groups == 8 : gaps == 1 && groups <= 7
    }

    /// An address, perhaps with `/` and the length of its prefix.
    static func isRange(_ text: String) -> Bool {
        guard let slash = text.firstIndex(of: "/") else { return isV4(text) || isV6(text) }
        let length = text[text.index(after: slash)...]
        guard (1...3).contains(length.utf8.count), length.utf8.allSatisfy({ (48...57).contains($0) }),
            let bits = Int(length)
        else { return false }
        let address = text[..<slash]
        return isV4(address) && bits <= 32 || isV6(address) && bits <= 128
    }
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte | 0x20)
}
