internal import WeirModel

extension AudioInput: PlaybackInputReading {
    /// Reads a message; what a load ended with cannot come from outside.
    ///
    /// - Throws: `unknown_input`, or `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        if let plain = Self.plain[message.type] {
            self = plain
            return
        }
        switch message.type {
        case "configure_midpoints":
            self = .configureMidpoints(
                try AudioMidpoints(message),
                duration: try message.optionalMilliseconds("duration_ms")
            )
        case "player": self = .playerAttached(try message.flag("attached", or: true))
        case "start_midroll": self = .start(AudioPlace(.midroll, point: try message.milliseconds("point_ms")))
        case "set_volume":
            guard let value = try message.optionalNumber("value", in: -1e9...1e9) else {
                throw message.bad("value", "is missing")
            }
            self = .setVolume(value)
        case "seek", "seeked": self = .seek(try message.milliseconds("to_ms"))
        case "playhead": self = .playhead(try message.milliseconds("position_ms"))
        case "content_ready": self = .contentReady(duration: try message.optionalMilliseconds("duration_ms"))
        case "ad_loaded": self = .adLoaded(duration: try message.optionalMilliseconds("duration_ms"))
        case "ad_progress":
            self = .adProgress(
                position: try message.milliseconds("position_ms"),
                duration: try message.optionalMilliseconds("duration_ms")
            )
        case "ad_error":
            let code = try message.optionalNumber("code", in: 0...100_000)
            self = .adError(
                reason: try message.optionalText("reason") ?? "The player gave no reason.",
                code: code.map { Int($0) }
            )
        case "companion_shown": self = .companionShown(try Self.companion(message))
        case "companion_clicked": self = .companionClicked(try Self.companion(message))
        default: throw message.unknown
        }
    }

    /// Inputs that carry nothing.
    private static let plain: [String: AudioInput] = [
        "load": .load, "start_preroll": .start(AudioPlace(.preroll)), "start_postroll": .start(AudioPlace(.postroll)),
        "start_pauseroll": .start(AudioPlace(.pauseroll)), "pause": .pause, "resume": .resume, "stop": .stop,
        "skip": .skip, "skip_banner": .skipBanner, "play": .play, "pause_content": .pauseContent,
        "next_track": .nextTrack, "content_complete": .contentComplete, "ad_started": .adStarted,
        "ad_buffering": .adBuffering, "ad_paused": .adPaused, "ad_resumed": .adResumed, "ad_stopped": .adStopped,
        "ad_completed": .adCompleted, "muted": .muted, "unmuted": .unmuted, "clicked": .clicked, "tapped": .clicked,
        "modal_shown": .modalShown, "modal_dismissed": .modalDismissed, "app_background": .appBackground,
        "app_foreground": .appForeground, "destroy": .destroy,
    ]

    private static func companion(_ message: PlaybackMessage) throws(PlaybackRefusal) -> String {
        if case .integer(let place)? = message["id"] { return String(place) }
        guard let id = try message.optionalText("id") else { throw message.bad("id", "is missing") }
        return id
    }
}
