internal import WeirAdapterKit
internal import WeirMediation
package import WeirModel
internal import WeirStore
package import WeirTime

/// Tells bidders what became of their bids: each notice once, in nobody's way.
///
/// Win and loss notices are owed when a request is decided, billing notices when an ad is shown; all go the way of every
/// beacon (``BeaconQueue``), which survives restarts. What an ad owes once it is shown is committed before the ad is
/// served, so whichever gateway on the same store hears of the impression can bill it, whoever served it: the first to
/// take it out of the store. Without a store, or while it fails, that is kept in memory. At most ``pendingLimit`` ads
/// wait, here as there. An ad that is shown while the store does not answer waits for it, ``unbilledLimit`` at most.
package final class NoticeDesk: Sendable {
    /// The most ads that wait to be billed; beyond it the oldest is forgotten.
    package static let pendingLimit = 100_000
    /// How long anybody waits for the store; what is written later is written all the same.
    static let patience: Duration = .milliseconds(100)
    /// The most ads that are shown and wait for the store; beyond it the oldest is given up.
    static let unbilledLimit = 10_000
    /// The pause before the store is asked again.
    static let retryPause: Duration = .seconds(2)

    private struct Unbilled {
        var ads = UnbilledAds(limit: unbilledLimit)
        var isAlarmSet = false
        var isStopped = false
    }

    private let book = Lock(NoticeBook(limit: pendingLimit))
    private let unbilled = Lock(Unbilled())
    private let beacons: BeaconQueue
    private let foundations: Gateway.Foundations

    init(_ foundations: Gateway.Foundations, beacons: BeaconQueue) {
        self.foundations = foundations
        self.beacons = beacons
    }

    /// How many ads wait to be billed and are not in the store's hands.
    package var pendingCount: Int { book.withLock { $0.count } }

    /// How many ads are shown and wait for the store to say what they owe.
    package var unbilledCount: Int { unbilled.withLock { $0.ads.count } }

    /// Sends what is owed for a decided request: those whose ads are served hear that they won, the others why not; every
    /// ad that is served gets the name of its billing notice.
    ///
    /// A bid that is a spare alone has neither won nor lost; it hears that it won when it is shown.
    func settle(_ bidders: [Bidder], _ contents: inout GatheredAnswer.Contents, of request: RequestID) {
        for bidder in bidders {
            for (number, offer) in bidder.offers.enumerated() where !offer.notices.isEmpty {
                func places(_ ads: [ServedAd]) -> [Int] {
                    ads.indices.filter { ads[$0].lineItem == bidder.lineItem && ads[$0].offer == number }
                }
                let (ads, spares) = (places(contents.ads), contents.ads.isEmpty ? [] : places(contents.spares))
                guard !ads.isEmpty || !spares.isEmpty else {
                    lose(offer, bidder)
                    continue
                }
                let wins = offer.notices.win.map { AuctionMacros().expand($0) }
                if !ads.isEmpty { send(wins, .win, of: bidder.handle.network.id) }
                let owed = (ads.isEmpty ? wins : []) + offer.notices.billing
                guard !owed.isEmpty else { continue }
                // An offer of several ads is billed once, with whichever of them is shown first.
                let notice = RequestID("\(request.text).\(bidder.lineItem.text).\(number)")
                promise(notice, owed, of: bidder.handle.network.id)
                for place in ads { contents.ads[place].billing = notice }
                for place in spares { contents.spares[place].billing = notice }
            }
        }
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

    /// Has what was promised for ads committed; waits no longer than ``patience``, and not beyond `deadline`.
    func keep(_ ads: [ServedAd], _ spares: [ServedAd], until deadline: Deadline) async {
        let names = ads.compactMap(\.billing) + spares.compactMap(\.billing)
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
            // Before anything else may fail: what is shown meanwhile finds them in the book.
            let shown = book.withLock { $0.notKept(names) }
            beacons.noteStore(error)
            for (notice, ad) in shown { await owe(notice, ad) }
            return
        }
        for ad in book.withLock({ $0.kept(names) }) { await redeem(ad) }
    }

    // MARK: Billing

    /// Owes an ad's billing notices; the second time, and for a name that nobody knows, nothing happens.
    ///
    /// Returns when they are committed, after ``patience`` at the latest; the work then goes on.
    package func bill(_ name: RequestID) async {
        let ad = ShownAd(name, at: foundations.clock.wallNow)
        let patience = Deadline.after(Self.patience, clock: foundations.clock)
        _ = await race(until: patience, clock: foundations.clock, immediately: true) { [self] in await bill(ad) }
    }

    /// Owes the notices of an ad that is shown, so that they are owed once.
    func bill(_ ad: ShownAd) async {
        switch book.withLock({ $0.bill(ad) }) {
        case .owed(let notice): await owe(notice, ad)
        case .waiting: return
        case .unknown: await redeem(ad)
        }
    }

    private func owe(_ notice: PromisedNotice, _ ad: ShownAd) async {
        await beacons.owe(
            notice.urls.map { item(Self.expand($0, ad.at), .billing, of: NetworkID(notice.network)) }
        )
        ad.tell(.sent)
    }

    private static func expand(_ url: String, _ at: WallTime) -> String {
        AuctionMacros([.impressionTime: "\(at.milliseconds)"]).expand(url)
    }

    private func redeem(_ ad: ShownAd) async {
        do throws(StoreError) {
            try await redeemFromStore(ad)
            ad.tell(.sent)
        } catch {
            beacons.noteStore(error)
            let isStopped = unbilled.withLock { $0.isStopped }
            if let lost = isStopped ? ad : unbilled.withLock({ $0.ads.add(ad) }) { giveUp(lost) }
            setAlarm()
        }
    }

    /// The store gives a notice to the first who asks, whichever gateway that is; the others have nothing to do.
    private func redeemFromStore(_ ad: ShownAd) async throws(StoreError) {
        let (at, clock) = (ad.at, foundations.clock)
        try await beacons.redeem(ad.name.text) { notice in
            notice.urls.map { OwedBeacon(at: clock.wallNow, network: notice.network, url: Self.expand($0, at)) }
        } told: {
            outcome(.billing, of: $0)
        }
    }

    /// Nobody knows whose it was: only the store does.
    private func giveUp(_ ad: ShownAd) {
        drop("unknown")
        ad.tell(.dropped)
    }

    /// One task asks the store again until nothing waits for it.
    private func setAlarm() {
        let isNeeded = unbilled.withLock { state in
            guard !state.isAlarmSet, !state.isStopped, state.ads.count > 0 else { return false }
            state.isAlarmSet = true
            return true
        }
        guard isNeeded else { return }
        Task(executorPreference: foundations.clock.taskExecutor) { [self] in
            // Nobody cancels it; a sleep that fails would only ask sooner.
            repeat { try? await foundations.clock.sleep(for: Self.retryPause) } while await !retry()
        }
    }

    /// Bills the ads that wait, until the store fails again; answers whether nothing waits any more.
    private func retry() async -> Bool {
        while let ad = nextUnbilled() {
            do throws(StoreError) {
                try await redeemFromStore(ad)
                unbilled.withLock { $0.ads.remove(ad.name) }?.tell(.sent)
            } catch {
                beacons.noteStore(error)
                return false
            }
        }
        return true
    }

    private func nextUnbilled() -> ShownAd? {
        unbilled.withLock { state in
            let ad = state.isStopped ? nil : state.ads.first
            state.isAlarmSet = ad != nil && state.isAlarmSet
            return ad
        }
    }

    /// Asks the store a last time, and gives up what it has not answered by `deadline`.
    package func settle(by deadline: Deadline) async {
        guard unbilledCount > 0 else { return }
        _ = await race(until: deadline, clock: foundations.clock) { [self] in await retry() }
        let lost = unbilled.withLock { state in
            state.isStopped = true
            var lost: [ShownAd] = []
            while let ad = state.ads.first {
                state.ads.remove(ad.name)
                lost.append(ad)
            }
            return lost
        }
        for ad in lost { giveUp(ad) }
    }

    // MARK: Sending

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
        BeaconItem(
            beacon: OwedBeacon(at: foundations.clock.wallNow, network: network.text, url: url),
            network: network,
            told: outcome(kind, of: network)
        )
    }

    /// Counts what becomes of a notice.
    private func outcome(_ kind: NoticeKind, of network: NetworkID) -> @Sendable (BeaconOutcome) -> Void {
        let observer = foundations.observer
        return { outcome in
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
