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

    /// The notice that a URL of this gateway stands for: its own beacon needs no way through the network.
    func notice(behind url: String) -> RequestID? {
        guard let range = url.firstRange(of: "/v1/t/") else { return nil }
        return foundations.tokens.billing(ofBeacon: String(url[range.upperBound...]))
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
    func owe(_ items: [BeaconItem], _ shown: [RequestID]) async {
        var items = items
        for notice in shown { items += await notices.billing(notice) }
        await beacons.owe(items)
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
