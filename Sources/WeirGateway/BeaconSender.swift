internal import Synchronization
internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// Sends the beacons that Weir itself owes, which are error pings.
///
/// Fire and forget, once each, and never in a request's way.
///
/// Bounded: at most ``limit`` under way in the process; what comes on top is dropped and counted.
struct BeaconSender: Sendable {
    /// The most beacons under way at once.
    static let limit = 256
    /// How long one beacon may take.
    static let patience: Duration = .seconds(5)

    private static let underWay = Atomic<Int>(0)

    let clock: any GatewayClock
    let observer: any GatewayObserver

    /// Sends a GET to each of `urls` over the network's own transport, with its own limits and addresses.
    ///
    /// The task is unstructured because the request that owes the beacon must not wait for it.
    func send(_ urls: [String], for network: NetworkID, over transport: any HTTPTransport) {
        for url in urls where !url.isEmpty && url != "about:blank" {
            guard Self.underWay.wrappingAdd(1, ordering: .relaxed).newValue <= Self.limit else {
                Self.underWay.wrappingSubtract(1, ordering: .relaxed)
                observer.beacon(.dropped, network: network)
                continue
            }
            Task(executorPreference: clock.taskExecutor) {
                defer { Self.underWay.wrappingSubtract(1, ordering: .relaxed) }
                do {
                    _ = try await transport.send(
                        OutboundRequest(url: url),
                        deadline: .after(Self.patience, clock: clock)
                    )
                    observer.beacon(.sent, network: network)
                } catch {
                    observer.beacon(.failed, network: network)
                }
            }
        }
    }
}
