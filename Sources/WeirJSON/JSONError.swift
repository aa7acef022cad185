/// Why a text is not JSON that Weir reads.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the trouble begins.
    public var position: JSONPosition

    /// One sentence for a person.
    public var reason: String

    /// An error at a place.
    public init(position: JSONPosition, reason: String) {
        self.position = position
        self.reason = reason
    }

    /// Bytes before the trouble.
    public var offset: Int { position.offset }

    /// The line of the trouble, from 1.
    public var line: Int { position.line }

    /// The column of the trouble, from 1.
    public var column: Int { position.column }

    /// The place and the reason, `line 3, column 7: …`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}
