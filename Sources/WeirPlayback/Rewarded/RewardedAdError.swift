/// Why a rewarded ad could not be loaded or shown.
public struct RewardedAdError: Error, Hashable, Sendable {
    /// What kind of trouble it is; hundreds tell loading (100) from showing (200).
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number; stable for ever.
        public var rawValue: Int

        /// The code with this number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The networks have no ad now.
        public static let noFill = Code(rawValue: 101)
        /// The request is wrong, such as an unknown or empty ad unit id.
        public static let badRequest = Code(rawValue: 102)
        /// The gateway could not be reached, or answered nothing that can be read.
        public static let unreachable = Code(rawValue: 103)
        /// The caller cancelled the load.
        public static let cancelled = Code(rawValue: 104)
        /// A test ad unit is asked for in production (S2.4).
        public static let testUnitInProduction = Code(rawValue: 105)
        /// There is no ad that is ready (S2.25).
        public static let notReady = Code(rawValue: 201)
        /// The ad was presented before (S2.21).
        public static let alreadyUsed = Code(rawValue: 202)
        /// The ad has waited too long.
        public static let expired = Code(rawValue: 203)
        /// The viewer was not asked, or said no (S2.23).
        public static let consentToWatchRequired = Code(rawValue: 204)
        /// The player could not show it.
        public static let presentation = Code(rawValue: 205)
    }

    /// What kind of trouble it is.
    public var code: Code
    /// One sentence; never empty (S2.7).
    public var reason: String

    /// An error; an empty reason becomes one that names the code.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason.isEmpty ? "The ad cannot be used (\(code.rawValue))." : reason
    }

    /// The error that a refused presentation is.
    init(_ refusal: PlaybackRefusal) {
        switch refusal.reason {
        case .alreadyUsed: self.init(.alreadyUsed, refusal.message)
        case .expired: self.init(.expired, refusal.message)
        case .optInRequired: self.init(.consentToWatchRequired, refusal.message)
        default: self.init(.notReady, refusal.message)
        }
    }
}
