internal import WeirTime

/// A complete ad with everything that its wrappers add; cheap to pass on.
public struct ResolvedAd: Hashable, Sendable {
    /// What is stored; the public properties say what it means.
    private struct Fields: Hashable, Sendable {
        var id: String?
        var sequence: Int?
        var adType: AdType
        var pod: PodPlace?
        var inLine: InLine
        var linear: Linear?
        var mediaFiles: [MediaFile]
        var wrapperChain: [WrapperLink]
        var version: String
    }

    private var shared: Shared<Fields>

    /// The ad server's id.
    public var id: String? {
        _read { yield shared.fields.id }
        _modify { yield &shared.fields.id }
    }

    /// The `sequence` in its own document.
    public var sequence: Int? {
        _read { yield shared.fields.sequence }
        _modify { yield &shared.fields.sequence }
    }

    /// Seen, heard or both: as declared, or audio when all media files are sound.
    public var adType: AdType {
        _read { yield shared.fields.adType }
        _modify { yield &shared.fields.adType }
    }

    /// Its place in a pod; `nil` for an ad that plays alone.
    public var pod: PodPlace? {
        _read { yield shared.fields.pod }
        _modify { yield &shared.fields.pod }
    }

    /// The ad with the trackers, companions and icons of its wrappers merged in.
    public var inLine: InLine {
        _read { yield shared.fields.inLine }
        _modify { yield &shared.fields.inLine }
    }

    /// The linear creative to play, if there is one.
    public var linear: Linear? {
        _read { yield shared.fields.linear }
        _modify { yield &shared.fields.linear }
    }

    /// The media files to choose from: those that fit the player, best first, or all in document order.
    public var mediaFiles: [MediaFile] {
        _read { yield shared.fields.mediaFiles }
        _modify { yield &shared.fields.mediaFiles }
    }

    /// The wrappers that led here, outermost first.
    public var wrapperChain: [WrapperLink] {
        _read { yield shared.fields.wrapperChain }
        _modify { yield &shared.fields.wrapperChain }
    }

    /// The `version` of the document that held the ad.
    public var version: String {
        _read { yield shared.fields.version }
        _modify { yield &shared.fields.version }
    }

    /// An ad.
    public init(
        id: String? = nil,
        sequence: Int? = nil,
        adType: AdType = .video,
        inLine: InLine,
        wrapperChain: [WrapperLink] = [],
        version: String = "4.2"
    ) {
        let linear = inLine.playableLinear
        shared = Shared(
            Fields(
                id: id,
                sequence: sequence,
                adType: adType,
                inLine: inLine,
                linear: linear,
                mediaFiles: linear?.mediaFiles ?? [],
                wrapperChain: wrapperChain,
                version: version
            )
        )
    }

    /// The ad's name.
    public var title: String? { inLine.title }
    /// The server that sent it.
    public var system: AdSystem? { inLine.system }
    /// Who advertises.
    public var advertiser: Advertiser? { inLine.advertiser }
    /// The id of the creative that plays.
    public var creativeID: String? { mainCreative?.id }
    /// Ids of the creative that are the same everywhere.
    public var universalAdIDs: [UniversalAdID] { mainCreative?.universalAdIDs ?? [] }
    /// How long it plays.
    public var duration: Duration? { linear?.duration }
    /// When the viewer may skip, counted from the start; `nil`: never, or not known.
    public var skipOffset: Duration? {
        guard let offset = linear?.skipOffset else { return nil }
        return offset.position(in: duration)
    }
    /// Whether the viewer may skip.
    public var isSkippable: Bool { linear?.skipOffset != nil }
    /// The landing page.
    public var clickThrough: String? {
        linear?.clicks.clickThrough?.url ?? nonLinears.lazy.compactMap(\.clickThrough?.url).first
    }
    /// What is called on a click.
    public var clickTracking: [String] {
        if let linear { return linear.clicks.clickTracking.map(\.url) }
        return nonLinears.flatMap { $0.clickTracking.map(\.url) }
    }
    /// What is called while it plays, with offsets.
    public var trackingEvents: [TrackingEvent] {
        if let linear { return linear.trackingEvents }
        return inLine.creatives.flatMap { $0.nonLinearAds?.trackingEvents ?? [] }
    }
    /// URLs by event, under today's names; unknown events are left out.
    public var tracking: [String: [String]] {
        var result: [String: [String]] = [:]
        for event in trackingEvents where event.event.isKnown {
            result[event.event.current.rawValue, default: []].append(event.url)
        }
        return result
    }
    /// What is called when it begins to render; `about:blank` is left out (VAST 4.3 §3.4.4).
    public var impressions: [String] { inLine.impressions.map(\.url).filter { $0 != "about:blank" } }
    /// What is called when it fails.
    public var errors: [String] { inLine.errors }
    /// What is called when viewability has been decided.
    public var viewableImpressions: [ViewableImpression] { inLine.viewableImpressions }
    /// Creatives beside the content.
    public var companions: [Companion] { inLine.creatives.flatMap { $0.companionAds?.companions ?? [] } }
    /// How many companions must be shown.
    public var companionRequirement: CompanionAds.Requirement? {
        inLine.creatives.lazy.compactMap(\.companionAds?.required).first
    }
    /// Icons over it.
    public var icons: [Icon] { linear?.icons ?? [] }
    /// Ads that lie over the content.
    public var nonLinears: [NonLinear] { inLine.creatives.flatMap { $0.nonLinearAds?.nonLinears ?? [] } }
    /// Measurement code, also what stands in extensions as before VAST 4.1.
    public var verifications: [Verification] { inLine.verifications + inLine.extensions.flatMap(\.verifications) }
    /// Extensions, verbatim; the ad's own first, then those of the nearest wrapper.
    public var extensions: [VASTExtension] { inLine.extensions }
    /// What it is about.
    public var categories: [Category] { inLine.categories }
    /// What it costs.
    public var pricing: Pricing? { inLine.pricing }
    /// How long after the request it may be used.
    public var expires: Duration? { inLine.expires }
    /// Whether the player's own controls may be hidden: exactly `UiHideable` 1 in an extension of type `uiSettings`.
    public var isUIHideable: Bool { inLine.isUIHideable }

    private var mainCreative: Creative? {
        inLine.creatives.first { $0.linear != nil } ?? inLine.creatives.first { $0.nonLinearAds != nil }
    }
}

/// An ad's place in a pod.
public struct PodPlace: Hashable, Sendable {
    /// The position in play order, from 1; the value of `[PODSEQUENCE]`.
    public var position: Int
    /// How many ads the pod has.
    public var total: Int

    /// A place.
    public init(position: Int, total: Int) {
        self.position = position
        self.total = total
    }
}

/// One wrapper on the way to an ad.
public struct WrapperLink: Hashable, Sendable {
    /// The id of the wrapping ad.
    public var adID: String?
    /// The server that sent it.
    public var system: AdSystem?
    /// The ids of its creatives.
    public var creativeIDs: [String]
    /// Where it pointed, with macros filled.
    public var url: String
    /// How long the document behind it took; `nil` while it has not come.
    public var latency: Duration?
    /// What came of it: a document, as the ad behind it is there.
    public var result: Hop.Result

    /// A wrapper on the way.
    public init(
        adID: String? = nil,
        system: AdSystem? = nil,
        creativeIDs: [String] = [],
        url: String,
        latency: Duration? = nil,
        result: Hop.Result = .document
    ) {
        self.adID = adID
        self.system = system
        self.creativeIDs = creativeIDs
        self.url = url
        self.latency = latency
        self.result = result
    }
}

extension InLine {
    /// The first linear creative with a media file.
    var playableLinear: Linear? {
        creatives.lazy.compactMap(\.linear).first { !$0.mediaFiles.isEmpty }
    }

    /// Whether there is something to show: a media file, or a non-linear ad with a resource.
    var isPlayable: Bool {
        playableLinear != nil
            || creatives.contains { $0.nonLinearAds?.nonLinears.contains { !$0.resources.isEmpty } ?? false }
    }

    /// Whether the nearest `uiSettings` extension says `UiHideable` 1.
    var isUIHideable: Bool {
        guard let settings = extensions.first(where: { $0.type == Self.uiSettings }) else { return false }
        return settings.fields.last { $0.name == "UiHideable" }?.text == "1"
    }

    /// The extension type in which Google's players look for `UiHideable`.
    static let uiSettings = "uiSettings"

    /// The declared type, or audio when every media file is sound.
    func effectiveType(declared: AdType?, isDAAST: Bool) -> AdType {
        if let declared { return declared }
        if isDAAST { return .audio }
        let types = creatives.flatMap { $0.linear?.mediaFiles ?? [] }.compactMap(\.type)
        return !types.isEmpty && types.allSatisfy(MIMEType.isAudio) ? .audio : .video
    }
}
