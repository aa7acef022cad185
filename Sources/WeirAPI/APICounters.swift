internal import WeirGateway
internal import WeirModel
package import WeirTelemetry
internal import WeirTime

/// What the doors count.
package struct APICounters: Sendable {
    private let requests: MetricFamily<Counter>
    private let requestDuration: MetricFamily<Histogram>
    private let http: MetricFamily<Counter>
    private let httpDuration: Histogram
    private let attempts: MetricFamily<Counter>
    private let attemptDuration: MetricFamily<Histogram>
    private let received: MetricFamily<Counter>
    private let known = KnownAnswers()

    /// Registers everything with `metrics`.
    package init(_ metrics: Metrics) {
        requests = metrics.counters(
            "weir_requests_total",
            "Ad requests by placement and result.",
            labels: ["placement", "result"]
        )
        requestDuration = metrics.histograms(
            "weir_request_duration_seconds",
            "Time from an ad request's arrival to its answer.",
            labels: ["format"]
        )
        http = metrics.counters(
            "weir_http_responses_total",
            "HTTP answers by route and status.",
            labels: ["route", "status"]
        )
        httpDuration = metrics.histogram(
            "weir_http_duration_seconds",
            "Time from an HTTP request's last byte to its answer's head."
        )
        attempts = metrics.counters(
            "weir_attempts_total",
            "What became of line items, by network, result and reason.",
            labels: ["network", "result", "reason"]
        )
        attemptDuration = metrics.histograms(
            "weir_attempt_duration_seconds",
            "How long networks took, for line items that were asked.",
            labels: ["network"]
        )
        received = metrics.counters(
            "weir_beacons_received_total",
            "Weir's own beacons that players called, by event.",
            labels: ["event"]
        )
    }

    func answered(path: String, status: Int, duration: Duration) {
        known.of(path, status, make: { http.with(path, String(status)) }).add()
        httpDuration.observe(duration)
    }

    func served(_ response: AdResponse) {
        requests.with(response.placement.text, response.result.rawValue).add()
        requestDuration.with(response.adUnit.format.rawValue).observe(response.latency)
        for attempt in response.attempts {
            attempts.with(
                attempt.network.text,
                attempt.outcome.result.rawValue,
                attempt.outcome.reason.rawValue
            ).add()
            if attempt.start != nil { attemptDuration.with(attempt.network.text).observe(attempt.latency) }
        }
    }

    func beaconReceived(_ event: String) {
        received.with(event).add()
    }
}

/// The counters of answers given before, found without spelling their labels out again.
private final class KnownAnswers: Sendable {
    private struct Key: Hashable {
        var path: String
        var status: Int
    }

    // Paths are those of the routes, so this does not grow without end.
    private let counters = Lock<[Key: Counter]>([:])

    func of(_ path: String, _ status: Int, make: () -> Counter) -> Counter {
        counters.withLock { counters in
            let key = Key(path: path, status: status)
            if let known = counters[key] { return known }
            let new = make()
            counters[key] = new
            return new
        }
    }
}
