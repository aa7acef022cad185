/// Walks a text by the grammar of RFC 8259, accepts or refuses it, and remembers where everything stands.
///
/// json-c keeps no positions, rounds numbers, takes raw control characters, `NaN` and lone surrogates, and lets the last
/// of two equal keys win. This walk settles all of that before json-c sees the text. It is iterative: nesting costs
/// heap, not stack, and is bounded by the limits.
struct JSONScanner {
    let bytes: [UInt8]
    var offset = 0
    private let depth: Int
    private let values: Int
    private var valueCount = 0
    private var tokens: [JSONToken] = []
    private var open: [Int] = []

    private enum Expectation {
        case value, firstElement, firstKey, key, separator, nothing
    }

    /// The tokens of `bytes` in document order, the root first.
    static func scan(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> [JSONToken] {
        var scanner = JSONScanner(bytes: bytes, limits: limits)
        try scanner.checkWhole(limits)
        try scanner.run()
        return scanner.tokens
    }

    private init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        depth = min(limits.depth, JSONLimits.deepest)
        values = limits.values
        tokens.reserveCapacity(min(bytes.count / 8 + 4, 4096))
    }

    private func checkWhole(_ limits: JSONLimits) throws(JSONError) {
        guard bytes.count <= min(limits.bytes, Int(Int32.max) - 1) else {
            throw failure("The text has \(bytes.count) bytes; the limit is \(limits.bytes).", at: 0)
        }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw failure("The text is not valid UTF-8 here.", at: error.byteOffsets.lowerBound)
        }
    }

    private mutating func run() throws(JSONError) {
        // A byte order mark is no JSON, but RFC 8259, section 8.1, lets readers pass over it; editors leave it behind.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        var expected = Expectation.value
        while true {
            skipWhitespace()
            guard offset < bytes.count else {
                if expected == .nothing { return }
                throw endOfText()
            }
            expected = try step(bytes[offset], expected)
        }
    }

    private mutating func step(_ byte: UInt8, _ expected: Expectation) throws(JSONError) -> Expectation {
        switch expected {
        case .nothing: throw failure("Only one value is allowed; \(name(byte)) follows it.", at: offset)
        case .separator: return try separator(byte)
        case .firstElement where byte == UInt8(ascii: "]"), .firstKey where byte == UInt8(ascii: "}"): return close()
        case .firstKey, .key: return try key(byte)
        case .value, .firstElement: return try value(byte)
        }
    }

    private mutating func value(_ byte: UInt8) throws(JSONError) -> Expectation {
        if let container = open.last, tokens[container].kind == .array { tokens[container].count += 1 }
        valueCount += 1
        guard valueCount <= values else { throw failure("The text holds more than \(values) values.", at: offset) }
        switch byte {
        case UInt8(ascii: "{"): return try begin(.object)
        case UInt8(ascii: "["): return try begin(.array)
        case UInt8(ascii: "\""): append(.string, to: try stringEnd())
        case UInt8(ascii: "t"): append(.literal, to: try literalEnd("true"))
        case UInt8(ascii: "f"): append(.literal, to: try literalEnd("false"))
        case UInt8(ascii: "n"): append(.literal, to: try literalEnd("null"))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(.number, to: try endOfNumber())
        default: throw unexpected(byte)
        }
        return open.isEmpty ? .nothing : .separator
    }

    private mutating func begin(_ kind: JSONToken.Kind) throws(JSONError) -> Expectation {
        guard open.count < depth else {
            throw failure("Objects and arrays are nested deeper than \(depth) levels.", at: offset)
        }
        open.append(tokens.count)
        tokens.append(JSONToken(kind: kind, start: Int32(offset), end: Int32(offset)))
        offset += 1
        return kind == .object ? .firstKey : .firstElement
    }

    private mutating func close() -> Expectation {
        offset += 1
        if let container = open.popLast() { tokens[container].end = Int32(offset) }
        return open.isEmpty ? .nothing : .separator
    }

    private mutating func separator(_ byte: UInt8) throws(JSONError) -> Expectation {
        let inObject = open.last.map { tokens[$0].kind == .object } ?? false
        let closing = inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if byte == closing { return close() }
        guard byte == UInt8(ascii: ",") else {
            throw failure("A comma or `\(inObject ? "}" : "]")` was expected, not \(name(byte)).", at: offset)
        }
        let comma = offset
        offset += 1
        skipWhitespace()
        if offset < bytes.count, bytes[offset] == closing {
            throw failure("A comma stands before the closing `\(inObject ? "}" : "]")`.", at: comma)
        }
        return inObject ? .key : .value
    }

    private mutating func key(_ byte: UInt8) throws(JSONError) -> Expectation {
        guard byte == UInt8(ascii: "\"") else {
            throw failure("A key in double quotes was expected, not \(name(byte)).", at: offset)
        }
        append(.key, to: try stringEnd())
        if let container = open.last { tokens[container].count += 1 }
        skipWhitespace()
        guard offset < bytes.count else { throw endOfText() }
        guard bytes[offset] == UInt8(ascii: ":") else {
            throw failure("A colon was expected after the key, not \(name(bytes[offset])).", at: offset)
        }
        offset += 1
        return .value
    }

    private mutating func append(_ kind: JSONToken.Kind, to end: Int) {
        tokens.append(JSONToken(kind: kind, start: Int32(offset), end: Int32(end)))
        offset = end
    }

    private mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private func endOfText() -> JSONError {
        guard let container = open.last.map({ tokens[$0] }) else {
            return failure("The text is empty; a JSON value was expected.", at: bytes.count)
        }
        let line = JSONPosition(offset: Int(container.start), in: bytes).line
        let what = container.kind == .object ? "object" : "array"
        return failure("The text ends inside the \(what) that began on line \(line).", at: bytes.count)
    }
}
