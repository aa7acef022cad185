internal import WeirGateway
internal import WeirHTTP
internal import WeirJSON
internal import WeirMediation
internal import WeirModel
internal import WeirStore
internal import WeirTelemetry
internal import WeirTime

/// One thing that is wrong just now, in an operator's words.
struct Alarm: Equatable, Sendable {
    /// How bad it is.
    enum Severity: String, Sendable {
        /// Money or trust is being lost.
        case error
        /// It will be, if it stays so.
        case warning
    }

    /// What kind of thing, for scripts.
    enum Kind: String, CaseIterable, Sendable {
        case networkNotReady = "network_not_ready"
        case circuitOpen = "circuit_open"
        case configurationRejected = "configuration_rejected"
        case rewardOverdue = "reward_overdue"
        case rewardUndelivered = "reward_undelivered"
        case callbackUnverified = "callback_unverified"
        case storage
        case ratesStale = "rates_stale"
    }

    var kind: Kind
    var severity: Severity
    /// The network concerned, or the view of an overdue reward; `nil` when it is the whole gateway.
    var subject: String?
    /// What is wrong, one sentence.
    var message: String
    /// What to do, one sentence.
    var remedy: String?
    /// Since when, where that is known.
    var since: WallTime?
}

extension Alarm {
    /// Networks that cannot serve, and those that are left alone for a while.
    static func alarms(of snapshot: AdaptersSnapshot) -> [Alarm] {
        snapshot.adapters.flatMap { status -> [Alarm] in
            var alarms: [Alarm] = []
            let isWaitedFor = status.state == .starting && !snapshot.initialization.isComplete
            // Who is disabled by an operator's word has no remedy to offer, and is no alarm.
            let isWanted = status.state != .disabled || status.remedy != nil
            if !status.isReady, !isWaitedFor, isWanted {
                alarms.append(
                    Alarm(
                        kind: .networkNotReady,
                        severity: status.state == .starting ? .warning : .error,
                        subject: status.network.text,
                        message: status.description,
                        remedy: status.remedy,
                        since: status.startedAt
                    )
                )
            }
            if status.breaker.state != .closed {
                alarms.append(
                    Alarm(
                        kind: .circuitOpen,
                        severity: .warning,
                        subject: status.network.text,
                        message: "\(status.network.text): the breaker is \(status.breaker.state.rawValue); its lines "
                            + "are skipped until \(status.breaker.retryAt?.rfc3339 ?? "a probe has succeeded").",
                        remedy: "Look at its failed attempts; the breaker closes by itself after one good answer."
                    )
                )
            }
            return alarms
        }
    }

    /// A database that takes nothing, or whose file nobody can find any more.
    static func alarms(of store: StoreStatus) -> [Alarm] {
        var alarms: [Alarm] = []
        if let since = store.misplacedSince {
            alarms.append(
                Alarm(
                    kind: .storage,
                    severity: .error,
                    message: "The database's file was deleted or replaced while Weir runs: what is written now will be "
                        + "lost.",
                    remedy: "Put the file back where storage.url says, and restart Weir.",
                    since: since
                )
            )
        }
        if !store.isHealthy, let reason = store.lastError {
            alarms.append(
                Alarm(
                    kind: .storage,
                    severity: .error,
                    message: reason,
                    remedy: "Check disk and file; \(store.queued) decisions wait, and requests are served meanwhile.",
                    since: store.failingSince
                )
            )
        }
        return alarms
    }

    /// Rewards that somebody waits for in vain.
    static func alarms(
        of counts: RewardCounts,
        overdue: [OverdueView],
        after patience: Duration
    ) -> [Alarm] {
        var alarms = overdue.map { view in
            let who = view.presentation
            return Alarm(
                kind: .rewardOverdue,
                severity: .error,
                subject: who.view,
                message: "\(who.network) did not call back within \(patience.milliseconds / 1000) s of a view of "
                    + "\(who.adUnit), which promised \(who.amount) \(who.item).",
                remedy: "Check the callback address in the network's console and GET /v1/rewards?user=….",
                since: view.begunAt
            )
        }
        if counts.dead > 0 {
            alarms.append(
                Alarm(
                    kind: .rewardUndelivered,
                    severity: .error,
                    message: "\(counts.dead) granted rewards could not be told to the publisher.",
                    remedy: "Mend rewards.publisher_callback_url, then weir rewards redeliver ID."
                )
            )
        }
        if counts.unverified > 0 {
            alarms.append(
                Alarm(
                    kind: .callbackUnverified,
                    severity: .warning,
                    message: "\(counts.unverified) callbacks wait for the keys that verify them.",
                    remedy: "Check that the gateway reaches the keys_url of their networks; nothing is lost meanwhile."
                )
            )
        }
        return alarms
    }
}

extension Services {
    /// The most overdue views that are named one by one.
    private static let namedViews = 20

    /// `GET /v1/alarms`: everything that is wrong just now, the worst first.
    func alarms(_ call: RoutedCall) async -> ServerResponse {
        var alarms = Alarm.alarms(of: adapters.snapshot.redacted(by: redactor))
        if let refusal = configuration.refusal {
            alarms.append(
                Alarm(
                    kind: .configurationRejected,
                    severity: .warning,
                    message: "The last configuration was not taken over: \(redactor.redact(refusal.problem))",
                    remedy: "Correct the file and reload; the old configuration serves meanwhile.",
                    since: refusal.at
                )
            )
        }
        if let since = configuration.ratesStaleSince {
            alarms.append(
                Alarm(
                    kind: .ratesStale,
                    severity: .warning,
                    message: "The exchange rates are older than currency.max_age_ms; prices are converted by them all "
                        + "the same.",
                    remedy: "Write the rates of today to currency.file; they are taken over within two seconds.",
                    since: since
                )
            )
        }
        let storage = Alarm.alarms(of: store.status)
        alarms += storage
        do {
            let troubles = try await rewards.troubles(limit: Self.namedViews)
            alarms += Alarm.alarms(of: troubles.counts, overdue: troubles.overdue, after: rewards.alarmAfter)
        } catch {
            let alarm = Alarm(
                kind: .storage,
                severity: .error,
                message: error.description,
                remedy: "Check disk and file."
            )
            // One sentence on a disk is enough.
            if storage.isEmpty { alarms.append(alarm) }
        }
        return .json(Self.body(of: alarms))
    }

    private static func body(of alarms: [Alarm]) -> [UInt8] {
        let sorted = alarms.filter { $0.severity == .error } + alarms.filter { $0.severity == .warning }
        var json = JSONWriter(reserving: 64 + sorted.count * 256)
        json.object { json in
            json.array("alarms") { json in
                for alarm in sorted {
                    json.object { json in
                        json.member("kind", alarm.kind.rawValue)
                        json.member("severity", alarm.severity.rawValue)
                        json.member("subject", alarm.subject)
                        json.member("message", alarm.message)
                        json.member("remedy", alarm.remedy)
                        json.member("since", alarm.since?.rfc3339)
                    }
                }
            }
        }
        return json.bytes
    }
}
