internal import WeirVAST

extension VideoMachine {
    // MARK: Becoming due

    /// Puts breaks in line; the first of them is made ready at once when none is ready or running.
    mutating func becomeDue(_ entries: [BreakPlan.Entry], _ out: inout [VideoOutput]) {
        for entry in entries {
            plan.repeatAfter(entry, step: schedule.breaks[entry.index].repeatAfter)
            if display.isPIPActive, configuration.settings.onPIP == .drop {
                remark("pip_break_dropped", "A break is due in picture-in-picture and is dropped (on_pip: drop).", &out)
                continue
            }
            due.append(entry)
        }
        if display.isPIPActive { thinOutWaiting(&out) }
        prepareNextBreak(&out)
    }

    /// Breaks that pile up in picture-in-picture are like a jump over several: the same policy decides.
    private mutating func thinOutWaiting(_ out: inout [VideoOutput]) {
        guard configuration.settings.seekPolicy == .last, let last = due.last?.cuePoint else { return }
        let before = due.count
        due.removeAll { $0.cuePoint != last }
        if due.count < before {
            remark("pip_breaks_passed", "Of several breaks that wait for picture-in-picture the last one stays.", &out)
        }
        if let run, !run.isStarted, run.entry.cuePoint != last { giveUpWaiting(&out) }
    }

    private mutating func giveUpWaiting(_ out: inout [VideoOutput]) {
        guard var waiting = run else { return }
        run = nil
        waiting.play?.stopped(&out)
        if let key = waiting.play?.info.key { stop(key, &out) }
    }

    /// Makes the next break that has ads ready, unless one is ready or running.
    mutating func prepareNextBreak(_ out: inout [VideoOutput]) {
        while phase == .running, run == nil, let next = due.first {
            // Content plays on until the ads of a repetition are there.
            guard hasAds(next) else {
                want(next)
                break
            }
            due.removeFirst()
            prepare(next, &out)
        }
        guard phase == .running, run == nil else { return }
        requestResume(&out)
        sayAllCompleted(&out)
    }

    private mutating func prepare(_ entry: BreakPlan.Entry, _ out: inout [VideoOutput]) {
        let scheduled = scheduled(entry)
        let info = BreakInfo(
            id: scheduled.id,
            cuePoint: entry.cuePoint,
            repetition: entry.repetition,
            totalAds: scheduled.ads.count
        )
        guard !scheduled.ads.isEmpty || !scheduled.buffet.isEmpty else {
            return passEmpty(scheduled, info, &out)
        }
        var fresh = BreakRun(
            entry: entry,
            info: info,
            podIndex: podIndex(of: entry),
            queue: scheduled.ads,
            buffet: scheduled.buffet
        )
        fresh.becameDueInPIP = display.isPIPActive
        if let waiting = preloaded, waiting.key == scheduled.ads.first {
            fresh.preloaded = waiting.key
            preloaded = nil
        }
        run = fresh
        say(.adBreakReady, info, &out)
        if display.isPIPActive {
            remark(
                "pip_break_waits",
                "A break is due in picture-in-picture and waits for its end (on_pip: wait).",
                &out
            )
        }
        loadNextAd(&out)
    }

    /// A break without ads: its trackers count, its failure is told, and the content is not touched.
    private mutating func passEmpty(_ scheduled: AdSchedule.Break, _ info: BreakInfo, _ out: inout [VideoOutput]) {
        if let failure = scheduled.failure {
            say(.adBreakFetchError, info, .failure(failure), &out)
        } else {
            track("breakStart", of: scheduled, &out)
            track("breakEnd", of: scheduled, &out)
        }
    }

    /// IMA: 0 before the content, 1, 2, … in it, -1 after it.
    private func podIndex(of entry: BreakPlan.Entry) -> Int {
        switch entry.cuePoint {
        case .preroll: return 0
        case .postroll: return -1
        case .midroll(let point):
            var earlier: Set<Duration> = []
            for scheduled in schedule.breaks {
                if let position = scheduled.timeOffset.contentPosition(in: content.duration), position > .zero,
                    position < point, scheduled.timeOffset != .end
                {
                    earlier.insert(position)
                }
            }
            return earlier.count + 1
        }
    }

    // MARK: Ad by ad

    /// Hands the next ad of the break to the player and says that it is loaded; ends the break when there is none.
    mutating func loadNextAd(_ out: inout [VideoOutput]) {
        while var current = run {
            guard let key = takeNextKey(&current) else { return endBreak(&out) }
            let wasPreloaded = current.preloaded == key
            current.preloaded = nil
            current.position += 1
            guard let ad = schedule.ad(key) else {
                run = current
                continue
            }
            let info = info(of: key, ad, in: current)
            current.play = AdPlay(ad: ad, info: info)
            run = current
            guard let file = mediaFile(of: ad) else {
                let message = "No media file of the ad fits the rendering settings."
                fail(AdFailure(stage: .play, code: 403, message: message), loadsNext: false, &out)
                continue
            }
            if !wasPreloaded { out.append(.command(.loadAd(info, file))) }
            out.append(.event(AdEvent(.loaded, ad: info)))
            if current.isStarted { play(&out) }
            return
        }
    }

    /// The next ad in order; when the pod is spent and nothing of it played, a stand-in.
    private func takeNextKey(_ current: inout BreakRun) -> AdKey? {
        if !current.queue.isEmpty { return current.queue.removeFirst() }
        guard current.position == 0, !current.buffet.isEmpty else { return nil }
        return current.buffet.removeFirst()
    }

    private func info(of key: AdKey, _ ad: ResolvedAd, in current: BreakRun) -> AdInfo {
        AdInfo(
            key: key,
            ad: ad,
            pod: AdPodInfo(
                adPosition: current.position,
                totalAds: max(current.info.totalAds, current.position),
                podIndex: current.podIndex,
                timeOffset: current.entry.cuePoint
            ),
            isUIDisabled: rendering.disableUI && configuration.isCustomUIEntitled && ad.isUIHideable
        )
    }

    private func mediaFile(of ad: ResolvedAd) -> MediaFile? {
        let selector = MediaSelector(mimeTypes: rendering.mimeTypes, maxBitrate: rendering.bitrate)
        guard rendering.mimeTypes.isEmpty, rendering.bitrate == nil else {
            if case .files(let files) = selector.select(from: ad.mediaFiles) { return files.first }
            return nil
        }
        // They are ranked already: by the player's wishes at the request, or as the document has them.
        return ad.mediaFiles.first
    }

    /// Tells the player to play the ad that is loaded.
    mutating func play(_ out: inout [VideoOutput]) {
        guard let key = run?.play?.info.key else { return }
        let deadline = rendering.loadVideoTimeout.map { now + $0 }
        run?.play?.playCommanded()
        run?.startDeadline = deadline
        out.append(.command(.playAd(key)))
    }

    /// The ad that plays has failed: a stand-in takes its place, else the next ad of the pod comes (VAST 4.3 §3.3.1).
    mutating func fail(_ failure: AdFailure, loadsNext: Bool = true, _ out: inout [VideoOutput]) {
        guard var current = run else { return }
        let wasStarted = current.play?.phase != .loaded
        let key = current.play?.info.key
        current.play?.failed(failure, &out)
        trackError(failure, of: scheduled(current.entry), &out)
        current.play = nil
        current.startDeadline = nil
        if !current.buffet.isEmpty {
            current.queue.insert(current.buffet.removeFirst(), at: 0)
            current.position -= 1
        }
        run = current
        if wasStarted, let key { stop(key, &out) }
        if loadsNext { loadNextAd(&out) }
    }

    /// The ad that plays has ended, whatever the way; the next one comes.
    mutating func finishAd(_ out: inout [VideoOutput]) {
        run?.play = nil
        run?.startDeadline = nil
        loadNextAd(&out)
    }

    mutating func stop(_ key: AdKey, _ out: inout [VideoOutput]) {
        unconfirmedStops = min(unconfirmedStops + 1, 16)
        out.append(.command(.stopAd(key)))
    }

    // MARK: Starting and ending

    /// Starts the break that is ready: the content is asked to pause before the first frame (S0.40).
    mutating func startBreak(_ out: inout [VideoOutput]) {
        guard var current = run, !current.isStarted else { return }
        current.isStarted = true
        run = current
        requestPause(&out)
        say(.adBreakStarted, current.info, &out)
        track("breakStart", of: scheduled(current.entry), &out)
        play(&out)
    }

    /// Ends the break and gives the screen back, at least for now (S0.44).
    mutating func endBreak(_ out: inout [VideoOutput]) {
        guard let ended = run else { return }
        run = nil
        if let key = ended.preloaded { forget(key, &out) }
        if ended.isStarted {
            track("breakEnd", of: scheduled(ended.entry), &out)
            say(.adBreakEnded, ended.info, &out)
            requestResume(&out)
        }
        prepareNextBreak(&out)
    }

    /// An ad that was handed to the player and will not be played (VAST 4.1 `notUsed`).
    mutating func forget(_ key: AdKey, _ out: inout [VideoOutput]) {
        guard let ad = schedule.ad(key) else { return }
        var tracking = AdTracking(ad: ad)
        for beacon in tracking.take(.discarded) { out.append(.tracking(DueBeacon(ad: key, beacon: beacon))) }
        stop(key, &out)
    }

    /// Says once that no more ads will come: nothing is left, or nothing that is left can still be reached.
    mutating func sayAllCompleted(_ out: inout [VideoOutput]) {
        guard phase == .running, run == nil, due.isEmpty, plan.pending.isEmpty, !hasSaidAllCompleted else { return }
        hasSaidAllCompleted = true
        say(.allAdsCompleted, &out)
    }

    // MARK: Preloading

    /// Hands the next ad of the running pod to the player while this one plays.
    mutating func preloadNextInPod(_ out: inout [VideoOutput]) {
        guard rendering.enablePreloading, var current = run, current.preloaded == nil, let key = current.queue.first,
            let ad = schedule.ad(key), let file = mediaFile(of: ad)
        else { return }
        current.preloaded = key
        current.position += 1
        let info = info(of: key, ad, in: current)
        current.position -= 1
        run = current
        out.append(.command(.loadAd(info, file)))
    }

    /// Hands the first ad of the next mid-roll to the player shortly before it is due.
    mutating func preloadNextBreak(_ out: inout [VideoOutput]) {
        guard rendering.enablePreloading, run == nil, preloaded == nil,
            let (entry, point) = plan.nextMidroll(after: content.position),
            point - content.position <= rendering.preloadWindow
        else { return }
        guard hasAds(entry) else { return want(entry) }
        let scheduled = scheduled(entry)
        guard let key = scheduled.ads.first, let ad = schedule.ad(key), let file = mediaFile(of: ad) else { return }
        var ahead = BreakRun(
            entry: entry,
            info: BreakInfo(
                id: scheduled.id,
                cuePoint: entry.cuePoint,
                repetition: entry.repetition,
                totalAds: scheduled.ads.count
            ),
            podIndex: podIndex(of: entry),
            queue: [],
            buffet: []
        )
        ahead.position = 1
        preloaded = Preloaded(entry: entry, key: key)
        out.append(.command(.loadAd(info(of: key, ad, in: ahead), file)))
    }

    /// Gives up what was preloaded for a break that the viewer has jumped over.
    mutating func dropStalePreload(_ out: inout [VideoOutput]) {
        guard let waiting = preloaded, !plan.pending.contains(waiting.entry) else { return }
        preloaded = nil
        forget(waiting.key, &out)
    }
}
