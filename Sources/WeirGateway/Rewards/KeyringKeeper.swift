package import WeirRewards
internal import WeirTime

/// Holds the keys that Weir signs with, and looks now and then whether another process has changed them.
package final class KeyringKeeper: Sendable {
    /// Reads the keys where they are kept and rotates them when it is time; `nil` keeps what is held.
    package typealias Refresh = @Sendable () async -> SigningKeyring?

    private let ring: Lock<SigningKeyring>
    private let reload: Refresh

    /// A keeper of `ring`.
    package init(_ ring: SigningKeyring, refresh: @escaping Refresh = { nil }) {
        self.ring = Lock(ring)
        reload = refresh
    }

    /// What is held.
    package var current: SigningKeyring { ring.withLock { $0 } }

    /// Takes over what is kept by now.
    func refresh() async {
        guard let changed = await reload() else { return }
        ring.withLock { $0 = changed }
    }
}

/// Wakes the deliveries: rings while nobody listens count as one.
struct DeliveryBell: Sendable {
    let rings: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation

    init() {
        (rings, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { ringer.yield() }
}
