internal import Glibc
internal import WeirTime

/// The kernel's random numbers, fetched many at a time: request ids need two for every call.
final class RandomBits: Sendable {
    /// getentropy(3) gives 256 bytes at most.
    private static let fetched = 32

    private let numbers = Lock<[UInt64]>([])

    /// 64 bits that nobody has seen before.
    func next() -> UInt64 {
        numbers.withLock { numbers in
            if numbers.isEmpty { numbers = Self.fetch() }
            return numbers.popLast() ?? .random(in: .min ... .max)
        }
    }

    private static func fetch() -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: fetched) { buffer, count in
            // What fails is simply not there.
            guard let start = buffer.baseAddress else { return }
            count = getentropy(start, fetched * MemoryLayout<UInt64>.size) == 0 ? fetched : 0
        }
    }
}
