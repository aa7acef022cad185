package import WeirTime

/// A callback of a network as the inbox keeps it.
package struct CallbackRecord: Hashable, Sendable {
    /// What became of it.
    package enum State: String, CaseIterable, Sendable {
        /// Kept, and not verified yet: the keys cannot be had.
        case received
        /// Authentic; grants nothing by itself (a test, or the client's word is still missing).
        case verified
        /// Not believed, or believed and not deserving.
        case refused
        /// The transaction is known.
        case duplicate
        /// Authentic, but nobody knows whose it is.
        case unattributable
        /// It granted a reward, or belongs to one that is granted.
        case granted
    }

    /// Its number in the inbox; 0 before it is kept.
    package var id: Int64 = 0
    /// The source, as the address names it.
    package var network: String
    /// The network's id of the reward; only once its signature was found good.
    package var transaction: String?
    /// When it came.
    package var at: WallTime
    /// `GET` or `POST`.
    package var method: String
    /// The query, or the body of a POST, as it came.
    package var raw: [UInt8]
    /// What became of it.
    package var state: State
    /// A word of a closed list, when it was refused.
    package var reason: String?
    /// A sentence for the operator.
    package var detail: String?
    /// The view that it belongs to.
    package var view: String?
    /// The digest of what must be the same in each repeat.
    package var digest: String?
    /// How often it came again.
    package var repeats = 0

    /// A record.
    package init(
        network: String,
        transaction: String? = nil,
        at: WallTime,
        method: String,
        raw: [UInt8],
        state: State,
        reason: String? = nil,
        detail: String? = nil,
        view: String? = nil,
        digest: String? = nil
    ) {
        self.network = network
        self.transaction = transaction
        self.at = at
        self.method = method
        self.raw = raw
        self.state = state
        self.reason = reason
        self.detail = detail
        self.view = view
        self.digest = digest
    }
}
