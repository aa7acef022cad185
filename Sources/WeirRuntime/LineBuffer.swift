/// Bytes on their way from a pipe to whoever reads it, in pieces or in lines.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here there is no line end.
    private var searched = 0

    /// Bytes held.
    var count: Int { bytes.count - start }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// The next line without its LF (and without a CR before it); `nil` when none is complete.
    mutating func takeLine() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        var line = bytes[start..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let result = Array(line)
        start = end + 1
        searched = start
        compact()
        return result
    }

    /// Everything that is there.
    mutating func takeAll() -> [UInt8] {
        defer {
            bytes = []
            start = 0
            searched = 0
        }
        return Array(bytes[start...])
    }

    /// Moving the rest forward only when it is the smaller part keeps the cost of a line constant.
    private mutating func compact() {
        if start < 4096 || count > start { return }
        bytes.removeFirst(start)
        searched -= start
        start = 0
    }
}
