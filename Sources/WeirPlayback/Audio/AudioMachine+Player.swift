internal import WeirVAST

extension AudioMachine {
    /// What the ad player reports.
    mutating func report(_ input: AudioInput, _ elapsed: Duration) throws(PlaybackRefusal) -> [AudioOutput] {
        guard let current = run?.current else { throw input.refusal(.notPlaying, "The player has no ad.") }
        switch input {
        case .adLoaded(let duration):
            run?.current?.learn(duration)
            guard !current.isLoaded else { return [] }
            run?.current?.isLoaded = true
            return [.loaded(current.key)] + track(.loaded)
        case .adStarted: return try begin(current, input, elapsed)
        case .adError(let reason, let code):
            let known = code.flatMap { (100..<1000).contains($0) ? VASTErrorCode(rawValue: $0) : nil }
            return fail(reason, known ?? .mediaDisplay, elapsed)
        case .adBuffering: return []
        default: break
        }
        guard current.hasStarted else { throw input.refusal(.wrongOrder, "The ad has not begun.") }
        switch input {
        case .adProgress(let position, let duration): return progress(position, duration, elapsed)
        case .adPaused:
            guard !current.isPaused else { throw input.refusal(.wrongOrder, "The ad is paused already.") }
            run?.current?.isPaused = true
            run?.current?.deadline = nil
            return [.paused(current.key)] + track(.paused)
        case .adResumed:
            guard current.isPaused else { throw input.refusal(.notPaused, "The ad is not paused.") }
            run?.current?.isPaused = false
            run?.current?.deadline = elapsed + settings.stallTimeout
            return [.resumed(current.key)] + track(.resumed)
        case .adStopped:
            // Nobody asked for it; to be sure that nothing sounds any more before the next ad begins, it is asked now.
            run?.current = nil
            return [.stopAd(current.key)] + playNext(elapsed)
        case .adCompleted: return complete(current, elapsed)
        case .muted: return track(.muted)
        case .unmuted: return track(.unmuted)
        default: return []
        }
    }

    /// The first sound: only now the impression is due (S4.18).
    private mutating func begin(
        _ current: AudioAdRun,
        _ input: AudioInput,
        _ elapsed: Duration
    ) throws(PlaybackRefusal) -> [AudioOutput] {
        guard !current.hasStarted else { throw input.refusal(.wrongOrder, "The ad has begun already.") }
        run?.current?.hasStarted = true
        run?.current?.deadline = halts.isEmpty ? elapsed + settings.stallTimeout : nil
        endCard = nil
        return [.bannerStart(current.key, current.banner)] + track(.started)
    }

    /// Positions that go backward or stand still are nothing new (S4.10).
    private mutating func progress(_ position: Duration, _ duration: Duration?, _ elapsed: Duration) -> [AudioOutput] {
        guard var current = run?.current else { return [] }
        current.learn(duration)
        let reached = current.banner.duration.map { min(position, $0) } ?? position
        if reached > current.position {
            adTime += reached - current.position
            current.position = reached
            if current.deadline != nil { current.deadline = elapsed + settings.stallTimeout }
        }
        let left = current.newTimeLeft()
        run?.current = current
        let due = track(.position(current.position))
        guard let left, let duration = current.banner.duration else { return due }
        return due + [.bannerTimeLeft(current.key, left: left, duration: duration)]
    }

    private mutating func complete(_ current: AudioAdRun, _ elapsed: Duration) -> [AudioOutput] {
        var outputs: [AudioOutput] = []
        if let duration = current.banner.duration {
            adTime += max(.zero, duration - current.position)
            if current.timeLeft != .zero {
                outputs.append(.bannerTimeLeft(current.key, left: .zero, duration: duration))
            }
        }
        outputs = track(.completed) + outputs + [.bannerComplete(current.key, current.banner)]
        if !current.audio.ad.companions.isEmpty, let tracking = run?.current?.tracking {
            endCard = EndCard(key: current.key, tracking: tracking, until: elapsed + settings.endCard)
        }
        run?.played += 1
        run?.current = nil
        return outputs + playNext(elapsed)
    }
}
