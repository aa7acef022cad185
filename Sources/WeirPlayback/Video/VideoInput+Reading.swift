extension VideoInput: PlaybackInputReading {
    /// Reads an input that a client may send; `ads_loaded` and `load_failed` are not among them.
    ///
    /// - Throws: `unknown_input`, or `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        if let input = Self.plain[message.type] {
            self = input
        } else if let input = try Self.content(message) {
            self = input
        } else if let input = try Self.manager(message) {
            self = input
        } else if let input = try Self.player(message) {
            self = input
        } else {
            throw message.unknown
        }
    }

    /// The inputs that say nothing but their type.
    private static let plain: [String: VideoInput] = [
        "load": .load, "start": .start, "pause": .pause, "resume": .resume, "skip": .skip, "clicked": .clicked,
        "discard_ad_break": .discardAdBreak, "destroy": .destroy, "tapped": .tapped, "muted": .muted,
        "unmuted": .unmuted, "player_expanded": .playerExpanded, "player_collapsed": .playerCollapsed,
        "pip_started": .pipStarted, "pip_stopped": .pipStopped, "app_background": .appBackground,
        "app_foreground": .appForeground, "modal_shown": .modalShown, "modal_dismissed": .modalDismissed,
        "visible": .visible, "hidden": .hidden, "play": .transport(.play), "pause_content": .transport(.pause),
        "next_track": .transport(.next),
    ]

    private static func content(_ message: PlaybackMessage) throws(PlaybackRefusal) -> VideoInput? {
        switch message.type {
        case "content_ready":
            .contentReady(
                duration: try message.optionalMilliseconds("duration_ms"),
                item: try message.optionalText("item")
            )
        case "playhead": .playhead(try message.milliseconds("position_ms"))
        case "seeked":
            .seeked(from: try message.optionalMilliseconds("from_ms"), to: try message.milliseconds("to_ms"))
        case "content_complete": .contentComplete(item: try message.optionalText("item"))
        case "seek": .transport(.seek(try message.milliseconds("to_ms")))
        default: nil
        }
    }

    private static func manager(_ message: PlaybackMessage) throws(PlaybackRefusal) -> VideoInput? {
        switch message.type {
        case "initialize":
            guard message["rendering"] != nil else { return .initialize(nil) }
            return .initialize(try AdsRenderingSettings(message.object("rendering")))
        case "set_volume":
            guard let value = try message.optionalNumber("value", in: 0...1) else {
                throw message.bad("value", "is missing")
            }
            return .setVolume(value)
        default: return nil
        }
    }

    private static func player(_ message: PlaybackMessage) throws(PlaybackRefusal) -> VideoInput? {
        switch message.type {
        case "ad_loaded":
            .adLoaded(try message.adKey(), duration: try message.optionalMilliseconds("duration_ms"))
        case "ad_started": .adStarted(try message.adKey())
        case "ad_progress":
            .adProgress(
                try message.adKey(),
                position: try message.milliseconds("position_ms"),
                duration: try message.optionalMilliseconds("duration_ms")
            )
        case "ad_buffering": .adBuffering(try message.adKey())
        case "ad_paused": .adPaused(try message.adKey())
        case "ad_resumed": .adResumed(try message.adKey())
        case "ad_stopped": .adStopped(try message.adKey())
        case "ad_completed": .adCompleted(try message.adKey())
        case "ad_error":
            .adError(
                try message.adKey(),
                reason: try message.text("reason", or: "unknown"),
                code: try message.optionalWhole("code", in: 100...9999)
            )
        case "icon_tapped": .iconTapped(try message.part())
        case "companion_shown": .companionShown(try message.part())
        case "companion_clicked": .companionClicked(try message.part())
        default: nil
        }
    }
}

extension PlaybackMessage {
    /// Which ad a player speaks about: `ad_key`, as `load_ad` named it; `nil`: the current one.
    func adKey() throws(PlaybackRefusal) -> AdKey? {
        guard let place = try optionalWhole("ad_key", in: 0...1_000_000) else { return nil }
        return AdKey(place)
    }

    /// The id of an icon or companion: a text, or its place as a number.
    fileprivate func part() throws(PlaybackRefusal) -> String {
        if case .integer(let place) = self["id"] { return String(place) }
        guard let id = try optionalText("id") else { throw bad("id", "is missing") }
        return id
    }
}

extension AdsRenderingSettings {
    /// Reads `rendering` of a session or of `initialize`; absent members keep their defaults.
    ///
    /// - Throws: `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        self.init()
        disableUI = try message.flag("disable_ui", or: disableUI)
        usesExactIMAText = try message.flag("exact_ima_text", or: usesExactIMAText)
        enablePreloading = try message.flag("enable_preloading", or: enablePreloading)
        if let timeout = try message.optionalMilliseconds("load_video_timeout_ms") {
            loadVideoTimeout = timeout == .zero ? nil : timeout
        }
        playAdsAfter = try message.optionalMilliseconds("play_ads_after_ms")
        bitrate = try message.optionalWhole("bitrate_kbps", in: 1...1_000_000)
        if case .list(let types)? = message["mime_types"] {
            mimeTypes = types.prefix(32).compactMap { value in
                if case .text(let type) = value { return type }
                return nil
            }
        }
    }
}

extension VideoInput {
    /// The type by which a client sends it and a refusal names it.
    public var type: String {
        switch self {
        case .load: "load"
        case .adsLoaded: "ads_loaded"
        case .loadFailed: "load_failed"
        case .contentReady: "content_ready"
        case .playhead: "playhead"
        case .seeked: "seeked"
        case .contentComplete: "content_complete"
        case .transport(.play): "play"
        case .transport(.pause): "pause_content"
        case .transport(.seek): "seek"
        case .transport(.next): "next_track"
        case .initialize: "initialize"
        case .start: "start"
        case .pause: "pause"
        case .resume: "resume"
        case .skip: "skip"
        case .clicked: "clicked"
        case .discardAdBreak: "discard_ad_break"
        case .setVolume: "set_volume"
        case .destroy: "destroy"
        default: reportType
        }
    }

    /// The types of what players and screens report.
    private var reportType: String {
        switch self {
        case .adLoaded: "ad_loaded"
        case .adStarted: "ad_started"
        case .adProgress: "ad_progress"
        case .adBuffering: "ad_buffering"
        case .adPaused: "ad_paused"
        case .adResumed: "ad_resumed"
        case .adStopped: "ad_stopped"
        case .adCompleted: "ad_completed"
        case .adError: "ad_error"
        case .tapped: "tapped"
        case .iconTapped: "icon_tapped"
        case .companionShown: "companion_shown"
        case .companionClicked: "companion_clicked"
        case .muted: "muted"
        case .unmuted: "unmuted"
        case .playerExpanded: "player_expanded"
        case .playerCollapsed: "player_collapsed"
        case .pipStarted: "pip_started"
        case .pipStopped: "pip_stopped"
        case .appBackground: "app_background"
        case .appForeground: "app_foreground"
        case .modalShown: "modal_shown"
        case .modalDismissed: "modal_dismissed"
        case .visible: "visible"
        case .hidden: "hidden"
        default: "input"
        }
    }
}
