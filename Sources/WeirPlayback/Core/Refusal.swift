/// An input that is not allowed now: it changed nothing.
public struct PlaybackRefusal: Error, Hashable, Sendable {
    /// The type of the refused input.
    public var input: String
    /// Why, as a stable word.
    public var reason: RefusalReason
    /// One sentence for people.
    public var message: String
    /// The member that is wrong, when it is one alone; `nil` when the input as a whole comes at the wrong time.
    public var member: Member?

    /// A member of an input, and what is wrong with it.
    public struct Member: Hashable, Sendable {
        /// Where it stands: `rendering.disable_ui`.
        public var path: String
        /// The end of a sentence whose subject is the path: `must be true or false`.
        public var message: String

        /// A member.
        public init(path: String, message: String) {
            self.path = path
            self.message = message
        }
    }

    /// A refusal.
    public init(input: String, reason: RefusalReason, message: String) {
        self.input = input
        self.reason = reason
        self.message = message
    }

    /// A refusal because of a member, `bad_input`.
    public init(input: String, member: Member) {
        self.init(input: input, reason: .badInput, message: "\(member.path) \(member.message).")
        self.member = member
    }

    /// As a `refused` output shows it: `input`, `reason` and `message`.
    public var details: [PlaybackDetail] {
        [
            PlaybackDetail("input", input), PlaybackDetail("reason", reason.rawValue),
            PlaybackDetail("message", message),
        ]
    }
}

/// Why an input was refused: a stable word.
public struct RefusalReason: RawRepresentable, Hashable, Sendable {
    /// The word.
    public var rawValue: String

    /// The reason spelt `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No input has this type.
    public static let unknownInput = RefusalReason(rawValue: "unknown_input")
    /// A member is missing, of the wrong type, not a number, negative or out of range.
    public static let badInput = RefusalReason(rawValue: "bad_input")
    /// Nothing has been loaded yet.
    public static let notLoaded = RefusalReason(rawValue: "not_loaded")
    /// It was loaded before.
    public static let alreadyLoaded = RefusalReason(rawValue: "already_loaded")
    /// There is no player or container to show it in.
    public static let noPlayer = RefusalReason(rawValue: "no_player")
    /// The manager has not been initialized.
    public static let notInitialized = RefusalReason(rawValue: "not_initialized")
    /// The manager was initialized before.
    public static let alreadyInitialized = RefusalReason(rawValue: "already_initialized")
    /// No ad is ready to start.
    public static let noAdReady = RefusalReason(rawValue: "no_ad_ready")
    /// No ad is playing.
    public static let notPlaying = RefusalReason(rawValue: "not_playing")
    /// Nothing is paused.
    public static let notPaused = RefusalReason(rawValue: "not_paused")
    /// An ad is playing, and the content must not be moved under it.
    public static let adPlaying = RefusalReason(rawValue: "ad_playing")
    /// Ads cannot start in picture-in-picture.
    public static let pipActive = RefusalReason(rawValue: "pip_active")
    /// The client did not declare picture-in-picture.
    public static let pipUnsupported = RefusalReason(rawValue: "pip_unsupported")
    /// The application is in the background.
    public static let inBackground = RefusalReason(rawValue: "in_background")
    /// The ad cannot be skipped at all.
    public static let notSkippable = RefusalReason(rawValue: "not_skippable")
    /// The ad can be skipped later.
    public static let notSkippableYet = RefusalReason(rawValue: "not_skippable_yet")
    /// The ad's flags forbid it.
    public static let notAllowedByAd = RefusalReason(rawValue: "not_allowed_by_ad")
    /// The ad has no such icon, companion or landing page.
    public static let unknownPart = RefusalReason(rawValue: "unknown_part")
    /// It was used before and is used up.
    public static let alreadyUsed = RefusalReason(rawValue: "already_used")
    /// It is too old.
    public static let expired = RefusalReason(rawValue: "expired")
    /// There is no mid-point at this position.
    public static let unknownPoint = RefusalReason(rawValue: "unknown_point")
    /// The mid-point has been played.
    public static let pointAlreadyPlayed = RefusalReason(rawValue: "point_already_played")
    /// The user must have said yes.
    public static let optInRequired = RefusalReason(rawValue: "opt_in_required")
    /// It comes in the wrong order.
    public static let wrongOrder = RefusalReason(rawValue: "wrong_order")
    /// It speaks of another content item.
    public static let otherItem = RefusalReason(rawValue: "other_item")
    /// Nothing more can happen here.
    public static let finished = RefusalReason(rawValue: "finished")
}
