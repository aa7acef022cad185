internal import WeirTime

/// The series of one metric: one instrument for each combination of label values.
///
/// Keep the handle that ``with(_:)`` answers wherever it is used often: it costs an atomic addition, finding it a lock.
package final class MetricFamily<Instrument: Sendable>: Sendable {
    /// The label value that stands for all combinations past the limit.
    package static var overflow: String { "other" }

    private let labels: [String]
    private let limit: Int
    private let make: @Sendable () -> Instrument
    private let series = Lock<[[String]: Instrument]>([:])

    init(labels: [String], limit: Int, make: @escaping @Sendable () -> Instrument) {
        self.labels = labels
        self.limit = limit
        self.make = make
    }

    /// The instrument of these label values, in the order of the labels.
    ///
    /// Values that come from outside may be endless, so after `limit` combinations every new one is counted under the
    /// value `other`.
    package func with(_ values: String...) -> Instrument { with(values) }

    /// The instrument of these label values, in the order of the labels.
    package func with(_ values: [String]) -> Instrument {
        precondition(values.count == labels.count, "A series needs one value for each label.")
        return series.withLock { series in
            if let known = series[values] { return known }
            let isFull = series.count >= limit
            let key = isFull ? labels.map { _ in Self.overflow } : values
            if let known = series[key] { return known }
            let new = make()
            series[key] = new
            return new
        }
    }

    /// Every series, in the order of their label values.
    var all: [(values: [String], instrument: Instrument)] {
        series.withLock { series in series.map { ($0.key, $0.value) } }
            .sorted { $0.values.lexicographicallyPrecedes($1.values) }
    }
}
