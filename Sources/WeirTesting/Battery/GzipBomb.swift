/// A gzip stream that unpacks to far more than it weighs (RFC 1951, fixed Huffman codes; RFC 1952 around it).
enum GzipBomb {
    /// What it unpacks to: blanks.
    static let unpackedBytes = 64 << 20

    /// The longest copy that one code can ask for.
    private static let longestCopy = 258

    /// The stream, some 420 KB.
    ///
    /// Its checksum is wrong: whoever reads that far has unpacked it all.
    static let bytes = pack()

    private static func pack() -> [UInt8] {
        var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        // The last block, of fixed codes; one blank as a literal; copies of 258 from one byte back; the end of the block.
        bits.write(0b011, count: 3)
        bits.writeCode(0x30 + 0x20, count: 8)
        for _ in 0..<unpackedBytes / longestCopy {
            bits.writeCode(0b1100_0101, count: 8)
            bits.writeCode(0, count: 5)
        }
        bits.writeCode(0, count: 7)
        return bits.finished() + [UInt8](repeating: 0, count: 8)
    }
}

/// Packs bits into bytes, the lowest first.
private struct BitWriter {
    private var bytes: [UInt8]
    private var current: UInt32 = 0
    private var filled: UInt32 = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        self.bytes.reserveCapacity(GzipBomb.unpackedBytes / 128)
    }

    /// Appends the lowest `count` bits, the lowest first.
    mutating func write(_ value: UInt32, count: UInt32) {
        current |= value << filled
        filled += count
        while filled >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: current))
            current >>= 8
            filled -= 8
        }
    }

    /// Appends a Huffman code, whose highest bit comes first.
    mutating func writeCode(_ code: UInt32, count: UInt32) {
        var reversed: UInt32 = 0
        for place in 0..<count where code & (1 << place) != 0 { reversed |= 1 << (count - 1 - place) }
        write(reversed, count: count)
    }

    func finished() -> [UInt8] { filled > 0 ? bytes + [UInt8(truncatingIfNeeded: current)] : bytes }
}
