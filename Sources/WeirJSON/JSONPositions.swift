/// Where every value and key of a text stands, and which keys stand there twice.
///
/// For readers that must point at a line: configuration and its diagnostics. It keeps the path of every value, so it is
/// meant for documents that an operator wrote, not for bodies from the network.
public struct JSONPositions: Sendable {
    /// The doubled keys, in order of their second appearance.
    public let doubledKeys: [DoubledKey]

    private var values: [JSONPath: Int] = [:]
    private var keys: [JSONPath: Int] = [:]
    private let lines: LineIndex

    /// Walks `bytes`, accepting doubled keys.
    ///
    /// - Throws: `JSONError` when the text is no JSON or exceeds `limits`.
    public init(scanning bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        let tokens = try JSONScanner.scan(bytes, limits: limits)
        doubledKeys = DoubledKey.all(in: tokens, of: bytes)
        lines = LineIndex(bytes)
        var next = 0
        place(.root, tokens, &next, bytes)
    }

    /// Where the value at `path` begins; the first one when its key is doubled.
    public func value(at path: JSONPath) -> JSONPosition? { values[path].map(lines.position) }

    /// Where the key of the member at `path` stands; for elements and the root, where the value begins.
    public func key(at path: JSONPath) -> JSONPosition? { (keys[path] ?? values[path]).map(lines.position) }

    /// Notes the value whose token is the next one.
    ///
    /// The recursion is as deep as the text, which the scan bounded.
    private mutating func place(_ path: JSONPath, _ tokens: [JSONToken], _ next: inout Int, _ bytes: [UInt8]) {
        let token = tokens[next]
        next += 1
        if values[path] == nil { values[path] = token.range.lowerBound }
        switch token.kind {
        case .array:
            for index in 0..<Int(token.count) { place(path.index(index), tokens, &next, bytes) }
        case .object:
            for _ in 0..<Int(token.count) {
                let key = tokens[next]
                next += 1
                let member = path.key(unescaped(bytes[key.range]))
                if keys[member] == nil { keys[member] = key.range.lowerBound }
                place(member, tokens, &next, bytes)
            }
        case .key, .string, .number, .literal: break
        }
    }
}

/// Where the lines of a text begin, so that many places are found without walking it again.
private struct LineIndex: Sendable {
    private let starts: [Int]
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    func position(_ offset: Int) -> JSONPosition {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let column = bytes[starts[low]..<offset].reduce(into: 1) { count, byte in if byte & 0xC0 != 0x80 { count += 1 }
        }
        return JSONPosition(offset: offset, line: low + 1, column: column)
    }
}
