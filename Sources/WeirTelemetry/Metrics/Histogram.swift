internal import Synchronization
internal import WeirTime

/// Counts observations by size, for quantiles over time and over many gateways.
package final class Histogram: Sendable {
    /// Bounds for latencies in seconds, from 1 ms to 10 s: what an ad request can take.
    package static let latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The upper bounds of the buckets, rising; one more bucket takes the rest.
    let bounds: [Double]

    private let buckets: [Counter]
    private let sumBits = Atomic<UInt64>(Double.zero.bitPattern)

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts `value`; NaN is no observation.
    package func observe(_ value: Double) {
        guard !value.isNaN else { return }
        buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].add()
        sumBits.add(value)
    }

    /// Counts a length of time, in seconds.
    package func observe(_ duration: Duration) { observe(Double(duration.microseconds) / 1_000_000) }

    /// How many observations there were.
    package var count: UInt64 { buckets.reduce(0) { $0 &+ $1.value } }

    /// The sum of all observations.
    package var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }

    /// For each bound, and for infinity, how many observations were not above it.
    var cumulative: [UInt64] {
        var total: UInt64 = 0
        return buckets.map { bucket in
            total &+= bucket.value
            return total
        }
    }
}
