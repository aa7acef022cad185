public import WeirModel
internal import WeirVAST

/// One request for ads (S0.8, S0.26): where from, where to, and what is to come back.
public struct AdsRequest: Sendable {
    /// Where the ads come from.
    public enum Source: Hashable, Sendable {
        /// An ad server's tag: VAST or VMAP of any server (S0.1).
        case adTag(String)
        /// A placement of a Weir gateway.
        case placement(PlacementID)
        /// A document that is at hand.
        case document(String)
    }

    /// One more parameter for the tag.
    public struct Parameter: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value, not encoded.
        public var value: String

        /// A parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where the ads come from.
    public var source: Source
    /// What they are rendered in; without it the request is refused (S0.5).
    public var adDisplayContainer: AdDisplayContainer?
    /// Where the content is; without it mid-rolls cannot play (S0.16).
    public var contentPlayhead: (any ContentPlayhead)?
    /// What comes back unchanged with the ads or the failure.
    public var userContext: (any Sendable)?
    /// The content player's picture, for picture-in-picture (S3.9).
    public var videoDisplay: (any VideoDisplay)?
    /// The proxy of picture-in-picture (S3.10).
    public var pictureInPictureProxy: PictureInPictureProxy?
    /// More parameters for the tag, appended in order (S0.8).
    public var parameters: [Parameter] = []
    /// The viewer's advertising identifier; none is sent unless one is given (S0.45).
    public var advertisingIdentifier: AdvertisingIdentifier?
    /// The content's length, if known.
    public var contentDuration: Duration?
    /// An id of the content item, to tell its end from that of others (S0.19).
    public var contentItem: String?
    /// Whether ads whose own controls cannot be hidden are refused (S1.35).
    public var requiresHideableUI = false

    /// A request.
    public init(
        _ source: Source,
        adDisplayContainer: AdDisplayContainer?,
        contentPlayhead: (any ContentPlayhead)? = nil,
        userContext: (any Sendable)? = nil,
        videoDisplay: (any VideoDisplay)? = nil,
        pictureInPictureProxy: PictureInPictureProxy? = nil
    ) {
        self.source = source
        self.adDisplayContainer = adDisplayContainer
        self.contentPlayhead = contentPlayhead
        self.userContext = userContext
        self.videoDisplay = videoDisplay
        self.pictureInPictureProxy = pictureInPictureProxy
    }
}

/// An identifier for advertising, and whether it may be used.
public struct AdvertisingIdentifier: Hashable, Sendable {
    /// The identifier.
    public var id: String
    /// Whether the viewer limits ad tracking; then only this wish travels, not the identifier.
    public var isTrackingLimited: Bool
    /// Whether the viewer has agreed to its use.
    public var hasConsent: Bool

    /// An identifier.
    public init(id: String, isTrackingLimited: Bool, hasConsent: Bool) {
        self.id = id
        self.isTrackingLimited = isTrackingLimited
        self.hasConsent = hasConsent
    }
}

extension AdsRequest {
    /// The tag as it is asked: an empty `correlator` gets a fresh number and an empty `sz` the container's size, more
    /// parameters are appended, and everything else stays byte for byte (S0.23).
    public func tagURL(_ tag: String, correlator: UInt64) -> String {
        var (address, fragment) = Self.split(tag, at: "#")
        var query: String?
        (address, query) = Self.split(address, at: "?")
        var fields = query.map { $0.split(separator: "&", omittingEmptySubsequences: false).map(String.init) } ?? []
        fields = fields.map { field in
            switch field {
            case "correlator", "correlator=": "correlator=\(correlator)"
            case "sz", "sz=":
                adDisplayContainer.map { "sz=\($0.width)x\($0.height)" } ?? field
            default: field
            }
        }
        fields += parameters.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
        if !fields.isEmpty { address += "?" + fields.joined(separator: "&") }
        if let fragment { address += "#" + fragment }
        return address
    }

    /// What the macros of the tag and of its wrappers are filled with.
    var macros: MacroContext {
        var macros = MacroContext()
        if let adDisplayContainer {
            macros["PLAYERSIZE"] = .list([String(adDisplayContainer.width), String(adDisplayContainer.height)])
        }
        if let identifier = advertisingIdentifier {
            macros["LIMITADTRACKING"] = .number(identifier.isTrackingLimited ? 1 : 0)
            if identifier.hasConsent, !identifier.isTrackingLimited {
                macros["IFA"] = .text(identifier.id)
            } else {
                macros.withheld.insert("IFA")
            }
        }
        return macros
    }

    private static func split(_ text: String, at sign: Character) -> (String, String?) {
        guard let place = text.firstIndex(of: sign) else { return (text, nil) }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986.
    static func encoded(_ text: String) -> String {
        var output = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                output += "%" + (digits.count == 1 ? "0" + digits : digits)
            }
        }
        return output
    }
}
