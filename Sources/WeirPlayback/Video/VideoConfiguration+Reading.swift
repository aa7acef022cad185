extension VideoConfiguration {
    /// Reads `settings`, `rendering`, `capabilities` and `user_context` of a session; absent members keep their defaults.
    ///
    /// A session over HTTP gives the player a minute to start an ad: people try it by hand, and players that want IMA's
    /// 8 s say `load_video_timeout_ms`.
    ///
    /// - Throws: `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        self.init()
        settings = try PlaybackSettings(message.object("settings"))
        capabilities = try PlaybackCapabilities(message.object("capabilities"))
        let asked = try message.object("rendering")
        rendering = try AdsRenderingSettings(asked)
        if asked["load_video_timeout_ms"] == nil { rendering.loadVideoTimeout = .seconds(60) }
        userContext = message["user_context"] ?? .null
    }
}

extension PlaybackSettings {
    /// Reads `settings` of a session; absent members keep their defaults.
    ///
    /// - Throws: `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        self.init()
        enableBackgroundPlayback = try message.flag("enable_background_playback", or: enableBackgroundPlayback)
        pausesOnClick = try message.flag("pause_on_click", or: pausesOnClick)
        if let name = try message.optionalText("on_pip") {
            guard let policy = PIPPolicy(rawValue: name) else { throw message.bad("on_pip", "must be wait or drop") }
            onPIP = policy
        }
        if let name = try message.optionalText("seek_policy") {
            guard let policy = SeekPolicy(rawValue: name) else {
                throw message.bad("seek_policy", "must be last, all or none")
            }
            seekPolicy = policy
        }
    }
}

extension PlaybackCapabilities {
    /// Reads `capabilities` of a session; absent members keep their defaults.
    ///
    /// - Throws: `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        self.init()
        pictureInPicture = try message.flag("picture_in_picture", or: pictureInPicture)
        backgroundPlayback = try message.flag("background_playback", or: backgroundPlayback)
        contentPlayhead = try message.flag("content_playhead", or: contentPlayhead)
        displayContainer = try message.flag("display_container", or: displayContainer)
    }
}
