package import WeirTime

/// Keeps the decisions of the gateway.
///
/// Recording is on the road of every request, so it never waits and never fails: what cannot be kept is counted.
package protocol DecisionStore: Sendable {
    /// Hands over a decision; returns at once.
    func record(_ decision: DecisionRecord)

    /// How the store is doing.
    var status: StoreStatus { get }

    /// The newest decisions that pass `filter`, newest first, those recorded before this call included.
    func recent(_ filter: DecisionFilter) async throws(StoreError) -> [DecisionRecord]

    /// The decision on one request, when it is still kept.
    func decision(requestID: String) async throws(StoreError) -> DecisionRecord?

    /// Waits until everything recorded before is written or lost; answers whether that happened by `deadline`.
    func flush(until deadline: Deadline, clock: any GatewayClock) async -> Bool

    /// Writes what waits, in one last try, and lets go of the file; what is recorded later is lost.
    func close() async
}
