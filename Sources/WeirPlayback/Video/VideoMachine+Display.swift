extension VideoMachine {
    mutating func displayReports(_ input: VideoInput, _ out: inout [VideoOutput]) {
        switch input {
        case .pipStarted: pipStarted(input, &out)
        case .pipStopped: pipStopped(input, &out)
        case .appBackground:
            display.isInBackground = true
            if isHeldBack { pauseAd(.background, &out) }
        case .appForeground:
            display.isInBackground = false
            resumeAfter(.background, &out)
            // Who comes back from the landing page came back from the background too.
            resumeAfter(.click, &out)
        case .modalShown:
            display.isModalShown = true
            pauseAd(.modal, &out)
        case .modalDismissed:
            display.isModalShown = false
            resumeAfter(.modal, &out)
            resumeAfter(.click, &out)
        case .visible: display.isVisible = true
        case .hidden: display.isVisible = false
        default: break
        }
    }

    /// Whether ads must not play because the application is in the background (S3.6).
    var isHeldBack: Bool {
        display.isInBackground
            && !(configuration.settings.enableBackgroundPlayback && configuration.capabilities.backgroundPlayback)
    }

    private mutating func resumeAfter(_ cause: AdPlay.PauseCause, _ out: inout [VideoOutput]) {
        guard run?.play?.pauseCause == cause, !isHeldBack, !display.isModalShown else { return }
        resumeAd(&out)
    }

    private mutating func pipStarted(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard configuration.capabilities.pictureInPicture else {
            return refuse(input, .pipUnsupported, "The client did not declare picture-in-picture.", &out)
        }
        guard !display.isPIPActive else { return }
        display.isPIPActive = true
        remark("pip_started", "Picture-in-picture began; a running ad goes on, none starts.", &out)
    }

    /// A break that became due in picture-in-picture starts now (`on_pip: wait`).
    private mutating func pipStopped(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard configuration.capabilities.pictureInPicture else {
            return refuse(input, .pipUnsupported, "The client did not declare picture-in-picture.", &out)
        }
        guard display.isPIPActive else { return }
        display.isPIPActive = false
        remark("pip_stopped", "Picture-in-picture ended.", &out)
        guard let run, run.becameDueInPIP, !run.isStarted, !isHeldBack else { return }
        remark("pip_break_starts", "The break that waited for the end of picture-in-picture starts.", &out)
        startBreak(&out)
    }

    // MARK: What can be seen

    /// How the user interface over the ad should look now.
    public var customUI: CustomUI { CustomUI(run?.play, usesExactIMAText: rendering.usesExactIMAText) }

    /// The same, as named values.
    public var ui: [PlaybackDetail]? { customUI.details }

    /// The ad that is ready or plays.
    public var currentAd: AdInfo? { run?.play?.info }

    /// Whether picture-in-picture is active.
    public var isPIPActive: Bool { display.isPIPActive }

    /// What `GET /v1/sessions/{id}` shows.
    public var snapshot: [PlaybackDetail] {
        [
            PlaybackDetail("current_ad", currentAd.map { .object($0.details) } ?? .null),
            PlaybackDetail("cue_points_ms", .list(plan.cuePoints.map { .integer($0.sentinel) })),
            PlaybackDetail("pip_active", display.isPIPActive),
            PlaybackDetail("content_position_ms", milliseconds: content.position),
            PlaybackDetail("diagnostics", .list(diagnostics)),
        ]
    }

    /// Why the ad's own interface is shown, and why a break waits.
    private var diagnostics: [PlaybackValue] {
        var remarks = uiObstacles.map { ($0.code, $0.message) }
        if let run, !run.isStarted {
            if display.isPIPActive {
                remarks.append(("pip_break_waits", "A break waits for the end of picture-in-picture."))
            } else if isHeldBack {
                remarks.append(("background_break_waits", "A break waits for the application to come back."))
            } else {
                remarks.append(("break_waits_for_start", "A break is ready and waits for start."))
            }
        }
        if phase == .running, !configuration.capabilities.contentPlayhead {
            remarks.append(("no_playhead", "There is no content playhead, so mid-rolls cannot play."))
        }
        if phase != .running { for reason in plan.unplaced { remarks.append(("break_unplaced", reason)) } }
        return remarks.map { .object([PlaybackDetail("code", $0.0), PlaybackDetail("message", $0.1)]) }
    }
}

extension VideoMachine {
    /// The cue points that are left.
    public var cuePoints: [Int64] { plan.cuePoints.map(\.sentinel) }
}
