/// Encoders small enough to be written by hand, for bodies in tests.
enum Encodings {
    /// Bits in the order of RFC 1951: least significant first.
    private struct BitWriter {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func put(_ value: Int, _ count: Int) {
            for place in 0..<count {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                if value >> place & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(used) }
                used += 1
            }
        }

        /// Huffman codes go the other way round.
        mutating func putReversed(_ value: Int, _ count: Int) {
            for place in (0..<count).reversed() { put(value >> place & 1, 1) }
        }

        mutating func align() { used = 8 }
    }

    /// gzip (RFC 1952) with stored blocks.
    static func gzip(_ data: [UInt8]) -> [UInt8] {
        gzipHead + stored(data) + littleEndian(crc32(data)) + littleEndian(UInt32(data.count))
    }

    /// zlib's format (RFC 1950), which HTTP calls deflate.
    static func deflate(_ data: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + stored(data) + littleEndian(adler32(data)).reversed()
    }

    /// gzip that unfolds into `count` zeros, a thousandfold.
    static func gzipBomb(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.put(1, 1)
        bits.put(1, 2)  // fixed codes
        bits.putReversed(0x30, 8)  // the literal 0
        for _ in 0..<(count / 258) {
            bits.putReversed(0xc5, 8)  // length 258 …
            bits.putReversed(0, 5)  // … from one byte back
        }
        bits.putReversed(0, 7)
        return gzipHead + bits.bytes + [0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// gzip that unfolds, a thousandfold, into gzip of `count` bytes that unfolds into nothing.
    static func gzipOfNothing(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.put(1, 1)
        bits.put(1, 2)
        // An empty stored block, over and over.
        for byte in gzipHead + [0, 0, 0, 0xff, 0xff] {
            if byte < 144 {
                bits.putReversed(0x30 + Int(byte), 8)
            } else {
                bits.putReversed(0x190 + Int(byte) - 144, 9)
            }
        }
        for _ in 0..<(count / 258) {
            bits.putReversed(0xc5, 8)  // length 258 …
            bits.putReversed(4, 5)  // … from five bytes back
            bits.put(0, 1)
        }
        bits.putReversed(0, 7)
        return gzipHead + bits.bytes + [0, 0, 0, 0, 0, 0, 0, 0]
    }

    private static let gzipHead: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + 65535, data.count)
            let length = UInt16(end - start)
            result.append(end == data.count ? 1 : 0)
            result += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            result += data[start..<end]
            start = end
        } while start < data.count
        return result
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }

    private static func crc32(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }

    private static func adler32(_ data: [UInt8]) -> UInt32 {
        let sums = data.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        return sums.1 << 16 | sums.0
    }
}
