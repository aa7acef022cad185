/// Cuts what a child writes into lines, none longer than a limit: the rest of a longer one is passed over.
struct LineSplitter: Sendable {
    /// A piece of the output.
    enum Piece: Sendable, Hashable {
        /// A whole line, without its end.
        case line([UInt8])
        /// The beginning of a line that is too long; comes once for each, as soon as that is known.
        case cut([UInt8])
    }

    private let limit: Int
    private let kept: Int
    private var rest: [UInt8] = []
    private var isSkipping = false

    /// Lines of at most `limit` bytes; of a longer one the first `kept` are told.
    init(limit: Int, kept: Int) {
        self.limit = limit
        self.kept = min(kept, limit)
    }

    /// Takes what came and answers the lines that are complete now.
    mutating func feed(_ bytes: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            take(bytes[start..<end], &pieces)
            if !isSkipping { pieces.append(.line(completed())) }
            isSkipping = false
            start = end + 1
        }
        take(bytes[start...], &pieces)
        return pieces
    }

    /// What stands behind the last line end, once nothing more comes.
    mutating func finish() -> [Piece] {
        defer { isSkipping = false }
        return rest.isEmpty ? [] : [.line(completed())]
    }

    private mutating func take(_ part: ArraySlice<UInt8>, _ pieces: inout [Piece]) {
        if isSkipping { return }
        guard rest.count + part.count > limit else {
            rest += part
            return
        }
        rest += part.prefix(max(0, kept - rest.count))
        pieces.append(.cut(Array(rest.prefix(kept))))
        rest = []
        isSkipping = true
    }

    private mutating func completed() -> [UInt8] {
        defer { rest = [] }
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        return rest
    }
}
