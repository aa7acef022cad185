/// How many elements of the main kinds a document has, anywhere in it; of a broken one, up to where it breaks.
public struct ElementCounts: Hashable, Sendable {
    /// `Ad` elements.
    public var ads = 0
    /// `InLine` elements.
    public var inLines = 0
    /// `Wrapper` elements.
    public var wrappers = 0
    /// `Linear` elements.
    public var linears = 0
    /// `NonLinear` elements.
    public var nonLinears = 0
    /// `Companion` elements.
    public var companions = 0
    /// VMAP's `AdBreak` elements.
    public var adBreaks = 0

    /// No elements.
    public init() {}

    mutating func add(_ tag: Tag) {
        switch tag {
        case .ad: ads += 1
        case .inLine: inLines += 1
        case .wrapper: wrappers += 1
        case .linear: linears += 1
        case .nonLinear: nonLinears += 1
        case .companion: companions += 1
        case .adBreak: adBreaks += 1
        default: break
        }
    }
}
