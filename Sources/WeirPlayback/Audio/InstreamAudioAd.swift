internal import WeirModel
internal import WeirTime
public import WeirVAST

/// The audio ads of one content item: load, then start sections when their time has come (S4).
///
/// ```swift
/// let ad = InstreamAudioAd(slotID: "morning_show", in: environment)
/// ad.player = adPlayer
/// ad.delegate = screen
/// ad.configureMidpoints(seconds: [60, 300], contentDuration: 1800)
/// let driving = Task { await ad.run() }        // keeps time until it is cancelled
/// await ad.load()                              // onLoad or onNoAd, once
/// ad.startPreroll()                            // onComplete(.preroll): now play the content
/// ```
/// One instance for each track (S4.5). Safe from any thread; no call waits for another's delegate.
public final class InstreamAudioAd: Sendable {
    /// How often the player's position is asked while an ad plays.
    public static let pollInterval: Duration = .milliseconds(200)

    /// The placement that is asked (S4.4).
    public let slotID: String

    private let environment: InstreamAudioAdEnvironment
    private let start: ContinuousClock.Instant
    private let state: Lock<State>

    private struct State {
        var machine: AudioMachine
        var params = InstreamAudioAdParams()
        var settings: AudioSettings
        var delivery = OutputDelivery<AudioOutput>()
        var player: (any InstreamAudioAdPlayer)?
        weak var delegate: (any InstreamAudioAdDelegate)?
    }

    /// An ad that has loaded nothing yet.
    ///
    /// - Parameters:
    ///   - slotID: The placement; an empty one makes every load fail with `onNoAd` (S4.4).
    ///   - settings: How it behaves; ``AudioSettings/autoload`` does not matter here.
    ///   - environment: What it stands on.
    public init(slotID: String, settings: AudioSettings = AudioSettings(), in environment: InstreamAudioAdEnvironment) {
        self.slotID = slotID
        self.environment = environment
        start = environment.clock.now
        var settings = settings
        settings.autoload = false
        state = Lock(State(machine: AudioMachine(settings: settings, hasPlayer: false), settings: settings))
    }

    // MARK: Properties

    /// Hears what becomes of the ads; held weakly, set before loading (S4.24).
    public var delegate: (any InstreamAudioAdDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Plays the ads; its delegate becomes this ad (S4.7).
    ///
    /// Taking it away ends the section that is played.
    public var player: (any InstreamAudioAdPlayer)? {
        get { state.withLock { $0.player } }
        set {
            if newValue == nil { take(.playerAttached(false)) }
            let volume = state.withLock { state in
                state.player = newValue
                return state.machine.volume
            }
            guard let newValue else { return }
            newValue.adPlayerDelegate = self
            newValue.volume = volume
            take(.playerAttached(true))
        }
    }

    /// What is known of the listener (S4.66–S4.68); taken when the load begins.
    public var params: InstreamAudioAdParams {
        get { state.withLock { $0.params } }
        set { state.withLock { $0.params = newValue } }
    }

    /// The banner that is heard; `nil` when none is.
    public var currentBanner: AudioBanner? { state.withLock { $0.machine.currentBanner } }

    /// Seconds of the content that have mid-rolls, once loaded; never percentages (S4.43, S4.46).
    public var midpoints: [Double] { state.withLock { $0.machine.midpoints.map(\.playbackSeconds) } }

    /// Seconds that a load may take, taken when it begins; 10, at least 5 (S4.64, S4.65).
    public var loadingTimeout: Double { state.withLock { $0.settings.loadingTimeout.playbackSeconds } }

    /// Whether the ads are there.
    public var isLoaded: Bool { state.withLock { $0.machine.program != nil } }

    /// How loud, 0 to 1; what is outside is brought in (S4.12, S4.63).
    public var volume: Double {
        get { state.withLock { $0.machine.volume } }
        set { take(.setVolume(newValue)) }
    }

    // MARK: Loading

    /// Sets where mid-rolls are wanted, in seconds; before loading, once (S4.40–S4.42).
    public func configureMidpoints(seconds: [Double], contentDuration: Double?) {
        take(.configureMidpoints(.seconds(seconds), duration: contentDuration.flatMap(Duration.init(playbackSeconds:))))
    }

    /// Sets where mid-rolls are wanted, in percent of the content's duration; before loading, once.
    public func configureMidpoints(percent: [Double], contentDuration: Double) {
        take(.configureMidpoints(.percent(percent), duration: Duration(playbackSeconds: contentDuration)))
    }

    /// Loads the ads: `onLoad` or `onNoAd`, exactly once.
    ///
    /// A second load is refused with a remark (S4.5).
    /// Returns when the result is there, at the latest after ``loadingTimeout``; cancelling it gives `onNoAd`.
    public func load() async {
        let (begins, request, settings) = state.withLock { state in
            var machine = state.machine
            let outputs = machine.handle(.load, at: elapsed)
            state.machine = machine
            state.delivery.add(outputs)
            let request = InstreamAudioAdRequest(
                slotID: slotID,
                midpoints: machine.askedMidpoints,
                contentDuration: machine.contentDuration,
                params: state.params,
                timeout: state.settings.loadingTimeout
            )
            return (outputs.isEmpty, request, state.settings)
        }
        deliver()
        guard begins else { return }
        guard !slotID.isEmpty else {
            take(.loadFailed(code: "no_slot", message: "There is no slot id."))
            return
        }
        let source = environment.source
        let answer: Result<AudioProgram, InstreamAudioLoadError>? = await race(
            until: .after(settings.loadingTimeout, clock: environment.clock),
            clock: environment.clock,
            late: { (_: Result<AudioProgram, InstreamAudioLoadError>) in }
        ) {
            do throws(InstreamAudioLoadError) { return .success(try await source.load(request)) } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let program): take(.loaded(program))
        case .failure(let error): take(.loadFailed(code: error.code, message: error.reason))
        case nil where Task.isCancelled: take(.loadFailed(code: "cancelled", message: "The load was cancelled."))
        case nil: tick()
        }
    }

    // MARK: Playing

    /// Plays the section before the content (S4.38).
    public func startPreroll() { take(.start(AudioPlace(.preroll))) }

    /// Plays the section after the content (S4.39).
    public func startPostroll() { take(.start(AudioPlace(.postroll))) }

    /// Plays the section for a listener who has paused the content.
    public func startPauseroll() { take(.start(AudioPlace(.pauseroll))) }

    /// Plays the mid-roll at one of ``midpoints``, in seconds, by its value (S4.47, S4.48).
    public func startMidroll(point: Double) {
        let point = Duration(playbackSeconds: point) ?? .milliseconds(-1)
        take(.start(AudioPlace(.midroll, point: point)))
    }

    /// Pauses the ad (S4.58).
    public func pause() { take(.pause) }
    /// Lets the ad go on (S4.59).
    public func resume() { take(.resume) }
    /// Ends the section (S4.60).
    public func stop() { take(.stop) }
    /// Ends the section because the listener wants it to (S4.61).
    public func skip() { take(.skip) }
    /// Ends the ad because the listener wants it to, and plays the next (S4.62).
    public func skipBanner() { take(.skipBanner) }

    /// A companion of the current banner was shown (S4.56).
    public func handleCompanionShow(_ companion: Companion) { handle(companion) { .companionShown($0) } }
    /// A companion of the current banner was clicked: tracks it and asks to open the page (S4.57).
    public func handleCompanionClick(_ companion: Companion) { handle(companion) { .companionClicked($0) } }

    /// A page lies over the application, or is gone (S4.32).
    public func modal(isShown: Bool) { take(isShown ? .modalShown : .modalDismissed) }
    /// The application went into the background, or came back.
    public func application(isInBackground: Bool) { take(isInBackground ? .appBackground : .appForeground) }

    /// Takes anything else that can happen, such as the listener's own controls; refusals come back and are logged.
    @discardableResult
    public func take(_ input: AudioInput) -> [PlaybackRefusal] {
        let refusals = state.withLock { state in
            let outputs = state.machine.handle(input, at: elapsed)
            state.delivery.add(outputs)
            return outputs.compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
        }
        deliver()
        return refusals
    }

    /// Keeps time until the task is cancelled: asks the player's position and notices what takes too long.
    public func run() async {
        while !Task.isCancelled {
            do { try await environment.clock.sleep(for: Self.pollInterval) } catch { return }
            tick()
        }
    }

    /// The same once, for hosts with a timer of their own.
    public func tick() {
        let player = state.withLock { $0.machine.run?.current?.hasStarted ?? false ? $0.player : nil }
        if let player, let position = Duration(playbackSeconds: player.adAudioTimeElapsed) {
            take(.adProgress(position: position, duration: Duration(playbackSeconds: player.adAudioDuration)))
        }
        state.withLock { $0.delivery.add($0.machine.timePassed(at: elapsed)) }
        deliver()
    }

    // MARK: Carrying out

    private var elapsed: Duration { start.duration(to: environment.clock.now) }

    private func handle(_ companion: Companion, _ input: (String) -> AudioInput) {
        let place = state.withLock { state -> Int? in
            let ad = state.machine.run?.current?.audio.ad ?? state.machine.endCard?.tracking.ad
            return ad?.companions.firstIndex(of: companion)
        }
        take(input(place.map(String.init) ?? companion.id ?? ""))
    }

    /// Carries out what waits, in order, one at a time, outside the lock: delegates and players may call back.
    private func deliver() {
        guard state.withLock({ $0.delivery.begin() }) else { return }
        while let output = state.withLock({ $0.delivery.next() }) { carryOut(output) }
    }

    private func carryOut(_ output: AudioOutput) {
        if output.kind == .command { return command(output) }
        let delegate = delegate
        switch output {
        case .load: delegate?.onLoad(self)
        case .noAd(let reason): delegate?.onNoAd(reason, self)
        case .error(_, let reason): delegate?.onError(reason, self)
        case .bannerStart(_, let banner): delegate?.onBannerStart(banner, self)
        case .bannerComplete(_, let banner): delegate?.onBannerComplete(banner, self)
        case .bannerTimeLeft(_, let left, let duration):
            delegate?.onBannerTimeLeftChange(left.playbackSeconds, duration: duration.playbackSeconds, self)
        case .sectionComplete(let place, _): delegate?.onComplete(place.section, self)
        case .showModal: delegate?.onShowModal(self)
        case .dismissModal: delegate?.onDismissModal(self)
        case .contentPauseRequested: delegate?.onContentPauseRequested(self)
        case .contentResumeRequested: delegate?.onContentResumeRequested(self)
        case .track(let beacon): environment.beacons(beacon)
        case .log(let message): log(message)
        case .refused(let refusal): log("\(refusal.input) was refused: \(refusal.message)")
        default: break
        }
    }

    private func command(_ output: AudioOutput) {
        let player = player
        switch output {
        case .playAd(_, let file): player?.playAdAudio(url: file.url)
        case .pauseAd: player?.pauseAdAudio()
        case .resumeAd: player?.resumeAdAudio()
        case .stopAd: player?.stopAdAudio()
        case .seekAd(_, let position): player?.seekAdAudio(to: position.playbackSeconds)
        case .setVolume(let value): player?.volume = value
        case .openURL(let url): delegate?.onLeaveApplication(url, self)
        default: break
        }
    }

    private func log(_ message: String) {
        if environment.isDebugging { environment.log(message) }
    }
}

extension InstreamAudioAd: InstreamAudioAdPlayerDelegate {
    /// The player's first sound.
    public func onAdAudioStart() { take(.adStarted) }
    /// The player halted.
    public func onAdAudioPause() { take(.adPaused) }
    /// The player goes on.
    public func onAdAudioResume() { take(.adResumed) }
    /// The player stopped; after a command that is no news.
    public func onAdAudioStop() { take(.adStopped) }
    /// The player failed.
    public func onAdAudioError(reason: String) { take(.adError(reason: reason, code: nil)) }
    /// The player came to the end.
    public func onAdAudioComplete() { take(.adCompleted) }
}

extension Duration {
    /// Seconds as a player says them, to the millisecond; `nil` for NaN, infinity, less than 0 and more than any content.
    init?(playbackSeconds seconds: Double) {
        guard seconds.isFinite, seconds >= 0, seconds <= PlaybackMessage.longest.playbackSeconds else { return nil }
        self = .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
