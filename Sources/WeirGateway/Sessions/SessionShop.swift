internal import WeirAdapterKit
internal import WeirMediation
internal import WeirModel
internal import WeirStore
internal import WeirTime
internal import WeirVAST

/// What all sessions share: the time, macros, and the way out for beacons.
final class SessionShop: Sendable {
    let clock: any GatewayClock
    private let foundations: Gateway.Foundations
    private let beacons: BeaconQueue
    private let notices: NoticeDesk

    init(_ foundations: Gateway.Foundations, beacons: BeaconQueue, notices: NoticeDesk) {
        self.foundations = foundations
        self.beacons = beacons
        self.notices = notices
        clock = foundations.clock
    }

    /// Stands for a URL of this gateway where nobody knows its name.
    static let billingMark = "weir:billing"

    /// Whether a URL says that `notice` is due: this gateway's own beacon needs no way through the network.
    func isBeacon(_ url: String, of notice: RequestID) -> Bool {
        if url == Self.billingMark { return true }
        guard let range = url.firstRange(of: "/v1/t/") else { return false }
        return foundations.tokens.billing(ofBeacon: String(url[range.upperBound...])) == notice
    }

    /// A URL with its macros filled: those of the moment, of the request and of the device, as far as consent allows.
    func expand(_ url: String, _ beacon: Beacon?, served: ServedAd?, _ context: SessionContext?) -> String {
        // Most URLs have no macro, and finding out what is known costs more than looking.
        guard url.contains("[") || url.contains("%5B") || url.contains("%5b") else { return url }
        var macros = MacroContext()
        if let context, let lineItem = lineItem(served, context) {
            let ask = AdAsk(
                requestID: context.requestID,
                request: context.request,
                adUnit: context.adUnit,
                lineItem: lineItem,
                deadline: .after(.seconds(5), clock: clock),
                isTest: served?.isTest ?? false
            )
            macros.values = ask.macroValues(clock: clock)
                .filter { !$0.value.isEmpty }
                .mapValues { $0.count == 1 ? .text($0[0]) : .list($0) }
        }
        if let beacon { macros.values.merge(beacon.macros) { $1 } }
        return MacroExpander(context: macros, clock: clock).expand(url, use: beacon?.use ?? .tracking)
    }

    private func lineItem(_ served: ServedAd?, _ context: SessionContext) -> LineItem? {
        let lineItems = context.adUnit.lineItems
        return lineItems.first { $0.id == served?.lineItem } ?? lineItems.first
    }

    /// Owes calls, with those that are due for ads that are shown now, and returns when they are committed.
    ///
    /// Nobody waits for a slow store longer than ``NoticeDesk/patience``; the work then goes on.
    func owe(_ items: [BeaconItem], _ shown: [ShownAd]) async {
        guard !items.isEmpty || !shown.isEmpty else { return }
        let patience = Deadline.after(NoticeDesk.patience, clock: clock)
        _ = await race(until: patience, clock: clock, immediately: true) { [beacons, notices] in
            await beacons.owe(items)
            for ad in shown { await notices.bill(ad) }
        }
    }

    /// A call to `url` that is owed to a network from now on.
    func item(
        _ url: String,
        for network: NetworkID,
        device: AdRequest.Device?,
        told: @escaping @Sendable (BeaconOutcome) -> Void
    ) -> BeaconItem {
        let fields = (device?.trackingHeaders ?? []).map { OwedBeacon.Field(name: $0.name, value: $0.value) }
        return BeaconItem(
            beacon: OwedBeacon(at: clock.wallNow, network: network.text, url: url, headers: fields),
            network: network,
            told: told
        )
    }
}
