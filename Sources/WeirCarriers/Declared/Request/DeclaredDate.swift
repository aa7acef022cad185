internal import WeirTime

/// How an instant is written: `iso`, `unix`, `unix_ms`, or a pattern of `%Y %m %d %H %M %S`, in UTC.
enum DeclaredDate: Sendable, Hashable {
    case iso
    case unix
    case unixMilliseconds
    /// Literal bytes, and the parts of the date between them.
    case pattern([Piece])

    enum Piece: Sendable, Hashable {
        case literal(String)
        /// A range of ``WeirTime/WallTime/rfc3339``.
        case digits(Range<Int>)
    }

    /// Reads the argument of the filter `date`.
    init(_ format: String) throws(DeclaredFilter.Unreadable) {
        switch format {
        case "iso": self = .iso
        case "unix": self = .unix
        case "unix_ms": self = .unixMilliseconds
        default: self = .pattern(try Self.pieces(format))
        }
    }

    private static func pieces(_ format: String) throws(DeclaredFilter.Unreadable) -> [Piece] {
        guard format.contains("%") else {
            throw DeclaredFilter.Unreadable(
                message: "gives date the unknown format \"\(format.prefix(40))\".",
                hint: "Write iso, unix, unix_ms, or a pattern such as %Y-%m-%d."
            )
        }
        var pieces: [Piece] = []
        var rest = Substring(format)
        while let mark = rest.firstIndex(of: "%") {
            if mark > rest.startIndex { pieces.append(.literal(String(rest[..<mark]))) }
            rest = rest[rest.index(after: mark)...]
            // Where each part stands in 2026-01-31T08:09:10.250Z.
            let range: Range<Int>
            switch rest.popFirst() {
            case "Y": range = 0..<4
            case "m": range = 5..<7
            case "d": range = 8..<10
            case "H": range = 11..<13
            case "M": range = 14..<16
            case "S": range = 17..<19
            case let other:
                let letter = other.map { "%\($0)" } ?? "%"
                throw DeclaredFilter.Unreadable(
                    message: "gives date the unknown part \"\(letter)\".",
                    hint: "Known: %Y, %m, %d, %H, %M, %S."
                )
            }
            pieces.append(.digits(range))
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        return pieces
    }

    /// An instant as text.
    func text(_ milliseconds: Int64) -> String {
        switch self {
        case .iso: return WallTime(milliseconds: milliseconds).rfc3339
        case .unix: return String(milliseconds / 1000)
        case .unixMilliseconds: return String(milliseconds)
        case .pattern(let pieces):
            let whole = Array(WallTime(milliseconds: milliseconds).rfc3339.utf8)
            // Years of more than four digits stand elsewhere; nobody asks for an ad then.
            guard whole.count == 24 else { return "" }
            return pieces.map { piece in
                switch piece {
                case .literal(let text): text
                case .digits(let range): String(decoding: whole[range], as: UTF8.self)
                }
            }
            .joined()
        }
    }
}
