/// How much an event matters to an operator.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// For whoever looks for a fault.
    case debug

    /// Normal life worth a line.
    case info

    /// Something is not as it should be, and Weir goes on.
    case warning

    /// Something failed, and somebody should look.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// Less important is less.
    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
