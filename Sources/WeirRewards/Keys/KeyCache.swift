internal import WeirTime

/// The rules by which a network's verifier keys are kept, as a value: what is asked goes in, what to do comes out.
///
/// A set is fresh as long as the answer's `Cache-Control` says, at most 24 hours (Google: not longer), and is fetched
/// anew from half of that time on. An unknown id leads to one fetch, at most one a minute: otherwise whoever invents
/// ids would drive fetches. A failed fetch changes nothing: the last good set serves on until it is 24 hours old.
package struct KeyCache: Sendable {
    /// The longest that a set is believed.
    package static let longestAge: Duration = .seconds(24 * 3600)
    /// The least time between two fetches.
    package static let fetchInterval: Duration = .seconds(60)
    /// The least time between two fetches while there are no keys at all.
    package static let firstFetchInterval: Duration = .seconds(2)

    /// What is known about a key id.
    package enum Lookup: Sendable {
        /// The key.
        case key(PublicKey)
        /// A fetch is under way; ask again when it has ended.
        case pending
        /// There is no such key.
        case unknown
        /// No keys can be had now.
        case unavailable
    }

    private struct Kept {
        var keys: VerifierKeys
        var at: ContinuousClock.Instant
        var lifetime: Duration
    }

    private var kept: Kept?
    /// Whether a fetch is under way.
    package private(set) var isFetching = false
    private var lastFetch: ContinuousClock.Instant?

    /// Without keys yet.
    package init() {}

    /// What is known about `id`, and whether the caller must fetch the keys now and report how that went.
    package mutating func look(up id: UInt64, at now: ContinuousClock.Instant) -> (Lookup, mustFetch: Bool) {
        guard let kept, kept.at.duration(to: now) < Self.longestAge else {
            return begin(at: now, after: Self.firstFetchInterval, otherwise: .unavailable)
        }
        let age = kept.at.duration(to: now)
        if let key = kept.keys[id] {
            let isOld = age * 2 >= kept.lifetime
            return (.key(key), mustFetch: isOld && mayFetch(at: now, after: Self.fetchInterval))
        }
        return begin(at: now, after: Self.fetchInterval, otherwise: .unknown)
    }

    /// A fetch has ended well.
    ///
    /// - Parameters:
    ///   - keys: What was read.
    ///   - lifetime: `max-age` less `Age`; brought into 0 to 24 hours.
    ///   - now: The present.
    package mutating func fetched(_ keys: VerifierKeys, lifetime: Duration, at now: ContinuousClock.Instant) {
        isFetching = false
        guard !keys.keys.isEmpty else { return }
        kept = Kept(keys: keys, at: now, lifetime: min(max(.zero, lifetime), Self.longestAge))
    }

    /// A fetch has failed, or brought nothing that can be used.
    package mutating func failed() { isFetching = false }

    private mutating func begin(
        at now: ContinuousClock.Instant,
        after interval: Duration,
        otherwise answer: Lookup
    ) -> (Lookup, mustFetch: Bool) {
        if isFetching { return (.pending, mustFetch: false) }
        return mayFetch(at: now, after: interval) ? (.pending, mustFetch: true) : (answer, mustFetch: false)
    }

    private mutating func mayFetch(at now: ContinuousClock.Instant, after interval: Duration) -> Bool {
        guard !isFetching, lastFetch.map({ $0.duration(to: now) >= interval }) ?? true else { return false }
        isFetching = true
        lastFetch = now
        return true
    }
}

extension KeyCache {
    /// How long an answer may be kept: the `max-age` of its `Cache-Control` less its `Age`; zero without a `max-age`.
    package static func lifetime(cacheControl: String?, age: String?) -> Duration {
        let directives = (cacheControl ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
        guard !directives.contains("no-store"), !directives.contains("no-cache"),
            let text = directives.first(where: { $0.hasPrefix("max-age=") })?.dropFirst(8),
            let seconds = Int64(text)
        else { return .zero }
        let passed = age.flatMap { Int64($0) } ?? 0
        let left = max(0, min(seconds, 7 * 86_400) - max(0, min(passed, 7 * 86_400)))
        return min(.seconds(left), longestAge)
    }
}
