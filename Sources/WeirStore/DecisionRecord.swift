package import WeirTime

/// One decided ad request, as it is kept: the columns people filter by, and the whole answer.
package struct DecisionRecord: Hashable, Sendable {
    /// The request's id; a second record of the same id is ignored.
    package var requestID: String

    /// When the request arrived.
    package var at: WallTime

    /// The placement asked for.
    package var placement: String

    /// The ad unit behind it.
    package var adUnit: String

    /// The ad unit's format: `video`, `audio`, `rewarded`.
    package var format: String

    /// How it ended: `fill`, `no_fill`, `error`.
    package var result: String

    /// The network that filled it.
    package var network: String?

    /// The line item that filled it.
    package var lineItem: String?

    /// How long the answer took, in milliseconds.
    package var latencyMilliseconds: Int64

    /// The hash of the configuration that decided.
    package var config: String

    /// The answer as JSON.
    package var body: [UInt8]

    /// A record.
    package init(
        requestID: String,
        at: WallTime,
        placement: String,
        adUnit: String,
        format: String,
        result: String,
        network: String? = nil,
        lineItem: String? = nil,
        latencyMilliseconds: Int64,
        config: String,
        body: [UInt8]
    ) {
        self.requestID = requestID
        self.at = at
        self.placement = placement
        self.adUnit = adUnit
        self.format = format
        self.result = result
        self.network = network
        self.lineItem = lineItem
        self.latencyMilliseconds = latencyMilliseconds
        self.config = config
        self.body = body
    }

    /// About how much memory the record holds.
    var size: Int {
        let optional = (network?.utf8.count ?? 0) + (lineItem?.utf8.count ?? 0)
        let names = requestID.utf8.count + placement.utf8.count + adUnit.utf8.count + format.utf8.count
        return 256 + names + result.utf8.count + optional + config.utf8.count + body.count
    }
}
