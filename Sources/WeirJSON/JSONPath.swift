/// Where a value stands in its document: `waterfall[2].rate`.
///
/// A key that is not made of letters, digits, `_` and `-` is quoted: `headers["X:Y"]`. The root is the empty path.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    /// The path as written in messages.
    public let description: String

    /// The whole document.
    public static let root = JSONPath(description: "")

    private init(description: String) {
        self.description = description
    }

    /// Keys longer than this many Unicode scalars are cut in a path: a client's key must not fill our answer to it.
    public static let keyLength = 100

    /// The path of the member `key`.
    public func key(_ key: String) -> JSONPath {
        let isLong = key.utf8.count > Self.keyLength && key.unicodeScalars.count > Self.keyLength
        guard isPlain(key), !isLong else {
            var writer = JSONWriter()
            writer.string(isLong ? String(key.unicodeScalars.prefix(Self.keyLength)) + "…" : key)
            return JSONPath(description: description + "[" + writer.text + "]")
        }
        return JSONPath(description: description.isEmpty ? key : description + "." + key)
    }

    /// The path of the element at `index`.
    public func index(_ index: Int) -> JSONPath {
        JSONPath(description: description + "[\(index)]")
    }
}

private func isPlain(_ key: String) -> Bool {
    !key.isEmpty
        && key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: isDigit(byte)
            }
        }
}
