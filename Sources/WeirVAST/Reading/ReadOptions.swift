/// How a document is read.
public struct ReadOptions: Hashable, Sendable {
    /// Whether what real servers send is tolerated with a warning.
    public var isLenient: Bool
    /// What is too much.
    public var limits: ReadLimits

    /// Options for reading.
    public init(isLenient: Bool = true, limits: ReadLimits = ReadLimits()) {
        self.isLenient = isLenient
        self.limits = limits
    }

    /// Tolerates what real servers send; the default.
    public static let lenient = ReadOptions(isLenient: true)
    /// Takes the specification at its word.
    public static let strict = ReadOptions(isLenient: false)
}

/// What is too much for one document.
public struct ReadLimits: Hashable, Sendable {
    /// Bytes of the document; 8 MiB hold a pod of thousands of ads.
    public var bytes = 8 << 20
    /// Nested elements; the deepest VAST has about 12, extensions add a few.
    public var depth = 64
    /// Elements in all.
    public var elements = 400_000
    /// `Ad` elements.
    public var ads = 5000
    /// Attributes of one element.
    public var attributes = 256
    /// Bytes of one text or attribute value; HTML companions are the longest.
    public var text = 2 << 20
    /// Diagnostics that are kept; the rest are counted in the last one.
    public var diagnostics = 200

    /// The default limits.
    public init() {}
}
