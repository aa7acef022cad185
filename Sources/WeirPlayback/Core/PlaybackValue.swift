/// One value in an input or an output, free of any wire format.
///
/// Durations travel as whole milliseconds under names that end in `_ms`.
public indirect enum PlaybackValue: Hashable, Sendable {
    /// Known to be nothing.
    case null
    /// Yes or no.
    case flag(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number; never NaN or infinite in an output.
    case number(Double)
    /// A text.
    case text(String)
    /// Values in order.
    case list([PlaybackValue])
    /// Named values in order.
    case object([PlaybackDetail])
    /// An ad of the session, by its key; whoever writes the value knows what of the ad belongs there.
    case ad(AdKey)
}

/// A named value.
public struct PlaybackDetail: Hashable, Sendable {
    /// The name, in `snake_case`.
    public var name: String
    /// The value.
    public var value: PlaybackValue

    /// A named value.
    public init(_ name: String, _ value: PlaybackValue) {
        self.name = name
        self.value = value
    }

    /// A named text; `nil` is null.
    public init(_ name: String, _ text: String?) {
        self.init(name, text.map(PlaybackValue.text) ?? .null)
    }

    /// A named yes or no.
    public init(_ name: String, _ flag: Bool) {
        self.init(name, .flag(flag))
    }

    /// A named whole number; `nil` is null.
    public init(_ name: String, _ number: Int?) {
        self.init(name, number.map { .integer(Int64($0)) } ?? .null)
    }

    /// A named duration in whole milliseconds; `nil` is null.
    public init(_ name: String, milliseconds duration: Duration?) {
        self.init(name, duration.map { .integer($0.playbackMilliseconds) } ?? .null)
    }
}

/// Which ad of a session: its place, from 0, in the list of ads that the session was loaded with.
public struct AdKey: Hashable, Comparable, Sendable {
    /// The place, from 0.
    public var index: Int

    /// The ad at `index`.
    public init(_ index: Int) { self.index = index }

    /// Order of the list.
    public static func < (left: AdKey, right: AdKey) -> Bool { left.index < right.index }
}

extension Duration {
    /// Whole milliseconds, cut off toward zero; saturates.
    package var playbackMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflowed ? product : sum
    }

    /// Seconds with their fraction.
    package var playbackSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
