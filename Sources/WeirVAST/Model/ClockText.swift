/// Times as VAST writes them: `HH:MM:SS`, `HH:MM:SS.mmm` and percentages.
enum ClockText {
    /// No ad or content is longer than a hundred days; it keeps arithmetic far from overflow.
    static let longest: Int64 = 100 * 86_400_000

    /// Reads a time; plain seconds (`15`, `15.5`) only when `lenient`.
    static func duration(_ text: some StringProtocol, lenient: Bool) -> Duration? {
        milliseconds(text, lenient: lenient).map { .milliseconds($0) }
    }

    /// Reads a percentage such as `25%`.
    static func percent(_ text: some StringProtocol) -> Double? {
        guard text.last == "%", let value = Double(text.dropLast()), value.isFinite, value >= 0 else { return nil }
        return value
    }

    /// Reads a time or a percentage.
    static func playOffset(_ text: String, lenient: Bool) -> PlayOffset {
        if let percent = percent(text) { return .percent(percent) }
        if let time = duration(text, lenient: lenient) { return .time(time) }
        return .unreadable(text)
    }

    /// Writes `HH:MM:SS`, with milliseconds when there are any.
    static func text(_ duration: Duration) -> String {
        let total = max(0, min(duration.wholeMilliseconds, longest))
        let clock =
            padded(total / 3_600_000, 2) + ":" + padded(total / 60_000 % 60, 2) + ":" + padded(total / 1000 % 60, 2)
        return total % 1000 == 0 ? clock : clock + "." + padded(total % 1000, 3)
    }

    /// Writes `HH:MM:SS.mmm`, as macros want it.
    static func macroText(_ duration: Duration) -> String {
        let text = text(duration)
        return text.contains(".") ? text : text + ".000"
    }

    /// Writes a percentage without needless decimals.
    static func text(percent: Double) -> String {
        if percent == percent.rounded(), abs(percent) < 1e9 { return String(Int64(percent)) + "%" }
        return String(percent) + "%"
    }

    /// Hours, minutes and seconds as numbers of digits, then a fraction of which three digits count.
    private static func milliseconds(_ text: some StringProtocol, lenient: Bool) -> Int64? {
        var earlier: Int64 = 0
        var fieldCount = 0
        var (minutes, minuteLength): (Int64, Int) = (0, 0)
        var (value, length): (Int64, Int) = (0, 0)
        var (fraction, fractionLength): (Int64, Int) = (0, -1)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39 where fractionLength >= 0:
                if fractionLength < 3 { fraction = fraction * 10 + Int64(byte - 0x30) }
                fractionLength += 1
            case 0x30...0x39:
                guard length < 9 else { return nil }
                value = value * 10 + Int64(byte - 0x30)
                length += 1
            case UInt8(ascii: ":"):
                guard length > 0, fractionLength < 0, fieldCount < 2 else { return nil }
                fieldCount += 1
                earlier = earlier * 60 + value
                (minutes, minuteLength) = (value, length)
                (value, length) = (0, 0)
            case UInt8(ascii: "."):
                guard length > 0, fractionLength < 0 else { return nil }
                fractionLength = 0
            default: return nil
            }
        }
        guard length > 0, fractionLength != 0 else { return nil }
        for _ in max(0, min(fractionLength, 3))..<3 { fraction *= 10 }
        let isStrict = fieldCount == 2 && minuteLength == 2 && minutes < 60 && value < 60 && length == 2
        guard lenient || isStrict else { return nil }
        let total = (earlier * 60 + value) * 1000 + fraction
        return total <= longest ? total : nil
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Duration {
    /// Whole milliseconds, cut off toward zero; saturates where the number would not fit.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflowed ? product : sum
    }
}
