internal import WeirTime
internal import WeirVAST

/// What the manager hands out: to streams, the delegate, the ad player and the beacons' servers, in order, under no lock.
extension AdsManager {
    /// Delivers what waits, one after the other; whoever is at it already takes what comes on top.
    func deliver() {
        guard beginDelivering() else { return }
        while let delivery = nextDelivery() {
            switch delivery {
            case .output(let output, let delegate): deliver(output, to: delegate)
            case .news(let news): deliver(news)
            }
        }
    }

    /// What is handed out next, when the lock has been left.
    private enum Delivery {
        case output(VideoOutput, (any AdsManagerDelegate)?)
        case news(News)
    }

    /// What the streams are given, and what there is no use for any more.
    private struct News {
        var outputs: [NumberedOutput<VideoOutput>]
        var streams: [AsyncStream<NumberedOutput<VideoOutput>>.Continuation]
        var isLast = false
        var needless: Task<Void, Never>?
    }

    private func beginDelivering() -> Bool {
        state.withLock { state in
            guard !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
    }

    /// News for the streams, or the next output with who hears it; events wait for a delegate, commands and beacons do not.
    private func nextDelivery() -> Delivery? {
        state.withLock { state in
            if let news = Self.takeNews(&state) { return .news(news) }
            let place =
                state.delegate == nil ? state.waiting.firstIndex { $0.kind != .event } : state.waiting.indices.first
            guard let place else {
                state.isDelivering = false
                return nil
            }
            return .output(state.waiting.remove(at: place).output, state.delegate)
        }
    }

    private static func takeNews(_ state: inout State) -> News? {
        let isLast = state.isDestroyed && (!state.streams.isEmpty || state.asking != nil)
        guard !state.unread.isEmpty || isLast else { return nil }
        var news = News(outputs: state.unread, streams: state.streams, isLast: isLast)
        state.unread = []
        if isLast {
            state.streams = []
            news.needless = state.asking
            state.asking = nil
        }
        return news
    }

    private func deliver(_ news: News) {
        for stream in news.streams {
            for output in news.outputs { stream.yield(output) }
            if news.isLast { stream.finish() }
        }
        news.needless?.cancel()
    }

    private func deliver(_ output: VideoOutput, to delegate: (any AdsManagerDelegate)?) {
        switch output {
        case .command(let command): carryOut(command)
        case .tracking(let due):
            transport.call(
                MacroExpander(context: request.macros.adding(due.beacon.macros), clock: clock)
                    .expand(due.beacon.url, use: due.beacon.use)
            )
        case .event(let event):
            guard let delegate else { return }
            tell(delegate, event)
            tellUI(delegate)
        }
    }

    private func carryOut(_ command: AdPlayerCommand) {
        guard let player = request.adDisplayContainer?.player else { return }
        switch command {
        case .loadAd(let ad, let file): player.load(ad, file)
        case .playAd(let key): player.play(key)
        case .pauseAd(let key): player.pause(key)
        case .resumeAd(let key): player.resume(key)
        case .stopAd(let key): player.stop(key)
        case .setVolume(let volume): player.setVolume(volume)
        case .openURL(let url, _):
            player.open(MacroExpander(context: request.macros, clock: clock).expand(url))
        }
    }

    private func tell(_ delegate: any AdsManagerDelegate, _ event: AdEvent) {
        switch (event.type, event.payload) {
        case (.adsLoaded, _), (.loadFailed, _): break
        case (.contentPauseRequested, _): delegate.adsManagerDidRequestContentPause(self)
        case (.contentResumeRequested, _): delegate.adsManagerDidRequestContentResume(self)
        case (.adError, .failure(let failure)): delegate.adsManager(self, didReceive: failure)
        case (.adProgress, .progress(let position, let duration)):
            delegate.adsManager(self, adDidProgressTo: position, of: duration)
        default: delegate.adsManager(self, didReceive: event)
        }
    }

    /// One consistent picture, and only when it has changed (S1.4).
    private func tellUI(_ delegate: any AdsManagerDelegate) {
        let fresh = state.withLock { state -> CustomUI? in
            let ui = state.machine.customUI
            guard ui != state.shownUI else { return nil }
            state.shownUI = ui
            return ui
        }
        if let fresh { delegate.adsManager(self, show: fresh) }
    }
}

extension MacroContext {
    /// The same context with more values.
    fileprivate func adding(_ values: [String: Value]) -> MacroContext {
        var context = self
        context.values.merge(values) { $1 }
        return context
    }
}
