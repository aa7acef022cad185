import Testing
import WeirTelemetry

@Suite("Metrics")
struct MetricsTests {
    private let metrics = Metrics()

    private var text: String { String(decoding: metrics.exposition(), as: UTF8.self) }

    @Test("counters, gauges and observed values are written with help and type, sorted by name")
    func exposition() {
        let requests = metrics.counters("weir_requests_total", "Ad requests.", labels: ["placement", "result"])
        requests.with("pre", "fill").add()
        requests.with("pre", "fill").add(2)
        requests.with("mid", "no_fill").add()
        requests.with("mid", "no_fill").add(-5)
        metrics.gauge("weir_connections", "Open connections.").set(2.5)
        metrics.observed("weir_store_lost_total", "Lost decisions.") { [([], 7)] }
        metrics.observed("weir_adapter_ready", "1 when ready.", labels: ["network"]) { [(["gam"], 1), ([], 9)] }
        let expected = """
            # HELP weir_adapter_ready 1 when ready.
            # TYPE weir_adapter_ready gauge
            weir_adapter_ready{network="gam"} 1
            # HELP weir_connections Open connections.
            # TYPE weir_connections gauge
            weir_connections 2.5
            # HELP weir_requests_total Ad requests.
            # TYPE weir_requests_total counter
            weir_requests_total{placement="mid",result="no_fill"} 1
            weir_requests_total{placement="pre",result="fill"} 3
            # HELP weir_store_lost_total Lost decisions.
            # TYPE weir_store_lost_total counter
            weir_store_lost_total 7

            """
        #expect(text == expected)
    }

    @Test("a histogram's buckets add up to its count")
    func histogram() {
        let latency = metrics.histograms("weir_latency_seconds", "Latency.", labels: ["network"], bounds: [0.1, 1])
        let gam = latency.with("gam")
        gam.observe(0.1)
        gam.observe(.milliseconds(500))
        gam.observe(7)
        gam.observe(.nan)
        let expected = """
            # HELP weir_latency_seconds Latency.
            # TYPE weir_latency_seconds histogram
            weir_latency_seconds_bucket{network="gam",le="0.1"} 1
            weir_latency_seconds_bucket{network="gam",le="1"} 2
            weir_latency_seconds_bucket{network="gam",le="+Inf"} 3
            weir_latency_seconds_sum{network="gam"} 7.6
            weir_latency_seconds_count{network="gam"} 3

            """
        #expect(text == expected)
    }

    @Test("label values and help are escaped")
    func escaping() {
        metrics.counters("weir_x_total", "A \\ and\na break.", labels: ["l"]).with("a\"b\\c\nd é").add()
        #expect(text.contains("# HELP weir_x_total A \\\\ and\\na break.\n"))
        #expect(text.contains("weir_x_total{l=\"a\\\"b\\\\c\\nd é\"} 1\n"))
    }

    @Test("past its limit a family counts new label values as other")
    func cardinality() {
        let family = metrics.counters("weir_c_total", "Many.", labels: ["a", "b"], limit: 3)
        for number in 0..<100 { family.with("\(number)", "x").add() }
        family.with("0", "x").add()
        #expect(text.split(separator: "\n").count == 2 + 4)
        #expect(text.contains("weir_c_total{a=\"other\",b=\"other\"} 97\n"))
        #expect(text.contains("weir_c_total{a=\"0\",b=\"x\"} 2\n"))
    }

    @Test("no increment is lost between threads")
    func concurrency() async {
        let counter = metrics.counter("weir_n_total", "N.")
        let gauge = metrics.gauge("weir_g", "G.")
        let histogram = metrics.histogram("weir_h_seconds", "H.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2000 {
                        counter.add()
                        gauge.add(0.5)
                        histogram.observe(0.25)
                    }
                }
            }
        }
        #expect(counter.value == 16_000)
        #expect(gauge.value == 8000)
        #expect(histogram.count == 16_000)
        #expect(histogram.sum == 4000)
    }

    @Test("special numbers are spelled as the format wants them")
    func numbers() {
        let rows: [(values: [String], number: Double)] = [
            (["a"], .infinity), (["b"], -.infinity), (["c"], .nan), (["d"], 1e300), (["e"], -3), (["f"], 0.001),
        ]
        metrics.observed("weir_v", "V.", labels: ["l"]) { rows }
        let numbers = text.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ").last }
        #expect(numbers == ["+Inf", "-Inf", "NaN", "1e+300", "-3", "0.001"])
    }

    @Test("a bad or doubled name traps where it is registered")
    func names() async {
        await #expect(processExitsWith: .failure) { _ = Metrics().counter("weir_requests", "No suffix.") }
        await #expect(processExitsWith: .failure) { _ = Metrics().gauge("weir-dash", "Bad name.") }
        await #expect(processExitsWith: .failure) { _ = Metrics().gauges("weir_g", "Bad label.", labels: ["le"]) }
        await #expect(processExitsWith: .failure) {
            let metrics = Metrics()
            _ = metrics.gauge("weir_g", "Once.")
            _ = metrics.gauge("weir_g", "Twice.")
        }
    }
}
