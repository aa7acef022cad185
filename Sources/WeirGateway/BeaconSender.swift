internal import Synchronization
internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// Sends the beacons that Weir itself owes, which are error pings.
///
/// Fire and forget, once each, and never in a request's way.
///
/// Bounded: at most ``limit`` under way, and at most ``answerLimit`` for one answer, so that a single network cannot take
/// all the room; what comes on top is dropped and counted.
final class BeaconSender: Sendable {
    /// The most beacons under way at once.
    static let limit = 256
    /// The most beacons that one answer is owed; wrappers and ads in plenty have a few each.
    static let answerLimit = 64
    /// How long one beacon may take.
    static let patience: Duration = .seconds(5)

    private let underWay = Atomic<Int>(0)
    private let clock: any GatewayClock
    private let observer: any GatewayObserver

    init(clock: any GatewayClock, observer: any GatewayObserver) {
        self.clock = clock
        self.observer = observer
    }

    /// Sends a GET to each of `urls` over the network's own transport, with its own limits and addresses.
    ///
    /// The task is unstructured because the request that owes the beacon must not wait for it.
    func send(_ urls: [String], for network: NetworkID, over transport: any HTTPTransport) {
        let owed = urls.filter { !$0.isEmpty && $0 != "about:blank" }
        for _ in owed.dropFirst(Self.answerLimit) { observer.beacon(.dropped, network: network) }
        for url in owed.prefix(Self.answerLimit) {
            guard underWay.wrappingAdd(1, ordering: .relaxed).newValue <= Self.limit else {
                underWay.wrappingSubtract(1, ordering: .relaxed)
                observer.beacon(.dropped, network: network)
                continue
            }
            Task(executorPreference: clock.taskExecutor) { [self] in
                defer { underWay.wrappingSubtract(1, ordering: .relaxed) }
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
