/// A version of VAST that can be written.
public enum VASTVersion: String, CaseIterable, Hashable, Comparable, Sendable {
    /// 2009; the last one without skipping.
    case v2 = "2.0"
    /// 2012: pods, skipping, icons.
    case v3 = "3.0"
    /// 2016: universal ids, viewability, captions of the tree's order.
    case v4 = "4.0"
    /// 2018: audio, verification.
    case v41 = "4.1"
    /// 2019: icon fallbacks, SIMID.
    case v42 = "4.2"
    /// 2022: alternative texts, data URIs.
    case v43 = "4.3"

    /// What a request means: `2` and `2.0` are the same, an unknown 4.x is the newest.
    public init?(_ text: some StringProtocol) {
        switch String(text) {
        case "2", "2.0", "2.0.1": self = .v2
        case "3", "3.0": self = .v3
        case "4", "4.0": self = .v4
        case "4.1": self = .v41
        case "4.2": self = .v42
        case "4.3": self = .v43
        default: return nil
        }
    }

    /// Older is less.
    public static func < (left: VASTVersion, right: VASTVersion) -> Bool { left.rawValue < right.rawValue }

    /// VAST's namespace since version 4 (the schemas of 4.0 to 4.2).
    static let namespace = "http://www.iab.com/VAST"

    /// The tracking events that the version's schema lists, and for 4.3 its text.
    var events: Set<String> {
        switch self {
        case .v2: Self.events2
        case .v3: Self.events3
        case .v4: Self.events40
        case .v41: Self.events41
        case .v42: Self.events42
        case .v43: Self.events43
        }
    }

    /// The event's name in this version; `nil` when it has none.
    func name(of event: EventName) -> String? {
        if events.contains(event.rawValue) { return event.rawValue }
        if events.contains(event.current.rawValue) { return event.current.rawValue }
        switch event.rawValue {
        case "playerExpand": return events.contains("fullscreen") ? "fullscreen" : nil
        case "playerCollapse": return events.contains("exitFullscreen") ? "exitFullscreen" : nil
        case "adExpand": return events.contains("expand") ? "expand" : nil
        case "adCollapse": return events.contains("collapse") ? "collapse" : nil
        case "closeLinear": return events.contains("close") ? "close" : nil
        case "acceptInvitationLinear": return events.contains("acceptInvitation") ? "acceptInvitation" : nil
        default: return nil
        }
    }

    private static let events2: Set<String> = [
        "creativeView", "start", "midpoint", "firstQuartile", "thirdQuartile", "complete", "mute", "unmute", "pause",
        "rewind", "resume", "fullscreen", "expand", "collapse", "acceptInvitation", "close",
    ]

    private static let events3 = events2.union([
        "exitFullscreen", "skip", "progress", "acceptInvitationLinear", "closeLinear",
    ])

    private static let events4: Set<String> = [
        "mute", "unmute", "pause", "resume", "rewind", "skip", "playerExpand", "playerCollapse", "start",
        "firstQuartile", "midpoint", "thirdQuartile", "complete", "progress", "creativeView", "acceptInvitation",
        "adExpand", "adCollapse", "minimize", "close", "overlayViewDuration", "otherAdInteraction",
    ]

    private static let events40 = events4.union(["acceptInvitationLinear", "timeSpentViewing"])
    private static let events41 = events4.union(["loaded", "closeLinear"])
    private static let events42 = events41.union(["interactiveStart"])
    private static let events43 = events42.union(["notUsed"])
}
