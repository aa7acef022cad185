/// An input as it comes from outside: a type and named values, before any machine has read it.
public struct PlaybackMessage: Hashable, Sendable {
    /// The longest duration or position that is read; no content or ad is longer than a hundred days.
    public static let longest: Duration = .seconds(100 * 86_400)
    /// The most bytes of a text that is read.
    public static let textLimit = 8192

    /// The input's type, such as `playhead`.
    public var type: String
    /// Its other members; a repeated name counts once, the first time.
    public var details: [PlaybackDetail]
    /// Where these members stand in what came from outside, such as `rendering`; empty for its own.
    var path = ""

    /// A message.
    public init(_ type: String, _ details: [PlaybackDetail] = []) {
        self.type = type
        self.details = details
    }

    /// The value of a member; `nil` when it is absent or null.
    public subscript(_ name: String) -> PlaybackValue? {
        guard let value = details.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    /// A duration or position in milliseconds: finite, not negative, at most ``longest``.
    ///
    /// - Throws: `bad_input` for anything else, and when the member is absent.
    public func milliseconds(_ name: String) throws(PlaybackRefusal) -> Duration {
        guard let duration = try optionalMilliseconds(name) else { throw bad(name, "is missing") }
        return duration
    }

    /// As ``milliseconds(_:)``, but `nil` when the member is absent or null.
    public func optionalMilliseconds(_ name: String) throws(PlaybackRefusal) -> Duration? {
        guard let value = self[name] else { return nil }
        guard let number = value.finiteNumber else { throw bad(name, "must be a number of milliseconds") }
        guard number >= 0 else { throw bad(name, "must not be negative") }
        guard number <= Double(Self.longest.playbackMilliseconds) else { throw bad(name, "is longer than 100 days") }
        return .milliseconds(Int64(number.rounded()))
    }

    /// A number, finite and within `range`; `nil` when the member is absent.
    ///
    /// - Throws: `bad_input` for anything else.
    public func optionalNumber(_ name: String, in range: ClosedRange<Double>) throws(PlaybackRefusal) -> Double? {
        guard let value = self[name] else { return nil }
        guard let number = value.finiteNumber, range.contains(number) else {
            throw bad(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number within `range`; a fraction is cut off; `nil` when the member is absent.
    ///
    /// - Throws: `bad_input` for anything else.
    public func optionalWhole(_ name: String, in range: ClosedRange<Int>) throws(PlaybackRefusal) -> Int? {
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        guard let number = try optionalNumber(name, in: bounds) else { return nil }
        return Int(number)
    }

    /// Yes or no; `fallback` when the member is absent.
    ///
    /// - Throws: `bad_input` for anything else.
    public func flag(_ name: String, or fallback: Bool) throws(PlaybackRefusal) -> Bool {
        guard let value = self[name] else { return fallback }
        guard case .flag(let flag) = value else { throw bad(name, "must be true or false") }
        return flag
    }

    /// A text of at most ``textLimit`` bytes; `nil` when the member is absent.
    ///
    /// - Throws: `bad_input` for anything else.
    public func optionalText(_ name: String) throws(PlaybackRefusal) -> String? {
        guard let value = self[name] else { return nil }
        guard case .text(let text) = value else { throw bad(name, "must be a text") }
        guard text.utf8.count <= Self.textLimit else { throw bad(name, "is longer than \(Self.textLimit) bytes") }
        return text
    }

    /// A text of at most ``textLimit`` bytes; `fallback` when the member is absent.
    ///
    /// - Throws: `bad_input` for anything else.
    public func text(_ name: String, or fallback: String) throws(PlaybackRefusal) -> String {
        guard let text = try optionalText(name) else { return fallback }
        return text
    }

    /// Named values inside a member; empty when it is absent.
    ///
    /// - Throws: `bad_input` for anything else.
    public func object(_ name: String) throws(PlaybackRefusal) -> PlaybackMessage {
        var inner = PlaybackMessage(type)
        inner.path = place(of: name)
        guard let value = self[name] else { return inner }
        guard case .object(let details) = value else { throw bad(name, "must be an object") }
        inner.details = details
        return inner
    }

    /// A refusal of this message because of one of its members.
    public func bad(_ name: String, _ what: String) -> PlaybackRefusal {
        let member = PlaybackRefusal.Member(path: place(of: name), message: what)
        return PlaybackRefusal(input: type, member: member)
    }

    private func place(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// A refusal of a type that a machine does not know.
    public var unknown: PlaybackRefusal {
        PlaybackRefusal(
            input: String(type.prefix(64)),
            reason: .unknownInput,
            message: "This session knows no input \"\(type.prefix(64))\"."
        )
    }
}

extension PlaybackValue {
    /// The number, when it is one and finite.
    fileprivate var finiteNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number) where number.isFinite: number
        default: nil
        }
    }
}
