import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

/// An adapter that does what a test says, and that ignores cancellation when the test does.
struct ScriptedAdapter: NetworkAdapter {
    var descriptor = AdapterDescriptor(kind: "scripted", version: "1.2.3", formats: Set(AdFormat.allCases))
    var onSetUp: @Sendable (SetUpProgress) async throws(SetUpFailure) -> Void = { _ in }
    var onLoad: @Sendable (AdAsk) async throws(AdapterError) -> LoadOutcome = { _ in .fill([.hello]) }
    var onTearDown: @Sendable () async -> Void = {}

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) { try await onSetUp(progress) }
    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome { try await onLoad(ask) }
    func tearDown() async { await onTearDown() }
}

/// An adapter over a stub transport: `GET https://NETWORK.test/UNIT`, any body is a fill.
struct WebAdapter: HTTPAdapter {
    let descriptor = AdapterDescriptor(kind: "web", version: "2.0.0", formats: [.video])
    let context: AdapterContext
    var probe: HTTPProbe?

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        try await probe?.run(context, progress: progress)
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        OutboundRequest(
            url: "https://\(ask.lineItem.network).test/\(ask.lineItem.networkUnit)"
                + "?left=\(ask.deadline.remaining(context.clock).milliseconds)"
        )
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        .fill([Offer(markup: .document(reply.body))])
    }
}

extension Offer {
    static let hello = Offer(markup: .document(Array("<VAST/>".utf8)))

    static func priced(_ amount: String, _ currency: String = "USD") -> Offer {
        var offer = Offer.hello
        offer.price = .of(amount, currency)
        return offer
    }
}

extension Money {
    static func of(_ amount: String, _ currency: String = "USD") -> Money {
        guard let currency = Currency(currency), let money = Money(amount: amount, currency: currency) else {
            preconditionFailure("\(amount) \(currency) is no money")
        }
        return money
    }
}

/// A door that stays shut until a test opens it; waiting at it ignores cancellation.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Lock(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Things that happened, in order; a test can wait for them.
final class Diary<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Lock(State())

    var entries: [Entry] { state.withLock { $0.entries } }

    func note(_ entry: Entry) {
        let due = state.withLock { state in
            state.entries.append(entry)
            let count = state.entries.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }
        }
        for waiter in due { waiter.continuation.resume() }
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.entries.count < count { state.waiters.append((count, continuation)) }
                return state.entries.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}

extension RegistryEntry {
    /// An entry whose adapter is `adapter`, made anew for each life.
    static func entry(
        _ id: NetworkID,
        fingerprint: String = "1",
        _ adapter: @escaping @autoclosure @Sendable () -> any NetworkAdapter,
        change: (inout Network) -> Void = { _ in }
    ) -> RegistryEntry {
        let descriptor = adapter().descriptor
        var network = Network(id: id, adapter: descriptor.kind)
        change(&network)
        return RegistryEntry(
            network: network,
            fingerprint: fingerprint,
            source: .adapter(descriptor, make: { () throws(SettingsError) -> any NetworkAdapter in adapter() })
        )
    }
}

extension Catalog {
    static func empty(_ version: String = "v1") -> Catalog {
        Catalog(networks: [], adUnits: [], placements: [], version: version)
    }
}

extension AdapterRegistry {
    /// Waits until the status of all adapters is as wanted.
    @discardableResult
    func wait(until isWanted: (AdaptersSnapshot) -> Bool) async -> AdaptersSnapshot {
        for await snapshot in changes() where isWanted(snapshot) { return snapshot }
        return snapshot
    }

    /// Waits until a network's adapter is in a state.
    @discardableResult
    func wait(for network: NetworkID, _ state: AdapterState) async -> AdapterStatus {
        let snapshot = await wait { $0.status(of: network)?.state == state }
        return snapshot.status(of: network) ?? status(network)
    }

    func status(_ network: NetworkID) -> AdapterStatus {
        guard let status = snapshot.status(of: network) else { preconditionFailure("no network \(network)") }
        return status
    }
}
