/// Looks at the lines of a head (or of a trailer section) as bytes arrive, before any parser sees them.
///
/// It finds the end, and refuses what the parser would let through or read otherwise than others do: lines that end in
/// a bare LF, a bare CR, control characters, folded lines, empty names, and a request line of the wrong shape. A line is
/// judged once, so a head that comes byte by byte costs no more than one that comes whole.
struct HeadScan {
    /// What the bytes so far amount to.
    enum Result: Hashable {
        case incomplete
        /// The section ends before this offset, its empty line included.
        case complete(Int)
        case refused(ProtocolFault)
    }

    /// Whether a request line comes first.
    let startsWithRequestLine: Bool
    /// Bytes of the first line with its end; 0 while it goes on.
    private(set) var firstLineBytes = 0
    private var lineStart = 0
    private var position = 0

    init(startsWithRequestLine: Bool) {
        self.startsWithRequestLine = startsWithRequestLine
    }

    private var hasLine: Bool { lineStart > 0 }

    /// Goes on where it stopped; `bytes` begins with the section's first byte every time.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Result {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .lineFeed { return .refused(fault) }
            if byte == .carriageReturn {
                if position + 1 == bytes.count { return .incomplete }
                guard bytes[position + 1] == .lineFeed else { return .refused(fault) }
                let line = UnsafeRawBufferPointer(rebasing: bytes[lineStart..<position])
                position += 2
                if line.isEmpty && hasLineOrNeedsNone { return .complete(position) }
                if let fault = judge(line) { return .refused(fault) }
                if lineStart == 0 { firstLineBytes = position }
                lineStart = position
                continue
            }
            if (byte < 32 && byte != .tab) || byte == 127 { return .refused(fault) }
            position += 1
        }
        return .incomplete
    }

    private var hasLineOrNeedsNone: Bool { hasLine || !startsWithRequestLine }

    private var fault: ProtocolFault { startsWithRequestLine && lineStart == 0 ? .badRequestLine : .badHeader }

    private func judge(_ line: UnsafeRawBufferPointer) -> ProtocolFault? {
        if startsWithRequestLine && lineStart == 0 { return Self.judgeRequestLine(line) }
        // A line that begins with white space would continue the one before it.
        guard let first = line.first, first != .space, first != .tab, first != .colon else { return .badHeader }
        return nil
    }

    /// Exactly two spaces, and a version that can be served.
    private static func judgeRequestLine(_ line: UnsafeRawBufferPointer) -> ProtocolFault? {
        guard let first = line.firstIndex(of: .space), let last = line.lastIndex(of: .space), first > 0,
            last > first + 1, !line[(first + 1)..<last].contains(.space)
        else { return .badRequestLine }
        let version = UnsafeRawBufferPointer(rebasing: line[(last + 1)...])
        guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == UInt8(ascii: ".") else {
            return .badRequestLine
        }
        let major = version[5]
        let minor = version[7]
        guard major.isDigit, minor.isDigit else { return .badRequestLine }
        return major == UInt8(ascii: "1") ? nil : .unknownVersion
    }
}

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")

    /// `0` to `9`.
    var isDigit: Bool { self &- 48 < 10 }
}
