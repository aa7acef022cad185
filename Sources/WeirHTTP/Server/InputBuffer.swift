/// Bytes that came before they could be read: the beginning of a head, or further requests.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// Shows what is there to `body`, which says how many bytes it took.
    mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) {
        start += bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if start >= bytes.count {
            removeAll()
        } else if start > 16384 {
            bytes.removeFirst(start)
            start = 0
        }
    }

    mutating func removeAll() {
        // What was large once need not stay.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 16384)
        start = 0
    }
}
