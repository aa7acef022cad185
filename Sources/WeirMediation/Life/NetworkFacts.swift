package import WeirModel
package import WeirTime

/// What a waterfall plan needs to know about a network: a value, so that planning stays pure.
package struct NetworkFacts: Sendable, Hashable {
    /// The adapter's kind.
    package var adapter: String
    /// The adapter's version; `nil` when there is no adapter.
    package var adapterVersion: String?
    /// Where the adapter stands.
    package var state: AdapterState
    /// Why there is no adapter; `nil` when there is one.
    package var unavailability: Unavailability?
    /// What the adapter can load.
    package var formats: Set<AdFormat>
    /// Whether it may be asked though it is not ready (S2.33).
    package var asksBeforeReady: Bool
    /// The default of its lines' timeouts.
    package var timeout: Duration
    /// When the breaker lets the next request through; `nil` when it does so now.
    package var breakerRetryAt: WallTime?
    /// Whether as many loads are under way as may be.
    package var isSaturated: Bool

    /// A ready network that says nothing else.
    package init(
        adapter: String,
        adapterVersion: String? = nil,
        state: AdapterState = .ready,
        unavailability: Unavailability? = nil,
        formats: Set<AdFormat> = Set(AdFormat.allCases),
        asksBeforeReady: Bool = true,
        timeout: Duration = .milliseconds(1000),
        breakerRetryAt: WallTime? = nil,
        isSaturated: Bool = false
    ) {
        self.adapter = adapter
        self.adapterVersion = adapterVersion
        self.state = state
        self.unavailability = unavailability
        self.formats = formats
        self.asksBeforeReady = asksBeforeReady
        self.timeout = timeout
        self.breakerRetryAt = breakerRetryAt
        self.isSaturated = isSaturated
    }
}
