internal import Synchronization

/// A number that only grows, until the process ends.
package final class Counter: Sendable {
    private let total = Atomic<UInt64>(0)

    init() {}

    /// Adds `amount`, which is not negative; less than zero adds nothing.
    package func add(_ amount: Int = 1) {
        guard amount > 0 else { return }
        total.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// The total.
    package var value: UInt64 { total.load(ordering: .relaxed) }
}
