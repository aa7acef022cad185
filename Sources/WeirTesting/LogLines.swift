internal import WeirTime

/// Log lines that a test looks at afterwards.
public final class LogLines: Sendable {
    private let lines = Lock<[String]>([])

    /// No lines yet.
    public init() {}

    /// The lines so far.
    public var all: [String] { lines.withLock { $0 } }

    /// Adds a line.
    public func append(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
