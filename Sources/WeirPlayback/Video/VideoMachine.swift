internal import WeirVAST

/// The whole life of the ads of one content item, as a pure state machine: IMA's ads manager without a player.
///
/// Inputs are what the host, its players and the screen do; outputs are events for the host, commands for its ad player and
/// URLs that are due. The content player is never commanded, only asked (S0.2). No input traps, and one that is not allowed
/// now changes nothing and is answered by one `refused`.
public struct VideoMachine: PlaybackMachine {
    /// What the session was made with.
    public let configuration: VideoConfiguration

    /// Where loading stands.
    enum Phase: Hashable, Sendable {
        case idle, loading, loaded, running, failed, destroyed
    }

    /// What the host's screen does.
    struct Display: Hashable, Sendable {
        var isPIPActive = false
        var isInBackground = false
        var isModalShown = false
        var isVisible = true
        var isMuted = false
    }

    /// What is known about the content.
    struct Content: Hashable, Sendable {
        var position = Duration.zero
        var duration: Duration?
        var item: String?
        var isComplete = false
        /// `nil` until the host was first asked for anything: then whether the content has the screen.
        var hasScreen: Bool?
    }

    var phase = Phase.idle
    var rendering = AdsRenderingSettings()
    var schedule = AdSchedule()
    var plan = BreakPlan(AdSchedule(), duration: nil)
    var content = Content()
    var display = Display()
    /// Breaks that are due and wait for the one that is ready or running.
    var due: [BreakPlan.Entry] = []
    /// The break that is ready or running.
    ///
    /// It lies on the heap, because most sessions have none most of the time and it is ten times as large as the rest.
    var run: BreakRun? {
        get { runStorage.first }
        _modify {
            var value = runStorage.popLast()
            defer {
                if let value { runStorage.append(value) } else { runStorage = [] }
            }
            yield &value
        }
    }
    private var runStorage: [BreakRun] = []
    /// The ad that was handed to the player ahead of its break, and that break.
    var preloaded: Preloaded?
    /// Breaks that come again as they play this time, each with ads that were asked for anew.
    var renewed: [BreakPlan.Entry.ID: AdSchedule.Break] = [:]
    /// The repetition whose ads are being asked for.
    var wanted: BreakPlan.Entry?
    var hasSaidAllCompleted = false
    /// Ads that were told to stop and whose player has not confirmed it yet.
    var unconfirmedStops = 0
    var now = Duration.zero

    /// A session; nothing is loaded yet.
    public init(_ configuration: VideoConfiguration = VideoConfiguration()) {
        self.configuration = configuration
        content.duration = configuration.contentDuration
    }

    /// Takes one input.
    public mutating func handle(_ input: VideoInput, at elapsed: Duration) -> [VideoOutput] {
        var out = timePassed(at: elapsed)
        guard phase != .destroyed else {
            refuse(input, .finished, "The session has ended.", &out)
            return out
        }
        switch input {
        case .load, .adsLoaded, .loadFailed: load(input, &out)
        case .contentReady, .playhead, .seeked, .contentComplete: contentReports(input, &out)
        case .transport: transport(input, &out)
        case .initialize, .start, .pause, .resume, .skip, .clicked, .discardAdBreak, .setVolume, .destroy:
            manage(input, &out)
        case .pipStarted, .pipStopped, .appBackground, .appForeground, .modalShown, .modalDismissed, .visible,
            .hidden:
            displayReports(input, &out)
        default: playerReports(input, &out)
        }
        return out
    }

    /// Gives up an ad that does not start in time (IMA: 8 s), so that a dead media server never blocks the content.
    public mutating func timePassed(at elapsed: Duration) -> [VideoOutput] {
        now = max(now, elapsed)
        var out: [VideoOutput] = []
        // A pod of dead ads gives up one after another, each with its own time.
        while let deadline = nextDeadline, deadline <= now {
            fail(AdFailure(stage: .play, code: 402, message: "The ad did not start in time."), &out)
        }
        return out
    }

    /// When the ad that was told to play has failed unless it starts.
    public var nextDeadline: Duration? { run?.startDeadline }

    /// The output that tells a refusal.
    public static func refused(_ refusal: PlaybackRefusal) -> VideoOutput {
        .event(AdEvent(.refused, payload: .refusal(refusal)))
    }

    /// Whether ads have been asked for and have not come yet: those of the session, or those of a repetition.
    public var wantsAds: Bool { phase == .loading || (phase == .running && wanted != nil) }

    /// Whether ads may be asked for again: a break with `repeatAfter` wants new ones each time.
    package var mayWantAds: Bool { wantsAds || (phase != .failed && phase != .destroyed && schedule.hasRepetitions) }

    /// The break whose repetition waits for ads; `nil` while nothing or everything is asked for.
    public var wantedBreak: AdSchedule.Break? { phase == .running ? wanted.map { schedule.breaks[$0.index] } : nil }

    /// Whether nothing more can happen.
    public var isFinished: Bool { phase == .destroyed || stateName == "completed" }

    /// The state's name in the API.
    public var stateName: String {
        switch phase {
        case .idle, .loading: return "loading"
        case .loaded: return "loaded"
        case .failed: return "failed"
        case .destroyed: return "destroyed"
        case .running: break
        }
        if let run {
            guard run.isStarted else { return content.hasScreen == nil ? "initialized" : "between_breaks" }
            return run.play?.phase == .paused ? "paused_ad" : "playing_ad"
        }
        if content.isComplete { return "completed" }
        return content.hasScreen == true ? "content" : "initialized"
    }
}

extension VideoMachine {
    /// A break that is ready or running.
    struct BreakRun: Hashable, Sendable {
        var entry: BreakPlan.Entry
        var info: BreakInfo
        var podIndex: Int
        /// Ads still to come, in order.
        var queue: [AdKey]
        /// Stand-ins for ads that fail.
        var buffet: [AdKey]
        /// The ad that is ready or plays.
        var play: AdPlay?
        /// How many ads had their turn, for positions in the pod.
        var position = 0
        /// Whether the host has started it.
        var isStarted = false
        /// Whether it became due in picture-in-picture, and so starts by itself when that ends (`on_pip: wait`).
        var becameDueInPIP = false
        /// The next ad of the pod, when it was handed to the player ahead of its turn.
        var preloaded: AdKey?
        /// When the ad has failed unless its first frame comes.
        var startDeadline: Duration?
    }

    /// An ad that was handed to the player ahead of its break.
    struct Preloaded: Hashable, Sendable {
        var entry: BreakPlan.Entry
        var key: AdKey
    }

    // MARK: Saying

    func say(_ type: AdEventType, _ out: inout [VideoOutput]) { out.append(.event(AdEvent(type))) }

    func say(_ type: AdEventType, _ info: BreakInfo, _ out: inout [VideoOutput]) {
        say(type, info, .none, &out)
    }

    func say(_ type: AdEventType, _ info: BreakInfo, _ payload: AdEvent.Payload, _ out: inout [VideoOutput]) {
        out.append(.event(AdEvent(type, adBreak: info, payload: payload)))
    }

    func remark(_ code: String, _ message: String, _ out: inout [VideoOutput]) {
        out.append(.event(AdEvent(.log, payload: .remark(code: code, message: message))))
    }

    func refuse(_ input: VideoInput, _ reason: RefusalReason, _ message: String, _ out: inout [VideoOutput]) {
        out.append(Self.refused(PlaybackRefusal(input: input.type, reason: reason, message: message)))
    }

    func track(_ event: String, of scheduled: AdSchedule.Break, _ out: inout [VideoOutput]) {
        for tracked in scheduled.trackingEvents where tracked.event.rawValue == event {
            out.append(.tracking(DueBeacon(ad: nil, beacon: Beacon(name: event, url: tracked.url))))
        }
    }

    /// VMAP's `error` fires for what goes wrong in an ad too, with the ad's code (VMAP 1.0.1, the `error` tracking event).
    func trackError(_ failure: AdFailure, of scheduled: AdSchedule.Break, _ out: inout [VideoOutput]) {
        for tracked in scheduled.trackingEvents where tracked.event.rawValue == "error" {
            let macros = MacroContext()
                .setting(error: VASTErrorCode(rawValue: failure.code), message: failure.message)
                .values
            let beacon = Beacon(name: "error", url: tracked.url, use: .error, macros: macros)
            out.append(.tracking(DueBeacon(ad: nil, beacon: beacon)))
        }
    }

    // MARK: The content's screen

    /// Asks for the content to be paused and hidden (S0.42); never twice in a row.
    mutating func requestPause(_ out: inout [VideoOutput]) {
        guard content.hasScreen != false else { return }
        content.hasScreen = false
        say(.contentPauseRequested, &out)
    }

    /// Asks for the content to be shown and played (S0.43); never twice in a row.
    mutating func requestResume(_ out: inout [VideoOutput]) {
        guard content.hasScreen != true else { return }
        content.hasScreen = true
        say(.contentResumeRequested, &out)
    }
}
