internal import WeirAdapterKit
internal import WeirMediation
package import WeirModel
internal import WeirStore
internal import WeirTime

/// Tells bidders what became of their bids: each notice once, in nobody's way.
///
/// Win and loss notices are owed when a request is decided, billing notices when an ad is shown; all go the way of every
/// beacon (``BeaconQueue``), which survives restarts. What an ad owes once it is shown is committed before the ad is
/// served, so whichever gateway on the same store hears of the impression can bill it, whoever served it. Without a
/// store, or while it fails, that is kept in memory. At most ``pendingLimit`` ads wait, here as there.
package final class NoticeDesk: Sendable {
    /// The most ads that wait to be billed; beyond it the oldest is forgotten.
    package static let pendingLimit = 100_000
    /// How long an answer waits for its promises to be committed; later ones are written all the same.
    static let patience: Duration = .milliseconds(100)

    private let book = Lock(NoticeBook(limit: pendingLimit))
    private let beacons: BeaconQueue
    private let foundations: Gateway.Foundations

    init(_ foundations: Gateway.Foundations, beacons: BeaconQueue) {
        self.foundations = foundations
        self.beacons = beacons
    }

    /// How many ads wait to be billed and are not in the store's hands.
    package var pendingCount: Int { book.withLock { $0.count } }

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
                    promise(notice, offer.notices.billing, of: bidder.handle.network.id)
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

    private func promise(_ name: RequestID, _ urls: [String], of network: NetworkID) {
        let notice = PromisedNotice(name: name.text, network: network.text, urls: urls)
        if let forgotten = book.withLock({ $0.promise(name, notice) }) { drop(forgotten.network) }
    }

    private func drop(_ network: String) {
        foundations.observer.notice(.billing, .dropped, network: NetworkID(network))
    }

    /// Has what was promised for `ads` committed; waits no longer than ``patience``, and not beyond `deadline`.
    func keep(_ ads: [ServedAd], until deadline: Deadline) async {
        let names = ads.compactMap(\.billing)
        guard let store = foundations.beaconStore, !names.isEmpty else { return }
        let patience = Deadline.after(Self.patience, clock: foundations.clock)
        _ = await race(until: min(patience, deadline), clock: foundations.clock, immediately: true) { [self] in
            await keep(names, in: store)
        }
    }

    private func keep(_ names: [RequestID], in store: any BeaconStore) async {
        let notices = book.withLock { $0.beginKeeping(names) }
        do throws(StoreError) {
            for network in try await store.promise(notices, limit: Self.pendingLimit) { drop(network) }
        } catch {
            book.withLock { $0.notKept(names) }
            return beacons.noteStore(error)
        }
        for name in book.withLock({ $0.kept(names) }) {
            // Where the store fails, the notice stays in the book as billed, so that this gateway bills it no more.
            do throws(StoreError) {
                _ = try await store.redeem(name.text)
                book.withLock { $0.forget(name) }
            } catch {
                beacons.noteStore(error)
            }
        }
    }

    /// Sends an ad's billing notices; the second time, and for a name that nobody knows, nothing happens.
    ///
    /// The task is unstructured because whoever says that an ad is shown must not wait for it.
    package func bill(_ name: RequestID) {
        Task(executorPreference: foundations.clock.taskExecutor) { [self] in await beacons.owe(billing(name)) }
    }

    /// What is owed now that an ad is shown, taken out so that it is owed once.
    func billing(_ name: RequestID) async -> [BeaconItem] {
        switch book.withLock({ $0.bill(name) }) {
        case .owed(let notice): return items(notice)
        case .billed: return []
        case .unknown:
            guard let store = foundations.beaconStore else { return [] }
            do throws(StoreError) {
                return try await store.redeem(name.text).map(items) ?? []
            } catch {
                beacons.noteStore(error)
                return []
            }
        }
    }

    private func items(_ notice: PromisedNotice) -> [BeaconItem] {
        let macros = AuctionMacros([.impressionTime: "\(foundations.clock.wallNow.milliseconds)"])
        return notice.urls.map { item(macros.expand($0), .billing, of: NetworkID(notice.network)) }
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
