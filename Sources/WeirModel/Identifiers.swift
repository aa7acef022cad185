/// An id that is a type of its own, so that a placement can never be taken for an ad unit.
///
/// On the wire an id is its text: 1 to 128 characters without control characters (``isValid(_:)``).
public protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text as configuration and callers spell it.
    var text: String { get }

    /// The id spelled `text`; readers check it with ``isValid(_:)`` first.
    init(_ text: String)
}

extension Identifier {
    /// Whether `text` may be an id: 1 to 128 characters, none of them a control character.
    public static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The text.
    public var description: String { text }

    /// The id spelled by a literal in source code.
    public init(stringLiteral value: String) { self.init(value) }

    /// Alphabetical order of the texts.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The publisher's named spot where an ad may appear.
public struct PlacementID: Identifier {
    /// The text as configuration and callers spell it.
    public let text: String

    /// The id spelled `text`.
    public init(_ text: String) { self.text = text }
}

/// Our own sellable inventory: one format, one waterfall.
public struct AdUnitID: Identifier {
    /// The text as configuration and callers spell it.
    public let text: String

    /// The id spelled `text`.
    public init(_ text: String) { self.text = text }
}

/// One configured network.
public struct NetworkID: Identifier {
    /// The text as configuration and callers spell it.
    public let text: String

    /// The id spelled `text`.
    public init(_ text: String) { self.text = text }
}

/// One rung of a waterfall.
public struct LineItemID: Identifier {
    /// The text as configuration and callers spell it.
    public let text: String

    /// The id spelled `text`.
    public init(_ text: String) { self.text = text }
}

/// One ad request: 26 characters of Crockford base 32 that sort by time.
public struct RequestID: Identifier {
    /// The text as answers and logs spell it.
    public let text: String

    /// The id spelled `text`.
    public init(_ text: String) { self.text = text }

    /// A fresh id: 48 bits of time, then 80 random bits (the ULID layout).
    ///
    /// - Parameters:
    ///   - milliseconds: Wall time since 1970, as of the request's arrival.
    ///   - random: Gives 64 random bits a call; tests hand in fixed ones.
    /// - Returns: An id that no other request has.
    public static func make(
        atMilliseconds milliseconds: Int64,
        random: () -> UInt64 = { .random(in: .min ... .max) }
    ) -> RequestID {
        let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        var time = UInt64(clamping: milliseconds)
        var high = random()
        var low = random()
        let text = String(unsafeUninitializedCapacity: 26) { bytes in
            for index in (18..<26).reversed() {
                bytes[index] = alphabet.utf8Start[Int(low & 31)]
                low >>= 5
            }
            for index in (10..<18).reversed() {
                bytes[index] = alphabet.utf8Start[Int(high & 31)]
                high >>= 5
            }
            for index in (0..<10).reversed() {
                bytes[index] = alphabet.utf8Start[Int(time & 31)]
                time >>= 5
            }
            return 26
        }
        return RequestID(text)
    }
}
