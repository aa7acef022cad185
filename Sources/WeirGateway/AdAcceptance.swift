internal import WeirAdapterKit
internal import WeirMediation
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// The ads of one line item's answer, after every check of its own.
struct AcceptedAds: Sendable {
    /// Offer by offer, each in play order; at least one ad.
    var offers: [[ServedAd]]
    /// The breaks of the schedule, when one offer alone brought one.
    var breaks: [ServedBreak] = []
    /// Ads that the network means to stand in for others that fail.
    var spares: [ServedAd] = []

    /// All ads; a single offer's are handed on as they are.
    var ads: [ServedAd] { offers.count == 1 ? offers[0] : offers.flatMap(\.self) }
}

/// Decides whether a network's offers are ads indeed: resolves wrappers, merges trackers, chooses media, and refuses
/// what this placement must not show.
///
/// One for one ad request, handed on by reference because it holds so much. Error URLs of what is refused get their ping.
final class AdAcceptance: Sendable {
    /// The most offers of one answer that are looked at.
    static let offerLimit = 50

    let call: Gateway.Call
    let placement: Placement
    let adUnit: AdUnit
    /// As networks see it: without what consent keeps here, with Weir's nonce for custom data.
    let request: AdRequest
    /// As the caller sent it: whom a reward is for.
    let viewer: AdRequest
    let isTest: Bool
    /// Where calls for wrappers are kept for the caller; `nil` unless a trace was asked for.
    let trace: TraceRecorder?
    let wrapperDepth: Int
    /// How prices are compared.
    let prices: PriceRule
    /// The most documents that one answer may make the gateway fetch, shared out among its offers.
    let fetches: Int
    let foundations: Gateway.Foundations
    let beacons: BeaconQueue

    init(
        call: Gateway.Call,
        placement: Placement,
        adUnit: AdUnit,
        request: AdRequest,
        viewer: AdRequest,
        isTest: Bool,
        trace: TraceRecorder?,
        wrapperDepth: Int,
        prices: PriceRule,
        fetches: Int,
        foundations: Gateway.Foundations,
        beacons: BeaconQueue
    ) {
        self.call = call
        self.placement = placement
        self.adUnit = adUnit
        self.request = request
        self.viewer = viewer
        self.isTest = isTest
        self.trace = trace
        self.wrapperDepth = wrapperDepth
        self.prices = prices
        self.fetches = fetches
        self.foundations = foundations
        self.beacons = beacons
    }

    /// Judges the offers of one line item, within its deadline.
    func judge(
        _ offers: [Offer],
        of lineItem: LineItem,
        from handle: NetworkHandle,
        deadline: Deadline
    ) async -> Acceptance<AcceptedAds> {
        let network = handle.network
        let offers = Array(offers.prefix(Self.offerLimit))
        let source = OfferSource(
            lineItem: lineItem,
            network: network,
            transport: foundations.transport(network),
            deadline: deadline,
            // Each offer can follow one whole chain of wrappers, however many they are.
            maxFetches: max(fetches / max(offers.count, 1), wrapperDepth + 1)
        )
        return decided(await examine(offers, source), network)
    }

    /// What the verdicts on a line item's offers come to.
    @inline(never)
    private func decided(_ verdicts: [OfferVerdict], _ network: Network) -> Acceptance<AcceptedAds> {
        // What was broken off because the caller went away is no error of the network's.
        if !Task.isCancelled {
            beacons.ping(verdicts.flatMap(\.pings), for: network.id)
        }

        var accepted = AcceptedAds(offers: verdicts.map(\.ads))
        var refusal = verdicts.lazy.compactMap(\.refusal).first
        if adUnit.format != .audio {
            let programme = Programme(ads: accepted.ads, adUnit: adUnit, request: request)
            accepted.offers = [programme.ads]
            refusal = programme.refusal ?? refusal
            // Several schedules in one answer cannot be told apart by a place in one list.
            if verdicts.count == 1, let only = verdicts.first {
                (accepted.breaks, accepted.spares) = (only.breaks, only.spares)
            }
        } else {
            accepted.spares = verdicts.flatMap(\.spares)
        }
        guard let first = accepted.ads.first else {
            return .refused(
                refusal ?? AttemptOutcome(.rejected, .noMarkup, "The network's offer holds nothing to show.")
            )
        }
        return .accepted(accepted, price: first.price)
    }

    /// Offers are independent of each other, so their documents are fetched side by side; the order stays.
    private func examine(_ offers: [Offer], _ source: OfferSource) async -> [OfferVerdict] {
        if offers.count == 1 { return [await examination(source, 0).examine(offers[0])] }
        return await examineSideBySide(offers, source)
    }

    /// Not inlined: what it needs would lie in the memory of every task that examines a single offer, as most do.
    @inline(never)
    private func examineSideBySide(_ offers: [Offer], _ source: OfferSource) async -> [OfferVerdict] {
        await withTaskGroup(of: (Int, OfferVerdict).self) { group in
            for (index, offer) in offers.enumerated() {
                group.addTask { (index, await self.examination(source, index).examine(offer)) }
            }
            var verdicts: [(Int, OfferVerdict)] = []
            for await verdict in group { verdicts.append(verdict) }
            return verdicts.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func examination(_ source: OfferSource, _ number: Int) -> OfferExamination {
        OfferExamination(acceptance: self, source: source, number: number)
    }
}

/// Where an offer came from.
struct OfferSource: Sendable {
    var lineItem: LineItem
    var network: Network
    var transport: any HTTPTransport
    var deadline: Deadline
    /// Documents that one offer may make the gateway fetch.
    var maxFetches: Int
}

/// What one offer is worth.
struct OfferVerdict: Sendable {
    /// Its ads; empty when it is refused.
    var ads: [ServedAd] = []
    /// Why there are none.
    var refusal: AttemptOutcome?
    /// The breaks of the schedule that it is.
    var breaks: [ServedBreak] = []
    /// Stand-ins for ads that fail.
    var spares: [ServedAd] = []
    /// Error URLs that are owed a call, codes filled in.
    var pings: [String] = []
}
