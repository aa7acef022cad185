/// Measurement code of a vendor (VAST 4.3 §3.17).
public struct Verification: Hashable, Sendable {
    /// Who measures.
    public var vendor: String?
    /// Scripts and programmes, in document order.
    public var resources: [VerificationResource] = []
    /// What is called about the code itself (`verificationNotExecuted`).
    public var trackingEvents: [TrackingEvent] = []
    /// A text for the code.
    public var parameters: String?

    /// Measurement without code.
    public init() {}
}

/// A script or programme that measures (VAST 4.3 §3.17.1, §3.17.2).
public struct VerificationResource: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable {
        /// A script.
        case javaScript = "JavaScriptResource"
        /// A programme.
        case executable = "ExecutableResource"
    }

    /// What it is.
    public var kind: Kind
    /// The API that it needs (`omid`).
    public var apiFramework: String?
    /// The MIME type of a programme.
    public var type: String?
    /// Whether a script runs outside a browser too.
    public var isBrowserOptional: Bool?
    /// Where it is.
    public var url: String

    /// Code at a URL.
    public init(
        kind: Kind,
        apiFramework: String? = nil,
        type: String? = nil,
        isBrowserOptional: Bool? = nil,
        url: String
    ) {
        self.kind = kind
        self.apiFramework = apiFramework
        self.type = type
        self.isBrowserOptional = isBrowserOptional
        self.url = url
    }
}
