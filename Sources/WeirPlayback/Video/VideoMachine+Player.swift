internal import WeirVAST

extension VideoMachine {
    mutating func playerReports(_ input: VideoInput, _ out: inout [VideoOutput]) {
        switch input {
        case .muted: setMuted(true, &out)
        case .unmuted: setMuted(false, &out)
        case .adStopped(let key): adStopped(input, key, &out)
        case .adLoaded(let key, let duration): adLoaded(input, key, duration, &out)
        case .adError(let key, let reason, let code): adError(input, key, reason, code, &out)
        case .adStarted(let key): adStarted(input, key, &out)
        default: adGoesOn(input, &out)
        }
    }

    /// The ad that a report is about, when it is the current one.
    private func current(_ key: AdKey?) -> AdPlay? {
        guard let play = run?.play, key == nil || key == play.info.key else { return nil }
        return play
    }

    private mutating func adLoaded(
        _ input: VideoInput,
        _ key: AdKey?,
        _ duration: Duration?,
        _ out: inout [VideoOutput]
    ) {
        if current(key) != nil {
            run?.play?.mediaLoaded(duration: duration, &out)
            return
        }
        // An ad that was handed over ahead of its turn: nothing is due for it until it has its turn.
        if let key, key == run?.preloaded || key == preloaded?.key { return }
        if key == nil, preloaded != nil { return }
        refuse(input, .notPlaying, "No ad is waiting for its media.", &out)
    }

    private mutating func adStarted(_ input: VideoInput, _ key: AdKey?, _ out: inout [VideoOutput]) {
        guard let play = current(key) else { return refuse(input, .notPlaying, "No such ad is to be played.", &out) }
        switch play.phase {
        case .loaded: refuse(input, .wrongOrder, "The ad was not told to play yet.", &out)
        case .playing, .paused: break
        case .starting:
            run?.startDeadline = nil
            run?.play?.mediaLoaded(duration: nil, &out)
            run?.play?.started(&out)
            explainUI(&out)
            preloadNextInPod(&out)
            if isHeldBack { pauseAd(.background, &out) }
        }
    }

    /// Says why a wish for an own interface is not granted, ad by ad (S1.31).
    private func explainUI(_ out: inout [VideoOutput]) {
        guard rendering.disableUI, let play = run?.play, !play.info.isUIDisabled else { return }
        remark("ui_not_disabled", uiObstacles.map(\.message).joined(separator: " "), &out)
    }

    /// The conditions for an own interface that the current ad does not meet.
    var uiObstacles: [UIObstacle] {
        guard let play = run?.play, !play.info.isUIDisabled else { return [] }
        var obstacles: [UIObstacle] = []
        if !rendering.disableUI { obstacles.append(.notRequested) }
        if !configuration.isCustomUIEntitled { obstacles.append(.notEntitled) }
        if schedule.ad(play.info.key)?.isUIHideable != true { obstacles.append(.notHideable) }
        return obstacles
    }

    private mutating func adError(
        _ input: VideoInput,
        _ key: AdKey?,
        _ reason: String,
        _ code: Int?,
        _ out: inout [VideoOutput]
    ) {
        if let key, key != run?.play?.info.key, key == run?.preloaded || key == preloaded?.key {
            // It gets its turn all the same, and fails then if it must.
            if run?.preloaded == key { run?.preloaded = nil }
            if preloaded?.key == key { preloaded = nil }
            return
        }
        guard current(key) != nil else { return refuse(input, .notPlaying, "No such ad is loaded.", &out) }
        let failure = AdFailure(
            stage: .play,
            code: code ?? AdFailure.code(forReason: reason),
            message: "The player says: \(reason.prefix(200))."
        )
        fail(failure, &out)
    }

    /// A confirmation of `stop_ad` is no news; anything else means that the player ended the ad by itself.
    private mutating func adStopped(_ input: VideoInput, _ key: AdKey?, _ out: inout [VideoOutput]) {
        guard current(key) != nil, key != nil || unconfirmedStops == 0, run?.play?.phase != .loaded else {
            if unconfirmedStops > 0 {
                unconfirmedStops -= 1
                return
            }
            return refuse(input, .notPlaying, "No such ad is playing.", &out)
        }
        run?.play?.stopped(&out)
        finishAd(&out)
    }

    /// Reports about an ad whose first frame was rendered.
    private mutating func adGoesOn(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard let play = current(input.adKey), play.hasStarted else {
            return refuse(input, .notPlaying, "No such ad is playing.", &out)
        }
        switch input {
        case .adProgress(_, let position, let duration):
            run?.play?.progress(to: Self.limited(position), duration: duration.map(Self.limited), &out)
        case .adBuffering: out.append(.event(AdEvent(.adBuffering, ad: play.info)))
        case .adPaused: run?.play?.pause(.asked, &out)
        case .adResumed: run?.play?.resume(&out)
        case .adCompleted:
            run?.play?.completed(&out)
            finishAd(&out)
        case .tapped:
            out.append(.event(AdEvent(.tapped, ad: play.info)))
            // With its own interface hidden the ad has no element that resumes it, so a tap does (S1.16).
            if !isHeldBack { resumeAd(&out) }
        case .playerExpanded: run?.play?.note(.expanded, &out)
        case .playerCollapsed: run?.play?.note(.collapsed, &out)
        default: part(input, play, &out)
        }
    }

    private static func limited(_ duration: Duration) -> Duration {
        max(.zero, min(duration, PlaybackMessage.longest))
    }

    private mutating func part(_ input: VideoInput, _ play: AdPlay, _ out: inout [VideoOutput]) {
        switch input {
        case .iconTapped(let id):
            guard let place = play.icon(id) else {
                return refuse(input, .unknownPart, "The ad has no icon \(id.prefix(64)).", &out)
            }
            out.append(.event(AdEvent(.iconTapped, ad: play.info, payload: .icon(place))))
            run?.play?.note(.iconClicked(place), &out)
            open(play.landingPage(ofIcon: place), play, &out)
        case .companionShown(let id), .companionClicked(let id):
            guard let place = play.companion(id) else {
                return refuse(input, .unknownPart, "The ad has no companion \(id.prefix(64)).", &out)
            }
            if case .companionShown = input {
                run?.play?.note(.companionShown(place), &out)
            } else {
                run?.play?.note(.companionClicked(place), &out)
                open(play.landingPage(ofCompanion: place), play, &out)
            }
        default: break
        }
    }

    private func open(_ url: String?, _ play: AdPlay, _ out: inout [VideoOutput]) {
        if let url { out.append(.command(.openURL(url, ad: play.info.key))) }
    }
}

extension VideoInput {
    /// The ad that a player's report names; `nil`: the current one.
    fileprivate var adKey: AdKey? {
        switch self {
        case .adProgress(let key, _, _), .adBuffering(let key), .adPaused(let key), .adResumed(let key),
            .adCompleted(let key):
            key
        default: nil
        }
    }
}

/// A condition for an own interface that an ad does not meet (S1.31 to S1.33).
struct UIObstacle: Hashable, Sendable {
    var code: String
    var message: String

    static let notRequested = UIObstacle(
        code: "disable_ui_not_requested",
        message: "disable_ui was not set when the manager was initialized."
    )
    static let notEntitled = UIObstacle(
        code: "custom_ui_not_entitled",
        message: "The placement is not entitled to custom_ui."
    )
    static let notHideable = UIObstacle(
        code: "ad_not_hideable",
        message: "The ad's uiSettings extension does not say UiHideable 1."
    )
}
