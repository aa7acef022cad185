/// What an `InLine` and a `Wrapper` have in common.
public protocol AdBody: Hashable, Sendable {
    /// The server that sent this part of the ad.
    var system: AdSystem? { get set }
    /// What is called when the ad begins to render.
    var impressions: [TrackedURL] { get set }
    /// What the ad costs.
    var pricing: Pricing? { get set }
    /// What is called when the ad cannot be used.
    var errors: [String] { get set }
    /// What is called when viewability has been decided (4.0+).
    var viewableImpressions: [ViewableImpression] { get set }
    /// Measurement code to run beside the ad (4.1+; before that in an extension).
    var verifications: [Verification] { get set }
    /// Extensions, verbatim.
    var extensions: [VASTExtension] { get set }
    /// The creatives in document order.
    var creatives: [Creative] { get set }
}

/// A complete ad (VAST 4.3 §3.4).
public struct InLine: AdBody {
    /// The server that sent the ad.
    public var system: AdSystem?
    /// The ad's name.
    public var title: String?
    /// An id that stays the same for this serving in every report (4.1+).
    public var adServingID: String?
    /// What is called when the ad begins to render.
    public var impressions: [TrackedURL] = []
    /// What the ad is about (4.0+).
    public var categories: [Category] = []
    /// A longer text about the ad.
    public var description: String?
    /// Who advertises.
    public var advertiser: Advertiser?
    /// What the ad costs.
    public var pricing: Pricing?
    /// A survey's URL (deprecated in 4.1).
    public var survey: Survey?
    /// How long after the request the ad may still be used (4.1+).
    public var expires: Duration?
    /// What is called when the ad cannot be used.
    public var errors: [String] = []
    /// What is called when viewability has been decided (4.0+).
    public var viewableImpressions: [ViewableImpression] = []
    /// Measurement code to run beside the ad.
    public var verifications: [Verification] = []
    /// Extensions, verbatim.
    public var extensions: [VASTExtension] = []
    /// The creatives in document order.
    public var creatives: [Creative] = []

    /// An ad without content.
    public init() {}
}

/// A pointer to another document, with trackers to add (VAST 4.3 §3.19).
public struct Wrapper: AdBody {
    /// Whether the document behind may be a wrapper too; absent means yes.
    public var followsAdditionalWrappers: Bool?
    /// Whether the document behind may bring more than one ad; absent means no.
    public var allowsMultipleAds: Bool?
    /// Whether another ad of this response may take its place when there is no ad behind it; absent: the player chooses.
    public var fallsBackOnNoAd: Bool?
    /// Where the document behind is, as written.
    public var adTagURI: String?
    /// The server that sent the wrapper.
    public var system: AdSystem?
    /// What is called when the ad behind begins to render.
    public var impressions: [TrackedURL] = []
    /// What the ad costs.
    public var pricing: Pricing?
    /// What is called when the ad behind cannot be used.
    public var errors: [String] = []
    /// What is called when viewability has been decided (4.0+).
    public var viewableImpressions: [ViewableImpression] = []
    /// Measurement code to run beside the ad.
    public var verifications: [Verification] = []
    /// Extensions, verbatim.
    public var extensions: [VASTExtension] = []
    /// Categories that the ad behind must not have (4.1+).
    public var blockedCategories: [Category] = []
    /// Creatives that carry trackers, companions and icons only.
    public var creatives: [Creative] = []

    /// A wrapper without content.
    public init() {}
}

/// The server behind an ad (VAST 4.3 §3.4.1).
public struct AdSystem: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String?

    /// A server of this name.
    public init(name: String, version: String? = nil) {
        self.name = name
        self.version = version
    }
}

/// A URL to call, with the id that its sender gave it.
public struct TrackedURL: Hashable, Sendable {
    /// The sender's id.
    public var id: String?
    /// The URL with its macros, trimmed; never empty.
    public var url: String

    /// A URL to call.
    public init(id: String? = nil, url: String) {
        self.id = id
        self.url = url
    }
}

/// A content category and who defined it (VAST 4.3 §3.4.5).
public struct Category: Hashable, Sendable {
    /// The URL or name of the list that the code comes from.
    public var authority: String?
    /// The code; in a wrapper's `BlockedAdCategories` possibly several with commas between.
    public var code: String

    /// A category of a list.
    public init(authority: String? = nil, code: String) {
        self.authority = authority
        self.code = code
    }
}

/// Who advertises (VAST 4.3 §3.4.7).
public struct Advertiser: Hashable, Sendable {
    /// An id of the sender's (4.1+).
    public var id: String?
    /// The name.
    public var name: String

    /// An advertiser of this name.
    public init(id: String? = nil, name: String) {
        self.id = id
        self.name = name
    }
}

/// What an ad costs (VAST 4.3 §3.4.8).
public struct Pricing: Hashable, Sendable {
    /// `cpm`, `cpc`, `cpe`, `cpv`, as written.
    public var model: String?
    /// ISO 4217, as written.
    public var currency: String?
    /// The decimal number, or an encrypted text, as written.
    public var value: String

    /// A price.
    public init(model: String? = nil, currency: String? = nil, value: String) {
        self.model = model
        self.currency = currency
        self.value = value
    }
}

/// A survey about the ad (deprecated in VAST 4.1).
public struct Survey: Hashable, Sendable {
    /// The MIME type of what the URL answers.
    public var type: String?
    /// Its URL.
    public var url: String

    /// A survey at a URL.
    public init(type: String? = nil, url: String) {
        self.type = type
        self.url = url
    }
}

/// What is called when viewability has been decided (VAST 4.3 §3.5).
public struct ViewableImpression: Hashable, Sendable {
    /// The sender's id.
    public var id: String?
    /// The ad was viewable.
    public var viewable: [String]
    /// It was not.
    public var notViewable: [String]
    /// It cannot be told.
    public var undetermined: [String]

    /// URLs for the three verdicts.
    public init(id: String? = nil, viewable: [String] = [], notViewable: [String] = [], undetermined: [String] = []) {
        self.id = id
        self.viewable = viewable
        self.notViewable = notViewable
        self.undetermined = undetermined
    }
}
