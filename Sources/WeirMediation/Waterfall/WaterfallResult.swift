package import WeirAdapterKit
package import WeirModel

/// What the gateway makes of a network's offers.
package enum Acceptance<Ad: Sendable>: Sendable {
    /// They are an ad. Without a price the line item's rate stands for it.
    case accepted(Ad, price: Money?)
    /// They are none, and this is why; the next line item is asked.
    case refused(AttemptOutcome)
}

/// What all asks of one ad request have in common.
package struct AskSeed: Sendable {
    /// The ad request's id.
    package let requestID: RequestID
    /// The caller's request, without what consent keeps here.
    package let request: AdRequest
    /// The ad unit that is being filled.
    package let adUnit: AdUnit
    /// Whether test ads are wanted.
    package let isTest: Bool
    /// W3C trace context to pass on.
    package let traceParent: String?
    /// Where requests and replies are kept.
    package let trace: TraceRecorder?

    /// A seed; ``ConsentFilter`` is applied to `request` here, so that no ask can be made without it.
    package init(
        requestID: RequestID,
        request: AdRequest,
        adUnit: AdUnit,
        isTest: Bool = false,
        traceParent: String? = nil,
        trace: TraceRecorder? = nil
    ) {
        self.requestID = requestID
        self.request = ConsentFilter(request).apply(to: request)
        self.adUnit = adUnit
        self.isTest = isTest
        self.traceParent = traceParent
        self.trace = trace
    }
}

/// A line item whose network wants to be told what became of its bids.
package struct Bidder: Sendable {
    /// The line item.
    package var lineItem: LineItemID
    /// The network, with the way to it.
    package var handle: NetworkHandle
    /// Everything it offered, in its order.
    package var offers: [Offer]
    /// How its attempt ended.
    package var outcome: AttemptOutcome
}

/// How a waterfall ended: filled when there is a winner, exhausted when there is none.
package struct WaterfallResult<Ad: Sendable>: Sendable {
    /// The ad that goes to the caller.
    package struct Winner: Sendable {
        /// The ad.
        package var ad: Ad
        /// The line item that filled.
        package var lineItem: LineItem
        /// Its network.
        package var network: NetworkID
        /// What was offered, else the line item's rate.
        package var price: Money?
    }

    /// Every line item in the order asked, exactly once; bids that have no place in the order come first.
    package var attempts: [Attempt]
    /// Those who want to be told what became of their bids.
    package var bidders: [Bidder] = []
    /// The ad that goes to the caller, or the first of those that do; `nil` when the waterfall is exhausted.
    package var winner: Winner?
    /// The line item after which nobody else was needed.
    package var completedBy: LineItemID?
}
