package import WeirTime

/// So many rewards in so long, for one user, device or placement.
package struct RewardLimit: Hashable, Sendable {
    /// What is counted.
    package enum Subject: String, CaseIterable, Sendable {
        case user
        case device
        case placement
    }

    /// What is counted.
    package var subject: Subject
    /// How many.
    package var count: Int
    /// In how long.
    package var window: Duration

    /// A limit.
    package init(_ subject: Subject, count: Int, window: Duration) {
        self.subject = subject
        self.count = count
        self.window = window
    }
}

/// What holds for every claim of a moment.
package struct RewardRules: Hashable, Sendable {
    /// The fraud limits.
    package var limits: [RewardLimit] = []
    /// Whether grants are told to the publisher.
    package var delivers = false

    /// No limits, no deliveries.
    package init() {}
}

/// Somebody says that a view was completed.
package struct RewardClaim: Sendable {
    /// Who says so.
    package enum Word: Sendable {
        case client
        case network
    }

    /// Who says so.
    package var word: Word
    /// The view.
    package var view: String
    /// The view's record, where the claim brings it along; else the store's own decides.
    package var presentation: PresentationRecord?
    /// The id that the grant will have, if it is new.
    package var grantID: String
    /// The present.
    package var now: WallTime
    /// What holds.
    package var rules: RewardRules

    /// A claim.
    package init(
        word: Word,
        view: String,
        presentation: PresentationRecord?,
        grantID: String,
        now: WallTime,
        rules: RewardRules
    ) {
        self.word = word
        self.view = view
        self.presentation = presentation
        self.grantID = grantID
        self.now = now
        self.rules = rules
    }
}

/// What a claim came to.
package struct ClaimOutcome: Hashable, Sendable {
    /// The grant.
    package var grant: GrantRecord
    /// Whether this very claim granted it.
    package var isNew: Bool
}

/// An authentic callback on its way into the inbox and, where it can be joined, into the ledger.
package struct CallbackClaim: Sendable {
    /// Looks at the view's record and says why the callback does not deserve a reward.
    package typealias Judge = @Sendable (PresentationRecord) -> CallbackRefusal?

    /// The callback; its transaction and digest are set.
    package var record: CallbackRecord
    /// The claim; `nil` when the callback names no view.
    package var claim: RewardClaim?
    /// Why it deserves nothing, whatever view it is for.
    package var refusal: CallbackRefusal?
    /// Judges ad unit, item and amount.
    package var judge: Judge

    /// A callback with its claim.
    package init(
        record: CallbackRecord,
        claim: RewardClaim?,
        refusal: CallbackRefusal? = nil,
        judge: @escaping Judge = { _ in nil }
    ) {
        self.record = record
        self.claim = claim
        self.refusal = refusal
        self.judge = judge
    }
}

/// Why an authentic callback deserves no reward.
package struct CallbackRefusal: Hashable, Sendable {
    /// A word of a closed list.
    package var reason: String
    /// A sentence for the operator.
    package var detail: String

    /// A refusal.
    package init(_ reason: String, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

/// What became of a callback.
package struct CallbackOutcome: Hashable, Sendable {
    /// The state it was given.
    package var state: CallbackRecord.State
    /// Why it was refused.
    package var reason: String?
    /// A sentence for the operator.
    package var detail: String?
    /// The grant it belongs to.
    package var grant: GrantRecord?
    /// Whether this very callback granted it.
    package var isNew = false
}

/// Which grants to show; what is `nil` does not filter.
package struct GrantFilter: Hashable, Sendable {
    /// The most grants one question may ask for.
    package static let greatestLimit = 1000

    /// Only of this user.
    package var user: String?
    /// Only in this state: one of the grant's, or one of the delivery's (`waiting`, `delivered`, `dead`).
    package var state: String?
    /// How many at most, from 1 to ``greatestLimit``.
    package var limit: Int

    /// A filter.
    package init(user: String? = nil, state: String? = nil, limit: Int = 100) {
        self.user = user
        self.state = state
        self.limit = min(max(1, limit), Self.greatestLimit)
    }
}

/// A grant with all that happened to it.
package struct GrantHistory: Hashable, Sendable {
    /// The grant.
    package var grant: GrantRecord
    /// Every try to tell the publisher.
    package var tries: [DeliveryTry]
    /// The callbacks that belong to its view.
    package var callbacks: [CallbackRecord]
}

/// How the rewards are doing, counted.
package struct RewardCounts: Hashable, Sendable {
    /// Callbacks that wait for keys.
    package var unverified = 0
    /// Grants whose callback to the publisher waits.
    package var waiting = 0
    /// Grants whose callback was given up.
    package var dead = 0
    /// Views that began, were never called back, and for which the alarm was raised.
    package var overdue = 0

    /// Nothing waits.
    package init() {}
}
