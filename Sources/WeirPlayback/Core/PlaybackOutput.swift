/// What an output is for.
public enum OutputKind: String, Hashable, Sendable {
    /// Something happened; the host may look.
    case event
    /// The host's ad player is to do something.
    case command
    /// A URL is due to be called, when tracking is the client's.
    case tracking
}

/// One thing that a playback machine says; each machine has its own type of outputs.
///
/// A machine returns outputs without numbers; whoever delivers them numbers them with an ``OutputLog``.
public protocol PlaybackOutput: Hashable, Sendable {
    /// What it is for.
    var kind: OutputKind { get }
    /// Its stable, printable name, in `snake_case` (S3.20).
    var type: String { get }
    /// What it says besides, in a stable order.
    var details: [PlaybackDetail] { get }
    /// The URL that is due, when it is one; `nil` for events and commands.
    var beacon: DueBeacon? { get }
}

extension PlaybackOutput {
    /// Most outputs are no beacons.
    public var beacon: DueBeacon? { nil }
}

/// An output with its number.
public struct NumberedOutput<Output: Sendable>: Sendable {
    /// The number: from 1, rising, without gaps.
    public var seq: Int
    /// What is said.
    public var output: Output

    /// An output with its number.
    public init(seq: Int, output: Output) {
        self.seq = seq
        self.output = output
    }
}

extension NumberedOutput where Output: PlaybackOutput {
    /// What it is for.
    public var kind: OutputKind { output.kind }
    /// Its stable name.
    public var type: String { output.type }
}

/// The outputs that were delivered, numbered from 1 without gaps; the oldest fall out beyond ``limit``.
public struct OutputLog<Output: Sendable>: Sendable {
    /// The most outputs that are kept for reading again, unless told otherwise.
    public static var usualLimit: Int { 512 }

    /// The most outputs that are kept.
    public let limit: Int
    /// The number of the last output; 0 before the first.
    public private(set) var lastSeq = 0
    /// The outputs that are kept, oldest first.
    public private(set) var outputs: [NumberedOutput<Output>] = []

    /// An empty log that keeps at most `limit` outputs, at least one.
    public init(limit: Int = Self.usualLimit) {
        self.limit = max(1, limit)
    }

    /// Numbers `fresh` and keeps them; returns them with their numbers.
    @discardableResult
    public mutating func append(_ fresh: [Output]) -> [NumberedOutput<Output>] {
        let numbered = fresh.enumerated().map { NumberedOutput(seq: lastSeq + 1 + $0.offset, output: $0.element) }
        lastSeq += numbered.count
        outputs += numbered
        if outputs.count > limit { outputs.removeFirst(outputs.count - limit) }
        return numbered
    }

    /// The outputs after number `seq` that are still kept, oldest first.
    public func outputs(after seq: Int) -> [NumberedOutput<Output>] {
        // Numbers have no gaps, so the place follows from the number.
        guard let first = outputs.first?.seq, seq < lastSeq else { return [] }
        return Array(outputs.dropFirst(max(0, seq - first + 1)))
    }
}
