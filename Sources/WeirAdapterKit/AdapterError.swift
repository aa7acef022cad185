public import WeirModel

/// Something broke while a network was asked.
public struct AdapterError: Error, Sendable, Hashable {
    /// The verdict the attempt will carry.
    public var outcome: AttemptOutcome
    /// Loss notices of bids that could not be used, each owed one call; without macros.
    public var lossURLs: [String] = []

    /// An error with its verdict.
    ///
    /// - Precondition: `result` is one of `timeout`, `networkError`, `badResponse`, `rejected`, `skipped` or `crash`,
    ///   and `reason` one of its reasons.
    public init(
        _ result: AttemptResult,
        _ reason: Reason,
        _ message: String,
        networkCode: String? = nil,
        networkMessage: String? = nil
    ) {
        precondition(result != .fill && result != .noFill && result != .notAttempted, "\(result.rawValue) is no error")
        outcome = AttemptOutcome(
            result,
            reason,
            message,
            networkCode: networkCode,
            networkMessage: networkMessage
        )
    }

    /// The verdict on a transport's failure.
    public init(_ failure: TransportError) {
        switch failure.kind {
        case .timeout: self.init(.timeout, .lineTimeout, failure.message)
        case .connectionRefused: self.init(.networkError, .connectionRefused, failure.message)
        case .dns: self.init(.networkError, .dns, failure.message)
        case .tls: self.init(.networkError, .tls, failure.message)
        case .reset, .cancelled: self.init(.networkError, .reset, failure.message)
        case .addressRefused: self.init(.networkError, .addressRefused, failure.message)
        case .tooLarge: self.init(.badResponse, .tooLarge, failure.message)
        case .badEncoding: self.init(.badResponse, .badEncoding, failure.message)
        case .saturated: self.init(.skipped, .saturated, failure.message)
        }
    }
}

/// What the status of a reply says before anybody reads its body.
public enum StatusVerdict: Sendable, Hashable {
    /// A proper "nothing to sell": 204, or 200 with an empty body.
    case noFill(NoFill)
    /// The network failed or sent us elsewhere.
    case failure(AdapterError)
    /// Read the body.
    case readBody

    /// Judges a reply.
    public init(_ reply: InboundResponse) {
        switch reply.status {
        case 204:
            self = .noFill(NoFill(.http204, "The network answered 204: nothing to sell."))
        case 200..<300 where reply.body.allSatisfy(\.isXMLWhitespace):
            self = .noFill(NoFill(.emptyBody, "The network answered \(reply.status) with an empty body."))
        case 200..<300:
            self = .readBody
        case 300..<400:
            self = .failure(
                AdapterError(
                    .networkError,
                    .redirectRefused,
                    "The network answered \(reply.status); Weir follows no redirects."
                )
            )
        case 400..<500:
            self = .failure(
                AdapterError(
                    .networkError,
                    .http4xx,
                    "The network answered \(reply.status).",
                    networkCode: "\(reply.status)"
                )
            )
        default:
            self = .failure(
                AdapterError(
                    .networkError,
                    .http5xx,
                    "The network answered \(reply.status).",
                    networkCode: "\(reply.status)"
                )
            )
        }
    }
}

extension UInt8 {
    /// Whether the byte is a blank, tab, line feed or carriage return.
    fileprivate var isXMLWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
