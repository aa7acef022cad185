internal import WeirModel
internal import WeirVAST

extension AudioMachine {
    /// Mid-points are configured once, before the load (S4.40).
    mutating func configure(
        _ wanted: AudioMidpoints,
        _ duration: Duration?
    ) throws(PlaybackRefusal) -> [AudioOutput] {
        let input = AudioInput.configureMidpoints(wanted, duration: duration)
        guard loading == .idle else {
            throw input.refusal(.alreadyLoaded, "Mid-points are configured before the load.")
        }
        guard askedMidpoints == nil else {
            throw input.refusal(.alreadyUsed, "Mid-points are configured once; make another session for another item.")
        }
        let (points, dropped) = try wanted.positions(in: duration ?? contentDuration)
        askedMidpoints = points
        contentDuration = duration ?? contentDuration
        return dropped.map { .log($0) }
    }

    /// Begins the load.
    mutating func load(_ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        guard loading == .idle else {
            throw AudioInput.load.refusal(.alreadyLoaded, "One session is for one content item and is loaded once.")
        }
        loading = .underWay
        loadDeadline = elapsed + settings.loadingTimeout
        return []
    }

    /// A result that nobody waits for any more is dropped (S4.65).
    mutating func loaded(_ program: AudioProgram) -> [AudioOutput] {
        guard loading == .underWay || loading == .idle, !isDestroyed else { return [] }
        guard program.ads.contains(where: { !$0.isSpare }) else {
            return failLoad("no_ad", "The networks have no ad for this content.")
        }
        loading = .loaded
        loadDeadline = nil
        self.program = program
        let asked = askedMidpoints
        midpoints = program.midpoints.filter { asked?.contains($0) ?? true }
        return [.adsLoaded(midpoints: midpoints, userContext: settings.userContext), .load]
    }

    /// The load has come to nothing.
    mutating func failLoad(_ code: String, _ message: String) -> [AudioOutput] {
        loading = .failed
        loadDeadline = nil
        return [.loadFailed(code: code, message: message, userContext: settings.userContext), .noAd(message)]
    }

    /// Ends everything; a section that is played ends as any other does.
    mutating func destroy() -> [AudioOutput] {
        guard !isDestroyed else { return [] }
        var outputs: [AudioOutput] = []
        if loading == .underWay || loading == .idle {
            outputs = failLoad("cancelled", "The session ended before the ads were loaded.")
        }
        if run != nil { outputs += endSection(stopping: true) }
        isDestroyed = true
        return outputs + discardUnused()
    }

    /// Ads that were loaded and will not be played: their `notUsed` is due (VAST 4.3 §3.14.1).
    mutating func discardUnused() -> [AudioOutput] {
        discard((program?.ads ?? []).indices.map { AdKey($0) })
    }

    /// The same for some of the ads; each is told once.
    mutating func discard(_ keys: [AdKey]) -> [AudioOutput] {
        keys.flatMap { key -> [AudioOutput] in
            guard let audio = program?.ads[key.index], used.insert(key).inserted,
                audio.ad.linear?.trackingEvents.contains(where: { $0.event == .notUsed }) ?? false
            else { return [] }
            var tracking = AdTracking(ad: audio.ad)
            return tracking.take(.discarded).map { .track(DueBeacon(ad: key, beacon: $0)) }
        }
    }
}
