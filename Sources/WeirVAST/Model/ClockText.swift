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

    /// Writes a percentage without needless decimals.
    static func text(percent: Double) -> String {
        if percent == percent.rounded(), abs(percent) < 1e9 { return String(Int64(percent)) + "%" }
        return String(percent) + "%"
    }

    private static func milliseconds(_ text: some StringProtocol, lenient: Bool) -> Int64? {
        let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        switch parts.count {
        case 3:
            guard let hours = number(parts[0]), let minutes = number(parts[1]), let rest = seconds(parts[2]) else {
                return nil
            }
            guard lenient || (minutes < 60 && rest < 60_000 && parts[1].count == 2) else { return nil }
            return bounded(hours * 3_600_000 + minutes * 60_000 + rest)
        case 2 where lenient:
            guard let minutes = number(parts[0]), let rest = seconds(parts[1]) else { return nil }
            return bounded(minutes * 60_000 + rest)
        case 1 where lenient: return seconds(parts[0]).flatMap(bounded)
        default: return nil
        }
    }

    private static func bounded(_ value: Int64) -> Int64? { value <= longest ? value : nil }

    /// Digits only, at most nine of them.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Seconds with an optional fraction, in milliseconds; digits beyond the third are cut off.
    private static func seconds(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = number(parts[0]) else { return nil }
        guard parts.count == 2 else { return whole * 1000 }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let digits = parts[1].prefix(3) + String(repeating: "0", count: max(0, 3 - parts[1].prefix(3).count))
        return Int64(digits).map { whole * 1000 + $0 }
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
