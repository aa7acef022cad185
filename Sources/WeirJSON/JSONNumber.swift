/// A number exactly as it was written.
///
/// JSON numbers have no size: a price, a 64-bit id and `1e400` are all legal. Keeping the text lets each reader decide
/// what it can hold. Two numbers are equal when their texts are: `1` and `1.0` differ.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
    /// The source text, always a number of RFC 8259, section 6.
    public let text: String

    /// The number written as `text`; `nil` when that is no JSON number or longer than ``JSONLimits/numberBytes``.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= JSONLimits.numberBytes, numberEnd(in: bytes, from: 0) == .end(bytes.count) else {
            return nil
        }
        self.text = text
    }

    /// A whole number.
    public init(_ value: some BinaryInteger) {
        text = String(value)
    }

    /// The shortest text that reads back as `value`; `nil` for infinities and NaN, which JSON cannot say.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = String(describing: value)
    }

    init(scanned text: String) {
        self.text = text
    }

    /// The number as a whole number; `nil` when it has a fraction or does not fit.
    ///
    /// `6e4` and `60000.0` are whole; nothing is rounded.
    public var int64: Int64? {
        if let plain = Int64(text) { return plain }
        return exactInteger
    }

    /// The nearest double; `nil` when it is beyond the range of doubles.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The source text.
    public var description: String { text }

    /// The digits moved by the exponent, when no digit but zero is left behind the point.
    private var exactInteger: Int64? {
        var digits: [UInt8] = []
        var exponent = 0
        var isNegative = false
        var seenPoint = false
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): seenPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // Five digits decide every case, for a number is at most 128 bytes long.
                let isSmall = rest.first == UInt8(ascii: "-")
                exponent += min(99_999, max(-99_999, Int(String(rest) ?? "") ?? (isSmall ? -99_999 : 99_999)))
                rest = rest.suffix(0)
            default:
                digits.append(byte - UInt8(ascii: "0"))
                if seenPoint { exponent -= 1 }
            }
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return 0 }
        guard exponent >= 0, exponent <= 18 else { return nil }
        digits += Array(repeating: 0, count: exponent)
        return integer(digits, isNegative: isNegative)
    }
}

private func integer(_ digits: [UInt8], isNegative: Bool) -> Int64? {
    var total: Int64 = 0
    for digit in digits {
        let (shifted, tooBig) = total.multipliedReportingOverflow(by: 10)
        let (sum, tooBigToo) =
            isNegative
            ? shifted.subtractingReportingOverflow(Int64(digit)) : shifted.addingReportingOverflow(Int64(digit))
        if tooBig || tooBigToo { return nil }
        total = sum
    }
    return total
}

/// Where a number ends, or where it goes wrong.
enum NumberEnd: Equatable {
    case end(Int)
    case wrong(at: Int)
}

/// The end of the number of RFC 8259 that begins at `start`.
func numberEnd(in bytes: [UInt8], from start: Int) -> NumberEnd {
    var index = start
    func digits() -> Bool {
        let first = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return index > first
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    guard digits() else { return .wrong(at: index) }
    if bytes[first] == UInt8(ascii: "0"), index > first + 1 { return .wrong(at: first) }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
        index += 1
        guard digits() else { return .wrong(at: index) }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
        index += 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard digits() else { return .wrong(at: index) }
    }
    return .end(index)
}

func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
