internal import WeirMediation
package import WeirModel
package import WeirPlayback
internal import WeirTime

/// Keeps the playback sessions: makes them, finds them, lets time pass for them, and forgets those that say nothing.
///
/// Sessions live in memory only: after a restart an old id is answered by ``Missing/gone``, and the client opens a new one.
package final class SessionHost: Sendable {
    /// How many there may be and how long they may be silent.
    package struct Limits: Sendable, Hashable {
        /// The most sessions at once.
        package var count: Int
        /// How long a session that says nothing is kept.
        package var idle: Duration
        /// The most bytes of the bodies that opened the sessions there are.
        package var bytes: Int

        /// Limits.
        package init(
            count: Int = 100_000,
            idle: Duration = .seconds(1800),
            bytes: Int = SessionHost.openingBytes
        ) {
            self.count = count
            self.idle = idle
            self.bytes = bytes
        }
    }

    /// Usually the most bytes of the bodies that opened the sessions there are; what these keep is a few times that.
    package static let openingBytes = 256 << 20

    /// Why a session cannot be made.
    package enum Obstacle: Error, Sendable {
        /// There is no such placement.
        case unknownPlacement
        /// The format has no sessions.
        case unsupportedFormat(AdFormat)
        /// The opening says something wrong.
        case badOpening(PlaybackRefusal)
        /// There are too many; some will be forgotten in this time.
        case full(retryAfter: Duration)
    }

    /// Why a session cannot be found.
    package enum Missing: Error, Sendable {
        /// No gateway can have made such an id.
        case unknown
        /// It was ended, was silent for too long, or belonged to an earlier run.
        case gone
    }

    private struct State {
        var sessions: [SessionID: PlaybackSession] = [:]
        /// Sessions that are being made and count already.
        var reserved = 0
        /// What ``SessionHost/openingBytes`` bounds, with those that are being made.
        var bytes = 0
        var limits = Limits()
    }

    private let foundations: Gateway.Foundations
    private let formats: SessionFormats
    private let shop: SessionShop
    private let rewards: SessionRewards
    private let state = Lock(State())

    init(_ foundations: Gateway.Foundations, formats: SessionFormats, beacons: BeaconQueue, notices: NoticeDesk) {
        self.foundations = foundations
        self.formats = formats
        shop = SessionShop(foundations, beacons: beacons, notices: notices)
        rewards = SessionRewards(foundations.rewards)
    }

    /// How many there may be, and how long silent.
    package var limits: Limits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    /// How many sessions there are.
    package var count: Int { state.withLock { $0.sessions.count } }

    /// How ads are fetched.
    package typealias Load = @Sendable (AdRequest) async -> FetchedAds

    /// Makes a session and, unless told otherwise, loads its ads.
    ///
    /// - Throws: ``Obstacle``.
    package func open(_ opening: SessionOpening, load: Load) async throws(Obstacle) -> SessionView {
        let session = try make(opening)
        if opening.autoload { _ = await session.take([Self.load], after: nil, load: load) }
        settle(session)
        return session.read { $0 }
    }

    /// A session whose place is reserved and that nobody can find yet.
    private func make(_ opening: SessionOpening) throws(Obstacle) -> PlaybackSession {
        let catalog = foundations.adapters.lineup.catalog
        guard let placement = catalog.placement(opening.request.placement),
            let adUnit = catalog.adUnit(placement.adUnit)
        else { throw .unknownPlacement }
        guard let maker = formats.makers[adUnit.format] else { throw .unsupportedFormat(adUnit.format) }
        var opening = opening
        opening.lateRewardGrace = rewards.lateRewardGrace ?? opening.lateRewardGrace
        let machine: any SessionMachine
        do { machine = try maker(opening, placement, adUnit) } catch { throw .badOpening(error) }
        try reserve(opening.bytes)
        if adUnit.format != .rewarded { opening.preloadsNext = false }
        return PlaybackSession(SessionID(), opening, format: adUnit.format, machine: machine, shop: shop)
    }

    private func reserve(_ bytes: Int) throws(Obstacle) {
        if tryReserve(bytes) { return }
        sweep()
        if tryReserve(bytes) { return }
        throw .full(retryAfter: untilNextExpiry)
    }

    private func tryReserve(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard state.sessions.count + state.reserved < state.limits.count,
                bytes <= state.limits.bytes - state.bytes
            else { return false }
            state.reserved += 1
            state.bytes += bytes
            return true
        }
    }

    /// A session that was being made can be found from now on.
    private func settle(_ session: PlaybackSession) {
        state.withLock { state in
            state.reserved -= 1
            state.sessions[session.id] = session
        }
    }

    /// Lets sessions go, with what they count for.
    private func remove(_ sessions: [PlaybackSession]) {
        state.withLock { state in
            for session in sessions where state.sessions.removeValue(forKey: session.id) != nil {
                state.bytes -= session.openingBytes
            }
        }
        for session in sessions { session.close() }
    }

    /// When the first session may be forgotten: at least a second, at most a minute, so that clients ask again in time.
    private var untilNextExpiry: Duration {
        let (sessions, idle) = state.withLock { (Array($0.sessions.values), $0.limits.idle) }
        let oldest = sessions.lazy.map(\.lastTouched).min() ?? shop.clock.now
        return max(.seconds(1), min(.seconds(60), idle - oldest.duration(to: shop.clock.now)))
    }

    // MARK: Finding

    /// Takes a client's inputs, in order.
    ///
    /// - Throws: ``Missing``.
    package func take(
        _ inputs: [SessionInput],
        of id: String,
        after: Int?,
        load: @escaping Load
    ) async throws(Missing) -> SessionAnswer {
        let session = try session(id)
        var answer = await session.take(inputs, after: after, load: load)
        await rewards.note(answer, of: session)
        if let next = session.takesNext(after: answer), let id = preload(next, load) {
            session.announce(NextSession(id: id), in: &answer)
        }
        return answer
    }

    /// Opens a session whose ad is loaded while the caller goes on; `nil` when there is no room for it.
    private func preload(_ opening: SessionOpening, _ load: @escaping Load) -> SessionID? {
        guard let session = try? make(opening) else { return nil }
        settle(session)
        // The viewer closes an ad now; she must not wait for the next one.
        Task(executorPreference: shop.clock.taskExecutor) {
            _ = await session.take([Self.load], after: nil, load: load)
        }
        return session.id
    }

    private static let load = SessionInput(seq: nil, message: PlaybackMessage("load"))

    /// Everything that can be read of a session.
    ///
    /// - Throws: ``Missing``.
    package func view(_ id: String) throws(Missing) -> SessionView { try session(id).read { $0 } }

    /// The outputs after a number.
    ///
    /// - Throws: ``Missing``.
    package func outputs(_ id: String, after seq: Int) throws(Missing) -> SessionAnswer {
        try session(id).outputs(after: seq)
    }

    /// Follows a session until its end; `nil` when too many follow it already.
    ///
    /// - Throws: ``Missing``.
    package func follow(_ id: String) throws(Missing) -> SessionFollower? {
        let session = try session(id)
        return session.follow().map { SessionFollower(session, $0) }
    }

    /// Ends a session: what it still has to say and to call is said and called.
    ///
    /// - Throws: ``Missing``.
    package func end(_ id: String) async throws(Missing) -> SessionAnswer {
        let session = try session(id)
        let answer = await session.take(
            [SessionInput(seq: nil, message: PlaybackMessage("destroy"))],
            after: nil,
            load: { _ in
                let failure = AdFailure(stage: .load, code: 900, message: "The session has ended.")
                return FetchedAds(.failure(failure), requestID: nil)
            }
        )
        remove([session])
        return answer
    }

    private func session(_ text: String) throws(Missing) -> PlaybackSession {
        guard let id = SessionID(text) else { throw .unknown }
        let (session, idle) = state.withLock { ($0.sessions[id], $0.limits.idle) }
        guard let session else { throw .gone }
        guard session.isFollowed || session.lastTouched.duration(to: shop.clock.now) < idle else {
            remove([session])
            throw .gone
        }
        return session
    }

    // MARK: Time

    /// How often time passes for sessions that nobody calls.
    private static let tick: Duration = .seconds(1)
    /// How often silent sessions are looked for.
    private static let ticksPerSweep = 30

    /// Lets time pass until the task is cancelled: ads that never start are given up, silent sessions are forgotten.
    package func run() async {
        var ticks = 0
        // A sleep fails when the task is cancelled, and with nothing else.
        while (try? await shop.clock.sleep(for: Self.tick)) != nil {
            for session in state.withLock({ Array($0.sessions.values) }) { await session.timePassed() }
            ticks += 1
            if ticks % Self.ticksPerSweep == 0 { sweep() }
        }
    }

    /// Forgets the sessions that have been silent for too long and that nobody follows.
    package func sweep() {
        let (sessions, idle) = state.withLock { (Array($0.sessions.values), $0.limits.idle) }
        let now = shop.clock.now
        remove(sessions.filter { $0.lastTouched.duration(to: now) >= idle && !$0.isFollowed })
    }
}
