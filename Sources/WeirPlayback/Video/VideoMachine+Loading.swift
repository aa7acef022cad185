extension VideoMachine {
    mutating func load(_ input: VideoInput, _ out: inout [VideoOutput]) {
        switch input {
        case .load: beginLoading(input, &out)
        case .adsLoaded(let fresh) where wantedBreak != nil: takeRepetition(.success(fresh), &out)
        case .loadFailed(let failure) where wantedBreak != nil: takeRepetition(.failure(failure), &out)
        case .adsLoaded(let schedule):
            guard phase == .loading else {
                return refuse(input, .alreadyLoaded, "No ads were waited for.", &out)
            }
            take(schedule, &out)
        case .loadFailed(let failure):
            guard phase == .loading else {
                return refuse(input, .alreadyLoaded, "No ads were waited for.", &out)
            }
            failLoading(failure, &out)
        default: break
        }
    }

    private mutating func beginLoading(_ input: VideoInput, _ out: inout [VideoOutput]) {
        guard phase == .idle else {
            return refuse(input, .alreadyLoaded, "Ads were asked for already; one session is one request.", &out)
        }
        guard configuration.capabilities.displayContainer else {
            return refuse(input, .noPlayer, "There is no display container to render ads in.", &out)
        }
        guard display.isVisible else {
            return refuse(input, .noPlayer, "The display container is not on screen yet.", &out)
        }
        phase = .loading
    }

    /// A single empty answer is a failure, as IMA has it (1009); a schedule whose breaks are empty is not.
    private mutating func take(_ fresh: AdSchedule, _ out: inout [VideoOutput]) {
        guard fresh.hasAds else {
            let failure =
                fresh.breaks.lazy.compactMap(\.failure).first
                ?? AdFailure(stage: .load, code: AdFailure.emptyResponse, message: "The answer holds no ads.")
            return failLoading(failure, &out)
        }
        schedule = fresh
        plan = BreakPlan(schedule, duration: content.duration)
        phase = .loaded
        var event = AdEvent(.adsLoaded, payload: .cuePoints(plan.cuePoints))
        event.userContext = configuration.userContext
        out.append(.event(event))
    }

    /// The content plays without ads, and the viewer is never stuck (S0.30).
    private mutating func failLoading(_ failure: AdFailure, _ out: inout [VideoOutput]) {
        phase = .failed
        var event = AdEvent(.loadFailed, payload: .failure(failure))
        event.userContext = configuration.userContext
        out.append(.event(event))
        requestResume(&out)
    }
}
