internal import Synchronization

/// A number that goes up and down.
package final class Gauge: Sendable {
    private let bits = Atomic<UInt64>(Double.zero.bitPattern)

    init() {}

    /// Replaces the value.
    package func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Moves the value by `amount`.
    package func add(_ amount: Double) { bits.add(amount) }

    /// The value.
    package var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
}

extension Atomic where Value == UInt64 {
    /// Adds to the double whose bits this holds.
    func add(_ amount: Double) {
        var current = load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: current) + amount
            let (exchanged, original) = weakCompareExchange(
                expected: current,
                desired: sum.bitPattern,
                ordering: .relaxed
            )
            if exchanged { return }
            current = original
        }
    }
}
