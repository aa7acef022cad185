/// A decimal number kept exactly, for reward amounts and prices: `10`, `0.5`, `1500`.
public struct ExactDecimal: Hashable, Sendable, CustomStringConvertible {
    /// The digits without the point, with sign.
    public let digits: Int64

    /// How many of the digits stand behind the point, 0 to 18.
    public let scale: Int

    /// A whole number.
    public init(_ whole: Int64) {
        digits = whole
        scale = 0
    }

    private init(digits: Int64, scale: Int) {
        var digits = digits
        var scale = scale
        while scale > 0, digits % 10 == 0 {
            digits /= 10
            scale -= 1
        }
        self.digits = digits
        self.scale = scale
    }

    /// Reads `-12.50` or `1e3`; `nil` for anything else, and when it does not fit.
    ///
    /// 18 digits are kept, and 18 decimals: whole parts of more digits are refused, decimals beyond are cut off.
    /// Trailing zeros behind the point do not count: `1.50` equals `1.5`.
    public init?(_ text: String) {
        var bytes = Substring(text).utf8
        let negative = bytes.first == UInt8(ascii: "-")
        if negative { bytes.removeFirst() }
        guard let mantissa = Mantissa(&bytes) else { return nil }
        var exponent = 0
        if let mark = bytes.first {
            guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E"), bytes.count <= 5,
                let value = Int(Substring(bytes.dropFirst()))
            else { return nil }
            exponent = value
        }
        var digits = negative ? -mantissa.digits : mantissa.digits
        var scale = mantissa.scale - exponent
        while scale > 0, digits % 10 == 0, digits != 0 {
            digits /= 10
            scale -= 1
        }
        if digits == 0 { scale = 0 }
        while scale < 0 {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            digits = product
            scale += 1
        }
        // Without an exponent such a number could not be read: its own spelling must stay readable.
        guard scale <= 18, digits.magnitude < powerOfTen(18) else { return nil }
        self.init(digits: digits, scale: scale)
    }

    /// The plain spelling, without exponent or trailing zeros.
    public var description: String {
        guard scale > 0 else { return String(digits) }
        let magnitude = String(digits.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - magnitude.count)) + magnitude
        let point = padded.index(padded.endIndex, offsetBy: -scale)
        return (digits < 0 ? "-" : "") + padded[..<point] + "." + padded[point...]
    }

    /// The number times a million, cut off toward zero beyond the sixth decimal; `nil` when it does not fit.
    public var micros: Int64? {
        if scale > 6 { return digits / powerOfTen(scale - 6) }
        let (product, overflow) = digits.multipliedReportingOverflow(by: powerOfTen(6 - scale))
        return overflow ? nil : product
    }
}

func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
}

/// Digits with at most one point, read from the front of some bytes.
private struct Mantissa {
    var digits: Int64 = 0
    var scale = 0

    init?(_ bytes: inout Substring.UTF8View) {
        var count = 0
        var pointSeen = false
        var significant = 0
        while let byte = bytes.first {
            if byte == UInt8(ascii: "."), !pointSeen, count > 0 {
                pointSeen = true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                count += 1
                // Digits behind the eighteenth decimal cannot change anything that we keep.
                if !pointSeen || scale < 18 {
                    if digits != 0 || byte != UInt8(ascii: "0") { significant += 1 }
                    guard significant <= 18 else {
                        guard pointSeen else { return nil }
                        bytes.removeFirst()
                        continue
                    }
                    digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                    if pointSeen { scale += 1 }
                }
            } else {
                break
            }
            bytes.removeFirst()
        }
        guard count > 0, bytes.first != UInt8(ascii: ".") else { return nil }
    }
}
