package import WeirModel
package import WeirTime

/// What currencies are worth in one another.
package struct CurrencySettings: Sendable {
    /// The rates, in the base.
    package var rates: CurrencyRates
    /// The file they come from; `nil` when there is none.
    package var path: String?
    /// After so long rates are called stale; they count all the same.
    ///
    /// Three days and a bit, because nobody publishes rates on a weekend.
    package var maxAge: Duration = .milliseconds(302_400_000)
    /// The file's content, for the version.
    var content: [UInt8] = []

    /// No rates but that of the base.
    package init(rates: CurrencyRates = CurrencyRates(base: .usDollar)) {
        self.rates = rates
    }

    /// How old the rates are; `nil` without a file.
    package func age(at now: WallTime) -> Duration? {
        rates.asOfMilliseconds.map { .milliseconds(max(0, now.milliseconds - $0)) }
    }

    /// Whether the rates are older than they should be.
    package func isStale(at now: WallTime) -> Bool { age(at: now).map { $0 > maxAge } ?? false }
}

/// How adapters are started.
package struct InitializationSettings: Sendable, Hashable {
    /// After so long initialization is complete, whoever is missing.
    package var timeout: Duration = .milliseconds(10_000)
    /// So many networks must be ready before the gateway says it is.
    package var minReady = 1
    /// The wait before a failed set-up is tried again.
    package var retryInitial: Duration = .milliseconds(500)
    /// The longest such wait; each is twice the last.
    package var retryMax: Duration = .milliseconds(30_000)

    /// The defaults of docs/configuration.md.
    package init() {}
}

/// How much one request or session may cost.
package struct LimitSettings: Sendable, Hashable {
    /// The most wrappers on the way to an inline ad.
    package var wrapperDepth = 5
    /// The longest body of a network's answer, in bytes.
    package var responseBytes = 1 << 20
    /// The most bytes of all heads of such an answer.
    package var responseHeadBytes = 65_536
    /// The most documents that one answer may make the gateway fetch.
    package var fetches = 100
    /// The most playback sessions at once.
    package var sessions = 100_000
    /// How long a session that says nothing is kept.
    package var sessionIdle: Duration = .milliseconds(1_800_000)

    /// The defaults of docs/configuration.md.
    package init() {}
}

/// How beacons, the calls that Weir owes to trackers, are kept and sent.
package struct BeaconSettings: Sendable, Hashable {
    /// The most that wait or are under way.
    package var maxWaiting = 20_000
    /// The most under way at once.
    package var atOnce = 128
    /// How long one try may take.
    package var timeout: Duration = .milliseconds(5000)
    /// How old one may become.
    package var maxAge: Duration = .milliseconds(3_600_000)
    /// The wait after the first try that did not reach the server.
    package var retryInitial: Duration = .milliseconds(1000)
    /// The longest such wait; each is twice the last.
    package var retryMax: Duration = .milliseconds(60_000)

    /// The defaults of docs/configuration.md.
    package init() {}
}
