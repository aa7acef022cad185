internal import WeirTime

/// All metrics of the process, and their Prometheus exposition.
///
/// The composition root makes one and hands it out; each room registers what it counts once, at start, and keeps the
/// handles. A wrong or doubled name is a programming error and traps at start.
package final class Metrics: Sendable {
    /// How many series one family may have unless registered otherwise.
    package static let seriesLimit = 1000

    /// The Content-Type of ``exposition()``.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private struct Registered {
        let name: String
        let write: @Sendable (inout ExpositionWriter) -> Void
    }

    private let registered = Lock<[Registered]>([])

    /// No metrics yet.
    package init() {}

    /// Registers a counter; its name ends in `_total`.
    package func counter(_ name: String, _ help: String) -> Counter {
        counters(name, help, labels: []).with([])
    }

    /// Registers counters that differ by labels; their name ends in `_total`.
    package func counters(
        _ name: String,
        _ help: String,
        labels: [String],
        limit: Int = seriesLimit
    ) -> MetricFamily<Counter> {
        precondition(name.hasSuffix("_total"), "A counter's name ends in _total.")
        let family = MetricFamily(labels: labels, limit: limit) { Counter() }
        register(name, help, labels) { exposition in
            exposition.header(name, help, type: "counter")
            for (values, counter) in family.all { exposition.sample(name, labels, values, String(counter.value)) }
        }
        return family
    }

    /// Registers a gauge.
    package func gauge(_ name: String, _ help: String) -> Gauge {
        gauges(name, help, labels: []).with([])
    }

    /// Registers gauges that differ by labels.
    package func gauges(
        _ name: String,
        _ help: String,
        labels: [String],
        limit: Int = seriesLimit
    ) -> MetricFamily<Gauge> {
        let family = MetricFamily(labels: labels, limit: limit) { Gauge() }
        register(name, help, labels) { exposition in
            exposition.header(name, help, type: "gauge")
            for (values, gauge) in family.all { exposition.sample(name, labels, values, text(gauge.value)) }
        }
        return family
    }

    /// Registers a histogram with rising upper bounds.
    package func histogram(_ name: String, _ help: String, bounds: [Double] = Histogram.latencyBounds) -> Histogram {
        histograms(name, help, labels: [], bounds: bounds).with([])
    }

    /// Registers histograms that differ by labels.
    package func histograms(
        _ name: String,
        _ help: String,
        labels: [String],
        bounds: [Double] = Histogram.latencyBounds,
        limit: Int = seriesLimit
    ) -> MetricFamily<Histogram> {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "The bounds of a histogram rise.")
        precondition(bounds.allSatisfy(\.isFinite), "The last bucket is infinite by itself.")
        let family = MetricFamily(labels: labels, limit: limit) { Histogram(bounds: bounds) }
        register(name, help, labels) { exposition in
            exposition.header(name, help, type: "histogram")
            for (values, histogram) in family.all { exposition.histogram(name, labels, values, histogram) }
        }
        return family
    }

    /// Registers values that are read when the metrics are asked for: each row is label values and a number.
    ///
    /// A name that ends in `_total` is a counter, any other a gauge. `read` must not block.
    package func observed(
        _ name: String,
        _ help: String,
        labels: [String] = [],
        read: @escaping @Sendable () -> [(values: [String], number: Double)]
    ) {
        let type = name.hasSuffix("_total") ? "counter" : "gauge"
        register(name, help, labels) { exposition in
            exposition.header(name, help, type: type)
            for row in read() where row.values.count == labels.count {
                exposition.sample(name, labels, row.values, text(row.number))
            }
        }
    }

    /// Everything, in the Prometheus text format 0.0.4.
    package func exposition() -> [UInt8] {
        let metrics = registered.withLock { $0 }
        var writer = ExpositionWriter()
        for metric in metrics { metric.write(&writer) }
        return writer.bytes
    }

    private func register(
        _ name: String,
        _ help: String,
        _ labels: [String],
        _ write: @escaping @Sendable (inout ExpositionWriter) -> Void
    ) {
        precondition(MetricName.isMetric(name), "\(name) is no name for a metric.")
        precondition(!help.isEmpty, "\(name) needs a sentence of help.")
        precondition(labels.allSatisfy(MetricName.isLabel), "\(name) has a label with a bad name.")
        precondition(Set(labels).count == labels.count, "\(name) has a doubled label.")
        registered.withLock { registered in
            precondition(!registered.contains { $0.name == name }, "\(name) is registered twice.")
            let place = registered.firstIndex { $0.name > name } ?? registered.count
            registered.insert(Registered(name: name, write: write), at: place)
        }
    }
}

private func text(_ value: Double) -> String { ExpositionWriter.text(value) }
