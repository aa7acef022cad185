package import WeirTime

/// One reward owed for one view: the ledger's row.
package struct GrantRecord: Hashable, Sendable {
    /// Where it stands.
    package enum State: String, CaseIterable, Sendable {
        /// One word is there, the other is missing.
        case pending
        /// Owed to the user.
        case granted
        /// Never to be given.
        case refused
    }

    /// Where the callback to the publisher stands.
    package enum Delivery: String, CaseIterable, Sendable {
        /// There is none to be made.
        case none
        /// To be made, or made again.
        case waiting
        /// The publisher said 2xx.
        case delivered
        /// Given up.
        case dead
    }

    /// The grant's id, which is the transaction id of every callback to the publisher: 32 hexadecimal digits.
    package var id: String
    /// What it is for.
    package var presentation: PresentationRecord
    /// Where it stands.
    package var state: State
    /// A word of a closed list, when it was refused.
    package var reason: String?
    /// When the client said that the reward was earned.
    package var clientAt: WallTime?
    /// When the network said so.
    package var networkAt: WallTime?
    /// When it was granted.
    package var grantedAt: WallTime?
    /// Where the callback to the publisher stands.
    package var delivery: Delivery
    /// How many tries were made.
    package var tries: Int
    /// When the next try is due, while it waits.
    package var nextTry: WallTime?

    /// A grant that waits for words.
    init(id: String, presentation: PresentationRecord) {
        self.id = id
        self.presentation = presentation
        state = .pending
        delivery = .none
        tries = 0
    }
}

/// One try to tell the publisher.
package struct DeliveryTry: Hashable, Sendable {
    /// The grant.
    package var grant: String
    /// Its number, from 1.
    package var number: Int
    /// When it began.
    package var at: WallTime
    /// The status of the answer; `nil` when there was none.
    package var status: Int?
    /// Why there was no answer, or none that counts.
    package var error: String?
    /// How long it took, in milliseconds.
    package var milliseconds: Int64
    /// The key that signed it.
    package var key: String

    /// A try; the store numbers it.
    package init(grant: String, at: WallTime, status: Int?, error: String?, milliseconds: Int64, key: String) {
        self.grant = grant
        number = 0
        self.at = at
        self.status = status
        self.error = error
        self.milliseconds = milliseconds
        self.key = key
    }
}

/// What one try means for the next.
package enum DeliveryVerdict: Hashable, Sendable {
    case delivered
    case again(at: WallTime)
    case dead
}
