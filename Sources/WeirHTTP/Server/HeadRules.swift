/// The rules for a head that the parser leaves to us (RFC 9112, 3 and 6).
struct HeadRules {
    /// How the body is delimited, and what else the connection must know.
    struct Verdict {
        var length: Int?
        var isChunked = false
        var expectsContinue = false
    }

    let minorVersion: Int
    let maxBodyBytes: Int

    /// Judges the fields of one head.
    func judge(_ bytes: [UInt8], _ fields: [RequestHeaders.Field]) throws(ProtocolFault) -> Verdict {
        var verdict = Verdict()
        var hosts = 0
        var lengths = 0
        var codings = 0
        var refusal: ProtocolFault?
        for field in fields {
            // The four names that matter have lengths of their own; the other lines are passed over without a look.
            let length = field.name.count
            guard length == 4 || length == 6 || length == 14 || length == 17 else { continue }
            let name = bytes[field.name]
            let value = bytes[field.value]
            switch length {
            case 4 where name.equalsIgnoringCase("host"):
                hosts += 1
                if !Self.isValidHost(value) { throw .badHost }
            case 6 where name.equalsIgnoringCase("expect"):
                if value.equalsIgnoringCase("100-continue") {
                    verdict.expectsContinue = minorVersion >= 1
                } else {
                    refusal = .unknownExpectation
                }
            case 14 where name.equalsIgnoringCase("content-length"):
                lengths += 1
                guard let length = Self.length(value) else { throw .badLength }
                verdict.length = length
            case 17 where name.equalsIgnoringCase("transfer-encoding"):
                codings += 1
                if value.isEmpty { throw .badLength }
                if value.equalsIgnoringCase("chunked") {
                    verdict.isChunked = true
                } else {
                    refusal = .unknownTransferCoding
                }
            default: break
            }
        }
        if hosts > 1 || (hosts == 0 && minorVersion >= 1) { throw .badHost }
        if lengths > 1 || codings > 1 || (codings > 0 && (lengths > 0 || minorVersion == 0)) { throw .badLength }
        if let refusal { throw refusal }
        if let length = verdict.length, length > maxBodyBytes { throw .bodyTooLarge }
        return verdict
    }

    /// RFC 9110, 8.6: digits only; what does not fit an `Int` is certainly too large, not malformed.
    static func length(_ value: ArraySlice<UInt8>) -> Int? {
        if value.isEmpty || !value.allSatisfy(\.isDigit) { return nil }
        return value.reduce(0) { total, digit in
            let (product, overflow) = total.multipliedReportingOverflow(by: 10)
            return overflow || product > .max - 9 ? .max - 9 : product + Int(digit - 48)
        }
    }

    /// RFC 3986, 3.2.2 and 3.2.3: a name, an IPv4 address or a bracketed IPv6 address, with or without a port.
    static func isValidHost(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.first else { return false }
        let name: ArraySlice<UInt8>
        let rest: ArraySlice<UInt8>
        if first == UInt8(ascii: "[") {
            guard let end = value.firstIndex(of: UInt8(ascii: "]")), end > value.startIndex + 1 else { return false }
            name = value[(value.startIndex + 1)..<end]
            rest = value[(end + 1)...]
            if !name.allSatisfy({ $0.isHexDigit || $0 == .colon || $0 == UInt8(ascii: ".") }) { return false }
        } else {
            let end = value.firstIndex(of: .colon) ?? value.endIndex
            name = value[..<end]
            rest = value[end...]
            if name.isEmpty || !name.allSatisfy(\.isNameCharacter) { return false }
        }
        if rest.isEmpty { return true }
        let port = rest.dropFirst()
        return rest.first == .colon && port.allSatisfy(\.isDigit) && (Self.length(port) ?? 0) <= 65535
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { isDigit || asciiLowercased &- 97 < 6 }

    /// RFC 3986: unreserved, sub-delims and the percent sign.
    fileprivate var isNameCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }
}
