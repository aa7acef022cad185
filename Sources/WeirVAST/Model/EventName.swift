/// The name of a tracking event (VAST 4.3 §3.14.1); names that VAST does not know are kept and never fire.
public struct EventName: RawRepresentable, Hashable, Sendable {
    /// The name as written.
    public var rawValue: String

    /// The event spelt `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The media is loaded (4.1+).
    public static let loaded = EventName(rawValue: "loaded")
    /// Playback has begun.
    public static let start = EventName(rawValue: "start")
    /// A quarter has been played.
    public static let firstQuartile = EventName(rawValue: "firstQuartile")
    /// Half has been played.
    public static let midpoint = EventName(rawValue: "midpoint")
    /// Three quarters have been played.
    public static let thirdQuartile = EventName(rawValue: "thirdQuartile")
    /// All has been played.
    public static let complete = EventName(rawValue: "complete")
    /// A point given by an offset has been played (3.0+).
    public static let progress = EventName(rawValue: "progress")
    /// The creative is on screen.
    public static let creativeView = EventName(rawValue: "creativeView")
    /// The sound went off.
    public static let mute = EventName(rawValue: "mute")
    /// The sound came back.
    public static let unmute = EventName(rawValue: "unmute")
    /// Playback halted.
    public static let pause = EventName(rawValue: "pause")
    /// Playback goes on.
    public static let resume = EventName(rawValue: "resume")
    /// The viewer went back.
    public static let rewind = EventName(rawValue: "rewind")
    /// The viewer skipped the ad (3.0+).
    public static let skip = EventName(rawValue: "skip")
    /// The player grew (4.0+).
    public static let playerExpand = EventName(rawValue: "playerExpand")
    /// The player shrank (4.0+).
    public static let playerCollapse = EventName(rawValue: "playerCollapse")
    /// The ad was loaded and never played (4.1+).
    public static let notUsed = EventName(rawValue: "notUsed")
    /// The viewer closed the linear ad.
    public static let closeLinear = EventName(rawValue: "closeLinear")
    /// The viewer closed the ad.
    public static let close = EventName(rawValue: "close")
    /// Interactive code has begun (4.1+).
    public static let interactiveStart = EventName(rawValue: "interactiveStart")
    /// A measurement script could not run (4.1+).
    public static let verificationNotExecuted = EventName(rawValue: "verificationNotExecuted")

    /// The name in use today: VAST 2 and 3 said `fullscreen`, `exitFullscreen`, `expand` and `collapse`.
    public var current: EventName {
        switch rawValue {
        case "fullscreen", "expand": .playerExpand
        case "exitFullscreen", "collapse": .playerCollapse
        default: self
        }
    }

    /// Whether some version of VAST, DAAST or VMAP has an event of this name.
    public var isKnown: Bool { Self.known.contains(rawValue) }

    static let known: Set<String> = [
        "loaded", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "progress", "creativeView",
        "mute", "unmute", "pause", "resume", "rewind", "skip", "playerExpand", "playerCollapse", "fullscreen",
        "exitFullscreen", "expand", "collapse", "notUsed", "closeLinear", "close", "interactiveStart",
        "otherAdInteraction", "acceptInvitation", "acceptInvitationLinear", "timeSpentViewing", "adExpand",
        "adCollapse", "minimize", "overlayViewDuration", "verificationNotExecuted", "breakStart", "breakEnd", "error",
    ]
}
