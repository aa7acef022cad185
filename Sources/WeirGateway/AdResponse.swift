package import WeirAdapterKit
package import WeirModel
package import WeirTime
package import WeirVAST

/// The answer to one ad request: an ad or none, and what became of every line item.
package struct AdResponse: Sendable {
    /// How the request ended.
    package enum Result: String, CaseIterable, Sendable {
        case fill
        case noFill = "no_fill"
    }

    /// The request's id.
    package var requestID: RequestID
    /// The placement asked for.
    package var placement: PlacementID
    /// The ad unit that served it.
    package var adUnit: AdUnit
    /// The ads in play order; empty unless filled.
    package var ads: [ServedAd]
    /// Every line item of the waterfall, in order, exactly once.
    package var attempts: [Attempt]
    /// From the request's arrival to the answer.
    package var latency: Duration
    /// The version of the configuration that decided.
    package var configuration: String
    /// When the request arrived.
    package var arrivedAt: WallTime
    /// When the ads may no longer be shown; `nil` unless filled.
    package var expiresAt: WallTime?
    /// Where an audio programme can be interrupted, when the ads say so.
    package var midpoints: [Duration]
    /// The breaks of a schedule in document order, also those without ads; empty for anything but a schedule.
    package var breaks: [ServedBreak]
    /// Stand-alone ads that may take the place of one that fails.
    package var spares: [ServedAd]
    /// The request as networks were told it: without what consent keeps here.
    package var request: AdRequest
    /// Redacted requests and replies, when the caller asked for a trace.
    package var trace: [TraceRecorder.Exchange]?

    /// Fill or no-fill.
    package var result: Result { ads.isEmpty ? .noFill : .fill }

    /// Whether somebody is to be billed when one of its ads is shown.
    package var hasBilling: Bool {
        ads.contains { $0.billing != nil } || spares.contains { $0.billing != nil }
    }

    /// The id of the impression by which a player tells this gateway that an ad is shown.
    package static let billingID = "weir-billing"
}

/// An ad that the gateway has accepted.
package struct ServedAd: Sendable {
    /// The ad with its wrappers' trackers merged in, in the form in which it is kept.
    package var held: HeldAd
    /// The VAST version of its own document; `nil` when nobody will ask for one, as sessions play by media files.
    package var vastVersion: String?
    /// The network's document, when it holds this ad alone and may be passed on as it came.
    package var untouched: UntouchedDocument?
    /// Its network.
    package var network: NetworkID
    /// The line item that filled.
    package var lineItem: LineItemID
    /// The network's price, else the line item's rate; CPM.
    package var price: Money?
    /// The network's own id of the ad, when the document has none.
    package var offerID: String?
    /// Title from the network, when the document has none.
    package var offerTitle: String?
    /// The place of its offer in the network's answer.
    package var offer = 0
    /// The creative's id from the network, when the document has none.
    package var offerCreativeID: String?
    /// The advertiser's domain from the network, when the document names no advertiser.
    package var offerDomain: String?
    /// IAB categories from the network, beside the document's own.
    package var offerCategories: [String] = []
    /// Names the billing notice that is owed when the ad is shown; `nil` when none is.
    package var billing: RequestID?
    /// What a viewer is promised.
    package var reward: Reward?
    /// The single-use proof that this ad was handed out; rewarded only.
    package var presentationToken: String?
    /// How long it may wait to be shown.
    package var expires: Duration?
    /// Where it stands in an audio programme.
    package var slot: AudioSlot?
    /// Content position of its break; `nil` for a single ad without a schedule.
    package var breakOffset: BreakOffset?
    /// Its break among ``AdResponse/breaks``; `nil` without a schedule.
    package var breakIndex: Int?
    /// What a listener may do while it plays.
    package var controls: AudioControls?
    /// Position and total of its pod, from 1.
    package var pod: (position: Int, total: Int)
    /// Whether it came in answer to a test request.
    package var isTest: Bool

    /// The categories of the document and those that the network names beside it.
    var categories: [Category] { ad.categories.flatMap(\.codes) + offerCategories.map { Category(code: $0) } }

    /// The ad with its wrappers' trackers merged in.
    package var ad: ResolvedAd {
        get { held.ad }
        set {
            held = HeldAd(newValue)
            // The network's document does not say what has been changed.
            untouched = nil
        }
    }

    /// The media files that the player can play, the best first.
    package var mediaFiles: [MediaFile] { ad.mediaFiles }

    /// Makes it small, for a session that holds it for long; its document is not written any more.
    mutating func pack() {
        vastVersion = nil
        untouched = nil
        held.pack()
    }

    /// The document that holds this ad alone, written when it is asked for: only answers in JSON have one for each ad.
    package func markup() -> [UInt8]? {
        guard let vastVersion else { return nil }
        return untouched(as: vastVersion) ?? VASTWriter.write([ad], version: vastVersion).bytes
    }

    /// The network's document, when it is in that version; one that is not known means 4.2.
    package func untouched(as version: String) -> [UInt8]? {
        guard let untouched, untouched.version == VASTVersion(version) ?? .v42 else { return nil }
        return untouched.bytes
    }
}

/// A break of a schedule, without its ads.
package struct ServedBreak: Sendable, Hashable {
    /// The sender's id.
    package var id: String?
    /// When it is due, as the schedule says it.
    package var timeOffset: TimeOffset
    /// How much content time later it comes again.
    package var repeatAfter: Duration?
    /// What is called when it begins, ends or fails.
    package var trackingEvents: [TrackingEvent]
    /// Why it has no ads, when ads were asked for.
    package var refusal: Refusal?
}

/// Where a break stands in the content.
package enum BreakOffset: Sendable, Hashable {
    /// Before the content.
    case start
    /// At a position in it.
    case position(Duration)
    /// After it.
    case end
}
