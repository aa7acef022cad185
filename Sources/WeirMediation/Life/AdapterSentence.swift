package import WeirAdapterKit
package import WeirModel
internal import WeirTime

/// The plain sentences of an adapter's status: which network, which step, how long, and why (S2.36).
package struct AdapterSentence: Sendable, Hashable {
    /// What is the matter.
    package var description: String
    /// What an operator can do; `nil` when there is nothing to do.
    package var remedy: String?

    /// Sentences that were made elsewhere.
    package init(description: String, remedy: String?) {
        self.description = description
        self.remedy = remedy
    }

    /// The sentences about a network without an adapter.
    package init(_ unavailability: Unavailability, network: NetworkID) {
        self.init(
            description: unavailability.sentence(about: network),
            remedy: unavailability.remedy.map { Self.naming(network, in: $0) }
        )
    }

    /// Puts the id where a remedy says `{network}`.
    private static func naming(_ network: NetworkID, in remedy: String) -> String {
        remedy.split(separator: "{network}", omittingEmptySubsequences: false).joined(separator: network.text)
    }

    /// The sentences about a life.
    ///
    /// - Parameters:
    ///   - network: The network's id, which begins the sentence.
    ///   - life: Its adapter's life.
    ///   - note: What the set-up that is under way says about itself.
    ///   - inFlight: Loads under way.
    ///   - timeout: The limit of a set-up.
    ///   - now: The present, from which "how long" is counted.
    package init(
        network: NetworkID,
        life: AdapterLife,
        note: SetUpProgress.Note,
        inFlight: Int,
        timeout: Duration,
        now: ContinuousClock.Instant
    ) {
        let waited = life.began.map { $0.duration(to: now) } ?? .zero
        switch life.state {
        case .starting:
            self.init(description: "\(network): \(waiting(waited, note)) yet.", remedy: nil)
        case .timedOut:
            self.init(
                description: "\(network): \(timedOut(waited, note, timeout)).",
                remedy: note.remedy ?? "Look at the network's status page, or raise initialization.timeout_ms."
            )
        case .ready:
            self.init(description: "\(network): \(ready(life, timeout)).", remedy: nil)
        case .failed:
            self.init(
                description: "\(network): \(failed(life, now))",
                remedy: life.failure?.remedy
            )
        case .draining:
            self.init(description: "\(network): \(draining(life, inFlight)).", remedy: nil)
        case .stopped, .disabled:
            self.init(description: "\(network): \(life.state.rawValue).", remedy: nil)
        }
    }
}

private func waiting(_ waited: Duration, _ note: SetUpProgress.Note) -> String {
    if let place = note.waitingFor { return "set-up has waited \(seconds(waited)) for \(place); no answer" }
    if let done = note.done { return "set-up has run for \(seconds(waited)); \(done); it has not ended" }
    return "set-up has run for \(seconds(waited)); it has not ended"
}

/// Right after the time-out the limit says it all; later the reader wants to know both.
private func timedOut(_ waited: Duration, _ note: SetUpProgress.Note, _ timeout: Duration) -> String {
    guard waited >= timeout + .seconds(1) else { return waiting(waited, note) }
    return "set-up timed out after \(seconds(timeout)) and goes on: " + waiting(waited, note)
}

private func ready(_ life: AdapterLife, _ timeout: Duration) -> String {
    let how = life.note.done ?? "set-up took \(life.latency?.milliseconds ?? 0) ms, nothing was probed"
    guard life.isLate, let whole = life.timeToReady else { return "ready; \(how)" }
    return "ready, but late: \(seconds(whole)) after its start, past the limit of \(seconds(timeout)); \(how)"
}

private func failed(_ life: AdapterLife, _ now: ContinuousClock.Instant) -> String {
    let tries = life.failures
    var reason = life.failure?.reason ?? "no reason given"
    while reason.hasSuffix(".") { reason.removeLast() }
    let next =
        if life.isSettingUp {
            "Trying again now."
        } else if let due = life.nextTry {
            "Next try in \(seconds(max(.zero, now.duration(to: due))))."
        } else {
            "Weir does not try again."
        }
    if life.hasCrashed { return "\(reason). \(next)" }
    return "set-up failed after \(tries) \(tries == 1 ? "try" : "tries"): \(reason). \(next)"
}

private func draining(_ life: AdapterLife, _ inFlight: Int) -> String {
    if life.isLeftBehind { return "draining; its set-up ignores cancellation and is left behind" }
    switch inFlight {
    case 0: return "draining; no request is under way"
    case 1: return "draining; 1 request is still under way"
    default: return "draining; \(inFlight) requests are still under way"
    }
}

/// `9.5 s`: seconds with one decimal, cut off.
func seconds(_ duration: Duration) -> String {
    let tenths = max(0, duration.milliseconds / 100)
    return "\(tenths / 10).\(tenths % 10) s"
}
