package import WeirAdapterKit
internal import WeirModel
package import WeirTime

/// The life of one adapter, from its first set-up to its end: events in, commands out.
///
/// `starting → ready | failed | timed_out → draining → stopped`. There is no way back but one: an adapter that breaks
/// down (``Event/crashed(_:)``) is `failed`, then `starting` again; one that does so ``crashLimit`` times within
/// ``crashWindow`` is `disabled`. A restarted or changed network gets a new adapter with a life of its own, so that no
/// set-up ever runs beside another one of the same adapter.
package struct AdapterLife: Sendable {
    /// What happens to an adapter.
    package enum Event: Sendable {
        case start
        case setUpEnded(Result<SetUpProgress.Note, SetUpFailure>)
        /// It broke down; when that was in its set-up, that set-up fails next.
        case crashed(SetUpFailure)
        case timer(Timer)
        case retire
        case drained
        case tornDown
    }

    /// What the owner has to do.
    package enum Command: Sendable, Hashable {
        case setUp
        case cancelSetUp
        case start(Timer, at: ContinuousClock.Instant)
        case cancel(Timer)
        case tearDown
    }

    /// The timers of a life.
    package enum Timer: Sendable, Hashable {
        case timeout
        case retry
        /// How long a cancelled set-up may take to end before it counts as left behind.
        case patience
    }

    /// Where it stands.
    package private(set) var state = AdapterState.starting
    /// When set-up began for the first time.
    package private(set) var began: ContinuousClock.Instant?
    /// The same on the calendar.
    package private(set) var startedAt: WallTime?
    /// When it became ready.
    package private(set) var readyAt: WallTime?
    /// From the first set-up to being ready.
    package private(set) var timeToReady: Duration?
    /// How long the successful try took.
    package private(set) var latency: Duration?
    /// Whether it became ready only after its time-out.
    package private(set) var isLate = false
    /// How many times set-up was begun.
    package private(set) var attempts = 0
    /// The failure that the next try has to make good.
    package private(set) var failure: SetUpFailure?
    /// When the next try is due.
    package private(set) var nextTry: ContinuousClock.Instant?
    /// The last words of the set-up that succeeded.
    package private(set) var note = SetUpProgress.Note()
    /// How many set-ups and lives have ended badly since the last success.
    package private(set) var failures = 0
    /// Whether ``failure`` is a break-down.
    package private(set) var hasCrashed = false
    /// Whether a set-up is under way.
    package private(set) var isSettingUp = false
    /// Whether a set-up was cancelled and runs on regardless.
    package private(set) var isLeftBehind = false

    /// So many break-downs within ``crashWindow`` are a loop.
    package static let crashLimit = 5
    /// How long a break-down counts.
    package static let crashWindow: Duration = .seconds(60)

    private let configuration: InitializationConfiguration
    private var crashes: [ContinuousClock.Instant] = []
    private var tryBegan: ContinuousClock.Instant?
    private var isDrained = false
    private var isTearingDown = false

    /// A life that has not begun.
    package init(configuration: InitializationConfiguration) {
        self.configuration = configuration
    }

    /// Why it is not asked any more; `nil` as long as it is.
    package var unavailability: Unavailability? {
        guard state == .disabled else { return nil }
        var reason = failure?.reason ?? "no reason given"
        while reason.hasSuffix(".") { reason.removeLast() }
        return Unavailability(
            .disabled,
            "disabled (crash_loop): it broke down \(Self.crashLimit) times within a minute; the last time \(reason)",
            remedy: "Look at its log (adapter.log) and mend it, then POST /v1/adapters/{network}/restart."
        )
    }

    /// Takes an event at an instant; one that does not fit the state changes nothing.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When, on the monotonic clock.
    ///   - wall: When, on the calendar.
    ///   - chance: 0 to 1, for the jitter of retries.
    /// - Returns: What the owner has to do, in order.
    package mutating func handle(
        _ event: Event,
        now: ContinuousClock.Instant,
        wall: WallTime,
        chance: Double = 1
    ) -> [Command] {
        switch event {
        case .start: start(now, wall)
        case .setUpEnded(.success(let note)): succeed(note, now, wall)
        case .setUpEnded(.failure(let failure)): fail(failure, now, chance)
        case .crashed(let failure): crash(failure, now, chance)
        case .timer(.timeout): timeOut()
        case .timer(.retry): retry(now, wall)
        case .timer(.patience): leaveBehind()
        case .retire: retire(now)
        case .drained: drained()
        case .tornDown: tornDown()
        }
    }

    private mutating func start(_ now: ContinuousClock.Instant, _ wall: WallTime) -> [Command] {
        guard began == nil, state == .starting else { return [] }
        began = now
        startedAt = wall
        return beginTry(now) + [.start(.timeout, at: now.advanced(by: configuration.timeout))]
    }

    private mutating func beginTry(_ now: ContinuousClock.Instant) -> [Command] {
        attempts += 1
        tryBegan = now
        nextTry = nil
        isSettingUp = true
        return [.setUp]
    }

    private mutating func succeed(
        _ note: SetUpProgress.Note,
        _ now: ContinuousClock.Instant,
        _ wall: WallTime
    ) -> [Command] {
        guard isSettingUp else { return [] }
        isSettingUp = false
        guard state != .draining else { return endCancelledSetUp() }
        let whole = began.map { $0.duration(to: now) } ?? .zero
        state = .ready
        readyAt = wall
        timeToReady = whole
        latency = tryBegan.map { $0.duration(to: now) }
        isLate = whole >= configuration.timeout
        failure = nil
        failures = 0
        hasCrashed = false
        self.note = note
        return [.cancel(.timeout)]
    }

    private mutating func fail(_ failure: SetUpFailure, _ now: ContinuousClock.Instant, _ chance: Double) -> [Command] {
        guard isSettingUp else { return [] }
        isSettingUp = false
        guard state != .draining else { return endCancelledSetUp() }
        failures += 1
        return [.cancel(.timeout)] + recover(from: failure, now, chance)
    }

    /// Every break-down is counted; one of a running adapter ends its being ready.
    private mutating func crash(_ failure: SetUpFailure, _ now: ContinuousClock.Instant, _ chance: Double) -> [Command]
    {
        crashes = crashes.filter { $0.duration(to: now) < Self.crashWindow }.suffix(Self.crashLimit - 1) + [now]
        hasCrashed = true
        // What it broke down in tells the rest.
        guard !isSettingUp, state == .ready else { return [] }
        failures = 1
        return recover(from: failure, now, chance)
    }

    private mutating func recover(
        from failure: SetUpFailure,
        _ now: ContinuousClock.Instant,
        _ chance: Double
    ) -> [Command] {
        self.failure = failure
        let recent = crashes.count { $0.duration(to: now) < Self.crashWindow }
        if hasCrashed, recent >= Self.crashLimit {
            state = .disabled
            return []
        }
        state = .failed
        guard failure.isRetryable else { return [] }
        let due = now.advanced(by: configuration.pause(afterFailures: max(failures, recent), chance: chance))
        nextTry = due
        return [.start(.retry, at: due)]
    }

    private mutating func timeOut() -> [Command] {
        if state == .starting { state = .timedOut }
        return []
    }

    /// A network that failed stays `failed` while it tries again, so that its state does not flicker; one that had been
    /// ready and broke down begins anew.
    private mutating func retry(_ now: ContinuousClock.Instant, _ wall: WallTime) -> [Command] {
        guard state == .failed, nextTry != nil else { return [] }
        guard hasCrashed, readyAt != nil else { return beginTry(now) }
        state = .starting
        began = now
        startedAt = wall
        readyAt = nil
        timeToReady = nil
        latency = nil
        return beginTry(now) + [.start(.timeout, at: now.advanced(by: configuration.timeout))]
    }

    private mutating func retire(_ now: ContinuousClock.Instant) -> [Command] {
        guard state != .draining, state != .stopped else { return [] }
        state = .draining
        nextTry = nil
        let commands: [Command] = [.cancel(.timeout), .cancel(.retry)]
        guard isSettingUp else { return commands }
        let patience = now.advanced(by: InitializationConfiguration.cancellationPatience)
        return commands + [.cancelSetUp, .start(.patience, at: patience)]
    }

    private mutating func leaveBehind() -> [Command] {
        isLeftBehind = state == .draining && isSettingUp
        return []
    }

    private mutating func endCancelledSetUp() -> [Command] {
        isLeftBehind = false
        return [.cancel(.patience)] + tearDownIfDone()
    }

    private mutating func drained() -> [Command] {
        guard state == .draining else { return [] }
        isDrained = true
        return tearDownIfDone()
    }

    /// Tears down once: when no load and no set-up is under way any more.
    private mutating func tearDownIfDone() -> [Command] {
        guard isDrained, !isSettingUp, !isTearingDown else { return [] }
        guard attempts > 0 else {
            state = .stopped
            return []
        }
        isTearingDown = true
        return [.tearDown]
    }

    private mutating func tornDown() -> [Command] {
        guard isTearingDown else { return [] }
        state = .stopped
        return []
    }
}
