/// JSON with comments, as configuration files are written.
public enum JSONComments {
    /// The text with every `//` and `/* */` comment turned into spaces, so that every other byte keeps its place.
    ///
    /// Line breaks stay. What looks like a comment inside a string is part of the string.
    ///
    /// - Throws: `JSONError` when a `/*` is never closed.
    public static func blank(_ bytes: [UInt8]) throws(JSONError) -> [UInt8] {
        var result = bytes
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = stringEnd(bytes, from: index)
            case UInt8(ascii: "/"):
                let end = try commentEnd(bytes, from: index)
                for place in index..<end where bytes[place] != 0x0A && bytes[place] != 0x0D { result[place] = 0x20 }
                index = max(end, index + 1)
            default: index += 1
            }
        }
        return result
    }

    /// The offset after the string; an unclosed one ends with its line, so that its complaint names that line.
    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            case 0x0A: return index
            default: index += 1
            }
        }
        return bytes.count
    }

    /// The offset after the comment at `start`; `start` itself when a lone slash stands there.
    private static func commentEnd(_ bytes: [UInt8], from start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { return start }
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            return bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        case UInt8(ascii: "*"):
            var index = start + 2
            while index + 1 < bytes.count {
                if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
                index += 1
            }
            throw JSONError(
                position: JSONPosition(offset: start, in: bytes),
                reason: "The comment that begins here is never closed."
            )
        default: return start
        }
    }
}
