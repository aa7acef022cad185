public import WeirTime

/// Fills the macros of URLs: `[NAME]`, and `%5BNAME%5D` as it is met in the wild.
///
/// A filled value is never scanned again. Macros that VAST does not list stay as they are.
public struct MacroExpander: Sendable {
    /// Where a URL is used; some macros exist in one place only.
    public enum Use: Hashable, Sendable {
        /// A tracking URL.
        case tracking
        /// An error URL: tracking, with an error code.
        case error
        /// A request for a VAST document.
        case request
    }

    /// What became of one macro in a URL.
    public enum Outcome: String, Hashable, Sendable {
        /// It has its value.
        case filled
        /// `-1`: unknown.
        case unknown = "-1"
        /// `-2`: not to be told.
        case withheld = "-2"
        /// It is not a macro of VAST and stays.
        case left
    }

    /// A URL with its macros filled, and what became of each.
    public struct Expansion: Hashable, Sendable {
        /// The URL.
        public var url: String
        /// The macros met, in order, with what became of them.
        public var outcomes: [(name: String, outcome: Outcome)] { entries.map { ($0.name, $0.outcome) } }

        var entries: [Entry]

        struct Entry: Hashable, Sendable {
            var name: String
            var outcome: Outcome
        }
    }

    /// Whether `%%NAME%%` and `{NAME}`, which some servers write, are macros too; off by default.
    public var acceptsVendorSpellings = false

    private let context: MacroContext
    private let timestamp: WallTime
    private let cacheBuster: Int

    /// An expander for one firing: all its URLs get the same timestamp and the same random number.
    public init(context: MacroContext = MacroContext(), clock: any GatewayClock) {
        self.init(
            context: context,
            timestamp: clock.wallNow,
            cacheBuster: CacheBuster.next()
        )
    }

    /// An expander with a given moment and an eight-digit number.
    public init(context: MacroContext = MacroContext(), timestamp: WallTime, cacheBuster: Int) {
        self.context = context
        self.timestamp = timestamp
        self.cacheBuster = max(10_000_000, min(99_999_999, cacheBuster))
    }

    /// The URL with its macros filled.
    public func expand(_ url: String, use: Use = .tracking) -> String {
        expansion(of: url, use: use).url
    }

    /// The URL with its macros filled, and what became of each.
    public func expansion(of url: String, use: Use = .tracking) -> Expansion {
        var result = Expansion(url: "", entries: [])
        guard Self.mayHoldMacros(url) else {
            result.url = url
            return result
        }
        let bytes = Array(url.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64)
        var index = 0
        while index < bytes.count {
            guard Self.mayBeginMacro(bytes[index]), let macro = macro(in: bytes, at: index) else {
                output.append(bytes[index])
                index += 1
                continue
            }
            let (value, outcome) = value(of: macro.name, use: use)
            result.entries.append(Expansion.Entry(name: macro.name, outcome: outcome))
            if let value {
                output.append(contentsOf: value.utf8)
            } else {
                output.append(contentsOf: bytes[index..<macro.end])
            }
            index = macro.end
        }
        result.url = String(decoding: output, as: UTF8.self)
        return result
    }

    /// Whether a sign stands in the URL that a macro may begin with.
    static func mayHoldMacros(_ url: String) -> Bool {
        url.utf8.contains(where: mayBeginMacro)
    }

    private static func mayBeginMacro(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "{")
    }

    private func value(of name: String, use: Use) -> (String?, Outcome) {
        switch name {
        case "TIMESTAMP": return (Self.encoded(timestamp.rfc3339), .filled)
        case "CACHEBUSTING": return (String(cacheBuster), .filled)
        case "ERRORCODE", "ERROR_CODE", "ERROR_MESSAGE":
            guard use != .request else { return (nil, .left) }
            guard let value = context[name] else {
                return use == .error ? (String(VASTErrorCode.undefined.rawValue), .filled) : (nil, .left)
            }
            return (Self.text(value), .filled)
        default: break
        }
        guard let place = MacroList.places[name] else {
            // A value that the caller set counts even where the list does not know the name.
            if let value = context[name] { return (Self.text(value), .filled) }
            return (nil, .left)
        }
        guard place.allows(use) else { return (nil, .left) }
        if context.withheld.contains(name) { return ("-2", .withheld) }
        guard let value = context[name] else { return ("-1", .unknown) }
        return (Self.text(value), .filled)
    }

    private static func text(_ value: MacroContext.Value) -> String {
        switch value {
        case .text(let text): encoded(text)
        case .list(let texts): texts.map(encoded).joined(separator: ",")
        case .number(let number): String(number)
        }
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986.
    static func encoded(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
            default: output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The macro that begins at `index`: capitals, digits and underscores between brackets, at most 40 of them.
    private func macro(in bytes: [UInt8], at index: Int) -> (name: String, end: Int)? {
        for (opening, closing) in acceptsVendorSpellings ? Self.spellings + Self.vendorSpellings : Self.spellings {
            guard Self.stands(opening, in: bytes, at: index) else { continue }
            let start = index + opening.count
            var end = start
            while end < bytes.count, end - start < 40, Self.isNameByte(bytes[end]) { end += 1 }
            guard end > start, Self.stands(closing, in: bytes, at: end) else { continue }
            return (String(decoding: bytes[start..<end], as: UTF8.self), end + closing.count)
        }
        return nil
    }

    /// Opening and closing signs; the brackets are met percent-encoded too.
    private static let spellings = [
        (Array("[".utf8), Array("]".utf8)), (Array("%5B".utf8), Array("%5D".utf8)),
        (Array("%5b".utf8), Array("%5d".utf8)),
    ]

    private static let vendorSpellings = [
        (Array("%%".utf8), Array("%%".utf8)), (Array("{".utf8), Array("}".utf8)),
    ]

    private static func stands(_ sign: [UInt8], in bytes: [UInt8], at index: Int) -> Bool {
        guard index + sign.count <= bytes.count else { return false }
        for offset in sign.indices where bytes[index + offset] != sign[offset] { return false }
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
}

extension MacroExpander.Expansion {
    /// Equal when the URL and what became of each macro are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.entries == right.entries
    }
}

/// Eight-digit random numbers without a call to the system for each: caches must be busted, nobody is kept from guessing.
private enum CacheBuster {
    private static let state = Lock(UInt64.random(in: .min ... .max))

    /// The next number (SplitMix64).
    static func next() -> Int {
        let mixed = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
        return 10_000_000 + Int(mixed % 90_000_000)
    }
}
