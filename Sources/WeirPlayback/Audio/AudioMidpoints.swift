/// Where the host wants mid-rolls (S4.40–S4.42).
public enum AudioMidpoints: Hashable, Sendable {
    /// At these many seconds of the content.
    case seconds([Double])
    /// At these percentages of the content's duration.
    case percent([Double])

    /// The most points that may be asked for.
    public static let limit = 100

    /// The positions for content of `duration`, rising, each once, and what had to be dropped, in words.
    ///
    /// - Throws: `bad_input` for a number that is none, too many points, or percentages of an unknown duration.
    func positions(in duration: Duration?) throws(PlaybackRefusal) -> (points: [Duration], dropped: [String]) {
        switch self {
        case .seconds(let seconds):
            try Self.check(seconds)
            return Self.sorted(seconds.map { ($0, $0 >= 0 ? Self.duration(seconds: $0) : nil) }, duration, unit: "s")
        case .percent(let percents):
            try Self.check(percents)
            guard let duration else { throw Self.bad("Percentages need the content's duration_ms.") }
            let points = percents.map { percent in
                (percent, (0...100).contains(percent) ? duration * percent / 100 : nil)
            }
            return Self.sorted(points, duration, unit: " %")
        }
    }

    private static func check(_ numbers: [Double]) throws(PlaybackRefusal) {
        guard numbers.count <= limit else { throw bad("At most \(limit) mid-points are taken, not \(numbers.count).") }
        guard numbers.allSatisfy(\.isFinite) else { throw bad("A mid-point must be a number.") }
    }

    private static func sorted(
        _ points: [(value: Double, at: Duration?)],
        _ duration: Duration?,
        unit: String
    ) -> (points: [Duration], dropped: [String]) {
        var kept: Set<Duration> = []
        var dropped: [String] = []
        for point in points {
            guard let at = point.at.map({ Duration.milliseconds($0.playbackMilliseconds) }) else {
                dropped.append("The mid-point \(point.value)\(unit) is outside what there is and was dropped.")
                continue
            }
            if let duration, at > duration {
                dropped.append("The mid-point \(point.value)\(unit) is beyond the content's end and was dropped.")
            } else {
                kept.insert(at)
            }
        }
        return (kept.sorted(), dropped)
    }

    /// Seconds as a duration to the millisecond; what is longer than any content becomes just that.
    private static func duration(seconds: Double) -> Duration {
        let longest = Double(PlaybackMessage.longest.playbackMilliseconds) + 1
        return .milliseconds(Int64(min(seconds * 1000, longest).rounded()))
    }

    private static func bad(_ message: String) -> PlaybackRefusal {
        PlaybackRefusal(input: "configure_midpoints", reason: .badInput, message: message)
    }

    /// Reads `seconds` or `percent`.
    ///
    /// - Throws: `bad_input` when neither or both are there, or what is there is no list of numbers.
    init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        let seconds = try Self.numbers(message, "seconds")
        let percent = try Self.numbers(message, "percent")
        switch (seconds, percent) {
        case (let seconds?, nil): self = .seconds(seconds)
        case (nil, let percent?): self = .percent(percent)
        default: throw message.bad("seconds", "or percent must be there, and not both")
        }
    }

    private static func numbers(_ message: PlaybackMessage, _ name: String) throws(PlaybackRefusal) -> [Double]? {
        guard let value = message[name] else { return nil }
        guard case .list(let values) = value else { throw message.bad(name, "must be a list of numbers") }
        guard values.count <= limit else { throw message.bad(name, "has more than \(limit) points") }
        var numbers: [Double] = []
        for value in values {
            switch value {
            case .integer(let number): numbers.append(Double(number))
            case .number(let number) where number.isFinite: numbers.append(number)
            default: throw message.bad(name, "must be a list of numbers")
            }
        }
        return numbers
    }
}
