import Testing

@testable import WeirHTTP

@Suite("Inflater")
struct InflaterTests {
    /// What comes out of `bytes` given in pieces of `size`.
    private func unfold(
        _ coding: Inflater.Coding,
        _ bytes: [UInt8],
        pieces size: Int = .max,
        limit: Int = .max
    ) -> (bytes: [UInt8], outcome: Inflater.Outcome) {
        let inflater = Inflater(coding)
        var result: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = size < bytes.count - start ? start + size : bytes.count
            let outcome = bytes[start..<end].withUnsafeBytes { piece in
                inflater.take(piece) { portion in
                    if portion.count > limit - result.count { return false }
                    result.append(contentsOf: portion)
                    return true
                }
            }
            if outcome != .taken { return (result, outcome) }
            start = end
        }
        return (result, .taken)
    }

    @Test("gzip and zlib come out as they went in, in pieces of any size", arguments: [1, 2, 3, 7, 1000, 1 << 20])
    func pieces(size: Int) {
        let plain = pattern(70_000)
        #expect(unfold(.gzip, Encodings.gzip(plain), pieces: size).bytes == plain)
        #expect(unfold(.deflate, Encodings.deflate(plain), pieces: size).bytes == plain)
        // Without the two bytes of zlib's head and the four of its sum: what some servers call deflate.
        let bare = Array(Encodings.deflate(plain).dropFirst(2).dropLast(4))
        #expect(unfold(.deflate, bare, pieces: size).bytes == plain)
        #expect(unfold(.gzip, Encodings.gzip([]), pieces: size).bytes.isEmpty)
    }

    @Test("a gzip file of several members comes out as one", arguments: [1, 2, 3, 19, 1000, 1 << 20])
    func members(size: Int) {
        let (first, second) = (pattern(70_000), pattern(300))
        let whole = Encodings.gzip(first) + Encodings.gzip([]) + Encodings.gzip(second)
        #expect(unfold(.gzip, whole, pieces: size).bytes == first + second)
        // Padding is no member; what looks like one and breaks off is wrong.
        #expect(unfold(.gzip, whole + [0, 0, 0x1F, 0x8B], pieces: size).bytes == first + second)
        #expect(unfold(.gzip, whole + [0x1F, 0x8B, 9, 9, 9], pieces: size).outcome == .bad)
        #expect(unfold(.deflate, Encodings.deflate(first) + Encodings.gzip(second), pieces: size).bytes == first)
    }

    @Test("what follows the end is left out")
    func tail() {
        let plain = pattern(100)
        #expect(unfold(.gzip, Encodings.gzip(plain) + [1, 2, 3]).bytes == plain)
        #expect(unfold(.gzip, Encodings.gzip(plain) + [1, 2, 3], pieces: 1).outcome == .taken)
    }

    @Test("bytes that are no such coding, or break off in their sum, are bad", arguments: [1, 1000])
    func bad(size: Int) {
        #expect(unfold(.gzip, Array("this is plain text".utf8), pieces: size).outcome == .bad)
        #expect(unfold(.deflate, Array("this is plain text".utf8), pieces: size).outcome == .bad)
        var wrongSum = Encodings.gzip(pattern(100))
        wrongSum[wrongSum.count - 6] ^= 1
        #expect(unfold(.gzip, wrongSum, pieces: size).outcome == .bad)
    }

    @Test("a bomb stops where its receiver wants no more")
    func bomb() {
        let result = unfold(.gzip, Encodings.gzipBomb(64 << 20), limit: 100_000)
        #expect(result.outcome == .stopped)
        #expect(result.bytes.count <= 100_000)
    }

    @Test("codings on top of each other are undone in turn")
    func layers() {
        let plain = pattern(5000)
        var decoder = BodyDecoder([.deflate, .gzip], maxBytes: 10_000)
        #expect(!decoder.isIdle && BodyDecoder().isIdle)
        var result: [UInt8] = []
        let outcome = Encodings.gzip(Encodings.deflate(plain)).withUnsafeBytes { bytes in
            decoder.take(bytes) { portion in
                result.append(contentsOf: portion)
                return true
            }
        }
        #expect(outcome == .taken && result == plain)
    }

    @Test("a layer that unfolds to more than the body may be is stopped, also when nothing comes out in the end")
    func emptyBomb() {
        let bomb = Encodings.gzipOfNothing(64 << 20)
        #expect(bomb.count < 500_000)
        var decoder = BodyDecoder([.gzip, .gzip], maxBytes: 1 << 20)
        var count = 0
        let outcome = bomb.withUnsafeBytes { bytes in
            decoder.take(bytes) { portion in
                count += portion.count
                return true
            }
        }
        #expect(outcome == .stopped && count == 0)
    }

    @Test("coded bytes that unfold to nothing end where the body would have to")
    func endless() {
        var decoder = BodyDecoder([.deflate], maxBytes: 100_000)
        let blocks = [UInt8](repeating: 0, count: 1000).flatMap { _ in [0, 0, 0, 0xff, 0xff] as [UInt8] }
        var outcome = Inflater.Outcome.taken
        var pieces = 0
        while outcome == .taken, pieces < 1000 {
            outcome = blocks.withUnsafeBytes { decoder.take($0) { _ in true } }
            pieces += 1
        }
        #expect(outcome == .stopped && pieces == 34)
    }
}
