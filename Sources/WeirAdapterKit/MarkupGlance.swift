internal import WeirModel

/// A look at markup that tells a fill from a no-fill without parsing it: the gateway does that once, later.
///
/// One walk over the bytes counts tags and finds the root, ads and the root's `Error` addresses. It proves neither
/// that the document is well-formed nor that an ad can be played, only that trying is worth it.
public struct MarkupGlance: Sendable, Hashable {
    /// What the root element is.
    public enum Root: Sendable, Hashable {
        /// `VAST`, or `VideoAdServingTemplate` of VAST 1.
        case vast
        /// `DAAST`.
        case daast
        /// `VMAP`.
        case vmap
        /// UTF-16, which is not looked into.
        case unknown
    }

    /// The most error addresses kept of one empty document.
    public static let errorURLCount = 16

    /// The root element.
    public var root: Root
    /// Whether there is an `Ad`, or in a VMAP an `Ad` or an `AdTagURI`.
    public var hasAds: Bool
    /// The addresses in the root's own `Error` elements, which a document without ads wants to be told.
    public var errorURLs: [String]

    /// Looks at a body.
    ///
    /// - Throws: `bad_response(bad_vast)` when the root is another element, or the document ends in the middle.
    public init(_ body: [UInt8]) throws(AdapterError) {
        if body.starts(with: [0xFE, 0xFF]) || body.starts(with: [0xFF, 0xFE]) {
            self.init(root: .unknown, hasAds: true, errorURLs: [])
            return
        }
        var walk = MarkupWalk()
        let isComplete = body.withUnsafeBufferPointer { walk.read($0) }
        guard let name = walk.rootName else {
            throw AdapterError(.badResponse, .badVAST, "The network's answer holds no XML element.")
        }
        guard let root = Self.root(named: name) else {
            throw AdapterError(
                .badResponse,
                .badVAST,
                name.lowercased() == "html"
                    ? "The network answered with an HTML page, not VAST, DAAST or VMAP."
                    : "The root of the network's answer is not VAST, DAAST or VMAP."
            )
        }
        guard isComplete else {
            throw AdapterError(.badResponse, .badVAST, "The network's answer breaks off in the middle.")
        }
        self.init(
            root: root,
            hasAds: walk.hasAd || (root == .vmap && walk.hasAdTag),
            errorURLs: walk.errorURLs
        )
    }

    private init(root: Root, hasAds: Bool, errorURLs: [String]) {
        self.root = root
        self.hasAds = hasAds
        self.errorURLs = errorURLs
    }

    private static func root(named name: String) -> Root? {
        switch name.lowercased() {
        case "vast", "videoadservingtemplate": .vast
        case "daast": .daast
        case "vmap": .vmap
        default: nil
        }
    }
}

extension LoadOutcome {
    /// What a reply that is markup means: one offer of the whole document, or nothing to sell.
    ///
    /// - Throws: `bad_response(bad_vast)`, as ``MarkupGlance`` does.
    public init(markup body: [UInt8]) throws(AdapterError) {
        let glance = try MarkupGlance(body)
        if glance.hasAds {
            self = .fill([Offer(markup: .document(body))])
        } else if glance.root == .vmap {
            self = .noFill(NoFill(.noAd, "The network answered with a VMAP document that offers no ad."))
        } else if glance.errorURLs.isEmpty {
            self = .noFill(NoFill(.emptyVAST, "The network answered with an empty VAST document."))
        } else {
            self = .noFill(
                NoFill(
                    .noAd,
                    "The network answered with a VAST document that holds an Error and no ad.",
                    errorURLs: glance.errorURLs
                )
            )
        }
    }
}
