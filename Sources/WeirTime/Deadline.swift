/// An instant by which work must be done.
///
/// Calls pass deadlines down; timeouts live in configuration only.
public struct Deadline: Hashable, Comparable, Sendable {
    /// The instant itself.
    public var instant: ContinuousClock.Instant

    /// The deadline at `instant`.
    public init(_ instant: ContinuousClock.Instant) {
        self.instant = instant
    }

    /// The deadline `duration` from now.
    public static func after(_ duration: Duration, clock: any GatewayClock) -> Deadline {
        Deadline(clock.now.advanced(by: duration))
    }

    /// What is left, never negative.
    public func remaining(_ clock: any GatewayClock) -> Duration {
        max(.zero, clock.now.duration(to: instant))
    }

    /// Whether the time is up.
    public func hasPassed(_ clock: any GatewayClock) -> Bool { clock.now >= instant }

    /// The same deadline, `reserve` earlier: what a floor keeps for its own work.
    public func keeping(_ reserve: Duration) -> Deadline { Deadline(instant.advanced(by: .zero - reserve)) }

    /// Earlier is less.
    public static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }
}

extension Duration {
    /// Whole milliseconds, cut off toward zero; the farthest there are when they do not fit.
    public var milliseconds: Int64 { whole(perSecond: 1000) }

    /// Microseconds, cut off toward zero; the farthest there are when they do not fit.
    public var microseconds: Int64 { whole(perSecond: 1_000_000) }

    private func whole(perSecond: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (product, tooMany) = seconds.multipliedReportingOverflow(by: perSecond)
        let (sum, overflow) = product.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / perSecond))
        guard tooMany || overflow else { return sum }
        return seconds < 0 ? .min : .max
    }
}
