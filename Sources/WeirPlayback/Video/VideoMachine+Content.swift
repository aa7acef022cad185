extension VideoMachine {
    mutating func contentReports(_ input: VideoInput, _ out: inout [VideoOutput]) {
        switch input {
        case .contentReady(let duration, let item): contentReady(duration, item, &out)
        case .playhead(let position): move(to: position, &out)
        case .seeked(let from, let to):
            if let from, run?.isStarted != true { content.position = max(.zero, min(from, PlaybackMessage.longest)) }
            move(to: to, &out)
        case .contentComplete(let item): contentComplete(input, item, &out)
        default: break
        }
    }

    /// Percentages can be placed once the content's length is known.
    private mutating func contentReady(_ duration: Duration?, _ item: String?, _ out: inout [VideoOutput]) {
        if let item { content.item = item }
        guard let duration, duration > .zero, duration != content.duration else { return }
        content.duration = duration
        guard phase == .loaded || phase == .running, !content.isComplete else { return }
        let before = plan.cuePoints
        plan.place(schedule, duration: duration)
        if !configuration.capabilities.contentPlayhead { plan.dropMidrolls() }
        if phase == .running { dropPassed() }
        if plan.cuePoints != before {
            out.append(.event(AdEvent(.cuePointsChanged, payload: .cuePoints(plan.cuePoints))))
        }
        dropStalePreload(&out)
        prepareNextBreak(&out)
    }

    /// What `play_ads_after_ms` excluded stays excluded, and prerolls are over once the manager runs.
    private mutating func dropPassed() {
        if let after = rendering.playAdsAfter {
            plan.drop(until: after)
        } else {
            _ = plan.takePrerolls()
        }
    }

    /// Moves the content position, unless an ad has the screen: the content goes on where it was paused (S0.41), so late
    /// reports of its player must not carry it over a break.
    ///
    /// A first report far in the content is a jump like any other: the policy decides what it makes due.
    private mutating func move(to target: Duration, _ out: inout [VideoOutput]) {
        guard run?.isStarted != true else { return }
        let position = max(.zero, min(target, PlaybackMessage.longest))
        let before = content.position
        // Landing on a cue point from behind must still find it when playing goes on.
        content.position = position < before ? max(.zero, position - .milliseconds(1)) : position
        guard phase == .running, !content.isComplete, configuration.capabilities.contentPlayhead else { return }
        if position > before {
            let entries = plan.takeMidrolls(from: before, to: position, policy: configuration.settings.seekPolicy)
            if !entries.isEmpty { becomeDue(entries, &out) }
        }
        dropStalePreload(&out)
        preloadNextBreak(&out)
    }

    /// The content is over: post-rolls are due, once (S0.18).
    ///
    /// The end of another item is not ours (S0.19).
    private mutating func contentComplete(_ input: VideoInput, _ item: String?, _ out: inout [VideoOutput]) {
        if let item, let current = content.item, item != current {
            return refuse(input, .otherItem, "The end of another content item changes nothing here.", &out)
        }
        guard !content.isComplete else {
            return refuse(input, .alreadyUsed, "The content's end was told already.", &out)
        }
        content.isComplete = true
        guard phase == .running else { return }
        endContent(&out)
    }

    /// What is due after the content comes now; what was not reached never will.
    mutating func endContent(_ out: inout [VideoOutput]) {
        let postrolls = plan.takePostrolls()
        dropStalePreload(&out)
        becomeDue(postrolls, &out)
    }

    /// While an ad shows, the content player takes no commands (S0.15); otherwise the viewer's wish is the player's business.
    func transport(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard run?.isStarted == true else { return }
        refuse(input, .adPlaying, "An ad is playing; the content stays where it is.", &out)
    }
}
