/// Which recent decisions to show; what is `nil` does not filter.
package struct DecisionFilter: Hashable, Sendable {
    /// The most decisions one question may ask for.
    package static let greatestLimit = 1000

    /// The most bytes one answer holds; older decisions past it are left out.
    package static let answerBytes = 16 << 20

    /// Only of this placement.
    package var placement: String?

    /// Only with this result: `fill`, `no_fill`, `error`.
    package var result: String?

    /// Only filled by this network.
    package var network: String?

    /// How many at most, from 1 to ``greatestLimit``.
    package var limit: Int

    /// A filter; a limit out of range is brought into it.
    package init(placement: String? = nil, result: String? = nil, network: String? = nil, limit: Int = 100) {
        self.placement = placement
        self.result = result
        self.network = network
        self.limit = min(max(1, limit), Self.greatestLimit)
    }

    func accepts(_ record: DecisionRecord) -> Bool {
        (placement == nil || placement == record.placement) && (result == nil || result == record.result)
            && (network == nil || network == record.network)
    }
}
