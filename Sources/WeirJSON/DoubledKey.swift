/// A key that an object holds more than once.
public struct DoubledKey: Hashable, Sendable {
    /// The path of the member.
    public var path: JSONPath

    /// Where the key stands again.
    public var position: JSONPosition

    /// Where it stood first.
    public var first: JSONPosition

    /// How many are looked for in one text.
    public static let limit = 100
}

extension DoubledKey {
    /// The doubled keys of a scanned text, in order of their second appearance.
    ///
    /// Paths are put together only for what is found, so a hostile text costs no more than its own size.
    static func all(in tokens: [JSONToken], of bytes: [UInt8], limit: Int = limit) -> [DoubledKey] {
        var found: [DoubledKey] = []
        var open: [Container] = []
        for token in tokens where found.count < limit {
            while let last = open.last, Int(token.start) >= last.end { open.removeLast() }
            if token.kind == .key, var object = open.popLast() {
                let key = unescaped(bytes[token.range])
                object.step = .key(key)
                let first = object.seen.updateValue(token.start, forKey: key)
                open.append(object)
                if let first {
                    found.append(DoubledKey(open, at: token.start, first: first, in: bytes))
                }
            } else {
                if let last = open.indices.last { open[last].advance() }
                if token.kind == .object || token.kind == .array {
                    open.append(Container(end: Int(token.end), step: token.kind == .array ? .index(-1) : .none))
                }
            }
        }
        return found
    }

    private init(_ open: [Container], at start: Int32, first: Int32, in bytes: [UInt8]) {
        path = open.reduce(.root) { path, container in
            switch container.step {
            case .none: path
            case .key(let key): path.key(key)
            case .index(let index): path.index(index)
            }
        }
        position = JSONPosition(offset: Int(start), in: bytes)
        self.first = JSONPosition(offset: Int(first), in: bytes)
    }
}

/// A container that the walk is inside of, and its member or element at hand.
private struct Container {
    enum Step {
        case none, key(String), index(Int)
    }

    let end: Int
    var step: Step
    var seen: [String: Int32] = [:]

    mutating func advance() {
        if case .index(let index) = step { step = .index(index + 1) }
    }
}

/// The text of a scanned string token, its quotes and escapes undone.
func unescaped(_ token: ArraySlice<UInt8>) -> String {
    let inner = token.dropFirst().dropLast()
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = Substring(decoding: inner, as: UTF8.self).unicodeScalars
    while let scalar = rest.popFirst() {
        guard scalar == "\\", let escape = rest.popFirst() else {
            units += Array(String(scalar).utf16)
            continue
        }
        switch escape {
        case "b": units.append(8)
        case "f": units.append(12)
        case "n": units.append(10)
        case "r": units.append(13)
        case "t": units.append(9)
        case "u":
            units.append(UInt16(String(String.UnicodeScalarView(rest.prefix(4))), radix: 16) ?? 0xFFFD)
            rest = rest.dropFirst(4)
        default: units += Array(String(escape).utf16)
        }
    }
    return String(decoding: units, as: UTF16.self)
}
