/// A VAST answer: either ads or, in a no-ad answer, error URLs.
///
/// DAAST 1.0 is read into the same shape. Everything a document of VAST 2.0–4.3 can say has a place in this model, so
/// that reading and writing lose nothing; what the tree does not know is kept verbatim in ``VASTExtension`` values.
public struct VASTDocument: Hashable, Sendable {
    /// The `version` attribute as written; empty when absent.
    public var version: String

    /// The default namespace of the root element, if it has one (`http://www.iab.com/VAST` since VAST 4).
    public var namespace: String?

    /// Root `Error` URLs: what is called when the answer has no ad (VAST 4.3 §3.2.1).
    public var errors: [String]

    /// The ads in document order.
    public var ads: [VASTAd]

    /// A document of these parts.
    public init(version: String, namespace: String? = nil, errors: [String] = [], ads: [VASTAd] = []) {
        self.version = version
        self.namespace = namespace
        self.errors = errors
        self.ads = ads
    }
}

/// One `Ad` of a document.
public struct VASTAd: Hashable, Sendable {
    /// What an `Ad` element holds.
    ///
    /// It is kept behind a reference, so that passing an ad on costs little.
    public indirect enum Content: Hashable, Sendable {
        /// A complete ad.
        case inLine(InLine)
        /// A pointer to another document, with trackers to add.
        case wrapper(Wrapper)
        /// Neither: a schema error (101), kept so that it can be reported.
        case empty
    }

    /// The ad server's id.
    public var id: String?

    /// The position in a pod, above zero; `nil` for a stand-alone ad.
    public var sequence: Int?

    /// The `conditionalAd` attribute (4.0, deprecated in 4.1).
    public var isConditional: Bool?

    /// What kind of ad it says it is (4.1+); absent means video.
    public var adType: AdType?

    /// The ad itself.
    public var content: Content

    /// An ad of these parts.
    public init(
        id: String? = nil,
        sequence: Int? = nil,
        isConditional: Bool? = nil,
        adType: AdType? = nil,
        content: Content
    ) {
        self.id = id
        self.sequence = sequence
        self.isConditional = isConditional
        self.adType = adType
        self.content = content
    }

    /// The complete ad, when this is one.
    public var inLine: InLine? {
        if case .inLine(let inLine) = content { return inLine }
        return nil
    }

    /// The pointer to another document, when this is one.
    public var wrapper: Wrapper? {
        if case .wrapper(let wrapper) = content { return wrapper }
        return nil
    }

    /// Whether this is a pointer to another document; asking for the pointer would copy it.
    var isWrapper: Bool {
        if case .wrapper = content { return true }
        return false
    }
}

/// The `adType` attribute (VAST 4.1, §3.3): `video`, `audio`, `hybrid`, or a word of the ad server's own.
public struct AdType: RawRepresentable, Hashable, Sendable {
    /// The word as written, in lower case.
    public var rawValue: String

    /// The type spelt `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An ad that is seen.
    public static let video = AdType(rawValue: "video")
    /// An ad that is heard.
    public static let audio = AdType(rawValue: "audio")
    /// A video whose sound alone is enough.
    public static let hybrid = AdType(rawValue: "hybrid")
}
