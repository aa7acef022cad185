/// One piece of a scanned text: a value or a key, with its place.
struct JSONToken {
    /// What the piece is.
    enum Kind: UInt8 {
        case object, array, key, string, number, literal
    }

    var kind: Kind

    /// The offset of its first byte.
    var start: Int32

    /// The offset after its last byte; of a container, after its closing bracket.
    var end: Int32

    /// How many members or elements a container has.
    var count: Int32 = 0

    var range: Range<Int> { Int(start)..<Int(end) }
}
