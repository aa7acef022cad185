internal import WeirTime

/// The script in force and the hits so far, shared by all requests.
final class SandboxRecorder: Sendable {
    /// The most hits kept; the oldest go first.
    static let hitCount = 10_000

    private struct State {
        var paths: [String: (path: SandboxPath, since: ContinuousClock.Instant)] = [:]
        var hits: [SandboxHit] = []
        var count = 0
    }

    private let clock: any GatewayClock
    private let start: ContinuousClock.Instant
    private let state = Lock(State())

    init(clock: any GatewayClock) {
        self.clock = clock
        start = clock.now
    }

    /// The hits kept, the oldest first.
    var hits: [SandboxHit] { state.withLock { $0.hits } }

    /// The paths that answer, sorted.
    var paths: [String] { state.withLock { $0.paths.keys.sorted() } }

    func clearHits() {
        state.withLock { $0.hits = [] }
    }

    /// Sets paths, whose time begins now, and takes others away.
    func change(set script: SandboxScript, remove: [String] = []) {
        let now = clock.now
        state.withLock { state in
            for path in remove { state.paths[path] = nil }
            for (key, path) in script.paths { state.paths[key] = (path, now) }
        }
    }

    /// The answer of a path, whose turn it is now; `nil` when no path of the script fits.
    func answer(for path: String) -> SandboxReply? {
        let now = clock.now
        return state.withLock { state in
            let exact = state.paths[path] == nil ? SandboxScript.key(for: path, in: state.paths.keys) : path
            guard let key = exact, var entry = state.paths[key] else { return nil }
            let reply = entry.path.answer(after: entry.since.duration(to: now))
            state.paths[key] = entry
            return reply
        }
    }

    /// Keeps a hit and returns its number.
    func record(_ hit: SandboxHit) -> Int {
        let milliseconds = start.duration(to: clock.now).milliseconds
        return state.withLock { state in
            state.count += 1
            var hit = hit
            hit.number = state.count
            hit.milliseconds = milliseconds
            if state.hits.count >= Self.hitCount { state.hits.removeFirst(Self.hitCount / 10) }
            state.hits.append(hit)
            return hit.number
        }
    }

    /// Notes what a hit was answered with.
    func note(_ number: Int, status: Int) {
        change(number) { $0.status = status }
    }

    /// Notes that a hit's client has gone.
    func noteClosed(_ number: Int) {
        let milliseconds = start.duration(to: clock.now).milliseconds
        change(number) { $0.closedEarlyMilliseconds = milliseconds }
    }

    private func change(_ number: Int, _ body: (inout SandboxHit) -> Void) {
        state.withLock { state in
            guard let index = state.hits.lastIndex(where: { $0.number == number }) else { return }
            body(&state.hits[index])
        }
    }
}
