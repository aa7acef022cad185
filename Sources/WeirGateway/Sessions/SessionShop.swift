internal import Synchronization
internal import WeirAdapterKit
internal import WeirMediation
internal import WeirModel
internal import WeirTime
internal import WeirVAST

/// What all sessions share: the time, macros, and the way out for beacons.
final class SessionShop: Sendable {
    let clock: any GatewayClock
    private let foundations: Gateway.Foundations
    private let beacons: BeaconQueue

    init(_ foundations: Gateway.Foundations) {
        self.foundations = foundations
        clock = foundations.clock
        beacons = BeaconQueue(clock: foundations.clock, observer: foundations.observer)
    }

    /// Waits until every beacon has been sent or given up, or until `deadline`; returns how many were left.
    func settle(by deadline: Deadline) async -> Int {
        while beacons.count > 0, !deadline.hasPassed(clock) {
            // A cancelled sleep ends at once: whoever waits has given up.
            do { try await clock.sleep(for: .milliseconds(20)) } catch { break }
        }
        return beacons.count
    }

    /// A URL with its macros filled: those of the moment, of the request and of the device, as far as consent allows.
    func expand(_ url: String, _ beacon: Beacon?, served: ServedAd?, _ response: AdResponse?) -> String {
        // Most URLs have no macro, and finding out what is known costs more than looking.
        guard url.contains("[") || url.contains("%5B") || url.contains("%5b") else { return url }
        var context = MacroContext()
        if let response, let lineItem = lineItem(served, response) {
            let ask = AdAsk(
                requestID: response.requestID,
                request: response.request,
                adUnit: response.adUnit,
                lineItem: lineItem,
                deadline: .after(.seconds(5), clock: clock),
                isTest: served?.isTest ?? false
            )
            context.values = ask.macroValues(clock: clock)
                .filter { !$0.value.isEmpty }
                .mapValues { $0.count == 1 ? .text($0[0]) : .list($0) }
        }
        if let beacon { context.values.merge(beacon.macros) { $1 } }
        return MacroExpander(context: context, clock: clock).expand(url, use: beacon?.use ?? .tracking)
    }

    private func lineItem(_ served: ServedAd?, _ response: AdResponse) -> LineItem? {
        let lineItems = response.adUnit.lineItems
        return lineItems.first { $0.id == served?.lineItem } ?? lineItems.first
    }

    /// Owes a call to `url`, over the network's own transport with its addresses and limits.
    ///
    /// `done` is never called before this returns.
    func owe(
        _ url: String,
        for network: NetworkID,
        device: AdRequest.Device?,
        done: @escaping @Sendable (BeaconQueue.Fate) -> Void
    ) {
        let known = foundations.adapters.lineup.catalog.network(network)
        let item = BeaconQueue.Item(
            url: url,
            headers: device?.trackingHeaders ?? [],
            network: network,
            // A network that was taken out of the configuration is still owed its beacons, with no private address.
            transport: foundations.transport(known ?? Network(id: network, adapter: "")),
            done: done
        )
        beacons.add(item)
    }
}
