internal import WeirModel
internal import WeirVAST

extension AudioMachine {
    /// Begins a section; one without ads is over at once, so that the content goes on (S4.34, S4.45, S4.47).
    mutating func start(_ place: AudioPlace, _ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        let input = AudioInput.start(place)
        guard loading == .loaded, let program else { throw input.refusal(.notLoaded, "The ads are not loaded.") }
        guard run == nil else { throw input.refusal(.adPlaying, "A section is being played.") }
        guard hasPlayer else { throw input.refusal(.noPlayer, "There is no player for ads.") }
        if place.section == .midroll {
            guard let point = place.point, midpoints.contains(point) else {
                throw input.refusal(.unknownPoint, "There is no mid-roll at this position.")
            }
            guard !begun.contains(place) else {
                throw input.refusal(.pointAlreadyPlayed, "This mid-roll has been played.")
            }
        }
        guard !begun.contains(place) else { throw input.refusal(.alreadyUsed, "This section has been played.") }
        guard !halts.contains(.background) else {
            throw input.refusal(.inBackground, "Ads do not begin while the application is in the background.")
        }
        begun.insert(place)
        halts.formIntersection([.modal])
        let queue = program.keys(at: place)
        guard !queue.isEmpty else {
            return [.sectionComplete(place, played: 0)] + (isFinished ? discardUnused() : [])
        }
        run = AudioSectionRun(place, queue: queue, spares: program.keys(at: place, spare: true))
        let wait: [AudioOutput] = place.section == .pauseroll ? [] : [.contentPauseRequested(place)]
        return wait + playNext(elapsed)
    }

    /// Gives the player the next ad; `replacing` one that was never heard, a spare comes first.
    mutating func playNext(_ elapsed: Duration, replacing: Bool = false) -> [AudioOutput] {
        var outputs: [AudioOutput] = []
        var replacing = replacing
        while var run {
            let spare = replacing ? run.spares.first : nil
            guard let key = spare ?? run.queue.first, let audio = program?.ads[key.index].unpacked else {
                return outputs + endSection(stopping: false)
            }
            if spare != nil { run.spares.removeFirst() } else { run.queue.removeFirst() }
            if spare == nil { run.position += 1 }
            used.insert(key)
            var current = AudioAdRun(
                key,
                audio,
                position: run.position,
                total: run.total,
                deadline: elapsed + settings.startTimeout
            )
            if let (reason, code) = unplayable(audio) {
                outputs.append(.error(key, reason))
                outputs += current.tracking.take(.failed(code)).map { .track(DueBeacon(ad: key, beacon: $0)) }
                run.current = nil
                self.run = run
                replacing = true
                continue
            }
            let file = audio.mediaFile
            if !halts.isEmpty { current.deadline = nil }
            run.current = current
            self.run = run
            outputs += file.map { [.loadAd(key, $0), .playAd(key, $0)] } ?? []
            return outputs + (halts.isEmpty ? [] : [.pauseAd(key)])
        }
        return outputs
    }

    /// Why an ad cannot be played here; `nil` when it can.
    private func unplayable(_ audio: AudioAd) -> (String, VASTErrorCode)? {
        guard audio.mediaFile != nil else { return ("The ad has no media file.", .noMediaFits) }
        guard let slots = settings.companionSlots else { return nil }
        let selection = CompanionSelector(slots: slots)
            .select(from: audio.ad.companions, required: audio.ad.companionRequirement)
        guard case .refused(let explanation) = selection else { return nil }
        return (explanation, .companionRequired)
    }

    /// The player could not play the ad: another one, or the end of the section (S4.37).
    mutating func fail(_ reason: String, _ code: VASTErrorCode, _ elapsed: Duration) -> [AudioOutput] {
        guard let current = run?.current else { return [] }
        let wasHeard = current.hasStarted
        let told: [AudioOutput] = [.error(current.key, reason)] + track(.failed(code))
        // A player that was commanded and says nothing may begin yet.
        let stop: [AudioOutput] = [.stopAd(current.key)]
        run?.current = nil
        return told + stop + playNext(elapsed, replacing: !wasHeard)
    }

    /// The section is over: once, whatever happened in it (S4.31, S4.36).
    mutating func endSection(stopping: Bool) -> [AudioOutput] {
        guard let run else { return [] }
        var outputs: [AudioOutput] = []
        if stopping, let current = run.current {
            outputs.append(.stopAd(current.key))
            if !current.hasStarted { used.remove(current.key) }
        }
        let unheard = (stopping ? run.current.map { $0.hasStarted ? [] : [$0.key] } ?? [] : []) + run.queue + run.spares
        self.run = nil
        halts.formIntersection([.modal, .background])
        outputs += discard(unheard)
        outputs.append(.sectionComplete(run.place, played: run.played))
        if run.place.section != .pauseroll { outputs.append(.contentResumeRequested(run.place)) }
        return outputs + (isFinished ? discardUnused() : [])
    }

    /// What the current ad owes for something that happened.
    mutating func track(_ input: PlaybackInput) -> [AudioOutput] {
        guard let key = run?.current?.key, let beacons = run?.current?.tracking.take(input) else { return [] }
        return beacons.map { .track(DueBeacon(ad: key, beacon: $0)) }
    }
}
