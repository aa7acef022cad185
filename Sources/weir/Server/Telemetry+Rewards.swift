internal import WeirGateway
internal import WeirStore
internal import WeirTelemetry
internal import WeirTime

/// The latest counts, shared with the metrics.
private final class Counted: Sendable {
    let latest = Lock(RewardCounts())
}

/// What is told about rewards.
final class RewardTelemetry: RewardObserver {
    /// The most lines a second about callbacks that were refused: whoever floods us must not flood the log.
    private static let linesPerSecond = 10

    private let logger: Logger
    private let clock: any GatewayClock
    private let callbacks: MetricFamily<Counter>
    private let grants: MetricFamily<Counter>
    private let deliveries: MetricFamily<Counter>
    private let overdue: MetricFamily<Counter>
    private let troubles: MetricFamily<Counter>
    private let counts = Counted()
    private let lines = Lock<(since: ContinuousClock.Instant?, count: Int)>((nil, 0))

    init(_ metrics: Metrics, logger: Logger, clock: any GatewayClock) {
        self.logger = logger
        self.clock = clock
        callbacks = metrics.counters(
            "weir_reward_callbacks_total",
            "Server-side verification callbacks by source, state and reason.",
            labels: ["source", "state", "reason"]
        )
        grants = metrics.counters("weir_reward_grants_total", "Rewards granted, by ad unit.", labels: ["ad_unit"])
        deliveries = metrics.counters(
            "weir_reward_deliveries_total",
            "Tries to tell the publisher of a reward, by outcome.",
            labels: ["outcome"]
        )
        overdue = metrics.counters(
            "weir_reward_overdue_total",
            "Views with a reward that were not called back in time, by network.",
            labels: ["network"]
        )
        troubles = metrics.counters(
            "weir_reward_trouble_total",
            "Rewards that could not be written or told at once.",
            labels: []
        )
        // An alert on its rise needs a sample to rise from.
        _ = troubles.with()
        metrics.observed("weir_reward_waiting", "Rewards and callbacks that wait.", labels: ["what"]) { [counts] in
            let counts = counts.latest.withLock { $0 }
            return [
                (["verification"], Double(counts.unverified)), (["delivery"], Double(counts.waiting)),
                (["dead"], Double(counts.dead)),
            ]
        }
    }

    func callback(_ source: String, state: String, reason: String?, detail: String?) {
        callbacks.with(source, state, reason ?? "").add()
        guard let event = event(state, reason), mayWrite() else { return }
        logger.warning(
            event,
            "A callback of \(source) is \(state)\(reason.map { ": " + $0 } ?? "").",
            ["source": .string(source), "reason": .string(reason), "detail": .string(detail)]
        )
    }

    /// `nil` for what is in order.
    private func event(_ state: String, _ reason: String?) -> String? {
        if reason == "conflict" { return "reward.conflict" }
        switch state {
        case "refused": return "reward.callback_refused"
        case "received": return "reward.callback_received"
        case "unattributable": return "reward.callback_unattributable"
        default: return nil
        }
    }

    func granted(_ grant: GrantRecord) {
        grants.with(grant.presentation.adUnit).add()
        logger.with(requestID: grant.presentation.view).info(
            "reward.granted",
            "A reward was granted.",
            ["transaction_id": .string(grant.id), "ad_unit": .string(grant.presentation.adUnit)]
        )
    }

    func delivery(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict) {
        let outcome: String =
            switch verdict {
            case .delivered: "delivered"
            case .again: "again"
            case .dead: "dead"
            }
        deliveries.with(outcome).add()
        guard verdict != .delivered, mayWrite() else { return }
        logger.log(
            verdict == .dead ? .error : .warning,
            verdict == .dead ? "reward.undeliverable" : "reward.delivery_failed",
            verdict == .dead
                ? "A reward could not be told to the publisher and is given up; see weir rewards --state dead."
                : "A reward could not be told to the publisher and is tried again.",
            [
                "transaction_id": .string(attempt.grant), "status": .int(attempt.status),
                "error": .string(attempt.error),
            ]
        )
    }

    func overdue(_ view: PresentationRecord) {
        overdue.with(view.network).add()
        guard mayWrite() else { return }
        logger.with(requestID: view.view).warning(
            "reward.overdue",
            "A view with a reward was not called back; check the callback's address in the console of \(view.network).",
            [
                "network": .string(view.network), "ad_unit": .string(view.adUnit),
                "placement": .string(view.placement),
            ]
        )
    }

    func counted(_ counts: RewardCounts) { self.counts.latest.withLock { $0 = counts } }

    func trouble(_ reason: String) {
        troubles.with().add()
        guard mayWrite() else { return }
        logger.error("reward.trouble", "Rewards are not written or told at once.", ["reason": .string(reason)])
    }

    private func mayWrite() -> Bool {
        lines.withLock { lines in
            let now = clock.now
            if lines.since.map({ $0.duration(to: now) >= .seconds(1) }) ?? true { lines = (now, 0) }
            lines.count += 1
            return lines.count <= Self.linesPerSecond
        }
    }
}
