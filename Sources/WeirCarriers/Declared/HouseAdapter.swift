internal import WeirAdapterKit
internal import WeirModel

/// An ad that stands in the network's own file.
struct HouseAd: Sendable, Hashable {
    var offer: Offer
    /// The network unit it is for; `nil` is for all.
    var unit: String?
}

/// Offers a publisher's own ads and asks nobody.
struct HouseAdapter: NetworkAdapter {
    let descriptor: AdapterDescriptor
    let ads: [HouseAd]

    /// The ads for the line item's unit, beginning with any of them: so that each has its turn.
    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        let fitting = ads.filter { $0.unit == nil || $0.unit == ask.lineItem.networkUnit }.map(\.offer)
        guard !fitting.isEmpty else {
            return .noFill(NoFill(.noAd, "The network's file has no ad for this unit."))
        }
        let first = Int.random(in: 0..<fitting.count)
        return .fill(Array(fitting[first...] + fitting[..<first]))
    }
}
