/// What went wrong with an ad, for the host (S0.32, S0.39).
public struct AdFailure: Error, Hashable, Sendable {
    /// When it went wrong.
    public enum Stage: String, Hashable, Sendable {
        /// While ads were fetched.
        case load
        /// While an ad was to be played.
        case play
    }

    /// When it went wrong.
    public var stage: Stage
    /// VAST's code below 1000, VMAP's or IMA's above.
    public var code: Int
    /// One sentence; never empty.
    public var message: String

    /// A failure.
    public init(stage: Stage, code: Int, message: String) {
        self.stage = stage
        self.code = code
        self.message = message.isEmpty ? "The ad failed with code \(code)." : message
    }

    /// IMA's 1005: the ads could not be asked for.
    public static let failedToRequestAds = 1005
    /// IMA's 1009: the answer holds no ads.
    public static let emptyResponse = 1009
    /// IMA's 1012: the network failed.
    public static let networkError = 1012
    /// IMA's 1101: the request makes no sense.
    public static let invalidArguments = 1101
    /// VAST's 400: the ad cannot be displayed.
    static let cannotDisplay = 400

    /// VAST's code for what a player says went wrong (VAST 4.3 §2.3.6.3).
    static func code(forReason reason: String) -> Int {
        switch reason {
        case "not_found", "http", "network": 401
        case "timeout": 402
        case "unsupported", "no_media": 403
        case "decode", "media", "display": 405
        default: cannotDisplay
        }
    }
}
