internal import WeirVAST

extension VideoMachine {
    mutating func manage(_ input: VideoInput, _ out: inout [VideoOutput]) {
        switch input {
        case .destroy: destroy(&out)
        case .initialize(let settings): initialize(input, settings ?? configuration.rendering, &out)
        case .setVolume(let value): setVolume(value, &out)
        case .start: start(input, &out)
        case .discardAdBreak: discardAdBreak(input, &out)
        default: manageAd(input, &out)
        }
    }

    private mutating func initialize(
        _ input: VideoInput,
        _ settings: AdsRenderingSettings,
        _ out: inout [VideoOutput]
    ) {
        switch phase {
        case .loaded: break
        case .running:
            return refuse(
                input,
                .alreadyInitialized,
                "The rendering settings are fixed since the manager was initialized.",
                &out
            )
        default: return refuse(input, .notLoaded, "There are no ads to initialize with.", &out)
        }
        rendering = settings
        phase = .running
        if !configuration.capabilities.contentPlayhead, plan.pending.contains(where: \.isMidroll) {
            plan.dropMidrolls()
            remark("no_playhead", "Without a content playhead, breaks in the middle of the content cannot play.", &out)
        }
        for reason in plan.unplaced { remark("break_unplaced", reason, &out) }
        if settings.disableUI, !configuration.isCustomUIEntitled {
            remark("custom_ui_not_entitled", "disable_ui has no effect: the placement lacks custom_ui.", &out)
        }
        if let after = settings.playAdsAfter { plan.drop(until: after) }
        let prerolls = plan.takePrerolls()
        // A viewer who has seen the whole content is shown no preroll any more.
        if content.isComplete { return endContent(&out) }
        becomeDue(prerolls, &out)
        preloadNextBreak(&out)
    }

    /// Starts the break that is ready.
    ///
    /// Again while it runs, it does nothing: hosts start on each `loaded` (S0.36).
    private mutating func start(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard phase == .running else {
            return refuse(input, .notInitialized, "The manager has not been initialized.", &out)
        }
        guard let run else { return refuse(input, .noAdReady, "No break is ready to start.", &out) }
        guard !run.isStarted else { return }
        guard !display.isPIPActive else {
            return refuse(input, .pipActive, "Ads cannot start in picture-in-picture, only go on there.", &out)
        }
        guard !isHeldBack else {
            return refuse(input, .inBackground, "Ads cannot start in the background.", &out)
        }
        startBreak(&out)
    }

    private mutating func discardAdBreak(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard var current = run else { return refuse(input, .noAdReady, "No break is ready or running.", &out) }
        let key = current.play?.info.key
        current.play?.stopped(&out)
        current.play = nil
        current.queue = []
        current.buffet = []
        current.startDeadline = nil
        run = current
        if let key { stop(key, &out) }
        endBreak(&out)
    }

    private mutating func setVolume(_ value: Double, _ out: inout [VideoOutput]) {
        let volume = value.isFinite ? max(0, min(1, value)) : 1
        out.append(.command(.setVolume(volume)))
        setMuted(volume == 0, &out)
    }

    mutating func setMuted(_ isMuted: Bool, _ out: inout [VideoOutput]) {
        guard display.isMuted != isMuted else { return }
        display.isMuted = isMuted
        run?.play?.note(isMuted ? .muted : .unmuted, &out)
    }

    private mutating func manageAd(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard let play = run?.play, play.hasStarted else {
            return refuse(input, .notPlaying, "No ad is playing.", &out)
        }
        switch input {
        case .pause:
            guard play.phase == .playing else { return }
            pauseAd(.asked, &out)
        case .resume:
            guard play.phase == .paused else { return refuse(input, .notPaused, "The ad is not paused.", &out) }
            guard !isHeldBack else {
                return refuse(input, .inBackground, "The ad goes on when the application is back.", &out)
            }
            resumeAd(&out)
        case .skip: skip(input, play, &out)
        case .clicked: clicked(play, &out)
        default: break
        }
    }

    mutating func pauseAd(_ cause: AdPlay.PauseCause, _ out: inout [VideoOutput]) {
        guard let play = run?.play, play.phase == .playing else { return }
        out.append(.command(.pauseAd(play.info.key)))
        run?.play?.pause(cause, &out)
    }

    mutating func resumeAd(_ out: inout [VideoOutput]) {
        guard let play = run?.play, play.phase == .paused else { return }
        out.append(.command(.resumeAd(play.info.key)))
        run?.play?.resume(&out)
    }

    /// Skips, but never before the ad's time (S1.29).
    private mutating func skip(_ input: VideoInput, _ play: AdPlay, _ out: inout [VideoOutput]) {
        guard play.info.isSkippable else { return refuse(input, .notSkippable, "The ad cannot be skipped.", &out) }
        guard play.isSkippableNow else {
            return refuse(input, .notSkippableYet, "The ad cannot be skipped yet.", &out)
        }
        run?.play?.skipped(&out)
        stop(play.info.key, &out)
        finishAd(&out)
    }

    /// One press is one click: it is told, counted and opened once each (S1.20).
    private mutating func clicked(_ play: AdPlay, _ out: inout [VideoOutput]) {
        out.append(.event(AdEvent(.clicked, ad: play.info)))
        run?.play?.note(.clicked, &out)
        if let url = play.info.clickThrough { out.append(.command(.openURL(url, ad: play.info.key))) }
        if configuration.settings.pausesOnClick { pauseAd(.click, &out) }
    }

    /// Ends everything; the screen goes back to the content.
    ///
    /// Nothing that comes later has an effect (S0.20).
    private mutating func destroy(_ out: inout [VideoOutput]) {
        if var current = run {
            let key = current.play?.info.key
            current.play?.stopped(&out)
            if let key { stop(key, &out) }
            if let ahead = current.preloaded { forget(ahead, &out) }
            if current.isStarted {
                track("breakEnd", of: scheduled(current.entry), &out)
                say(.adBreakEnded, current.info, &out)
            }
        }
        if let waiting = preloaded { forget(waiting.key, &out) }
        run = nil
        preloaded = nil
        wanted = nil
        due = []
        requestResume(&out)
        phase = .destroyed
    }
}
