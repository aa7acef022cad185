internal import WeirAdapterKit
internal import WeirMediation
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// The ads of one answer, after every check.
struct AcceptedAds: Sendable {
    /// In play order; at least one.
    var ads: [ServedAd]
    /// Content positions where mid-rolls stand.
    var midpoints: [Duration]
    /// How long the first of them to expire may wait.
    var expires: Duration
}

/// Decides whether a network's offers are ads indeed: resolves wrappers, merges trackers, chooses media, and refuses
/// what this placement must not show.
///
/// One value for one ad request. Error URLs of what is refused get their ping.
struct AdAcceptance: Sendable {
    /// The most offers of one answer that are looked at.
    static let offerLimit = 50

    let call: Gateway.Call
    let placement: Placement
    let adUnit: AdUnit
    /// The request as networks may see it.
    let request: AdRequest
    /// The publisher's own id of the user, whatever consent keeps from networks.
    let userID: String?
    let isTest: Bool
    let wrapperDepth: Int
    let foundations: Gateway.Foundations
    let beacons: BeaconSender

    /// Judges the offers of one line item, within its deadline.
    func judge(
        _ offers: [Offer],
        of lineItem: LineItem,
        from handle: NetworkHandle,
        deadline: Deadline
    ) async -> Acceptance<AcceptedAds> {
        let network = handle.network
        let source = OfferSource(
            lineItem: lineItem,
            network: network,
            transport: foundations.transport(network),
            deadline: deadline
        )
        let verdicts = await examine(Array(offers.prefix(Self.offerLimit)), source)
        beacons.send(verdicts.flatMap(\.pings), for: network.id, over: source.transport)

        let programme = Programme(ads: verdicts.flatMap(\.ads), adUnit: adUnit, request: request)
        guard !programme.ads.isEmpty else {
            let refusal = programme.refusal ?? verdicts.lazy.compactMap(\.refusal).first
            return .refused(
                refusal ?? AttemptOutcome(.rejected, .noMarkup, "The network's offer holds nothing to show.")
            )
        }
        let expires = programme.ads.compactMap(\.expires).min() ?? adUnit.expires
        return .accepted(
            AcceptedAds(ads: programme.ads, midpoints: programme.midpoints, expires: min(expires, adUnit.expires)),
            price: programme.ads.first?.price
        )
    }

    /// Offers are independent of each other, so their documents are fetched side by side; the order stays.
    private func examine(_ offers: [Offer], _ source: OfferSource) async -> [OfferVerdict] {
        if offers.count == 1 { return [await examination(source).examine(offers[0])] }
        return await withTaskGroup(of: (Int, OfferVerdict).self) { group in
            for (index, offer) in offers.enumerated() {
                group.addTask { (index, await examination(source).examine(offer)) }
            }
            var verdicts: [(Int, OfferVerdict)] = []
            for await verdict in group { verdicts.append(verdict) }
            return verdicts.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func examination(_ source: OfferSource) -> OfferExamination {
        OfferExamination(acceptance: self, source: source)
    }
}

/// Where an offer came from.
struct OfferSource: Sendable {
    var lineItem: LineItem
    var network: Network
    var transport: any HTTPTransport
    var deadline: Deadline
}

/// What one offer is worth.
struct OfferVerdict: Sendable {
    /// Its ads; empty when it is refused.
    var ads: [ServedAd] = []
    /// Why there are none.
    var refusal: AttemptOutcome?
    /// Error URLs that are owed a call, codes filled in.
    var pings: [String] = []
}
