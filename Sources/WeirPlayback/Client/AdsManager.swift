internal import WeirTime
internal import WeirVAST

/// Plays the ads of one request: takes what the host and its players do, tells its delegate and commands the ad player.
///
/// Everything may be called from any thread and from inside delegate calls. The delegate and the ad player are called one
/// at a time, in order, by whoever caused it.
public final class AdsManager: Sendable {
    /// The most outputs that wait for a delegate or a stream (S0.37); the oldest fall out.
    public static let bufferLimit = 1024

    /// The request's number, unique within its loader.
    public let requestID: Int

    struct State {
        var machine: VideoMachine
        var log = OutputLog<VideoOutput>(limit: AdsManager.bufferLimit)
        weak var delegate: (any AdsManagerDelegate)?
        var streams: [AsyncStream<NumberedOutput<VideoOutput>>.Continuation] = []
        /// What the streams have not been given yet.
        var unread: [NumberedOutput<VideoOutput>] = []
        /// What the delegate, the ad player and the beacons' servers wait for.
        var waiting: [NumberedOutput<VideoOutput>] = []
        var isDelivering = false
        var shownUI = CustomUI.hidden
        /// Where the ads of breaks that come again are asked for, by their place in the schedule.
        var sources: [Int: AdsRetrieval.RepeatingBreak] = [:]
        /// Asks for the ads of a repetition; one at a time.
        var asking: Task<Void, Never>?

        var isDestroyed: Bool { machine.stateName == "destroyed" }
    }

    let retrieval: AdsRetrieval
    private let origin: ContinuousClock.Instant
    let state: Lock<State>

    var request: AdsRequest { retrieval.request }
    var transport: AdsTransport { retrieval.transport }
    var clock: any GatewayClock { retrieval.clock }

    init(requestID: Int, _ retrieval: AdsRetrieval, _ configuration: VideoConfiguration) {
        self.requestID = requestID
        self.retrieval = retrieval
        origin = retrieval.clock.now
        state = Lock(State(machine: VideoMachine(configuration)))
        request.pictureInPictureProxy?.attach(self)
    }

    deinit { state.withLock { $0.asking }?.cancel() }

    /// Who hears of events; not kept alive.
    ///
    /// What happened before there was one is told now (S0.37).
    public var delegate: (any AdsManagerDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            state.withLock { $0.delegate = newValue }
            deliver()
        }
    }

    /// Everything that happens from the beginning of what is still kept, numbered without gaps; ends with the session.
    public var outputs: AsyncStream<NumberedOutput<VideoOutput>> {
        let (stream, continuation) = AsyncStream<NumberedOutput<VideoOutput>>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        state.withLock { state in
            // Nobody waits for this stream yet, so nobody is woken here.
            for output in state.log.outputs(after: 0) where output.seq < state.unread.first?.seq ?? .max {
                continuation.yield(output)
            }
            state.streams.append(continuation)
        }
        deliver()
        return stream
    }

    // MARK: The host

    /// Prepares for playing and loads the first ad; without settings it takes the defaults (S0.31).
    public func initialize(with settings: AdsRenderingSettings? = nil) {
        if let item = request.contentItem { send(.contentReady(duration: nil, item: item)) }
        send(.initialize(settings ?? AdsRenderingSettings()))
    }

    /// Starts the break that is ready; ads never start by themselves (S0.35).
    public func start() { send(.start) }
    /// Pauses the ad.
    public func pause() { send(.pause) }
    /// Goes on with the ad.
    public func resume() { send(.resume) }
    /// Skips the ad, if its time has come.
    public func skip() { send(.skip) }
    /// The viewer pressed "Learn more" (S1.20).
    public func clicked() { send(.clicked) }
    /// Gives up the break that is ready or running.
    public func discardAdBreak() { send(.discardAdBreak) }
    /// Sets the ad player's volume, 0 to 1.
    public func setVolume(_ volume: Double) { send(.setVolume(volume)) }
    /// Ends the session; nothing that comes later has an effect.
    public func destroy() { send(.destroy) }
    /// Takes what the ad player reports.
    public func report(_ input: VideoInput) { send(input) }

    /// Whether a wish of the viewer's may reach the content player; while an ad shows it may not (S0.15).
    public func allows(_ wish: Transport) -> Bool {
        state.withLock { state in
            state.machine.handle(.transport(wish), at: origin.duration(to: clock.now)).isEmpty
        }
    }

    /// Reads the content playhead and lets time pass; for hosts with a timer of their own.
    public func tick() {
        if let playhead = request.contentPlayhead { send(.playhead(playhead.currentTime)) } else { timePassed() }
    }

    /// Ticks until the session ends or the task is cancelled.
    public func follow(every interval: Duration = .milliseconds(250)) async {
        while !isDestroyed {
            tick()
            do { try await clock.sleep(for: interval) } catch { return }
        }
    }

    // MARK: What can be seen

    /// The cue points that are left, in milliseconds: 0 before the content, -1 after it.
    public var cuePoints: [Int64] { state.withLock { $0.machine.cuePoints } }
    /// The ad that is ready or plays.
    public var currentAd: AdInfo? { state.withLock { $0.machine.currentAd } }
    /// How the user interface over the ad should look now.
    public var customUI: CustomUI { state.withLock { $0.machine.customUI } }
    /// The state's name, as in the HTTP API.
    public var stateName: String { state.withLock { $0.machine.stateName } }

    private var isDestroyed: Bool { stateName == "destroyed" }

    // MARK: Inputs

    /// Takes one input.
    public func send(_ input: VideoInput) {
        apply { state, elapsed in state.machine.handle(input, at: elapsed) }
    }

    func pictureInPicture(_ message: PictureInPictureMessage) {
        switch message {
        case .didStart: send(.pipStarted)
        case .didStop: send(.pipStopped)
        case .willStart, .willStop, .failedToStart, .restoreUserInterface: break
        }
    }

    func take(_ answer: Result<AdsRetrieval.Answer, AdFailure>) {
        send(.load)
        switch answer {
        case .success(let answer):
            state.withLock { $0.sources = answer.sources }
            send(.adsLoaded(answer.schedule))
        case .failure(let failure): send(.loadFailed(failure))
        }
    }

    private func timePassed() {
        apply { state, elapsed in state.machine.timePassed(at: elapsed) }
    }

    private func apply(_ change: (inout State, Duration) -> [VideoOutput]) {
        let elapsed = origin.duration(to: clock.now)
        state.withLock { state in
            let numbered = state.log.append(change(&state, elapsed))
            askAgain(&state)
            if !state.streams.isEmpty { Self.queue(numbered, &state.unread) }
            Self.queue(numbered, &state.waiting)
        }
        deliver()
    }

    private static func queue(_ outputs: [NumberedOutput<VideoOutput>], _ line: inout [NumberedOutput<VideoOutput>]) {
        line += outputs
        if line.count > bufferLimit { line.removeFirst(line.count - bufferLimit) }
    }

    // MARK: Repetitions

    /// Asks for the ads of a repetition when the machine waits for them; the content plays on meanwhile.
    ///
    /// The task is unstructured because whoever reports the playhead goes on. It ends with the answer, and is cancelled with
    /// the session; it does not keep the manager alive.
    private func askAgain(_ state: inout State) {
        guard state.asking == nil, state.machine.wantedBreak != nil, let wanted = state.machine.wanted else { return }
        let source = state.sources[wanted.index]
        state.asking = Task { [weak self, retrieval] in
            let answer: Result<AdSchedule, AdFailure> =
                if let source { await retrieval.again(source) } else { .failure(.unknownSource) }
            self?.takeRepetition(answer, of: wanted)
        }
    }

    private func takeRepetition(_ answer: Result<AdSchedule, AdFailure>, of wanted: BreakPlan.Entry) {
        apply { state, elapsed in
            state.asking = nil
            // Whatever has happened meanwhile, an answer that nobody waits for any more is no news.
            guard state.machine.wantedBreak != nil, state.machine.wanted == wanted else { return [] }
            return switch answer {
            case .success(let schedule): state.machine.handle(.adsLoaded(schedule), at: elapsed)
            case .failure(let failure): state.machine.handle(.loadFailed(failure), at: elapsed)
            }
        }
    }
}

extension AdFailure {
    /// A schedule that the host handed in itself, without an address that could be asked.
    fileprivate static let unknownSource = AdFailure(
        stage: .load,
        code: AdFailure.emptyResponse,
        message: "Nobody knows where the ads of this break come from."
    )
}
