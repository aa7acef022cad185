internal import Glibc

/// A calendar instant in UTC, to the millisecond.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    public var milliseconds: Int64

    /// The instant `milliseconds` after the epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// What the machine's calendar says.
    public static var system: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Earlier is less.
    public static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant `duration` later, to the millisecond; the farthest there is when that does not fit.
    public func advanced(by duration: Duration) -> WallTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration.milliseconds)
        return WallTime(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// RFC 3339 in UTC with milliseconds: `2026-01-31T08:09:10.250Z`.
    public var rfc3339: String {
        let civil = CivilDate(daysSinceEpoch: milliseconds.floorDivided(by: 86_400_000))
        let time = Int(milliseconds.floorRemainder(by: 86_400_000))
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(civil.year, width: 4, then: "-")
        text.append(civil.month, width: 2, then: "-")
        text.append(civil.day, width: 2, then: "T")
        text.append(time / 3_600_000, width: 2, then: ":")
        text.append(time / 60_000 % 60, width: 2, then: ":")
        text.append(time / 1000 % 60, width: 2, then: ".")
        text.append(time % 1000, width: 3, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }
}

/// A proleptic Gregorian date (the "days from civil" arithmetic with years that begin in March).
private struct CivilDate {
    var year: Int
    var month: Int
    var day: Int

    init(daysSinceEpoch: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension [UInt8] {
    /// Appends at least `width` digits and a mark behind them.
    fileprivate mutating func append(_ number: Int, width: Int, then mark: Unicode.Scalar) {
        let start = count
        var rest = number.magnitude
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if number < 0 { append(UInt8(ascii: "-")) }
        while count - start < width { append(UInt8(ascii: "0")) }
        self[start...].reverse()
        append(UInt8(ascii: mark))
    }
}
