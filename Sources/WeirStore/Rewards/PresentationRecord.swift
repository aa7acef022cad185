package import WeirTime

/// A rewarded ad that was handed out: our own record of who was promised what, by which callbacks are joined.
package struct PresentationRecord: Hashable, Sendable {
    /// The view's id, unique: the ad request's, or `network/transaction` for a view that Weir did not serve.
    package var view: String
    /// When the ad was handed out.
    package var at: WallTime
    /// The placement; empty when unknown.
    package var placement: String
    /// The ad unit.
    package var adUnit: String
    /// The network that filled.
    package var network: String
    /// The line item that filled.
    package var lineItem: String
    /// The user, as the publisher names it.
    package var user: String?
    /// The device, as far as anything tells devices apart.
    package var device: String?
    /// The publisher's own custom data; `nil` when none was set, which is not the same as an empty text (S2.10).
    package var customData: String?
    /// The promised item.
    package var item: String
    /// The promised amount, an exact decimal.
    package var amount: String
    /// Whose word grants: `client`, `ssv`, `both`.
    package var mode: String

    /// A record.
    package init(
        view: String,
        at: WallTime,
        placement: String = "",
        adUnit: String,
        network: String = "",
        lineItem: String = "",
        user: String? = nil,
        device: String? = nil,
        customData: String? = nil,
        item: String,
        amount: String,
        mode: String
    ) {
        self.view = view
        self.at = at
        self.placement = placement
        self.adUnit = adUnit
        self.network = network
        self.lineItem = lineItem
        self.user = user
        self.device = device
        self.customData = customData
        self.item = item
        self.amount = amount
        self.mode = mode
    }
}

/// A view that began and was never called back.
package struct OverdueView: Hashable, Sendable {
    /// Who was promised what.
    package var presentation: PresentationRecord
    /// When the viewer began to watch.
    package var begunAt: WallTime

    /// A view that waits since `begunAt`.
    package init(presentation: PresentationRecord, begunAt: WallTime) {
        self.presentation = presentation
        self.begunAt = begunAt
    }
}
