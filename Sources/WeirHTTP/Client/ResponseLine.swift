/// The first line of a head.
enum ResponseLine {
    private static let start = Array("HTTP/".utf8)

    /// Whether `bytes` are the beginning of a status line, or too few to tell.
    static func mayBegin(with bytes: some Collection<UInt8>) -> Bool {
        zip(bytes, start).allSatisfy { $0 == $1 }
    }

    /// 0 or 1, later versions of HTTP/1 read as 1; `nil` for anything else than HTTP/1.
    static func minorVersion(_ line: UnsafeRawBufferPointer) -> Int? {
        // The collector has found three digits behind the blank.
        guard line.count > 8, line[5] == UInt8(ascii: "1"), line[6] == UInt8(ascii: "."), line[7].isDigit,
            line[8] == .space
        else { return nil }
        return line[7] == UInt8(ascii: "0") ? 0 : 1
    }
}
