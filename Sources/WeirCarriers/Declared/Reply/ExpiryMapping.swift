internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// How a network tells how long its ad may wait.
struct ExpiryMapping: Sendable, Hashable {
    /// What the network's number counts.
    enum Unit: String, CaseIterable, Sendable {
        /// Milliseconds from now.
        case milliseconds = "ms"
        /// Seconds from now.
        case seconds = "s"
        /// Minutes from now.
        case minutes = "min"
        /// An instant, in seconds since 1970.
        case unix
        /// An instant, in milliseconds since 1970.
        case unixMilliseconds = "unix_ms"
    }

    /// Thirty days; an ad kept longer is a mistake of units.
    static let longest: Int64 = 30 * 24 * 3_600_000

    var source: ReplySource
    var unit: Unit

    /// How long the ad may wait; `nil` when the network does not say.
    ///
    /// - Throws: `bad_response(bad_json)` for what is no time from a millisecond to thirty days.
    func expires(_ reply: DeclaredReply, ad: JSONValue, clock: any GatewayClock) throws(AdapterError) -> Duration? {
        guard let value = source.value(reply, ad: ad) else { return nil }
        guard let milliseconds = value.scalarText.flatMap(JSONNumber.init)?.int64.flatMap({ length($0, clock) }),
            (1...Self.longest).contains(milliseconds)
        else {
            throw AdapterError(
                .badResponse,
                .badJSON,
                "The network's expiry \(source.name) is no time from now to thirty days in \(unit.rawValue)."
            )
        }
        return .milliseconds(milliseconds)
    }

    private func length(_ number: Int64, _ clock: any GatewayClock) -> Int64? {
        let factor: Int64 =
            switch unit {
            case .milliseconds, .unixMilliseconds: 1
            case .seconds, .unix: 1000
            case .minutes: 60_000
            }
        let (scaled, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        switch unit {
        case .milliseconds, .seconds, .minutes:
            return scaled
        case .unix, .unixMilliseconds:
            let (rest, overflow) = scaled.subtractingReportingOverflow(clock.wallNow.milliseconds)
            return overflow ? nil : rest
        }
    }
}
