internal import WeirModel
internal import WeirTime

/// Goes through the rules for one line item until one says no.
struct LineExamination {
    /// The rules in their order: what the operator decided, what the person allows, whom it is for, what it pays, and
    /// last what changes from one moment to the next.
    enum Rule: String, CaseIterable {
        case enabled
        case format
        case consent
        case targeting
        case floor
        case readiness
        case cap
        case pacing
        case breaker
        case load

        static let inOrder = allCases
    }

    /// What a rule says.
    enum Verdict {
        case pass(String)
        case refuse(Reason, String)
    }

    let item: LineItem
    let adUnit: AdUnit
    let request: AdRequest
    let facts: PlanFacts
    let prices: PriceRule
    let network: NetworkFacts?
    let explains: Bool

    /// The first refusal, and what was found on the way there.
    func run() -> (skip: AttemptOutcome?, findings: [WaterfallPlan.Finding]) {
        guard let network else {
            let sentence = "The configuration has no network called \(item.network)."
            return (
                AttemptOutcome(.skipped, .disabled, sentence),
                explains ? [finding(.enabled, isPassed: false, sentence)] : []
            )
        }
        var findings: [WaterfallPlan.Finding] = []
        for rule in Rule.inOrder {
            switch verdict(rule, network) {
            case .pass(let sentence):
                if explains { findings.append(finding(rule, isPassed: true, sentence)) }
            case .refuse(let reason, let sentence):
                if explains { findings.append(finding(rule, isPassed: false, sentence)) }
                return (AttemptOutcome(.skipped, reason, sentence), findings)
            }
        }
        return (nil, findings)
    }

    private func finding(_ rule: Rule, isPassed: Bool, _ sentence: String) -> WaterfallPlan.Finding {
        WaterfallPlan.Finding(rule: rule.rawValue, isPassed: isPassed, sentence: sentence)
    }

    /// A yes; its sentence is made only for somebody who reads it.
    private func pass(_ sentence: @autoclosure () -> String) -> Verdict { .pass(explains ? sentence() : "") }

    private func verdict(_ rule: Rule, _ network: NetworkFacts) -> Verdict {
        switch rule {
        case .enabled: enabled(network)
        case .format: format(network)
        case .consent: consent()
        case .targeting: targeting()
        case .floor: floor()
        case .readiness: readiness(network)
        case .cap: cap()
        case .pacing: pacing()
        case .breaker: breaker(network)
        case .load: load(network)
        }
    }
}

// MARK: Rules that look at the configuration and the request

extension LineExamination {
    private func enabled(_ network: NetworkFacts) -> Verdict {
        guard item.isEnabled else {
            return .refuse(.disabled, "\(item.id) is disabled in the configuration (enabled: false).")
        }
        if let why = network.unavailability { return .refuse(why.reason, why.sentence(about: item.network)) }
        return pass("\(item.id) and \(item.network) are enabled.")
    }

    private func format(_ network: NetworkFacts) -> Verdict {
        guard network.formats.contains(adUnit.format) else {
            let formats = network.formats.map(\.rawValue).sorted().joined(separator: ", ")
            return .refuse(
                .format,
                "\(adUnit.id) is \(adUnit.format.rawValue), the adapter \(network.adapter) loads \(formats) only."
            )
        }
        return pass("the adapter \(network.adapter) loads \(adUnit.format.rawValue).")
    }

    private func consent() -> Verdict {
        guard item.requiresConsent else { return pass("\(item.id) needs no consent.") }
        guard request.consent?.gdpr == true else { return pass("\(item.id) needs consent under the GDPR only.") }
        guard let tcf = request.consent?.tcf, !tcf.isEmpty else {
            return .refuse(.consent, "\(item.id) needs consent: gdpr is true and there is no TCF string.")
        }
        return pass("\(item.id) needs consent, and a TCF string is there.")
    }

    private func targeting() -> Verdict {
        guard let targeting = item.targeting else { return pass("\(item.id) is for everybody.") }
        let examination = TargetingExamination(targeting, request)
        if let mismatch = examination.mismatch { return .refuse(.targeting, mismatch) }
        return pass(examination.matches)
    }

    private func floor() -> Verdict {
        guard let floor = adUnit.floor else { return pass("\(adUnit.id) has no floor.") }
        if item.isBidding { return pass("\(item.id) bids; its bid is held against the floor \(floor).") }
        guard let rate = item.rate else { return pass("\(item.id) has no rate; the price it is offered for counts.") }
        guard let worth = prices.rates.convert(rate, to: floor.currency) else {
            return pass("rate \(rate) and floor \(floor) cannot be compared; the price it is offered for counts.")
        }
        guard worth.micros >= floor.micros else {
            let converted = rate.currency == floor.currency ? "" : " is \(worth), which"
            return .refuse(.belowFloor, "The rate \(rate)\(converted) is below the floor \(floor).")
        }
        return pass("the rate \(rate) is not below the floor \(floor).")
    }
}

// MARK: Rules that look at the moment

extension LineExamination {
    private func readiness(_ network: NetworkFacts) -> Verdict {
        switch network.state {
        case .ready:
            return pass("\(item.network) is ready.")
        case .draining:
            // Only requests that began before it was replaced see it so, and they end on what they began with (T-20).
            return pass("\(item.network) is draining: it is asked by requests that began before.")
        case .stopped:
            return .refuse(.notReady, "\(item.network) is \(network.state.rawValue).")
        case .starting, .timedOut, .failed, .disabled:
            let state = "\(item.network) is not ready (\(network.state.rawValue))"
            guard network.asksBeforeReady else {
                return .refuse(.notReady, "\(state), and ask_before_ready is false.")
            }
            guard facts.isInitialized else {
                return .refuse(.notReady, "\(state), and the initialization is still in progress.")
            }
            // S2.33: a network that is not ready is still asked.
            return pass("\(state), but the initialization is complete: it is asked all the same.")
        }
    }

    private func cap() -> Verdict {
        guard let cap = item.cap else { return pass("\(item.id) has no frequency cap.") }
        guard let person = CapKey.person(in: request) else {
            return pass("the request names no user, advertising id or address: the cap cannot apply.")
        }
        let left = facts.remaining(CapKey(adUnit: adUnit.id, lineItem: item.id, person: person), cap)
        guard left > 0 else { return .refuse(.cap, Self.spent(cap, "this user")) }
        return pass("\(left) of \(cap.count) are left for this user.")
    }

    private func pacing() -> Verdict {
        guard let pacing = item.pacing else { return pass("\(item.id) has no pacing.") }
        let left = facts.remaining(CapKey(adUnit: adUnit.id, lineItem: item.id, person: nil), pacing)
        guard left > 0 else { return .refuse(.pacing, Self.spent(pacing, "this line item")) }
        return pass("\(left) of \(pacing.count) are left for this line item.")
    }

    /// Says that nothing is left of a cap.
    static func spent(_ cap: FrequencyCap, _ whom: String) -> String {
        "All \(cap.count) in \(seconds(cap.window)) are spent for \(whom)."
    }

    private func breaker(_ network: NetworkFacts) -> Verdict {
        guard let retryAt = network.breakerRetryAt else { return pass("the breaker of \(item.network) is closed.") }
        return .refuse(.circuitOpen, AttemptOutcome.circuitOpen(item.network, retryAt: retryAt).message)
    }

    private func load(_ network: NetworkFacts) -> Verdict {
        guard network.isSaturated else { return pass("\(item.network) has room for another request.") }
        return .refuse(.saturated, AttemptOutcome.saturated(item.network).message)
    }
}
