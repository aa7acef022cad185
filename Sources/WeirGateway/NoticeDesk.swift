internal import WeirAdapterKit
internal import WeirMediation
package import WeirModel
internal import WeirStore
internal import WeirTime

/// Tells bidders what became of their bids: each notice once, in nobody's way.
///
/// Win and loss notices are owed when a request is decided, billing notices when an ad is shown; all go the way of every
/// beacon (``BeaconQueue``), which survives restarts. Which ads wait to be shown is kept in memory, at most
/// ``pendingLimit``; a restart forgets it.
package final class NoticeDesk: Sendable {
    /// The most ads that wait to be billed; beyond it the oldest is forgotten.
    package static let pendingLimit = 100_000

    private struct Pending {
        var urls: [String]
        var network: NetworkID
    }

    private struct State {
        var pending: [RequestID: Pending] = [:]
        /// In the order in which they were promised; those already billed stand there until they are passed.
        var order: [RequestID] = []
        var head = 0
    }

    private let state = Lock(State())
    private let beacons: BeaconQueue
    private let foundations: Gateway.Foundations

    init(_ foundations: Gateway.Foundations, beacons: BeaconQueue) {
        self.foundations = foundations
        self.beacons = beacons
    }

    /// How many ads wait to be billed.
    package var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Sends what is owed for a decided request: those whose ads are served hear that they won, the others why not.
    ///
    /// - Returns: The ads, each with the name of its billing notice.
    @discardableResult
    func settle(_ bidders: [Bidder], served ads: [ServedAd], of request: RequestID) -> [ServedAd] {
        guard !bidders.isEmpty else { return ads }
        var ads = ads
        for bidder in bidders {
            for (number, offer) in bidder.offers.enumerated() where !offer.notices.isEmpty {
                let places = ads.indices.filter { ads[$0].lineItem == bidder.lineItem && ads[$0].offer == number }
                guard let first = places.first else {
                    lose(offer, bidder)
                    continue
                }
                send(offer.notices.win.map { AuctionMacros().expand($0) }, .win, of: bidder.handle.network.id)
                if !offer.notices.billing.isEmpty {
                    // An offer of several ads is billed once, with the first of them.
                    let notice = RequestID("\(request.text).\(bidder.lineItem.text).\(number)")
                    promise(notice, Pending(urls: offer.notices.billing, network: bidder.handle.network.id))
                    ads[first].billing = notice
                }
            }
        }
        return ads
    }

    private func lose(_ offer: Offer, _ bidder: Bidder) {
        // An offer that was good but has no place in its own network's answer lost to its better ones.
        let reason = offer.refusal?.reason ?? (bidder.outcome.result == .fill ? .outbid : bidder.outcome.reason)
        let macros = AuctionMacros([.loss: "\(LossReason(reason).rawValue)"])
        send(offer.notices.loss.map { macros.expand($0) }, .loss, of: bidder.handle.network.id)
    }

    private func promise(_ notice: RequestID, _ pending: Pending) {
        let forgotten = state.withLock { state -> Pending? in
            state.pending[notice] = pending
            state.order.append(notice)
            guard state.order.count - state.head > Self.pendingLimit else { return nil }
            let oldest = state.order[state.head]
            state.head += 1
            if state.head > 4096 {
                state.order.removeFirst(state.head)
                state.head = 0
            }
            return state.pending.removeValue(forKey: oldest)
        }
        guard let forgotten else { return }
        foundations.observer.notice(.billing, .dropped, network: forgotten.network)
    }

    /// Sends an ad's billing notices; the second time, and for a name that nobody knows, nothing happens.
    package func bill(_ notice: RequestID) { owe(billing(notice)) }

    /// What is owed now that an ad is shown, taken out so that it is owed once.
    func billing(_ notice: RequestID) -> [BeaconItem] {
        guard let pending = state.withLock({ $0.pending.removeValue(forKey: notice) }) else { return [] }
        let macros = AuctionMacros([.impressionTime: "\(foundations.clock.wallNow.milliseconds)"])
        return pending.urls.map { item(macros.expand($0), .billing, of: pending.network) }
    }

    /// Sends notices as they are.
    func send(_ urls: [String], _ kind: NoticeKind, of network: NetworkID) {
        owe(urls.map { item($0, kind, of: network) })
    }

    /// The task is unstructured because whoever owes a notice must not wait for it.
    private func owe(_ items: [BeaconItem]) {
        guard !items.isEmpty else { return }
        Task(executorPreference: foundations.clock.taskExecutor) { [beacons] in await beacons.owe(items) }
    }

    private func item(_ url: String, _ kind: NoticeKind, of network: NetworkID) -> BeaconItem {
        let observer = foundations.observer
        return BeaconItem(
            beacon: OwedBeacon(at: foundations.clock.wallNow, network: network.text, url: url),
            network: network
        ) { outcome in
            // Between two tries nothing is decided yet.
            if let fate = BeaconFate(outcome.state) { observer.notice(kind, fate, network: network) }
        }
    }
}

extension BeaconFate {
    fileprivate init?(_ state: BeaconRecord.State) {
        switch state {
        case .sent: self = .sent
        case .dropped: self = .dropped
        case .failed: self = .failed
        case .queued, .client: return nil
        }
    }
}
