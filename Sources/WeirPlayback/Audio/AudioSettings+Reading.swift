internal import WeirVAST

extension AudioSettings {
    /// Reads `settings`, `capabilities` and `user_context` of a session; absent members keep their defaults.
    ///
    /// A session over HTTP gives the player a minute to begin an ad and to get on with it: people try it by hand.
    ///
    /// - Throws: `bad_input` with the member that is wrong.
    public init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        self.init()
        let settings = try message.object("settings")
        let capabilities = try message.object("capabilities")
        loadingTimeout = try settings.optionalMilliseconds("loading_timeout_ms") ?? loadingTimeout
        startTimeout = try settings.optionalMilliseconds("start_timeout_ms") ?? .seconds(60)
        stallTimeout = try settings.optionalMilliseconds("stall_timeout_ms") ?? .seconds(60)
        endCard = try settings.optionalMilliseconds("end_card_ms") ?? endCard
        let wantsBackground = try settings.flag("enable_background_playback", or: false)
        let canPlayThere = try capabilities.flag("background_playback", or: true)
        allowsBackgroundPlayback = wantsBackground && canPlayThere
        companionSlots = try Self.slots(capabilities)
        userContext = message["user_context"] ?? .null
    }

    /// `capabilities.companions`: the places where companions can be shown, each with `width`, `height` and perhaps `id`.
    private static func slots(_ message: PlaybackMessage) throws(PlaybackRefusal) -> [CompanionSelector.Slot]? {
        guard let value = message["companions"] else { return nil }
        guard case .list(let values) = value, values.count <= 20 else {
            throw message.bad("companions", "must be a list of at most 20 places")
        }
        var slots: [CompanionSelector.Slot] = []
        for (index, value) in values.enumerated() {
            guard case .object(let details) = value else {
                throw message.bad("companions[\(index)]", "must be an object with width and height")
            }
            var place = PlaybackMessage(message.type, details)
            place.path = "capabilities.companions[\(index)]"
            guard let width = try place.optionalWhole("width", in: 1...100_000) else {
                throw place.bad("width", "is missing")
            }
            guard let height = try place.optionalWhole("height", in: 1...100_000) else {
                throw place.bad("height", "is missing")
            }
            slots.append(CompanionSelector.Slot(id: try place.optionalText("id"), width: width, height: height))
        }
        return slots
    }
}
