internal import WeirVAST

extension AudioMachine {
    /// What the host and the listener want while an ad may be playing.
    mutating func control(_ input: AudioInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        switch input {
        case .modalShown, .modalDismissed, .appBackground, .appForeground: return try display(input, elapsed)
        case .play, .pauseContent, .seek, .nextTrack: return try transport(input, elapsed)
        default: break
        }
        guard let current = run?.current else { throw input.refusal(.notPlaying, "No ad is playing.") }
        switch input {
        case .pause:
            guard !halts.contains(.host) else { throw input.refusal(.wrongOrder, "The ad is paused already.") }
            return halt(.host)
        case .resume:
            guard halts.contains(.host) || halts.contains(.listener) || (current.isPaused && halts.isEmpty) else {
                throw input.refusal(.notPaused, "The ad is not paused by the host.")
            }
            halts.remove(.listener)
            return goOn(.host, elapsed)
        case .stop: return endSection(stopping: true)
        case .skip:
            try checkSkip(current, input)
            return skipped(current) + endSection(stopping: true)
        case .skipBanner:
            try checkSkip(current, input)
            let outputs = skipped(current) + [.stopAd(current.key)]
            if !current.hasStarted { used.remove(current.key) }
            run?.current = nil
            halts.formIntersection([.modal, .background])
            return outputs + (current.hasStarted ? [] : discard([current.key])) + playNext(elapsed)
        case .clicked:
            guard current.hasStarted else { throw input.refusal(.wrongOrder, "The ad has not begun.") }
            guard let page = current.audio.ad.clickThrough else {
                throw input.refusal(.unknownPart, "The ad leads nowhere.")
            }
            return [.clicked(current.key)] + track(.clicked) + [.openURL(page), .leaveApplication]
        default: return []
        }
    }

    private func checkSkip(_ current: AudioAdRun, _ input: AudioInput) throws(PlaybackRefusal) {
        guard current.banner.allowsSkip else { throw input.refusal(.notSkippable, "This ad cannot be skipped.") }
        guard current.isSkippableNow else {
            throw input.refusal(.notSkippableYet, "This ad can be skipped later.")
        }
    }

    private mutating func skipped(_ current: AudioAdRun) -> [AudioOutput] {
        current.hasStarted ? [.skipped(current.key)] + track(.skipped) : []
    }

    // MARK: Standing still

    private mutating func halt(_ why: Halt) -> [AudioOutput] {
        let wasGoing = halts.isEmpty
        halts.insert(why)
        guard wasGoing, let key = run?.current?.key else { return [] }
        run?.current?.deadline = nil
        return [.pauseAd(key)]
    }

    private mutating func goOn(_ why: Halt, _ elapsed: Duration) -> [AudioOutput] {
        halts.remove(why)
        guard halts.isEmpty, let current = run?.current else { return [] }
        run?.current?.deadline = elapsed + (current.hasStarted ? settings.stallTimeout : settings.startTimeout)
        return [.resumeAd(current.key)]
    }

    private mutating func display(_ input: AudioInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        switch input {
        case .modalShown:
            guard !halts.contains(.modal) else { throw input.refusal(.wrongOrder, "A page is shown already.") }
            return [.showModal] + halt(.modal)
        case .modalDismissed:
            guard halts.contains(.modal) else { throw input.refusal(.wrongOrder, "No page is shown.") }
            return [.dismissModal] + goOn(.modal, elapsed)
        case .appBackground:
            return settings.allowsBackgroundPlayback || halts.contains(.background) ? [] : halt(.background)
        default: return halts.contains(.background) ? goOn(.background, elapsed) : []
        }
    }

    // MARK: The listener's own controls

    /// Passed on to the content when no ad plays; during one, as the ad's flags say (S0.15, S4.55).
    private mutating func transport(_ input: AudioInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        guard let current = run?.current else { return [] }
        func forbidden(_ what: String) -> PlaybackRefusal {
            input.refusal(.notAllowedByAd, "This ad does not allow \(what).")
        }
        switch input {
        case .play:
            guard halts.contains(.listener) else { throw input.refusal(.adPlaying, "An ad is playing.") }
            return goOn(.listener, elapsed)
        case .pauseContent:
            guard current.banner.allowsPause else { throw forbidden("a pause") }
            guard !halts.contains(.listener) else { throw input.refusal(.wrongOrder, "The ad is paused already.") }
            return halt(.listener)
        case .seek(let target):
            guard current.banner.allowsSeek else { throw forbidden("seeking") }
            guard current.hasStarted else { throw input.refusal(.wrongOrder, "The ad has not begun.") }
            let position = current.banner.duration.map { min(target, $0) } ?? target
            run?.current?.position = position
            return [.seekAd(current.key, to: position)] + track(.seeked(position))
        case .nextTrack:
            guard current.banner.allowsTrackChange else { throw forbidden("another track") }
            return endSection(stopping: true)
        default: return []
        }
    }

    // MARK: Sound, player, companions

    mutating func setVolume(_ value: Double) throws(PlaybackRefusal) -> [AudioOutput] {
        guard !value.isNaN else {
            throw AudioInput.setVolume(value).refusal(.badInput, "The volume must be a number from 0 to 1.")
        }
        let wanted = min(max(value, 0), 1)
        let remark: [AudioOutput] = wanted == value ? [] : [.log("The volume \(value) was brought to \(wanted).")]
        guard wanted != volume else { return remark }
        let isMuting = wanted == 0
        let isUnmuting = volume == 0
        volume = wanted
        let sound = isMuting ? track(.muted) : isUnmuting ? track(.unmuted) : []
        return remark + [.setVolume(wanted)] + sound
    }

    /// A section without a player ends: nobody would say when its ads are over.
    mutating func attach(_ isThere: Bool, _ elapsed: Duration) -> [AudioOutput] {
        hasPlayer = isThere
        return isThere ? [] : endSection(stopping: true)
    }

    /// The host says that it has shown a companion, or that it was clicked (S4.56, S4.57).
    mutating func companion(_ id: String, isClick: Bool, _ input: AudioInput) throws(PlaybackRefusal) -> [AudioOutput] {
        if let current = run?.current, current.hasStarted {
            let index = try find(id, in: current.audio.ad.companions, input)
            let page = try page(of: current.audio.ad.companions[index], isClick: isClick, input)
            return track(isClick ? .companionClicked(index) : .companionShown(index)) + page
        }
        guard var card = endCard else {
            throw input.refusal(.notPlaying, "No ad is there whose companion it could be.")
        }
        let index = try find(id, in: card.tracking.ad.companions, input)
        let page = try page(of: card.tracking.ad.companions[index], isClick: isClick, input)
        let beacons = card.tracking.take(isClick ? .companionClicked(index) : .companionShown(index))
        endCard = card
        return beacons.map { .track(DueBeacon(ad: card.key, beacon: $0)) } + page
    }

    /// Where a click leads; nowhere when it was only shown.
    private func page(
        of companion: Companion,
        isClick: Bool,
        _ input: AudioInput
    ) throws(PlaybackRefusal) -> [AudioOutput] {
        guard isClick else { return [] }
        guard let page = companion.clickThrough?.url else {
            throw input.refusal(.unknownPart, "The companion leads nowhere.")
        }
        return [.openURL(page), .leaveApplication]
    }

    private func find(
        _ id: String,
        in companions: [Companion],
        _ input: AudioInput
    ) throws(PlaybackRefusal) -> Int {
        guard let index = companions.firstIndex(where: { $0.id == id }) ?? Int(id),
            companions.indices.contains(index)
        else { throw input.refusal(.unknownPart, "The ad has no companion \"\(id.prefix(64))\".") }
        return index
    }
}
