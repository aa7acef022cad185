public import WeirTime

/// A clock that stands still until a test moves it: exact times, no sleeping.
///
/// ```swift
/// let clock = ManualClock()
/// async let value = subject.run(clock: clock)
/// await clock.sleepers(1)              // the subject is asleep now
/// clock.advance(by: .seconds(10))
/// ```
public final class ManualClock: GatewayClock {
    fileprivate struct Sleeper {
        var instant: ContinuousClock.Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct State {
        var now: ContinuousClock.Instant
        var wallOffset: Int64
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// 2026-01-01T00:00:00Z, in milliseconds of the Unix epoch: what the calendar says unless told otherwise.
    public static let day: Int64 = 1_767_225_600_000

    private let start = ContinuousClock.now
    private let state: Lock<State>

    /// A clock whose calendar says `wall`.
    public init(wall: WallTime = WallTime(milliseconds: ManualClock.day)) {
        state = Lock(State(now: start, wallOffset: wall.milliseconds))
    }

    /// The instant the test has reached.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }

    /// The calendar, moved along with ``now``.
    public var wallNow: WallTime {
        state.withLock { WallTime(milliseconds: $0.wallOffset + start.duration(to: $0.now).milliseconds) }
    }

    /// How far the test has moved the clock since it was made.
    public var elapsed: Duration { start.duration(to: now) }

    /// Suspends until the test has moved the clock to `instant`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        let id = state.withLock {
            $0.nextID += 1
            return $0.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(id, Sleeper(instant: instant, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func register(_ id: Int, _ sleeper: Sleeper) {
        typealias Watchers = [CheckedContinuation<Void, Never>]
        let (isDue, isCancelled, watchers) = state.withLock { state -> (Bool, Bool, Watchers) in
            if state.cancelled.remove(id) != nil { return (false, true, []) }
            if sleeper.instant <= state.now { return (true, false, []) }
            state.sleepers[id] = sleeper
            return (false, false, state.takeWatchers())
        }
        if isCancelled { sleeper.continuation.resume(throwing: CancellationError()) }
        if isDue { sleeper.continuation.resume() }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                state.cancelled.insert(id)
                return nil as Sleeper?
            }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Moves the clock and wakes everybody whose time has come, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.instant <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Suspends until at least `count` tasks are asleep on this clock.
    public func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

extension ManualClock.State {
    /// The watchers whose number of sleepers has been reached.
    fileprivate mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
        let reached = watchers.filter { $0.count <= sleepers.count }.map(\.continuation)
        watchers.removeAll { $0.count <= sleepers.count }
        return reached
    }
}
