internal import WeirTime

/// Why a network could not be prepared.
public struct SetUpFailure: Error, Sendable, Hashable {
    /// One sentence: what was tried and what came of it, such as `the probe of https://ads.example/health answered 503`.
    public var reason: String
    /// What the operator can do.
    public var remedy: String
    /// Whether trying again may help.
    public var isRetryable: Bool

    /// A failure.
    public init(reason: String, remedy: String, isRetryable: Bool = true) {
        self.reason = reason
        self.remedy = remedy
        self.isRetryable = isRetryable
    }
}

/// What a set-up is doing, readable while it runs: the source of `description` and `remedy` (S2.36).
public final class SetUpProgress: Sendable {
    /// A set-up's latest words about itself.
    public struct Note: Sendable, Hashable {
        /// What is being waited for, such as `https://ads.example/health`; `nil` when nothing is.
        public var waitingFor: String?
        /// What to check when the wait is long.
        public var remedy: String?
        /// What was done last, such as `the probe of https://ads.example/health answered 200 in 120 ms`.
        public var done: String?

        /// Nothing said yet.
        public init() {}
    }

    private let state = Lock(Note())

    /// A set-up that has said nothing yet.
    public init() {}

    /// The latest words.
    public var note: Note { state.withLock { $0 } }

    /// Says that `what` is being waited for, and what to check when it does not come.
    public func waiting(for what: String, remedy: String) {
        state.withLock {
            $0.waitingFor = what
            $0.remedy = remedy
        }
    }

    /// Says what was done; nothing is waited for any more.
    public func done(_ what: String) {
        state.withLock {
            $0.waitingFor = nil
            $0.done = what
        }
    }
}
