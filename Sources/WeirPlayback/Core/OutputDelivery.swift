/// Outputs on their way to a host: in order, one at a time, also when the host calls back in between.
///
/// To be kept under the lock of its owner, who carries outputs out after letting go of it:
///
/// ```swift
/// guard state.withLock({ $0.delivery.begin() }) else { return }
/// while let output = state.withLock({ $0.delivery.next() }) { carryOut(output) }
/// ```
struct OutputDelivery<Output> {
    private var waiting: [Output] = []
    private var isUnderWay = false

    mutating func add(_ outputs: [Output]) { waiting += outputs }

    /// Whether the caller is to carry out what waits; not while somebody does.
    mutating func begin() -> Bool {
        if isUnderWay { return false }
        isUnderWay = true
        return true
    }

    /// The next output; with `nil` the delivery is over.
    mutating func next() -> Output? {
        guard !waiting.isEmpty else {
            isUnderWay = false
            return nil
        }
        return waiting.removeFirst()
    }
}
