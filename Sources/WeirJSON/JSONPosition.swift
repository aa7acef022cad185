/// A place in a text.
public struct JSONPosition: Hashable, Sendable {
    /// Bytes before the place.
    public var offset: Int

    /// The line, from 1.
    public var line: Int

    /// The column in characters (Unicode scalars), from 1.
    public var column: Int

    /// A place whose numbers are known.
    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The place `offset` bytes into `bytes`; an offset past the end counts as the end.
    public init(offset: Int, in bytes: [UInt8]) {
        let end = min(max(0, offset), bytes.count)
        let prefix = bytes[..<end]
        let lineStart = prefix.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        self.offset = end
        line = prefix.reduce(into: 1) { count, byte in if byte == 0x0A { count += 1 } }
        column = bytes[lineStart..<end].reduce(into: 1) { count, byte in if byte & 0xC0 != 0x80 { count += 1 } }
    }
}
