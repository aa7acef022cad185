/// What a text may cost before it is refused.
///
/// A body of a few hundred kilobytes can hold millions of tiny values, so bytes alone are no bound on memory.
public struct JSONLimits: Hashable, Sendable {
    /// The longest text, in bytes.
    public var bytes: Int

    /// How many objects and arrays may stand inside one another; values above ``deepest`` count as that.
    public var depth: Int

    /// How many values (members and elements of every level, containers included) one text may hold.
    public var values: Int

    /// Limits for a body from the network: 4 MiB, 64 levels, 100,000 values.
    public static let `default` = JSONLimits()

    /// The greatest depth ever allowed, because values are walked recursively on threads with small stacks.
    public static let deepest = 256

    /// The longest number, in bytes; longer ones carry no meaning and cost time to convert.
    public static let numberBytes = 128

    /// Limits; each has its default.
    public init(bytes: Int = 4 << 20, depth: Int = 64, values: Int = 100_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}
